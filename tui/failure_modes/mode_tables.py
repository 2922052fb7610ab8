"""The three tables of the failure mode screen: notes, modes and rates, and what is done and ticked in them.

A part is one table as it is drawn: its columns, its cells, and what is said of a row. ModeTables holds all
three as they are read, and where one is in each.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from rich.cells import cell_len

from turnwise.conversations.marks import LABEL_SIGNS
from turnwise.conversations.store import FailureMode, ModeEvent, ModeRate, NoteRow
from turnwise.conversations.words import counted
from turnwise.tui.drawing.bars import INTERVAL_LEGEND, SHARE_WIDTH
from turnwise.tui.drawing.lines_view import TONE_OF_SIGN
from turnwise.tui.drawing.record_table import Cell, TableColumn, left_in
from turnwise.tui.failure_modes.mode_words import UNDEFINED, alone_words, count_words, rate_bar, share_words
from turnwise.tui.failure_modes.noted_turns import NotedTurns
from turnwise.tui.failure_modes.noted_words import Said, noted
from turnwise.tui.failure_modes.part_tabs import PartTab
from turnwise.tui.parts.words import moment

if TYPE_CHECKING:
    from turnwise.conversations.store import Store

PartName = Literal["notes", "modes", "rates"]
PARTS: tuple[PartName, ...] = ("notes", "modes", "rates")
NARROW = 90
"""In fewer cells than this, the columns shrink to what must be there."""
MOST_EVENTS = 12
MOST_NOTES = 6
"""So many notes stand as examples of a mode, and more where rows are free."""
NAMED, NO_GROUP = "failure mode", "(none)"
_SCALE = "0-100 %"
_COUNTS, _LEAST_BAR, _WIDEST_BAR = 11, 10, 72
_LEAST_GROUP, _WIDEST_GROUP = 14, 26
_NAMES_LOOKED_AT = 60
"""Of so many rates the longest name says how much room bars have."""
_NUMBER, _BY, _SESSION, _MODES = 7, 10, 28, 28
_LEAST_NOTE, _WIDEST_NOTE = 32, 60
"""Cells of a note beside what its session is called: as many as it needs, within these."""


@dataclass(frozen=True, slots=True)
class NotesPart:
    """The notes that people wrote.

    ticked: the numbers of those that are taken for the next assignment. noted: the turns of the note that was
    looked at last, once they are read.
    """

    rows: Sequence[NoteRow]
    ticked: frozenset[int] = frozenset()
    noted: NotedTurns | None = None

    @property
    def chosen(self) -> list[NoteRow]:
        """The ticked notes."""
        return [row for row in self.rows if row.label_id in self.ticked]

    def columns(self, width: int) -> list[TableColumn]:
        """Return the columns."""
        signs, note = [TableColumn("", 1), TableColumn("", 1)], TableColumn("note")
        if width < NARROW:
            return [*signs, note, TableColumn("failure modes", 24)]
        about = [
            TableColumn("session", _NUMBER, right=True),
            *([TableColumn("", _SESSION)] if self._names_sessions(width) else []),
            TableColumn("turn", 4, right=True),
            *([TableColumn("by", self._authors)] if self._authors else []),
        ]
        return [*signs, *about, note, TableColumn("failure modes", self._modes)]

    @property
    def _modes(self) -> int:
        """The cells of failure modes: no more than they need, as what they leave is the notes'."""
        names = (_names_of_modes(row) for row in self.rows[:_NAMES_LOOKED_AT])
        return min(_MODES, max(map(cell_len, ("failure modes", *names))))

    @property
    def _authors(self) -> int:
        """The cells of who wrote a note; none where one person wrote all of them."""
        authors = {row.author for row in self.rows[:_NAMES_LOOKED_AT]}
        return min(_BY, max(map(cell_len, authors))) if len(authors) > 1 else 0

    def _names_sessions(self, width: int) -> bool:
        """Whether there is room for what a note's session is called: notes themselves come first."""
        longest = max((cell_len(row.note) for row in self.rows[:_NAMES_LOOKED_AT]), default=0)
        taken = 2 + _NUMBER + _SESSION + 4 + self._authors + self._modes
        left = left_in(width, 7 + bool(self._authors), taken)
        return left >= max(_LEAST_NOTE, min(longest, _WIDEST_NOTE))

    def cells(self, row: int, width: int) -> list[Cell]:
        """Return what stands in a row."""
        note = self.rows[row]
        tick = Cell("✓") if note.label_id in self.ticked else Cell("·", "muted")
        sign = LABEL_SIGNS[note.label]
        modes = Cell(_names_of_modes(note) or "–", "text" if note.told else "muted")
        signs = [tick, Cell(sign, TONE_OF_SIGN.get(sign, "muted"))]
        if width < NARROW:
            return [*signs, Cell(note.note), modes]
        about = [
            Cell(str(note.session_id), "muted"),
            *([Cell(note.session, "muted")] if self._names_sessions(width) else []),
            Cell(str(note.turn or ""), "muted"),
            *([Cell(note.author, "muted")] if self._authors else []),
        ]
        return [*signs, *about, Cell(note.note), modes]

    def said(self, row: int, _: int = MOST_NOTES) -> Said:
        """Return a note in full, and what was said there once that is read."""
        note = self.rows[row]
        at = f", turn {note.turn}" if note.turn else ""
        who = f"{note.author}, {moment(note.created_at)} · session {note.session_id}{at} · {note.session}"
        there = self.noted.said() if self.noted is not None and self.noted.label_id == note.label_id else []
        given = [(f"{mode}: given to the session by {givers}", "muted") for mode, givers in note.others]
        return [(note.note, "text"), (who, "muted"), *given, *there]

    def unread(self, row: int) -> NoteRow | None:
        """Return the note in a row if its turns are still to be read."""
        if row >= len(self.rows):
            return None
        note = self.rows[row]
        known = self.noted is not None and self.noted.label_id == note.label_id
        return None if known else note


@dataclass(frozen=True, slots=True)
class ModesPart:
    """The failure modes. history: what happened to those that were looked at, by number. notes: all notes."""

    rows: Sequence[FailureMode]
    history: Mapping[int, Sequence[ModeEvent]] = field(default_factory=dict)
    notes: Sequence[NoteRow] = ()

    def columns(self, width: int) -> list[TableColumn]:
        """Return the columns."""
        longest = max(map(cell_len, (NAMED, *(row.name for row in self.rows[:_NAMES_LOOKED_AT]))))
        # What short names leave is for the definitions.
        name = TableColumn(NAMED, min(longest, 26 if width < NARROW else 36))
        return [name, TableColumn("sessions", 8, right=True), TableColumn("definition")]

    def cells(self, row: int, width: int) -> list[Cell]:
        """Return what stands in a row."""
        mode = self.rows[row]
        return [
            Cell(mode.name),
            Cell(f"{mode.sessions:,}", "text" if mode.sessions else "muted"),
            Cell(mode.definition or UNDEFINED, "muted"),
        ]

    def said(self, row: int, notes: int = MOST_NOTES) -> Said:
        """Return the definition in full, what people noted, and the history, newest first.

        notes: at most so many stand there.
        """
        mode = self.rows[row]
        events = list(reversed(self.history.get(mode.id, ())))
        by = f" · proposed by {mode.proposed_by}" if mode.proposed_by else ""
        lines: Said = [(mode.definition or UNDEFINED, "text"), (f"named by {mode.author}{by}", "muted")]
        lines += noted(self.notes, mode.name, notes)
        lines += [("What happened to it", "section")] if events else []
        told = happened(events)
        lines += [(words, "muted") for words in told[:MOST_EVENTS]]
        return [*lines, *_left_out(len(told) - MOST_EVENTS)]


@dataclass(frozen=True, slots=True)
class RatesPart:
    """How often the failure modes occur. notes: all notes. over_runs: whether there are several runs.

    members: the sessions of each group. alone: whether all are of one group, of which a column would say
    the same in each row.
    """

    rows: Sequence[ModeRate]
    by: str | None = None
    notes: Sequence[NoteRow] = ()
    over_runs: bool = False
    alone: bool = False
    members: Mapping[str, Collection[int]] = field(default_factory=dict)

    @property
    def _grouped(self) -> str | None:
        """What the column of groups is called; None where there is none."""
        return None if self.alone else self.by

    def has_bars(self, width: int) -> bool:
        """Whether there is room for bars that can be told apart."""
        return self._grouped is None or width >= NARROW

    @property
    def _names(self) -> int:
        """The cells of the longest name, or of the heading over them."""
        return max(map(cell_len, (NAMED, *(one.name for one in self.rows[:_NAMES_LOOKED_AT]))))

    def _bar(self, width: int) -> int:
        """Return the cells of a bar: what names leave, so that figures stand near them."""
        left = self._left(width) - self._names - self._group(width)
        least = _LEAST_BAR if self._grouped else 20 if width >= NARROW else 10
        return max(least, min(_WIDEST_BAR, left))

    def _group(self, width: int) -> int:
        """Return the cells of a group: no more than it needs, of what names and a short bar leave."""
        if self._grouped is None:
            return 0
        # A role may be of any length.
        groups = ((one.group or NO_GROUP)[:_WIDEST_GROUP] for one in self.rows[:_NAMES_LOOKED_AT])
        left = self._left(width) - self._names - (_LEAST_BAR if self.has_bars(width) else 0)
        return min(max(map(cell_len, (self._grouped, *groups))), max(_LEAST_GROUP, min(_WIDEST_GROUP, left)))

    def _left(self, width: int) -> int:
        """Return the cells that figures leave."""
        columns = 3 + (self._grouped is not None) + self.has_bars(width)
        return left_in(width, columns, _COUNTS + SHARE_WIDTH)

    def columns(self, width: int) -> list[TableColumn]:
        """Return the columns."""
        group = [TableColumn(self._grouped, self._group(width))] if self._grouped else []
        return [
            TableColumn(NAMED),
            *group,
            *([TableColumn(_SCALE, self._bar(width))] if self.has_bars(width) else []),
            TableColumn("sessions", _COUNTS, right=True),
            TableColumn("share (interval)", SHARE_WIDTH),
        ]

    def cells(self, row: int, width: int) -> list[Cell]:
        """Return what stands in a row; a mode's name is dim where it repeats."""
        rate = self.rows[row]
        repeated = row > 0 and self.rows[row - 1].mode_id == rate.mode_id
        group = [Cell(rate.group or NO_GROUP)] if self._grouped else []
        return [
            Cell(rate.name, "muted" if repeated else "text"),
            *group,
            *([Cell(rate_bar(rate, self._bar(width)), "bar")] if self.has_bars(width) else []),
            Cell(count_words(rate), "muted"),
            Cell(share_words(rate)),
        ]

    def said(self, row: int, notes: int = MOST_NOTES) -> Said:
        """Say what a row counts, and what people noted. notes: at most so many stand there."""
        rate = self.rows[row]
        within = f" with the {self.by} “{rate.group}”" if self.by and rate.group else ""
        count = f"{rate.sessions:,} of the {rate.reviewed:,} sessions{within} that people reviewed"
        count += ", over all runs," if self.over_runs else ""
        have = "has" if rate.sessions == 1 else "have"
        sure = f"the share is {share_words(rate)}, the figures in brackets its 95 % interval"
        return [
            (f"{count} {have} “{rate.name}”; {sure}.", "text"),
            (f"Bar, 0 to 100 %:  {INTERVAL_LEGEND}", "legend"),
            ("Reviewed: labelled pass or fail, or given a failure mode. enter lists the sessions.", "muted"),
            *noted(
                self.notes,
                rate.name,
                notes,
                self.members.get(rate.group or "", ()) if self._grouped else None,
            ),
        ]


Part = NotesPart | ModesPart | RatesPart


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
        parts: dict[PartName, Part] = {"notes": self.notes, "modes": self.modes, "rates": self.rates}
        return parts[self.part]

    @property
    def cursor(self) -> int:
        """The row of the cursor in the table that is shown; each table keeps its own."""
        return self._cursors.get(self.part, 0)

    @cursor.setter
    def cursor(self, row: int) -> None:
        self._cursors[self.part] = row

    # Reading

    def take(self, read: ReadTables) -> None:
        """Hold what was read; ticks stay on the notes that are still there."""
        self.known = True
        self._all_notes = read.notes
        self._groupings = read.groupings
        self.sessions, self.can_undo = read.sessions, read.can_undo
        self._all_modes, self._all_rates = read.modes, read.rates
        self.modes = replace(self.modes, notes=read.notes)
        alone = read.by is not None and len({rate.group for rate in read.rates}) == 1
        self.rates = RatesPart((), read.by, read.notes, read.over_runs, alone, read.members)
        self._choose()

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


def give(store: Store, notes: Sequence[NoteRow], mode_id: int, author: str) -> int:
    """Give the sessions of notes a failure mode, each at its note's turn; return how many got it."""
    # The oldest note of a session tells the first failure.
    turns = {note.session_id: note.turn for note in notes if note.turn is not None}
    return store.modes.assign([note.session_id for note in notes], mode_id, author, turn=turns)


def _names_of_modes(note: NoteRow) -> str:
    """Return the failure modes of a note's session, each that its author did not give with who did."""
    others = dict(note.others)
    return ", ".join(f"{mode} ({others[mode]})" if mode in others else mode for mode in note.modes)


def _left_out(count: int) -> Said:
    """Say how many of a list are not shown; nothing where all are."""
    return [(f"… {count:,} more", "muted")] if count > 0 else []


def happened(events: Sequence[ModeEvent]) -> list[str]:
    """Say what happened to a mode, the newest first; what somebody did again and again is one line.

    Such as "assigned to 1 session each time, 10 times · mia, last 25 May 2026 09:10".
    """
    said = []
    for (words, author), alike in groupby(events, key=lambda one: (one.words, one.author)):
        newest, *others = alike
        each = " each time" if newest.sessions else ""
        often = f"{each}, {len(others) + 1:,} times" if others else ""
        said.append(f"{words}{often} · {author},{' last' if others else ''} {moment(newest.at)}")
    return said


EMPTY: Mapping[str, tuple[str, str]] = {
    "notes": (
        "No notes yet.",
        "Read 30 to 50 sessions first. Where one goes wrong, stop at the first failure: "
        "`{review.label_fail}` fails the session there, `{review.note}` writes a note. Write what you "
        "see, not why it may be so.\n\n"
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
