"""ModeTables: the three tables of the failure mode screen as they were read, and what is ticked in them.

It holds notes, modes and rates, and where one is in each; how each is drawn, `mode_parts` knows.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from turnwise.conversations.store import FailureMode, ModeEvent, ModeRate, NoteRow
from turnwise.conversations.words import counted
from turnwise.tui.failure_modes.mode_parts import ModesPart, NotesPart, Part, RatesPart
from turnwise.tui.failure_modes.mode_words import alone_words
from turnwise.tui.failure_modes.noted_turns import NotedTurns
from turnwise.tui.failure_modes.part_tabs import PartTab

if TYPE_CHECKING:
    from turnwise.conversations.store import Store

PartName = Literal["notes", "modes", "rates"]
PARTS: tuple[PartName, ...] = ("notes", "modes", "rates")


@dataclass(frozen=True, slots=True)
class ReadTables:
    """All notes, modes and rates, as they were read from the store.

    by: how the rates are grouped. members: the sessions of each group. groupings: how they can be.
    over_runs: whether there are several runs, which all count alike. sessions: how many there are. can_undo:
    whether the one who looks changed something that can be taken back.
    """

    notes: Sequence[NoteRow]
    modes: Sequence[FailureMode]
    rates: Sequence[ModeRate]
    by: str | None
    groupings: Sequence[str] = ("role", "tag")
    over_runs: bool = False
    sessions: int = 0
    can_undo: bool = False
    members: Mapping[str, Collection[int]] = field(default_factory=dict)


class ModeTables:
    """Holds what the tables show; it knows no widgets."""

    def __init__(self, part: PartName = "notes") -> None:
        """part: the one that is shown first."""
        self.part: PartName = part
        self.notes = NotesPart(())
        self.modes = ModesPart(())
        self.rates = RatesPart(())
        self.uncoded = False
        """Whether only notes without a failure mode are shown."""
        self.words = ""
        """Words that rows must have to be shown."""
        self.known = False
        """Whether the store was read at least once."""
        self.sessions = 0
        """How many sessions the store has."""
        self.can_undo = False
        """Whether something that was changed here can be taken back."""
        self._all_notes: Sequence[NoteRow] = ()
        self._all_modes: Sequence[FailureMode] = ()
        self._all_rates: Sequence[ModeRate] = ()
        self._cursors: dict[PartName, int] = {}
        self._groupings: Sequence[str] = ("role", "tag")

    @property
    def shown(self) -> Part:
        """The table that is shown."""
        return self._parts[self.part]

    @property
    def _parts(self) -> dict[PartName, Part]:
        return {"notes": self.notes, "modes": self.modes, "rates": self.rates}

    @property
    def cursor(self) -> int:
        """The row of the cursor in the table that is shown; each table keeps its own."""
        return self._cursors.get(self.part, 0)

    @cursor.setter
    def cursor(self, row: int) -> None:
        self._cursors[self.part] = row

    # Reading

    def take(self, read: ReadTables) -> None:
        """Hold what was read; ticks stay on the notes that are still there, and each cursor on its row."""
        self.known = True
        keys = {name: _keys(part) for name, part in self._parts.items()}
        here = {name: keys[name][at] for name, at in self._cursors.items() if at < len(keys[name])}
        self._all_notes = read.notes
        self._groupings = read.groupings
        self.sessions, self.can_undo = read.sessions, read.can_undo
        self._all_modes, self._all_rates = read.modes, read.rates
        self.modes = replace(self.modes, notes=read.notes)
        alone = read.by is not None and len({rate.group for rate in read.rates}) == 1
        self.rates = RatesPart((), read.by, read.notes, read.over_runs, alone, read.members)
        self._choose()
        for name, key in here.items():
            if key in (now := _keys(self._parts[name])):
                self._cursors[name] = now.index(key)

    def take_history(self, mode_id: int, events: Sequence[ModeEvent]) -> None:
        """Hold what happened to a mode."""
        self.modes = replace(self.modes, history={mode_id: events})

    def take_noted(self, noted: NotedTurns) -> None:
        """Hold what was said where a note was written."""
        self.notes = replace(self.notes, noted=noted)

    def forget_history(self) -> None:
        """Let what happened to modes be read anew, because one was changed."""
        self.modes = replace(self.modes, history={})

    def _choose(self) -> None:
        notes = [
            row
            for row in self._all_notes
            if not (self.uncoded and row.modes) and self._like(row.note, row.session, row.author, *row.modes)
        ]
        ticked = self.notes.ticked & {row.label_id for row in notes}
        self.notes = NotesPart(notes, ticked)
        modes = [row for row in self._all_modes if self._like(row.name, row.definition)]
        self.modes = replace(self.modes, rows=modes)
        rates = [row for row in self._all_rates if self._like(row.name, row.group or "")]
        self.rates = replace(self.rates, rows=rates)

    def _like(self, *texts: str) -> bool:
        told = " ".join(texts).casefold()
        return all(word in told for word in self.words.casefold().split())

    def find(self, words: str) -> None:
        """Show only rows that have these words; all for none."""
        if words != self.words:
            self.words = words
            self._cursors = {}
            self._choose()

    # Rows

    def mode_at(self, row: int) -> FailureMode | None:
        """Return the mode in a row; None where the modes are not shown, or the row is past the last one."""
        return self.modes.rows[row] if self.part == "modes" and row < len(self.modes.rows) else None

    def chosen_notes(self, row: int) -> list[NoteRow]:
        """Return the ticked notes, or else the note in a row."""
        return self.notes.chosen or list(self.notes.rows[row : row + 1])

    # What is done with the notes

    def toggle_uncoded(self) -> None:
        """Show only notes without a failure mode, or all."""
        self.uncoded = not self.uncoded
        self._cursors["notes"] = 0
        self._choose()

    def toggle_tick(self, row: int) -> None:
        """Take the note of a row, or leave it."""
        self.notes = replace(self.notes, ticked=self.notes.ticked ^ {self.notes.rows[row].label_id})

    def toggle_all_ticks(self) -> None:
        """Take all notes that are shown, or none."""
        every = frozenset(row.label_id for row in self.notes.rows)
        self.notes = replace(self.notes, ticked=frozenset() if self.notes.ticked == every else every)

    def clear_ticks(self) -> None:
        """Leave all notes."""
        self.notes = replace(self.notes, ticked=frozenset())

    # What is done with the other tables

    def show_next(self) -> None:
        """Show the table after the one that is shown."""
        self.part = PARTS[(PARTS.index(self.part) + 1) % len(PARTS)]

    @property
    def can_group(self) -> bool:
        """Whether there are groups to count by, or some are shown."""
        return bool(self._groupings) or self.rates.by is not None

    def next_grouping(self) -> str | None:
        """Return how the rates are grouped next: over all, by role, by tag, by what metadata say.

        Their cursor goes to the top.
        """
        self._cursors["rates"] = 0
        ways = [None, *self._groupings]
        return ways[(ways.index(self.rates.by) + 1) % len(ways)] if self.rates.by in ways else None

    # Words

    @property
    def why_empty(self) -> str:
        """Which of the words of EMPTY say why the table that is shown has no rows."""
        if self.words:
            return "found"
        return "uncoded" if self.part == "notes" and self.uncoded and self._all_notes else self.part

    def tabs(self) -> list[PartTab]:
        """Return the names of the tables, each with how many rows it holds once that is known."""
        notes, modes = f"{len(self._all_notes):,}", f"{len(self._all_modes):,}"
        if self.uncoded or self.words:
            notes = f"{len(self.notes.rows):,} of {notes}{' open' if self.uncoded else ''}"
        if self.words:
            modes = f"{len(self.modes.rows):,} of {modes}"
        holds = {"notes": notes, "modes": modes}
        return [PartTab(name, holds.get(name, "") if self.known else "") for name in PARTS]

    def title_words(self) -> str:
        """Say what is ticked, by what the rates are grouped, and how many sessions were reviewed."""
        reviewed = max((rate.reviewed for rate in self._all_rates), default=0) if not self.rates.by else 0
        ticked = len(self.notes.chosen)
        parts = [f"{ticked:,} ticked"] if ticked and self.part == "notes" else []
        if self.rates.by and self.part == "rates":
            alone = f", {alone_words(self._all_rates[0].group)}" if self.rates.alone else ""
            parts.append(f"by {self.rates.by}{alone}")
        over = ", over all runs" if self.rates.over_runs else ""
        parts += [f"{counted(reviewed, 'session')} reviewed{over}"] if reviewed else []
        return "   ".join(parts)


def _keys(part: Part) -> list[object]:
    """Return what tells each row of a table from the others, also once they are read anew."""
    if isinstance(part, NotesPart):
        return [row.label_id for row in part.rows]
    if isinstance(part, ModesPart):
        return [row.id for row in part.rows]
    return [(row.name, row.group) for row in part.rows]


def give(store: Store, notes: Sequence[NoteRow], mode_id: int, author: str) -> int:
    """Give the sessions of notes a failure mode, each at its note's turn; return how many got it."""
    # The oldest note of a session tells the first failure.
    turns = {note.session_id: note.turn for note in notes if note.turn is not None}
    return store.modes.assign([note.session_id for note in notes], mode_id, author, turn=turns)


EMPTY: Mapping[str, tuple[str, str]] = {
    "notes": (
        "No notes yet.",
        "Read 30 to 50 sessions first. Where one goes wrong, stop at the first failure: in its review "
        "`{review.label_fail}` fails it there and `{review.note}` writes a note. Write what you see, not why "
        "it may be so.\n\n"
        "Names come afterwards, from what the notes have in common.",
    ),
    "uncoded": (
        "Every note has a failure mode.",
        "`{failure_modes.uncoded}` shows all notes again. When 20 sessions in a row bring nothing new, "
        "you have read enough.",
    ),
    "found": (
        "Nothing here is like the words that are looked for.",
        "`{failure_modes.back}` shows all again.",
    ),
    "modes": (
        "No failure modes yet.",
        "A failure mode is one way in which conversations go wrong, with a name: “asks again for what it was "
        "told”. How many sessions have each says what to repair first.\n\n"
        "Read 30 to 50 sessions and note the first failure of each; then name what the notes have in "
        "common. Five to ten modes do, each with one sentence by which two people would decide alike.\n\n"
        "`{failure_modes.add}` names one. In the notes (`{failure_modes.notes}`), `{failure_modes.assign}` "
        "gives one to those that are ticked, and `{failure_modes.propose}` lets the judge propose.",
    ),
    "rates": (
        "No rates yet.",
        "Once sessions have failure modes, this is the table that says what to repair first: how many of the "
        "sessions that you reviewed have each, in all, by role, by tag, or by what their metadata say.",
    ),
}
"""What stands where there is nothing to show: a title, and what to do."""


def rates_by(by: str | None) -> ModeTables:
    """Return tables of which the rates are shown first. by: how these are grouped; None for not at all."""
    tables = ModeTables("rates")
    tables.rates = RatesPart((), by)
    return tables
