"""Parts of the failure mode screen: notes, modes and rates, each a table with its columns and its cells, and
what is said of a row.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from rich.cells import cell_len

from turnwise.conversations.marks import FAILED, LABEL_SIGNS
from turnwise.conversations.store import FailureMode, ModeEvent, ModeRate, NoteRow
from turnwise.tui.drawing.bars import INTERVAL_LEGEND, SHARE_WIDTH, scale
from turnwise.tui.drawing.lines_view import TONE_OF_SIGN
from turnwise.tui.drawing.record_table import Cell, TableColumn, left_in
from turnwise.tui.failure_modes.mode_words import UNDEFINED, count_words, rate_bar, share_words
from turnwise.tui.failure_modes.noted_turns import NotedTurns
from turnwise.tui.failure_modes.noted_words import Said, noted, place_words
from turnwise.tui.parts.words import moment

TICKED = "●"
"""What is taken of the notes. ✓ says beside it that a person passes a session."""
NARROW = 90
"""In fewer cells than this, the columns shrink to what must be there."""
MOST_EVENTS = 12
MOST_NOTES = 6
"""So many notes stand as examples of a mode, and more where rows are free."""
NAMED, NO_GROUP = "failure mode", "(none)"
_COUNTS, _LEAST_BAR, _WIDEST_BAR = 11, 10, 72
_LEAST_GROUP, _WIDEST_GROUP = 14, 26
_NAMES_LOOKED_AT = 60
"""Of so many rates the longest name says how much room bars have."""
_TONES = {**TONE_OF_SIGN, FAILED: "cross"}
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
        # Another person may say otherwise: "label" alone would be that of the session.
        tick, note = TableColumn("tick", 4), [TableColumn("", 1), TableColumn("label and note")]
        if width < NARROW:
            return [tick, *note, TableColumn(self._head, 24)]
        about = [
            TableColumn("session", _NUMBER, right=True),
            *([TableColumn("", _SESSION)] if self._names_sessions(width) else []),
            TableColumn("turn", 4, right=True),
            *([TableColumn("by", self._authors)] if self._authors else []),
        ]
        taken = sum(column.width for column in (tick, *about, *note))
        room = left_in(width, len(about) + 4, taken)
        return [tick, *about, *note, TableColumn(self._head, self._modes_in(room))]

    @property
    def _head(self) -> str:
        """What stands over the failure modes: also whose names are in brackets, where there are any.

        Those without a name were given by who wrote the note.
        """
        return "failure modes (by whom)" if any(row.others for row in self.rows) else "failure modes"

    @property
    def _modes(self) -> int:
        """The cells that failure modes need: what they leave is the notes'."""
        names = (_names_of_modes(row) for row in self.rows[:_NAMES_LOOKED_AT])
        return max(map(cell_len, (self._head, *names)))

    def _modes_in(self, room: int) -> int:
        """Return the cells of failure modes beside notes, in so many for both.

        A cut name of a mode may be that of another one; of a note the beginning tells what it is about, and
        the one under the cursor is whole beside the list.
        """
        return min(self._modes, max(_MODES, room - _WIDEST_NOTE))

    @property
    def _authors(self) -> int:
        """The cells of who wrote a note; none where one person wrote all of them."""
        authors = {row.author for row in self.rows[:_NAMES_LOOKED_AT]}
        return min(_BY, max(map(cell_len, authors))) if len(authors) > 1 else 0

    def _names_sessions(self, width: int) -> bool:
        """Whether there is room for what a note's session is called: notes themselves come first."""
        longest = max((cell_len(row.note) for row in self.rows[:_NAMES_LOOKED_AT]), default=0)
        taken = 2 + _NUMBER + _SESSION + 4 + self._authors + min(_MODES, self._modes)
        left = left_in(width, 7 + bool(self._authors), taken)
        return left >= max(_LEAST_NOTE, min(longest, _WIDEST_NOTE))

    def cells(self, row: int, width: int) -> list[Cell]:
        """Return what stands in a row."""
        note = self.rows[row]
        tick = Cell(TICKED) if note.label_id in self.ticked else Cell("·", "muted")
        sign = LABEL_SIGNS[note.label]
        modes = Cell(_names_of_modes(note) or "–", "text" if note.told else "muted")
        label_and_note = [Cell(sign, _TONES.get(sign, "muted")), Cell(note.note)]
        if width < NARROW:
            return [tick, *label_and_note, modes]
        about = [
            Cell(str(note.session_id), "muted"),
            *([Cell(note.session, "muted")] if self._names_sessions(width) else []),
            Cell(str(note.turn or ""), "muted"),
            *([Cell(note.author, "muted")] if self._authors else []),
        ]
        return [tick, *about, *label_and_note, modes]

    def said(self, row: int, _: int = MOST_NOTES) -> Said:
        """Return a note in full, and what was said there once that is read."""
        note = self.rows[row]
        who = f"{note.author}, {moment(note.created_at)} · {place_words(note)} · {note.session}"
        there = self.noted.said() if self.noted is not None and self.noted.label_id == note.label_id else []
        given = [
            (f"“{mode}” was given to the session by {givers}, not with this note", "muted")
            for mode, givers in note.others
        ]
        # In the list names of modes are cut where there are several.
        told = [(f"Failure modes: {', '.join(note.told)}", "text")] if note.told else []
        return [(note.note, "text"), (who, "muted"), *told, *given, *there]

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
        bar = self._bar(width)
        return [
            TableColumn(NAMED),
            *group,
            *([TableColumn(scale(bar), bar)] if self.has_bars(width) else []),
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


def _names_of_modes(note: NoteRow) -> str:
    """Return the failure modes of a note's session, each that its author did not give with who did."""
    others = dict(note.others)
    return ", ".join(f"{mode} ({others[mode]})" if mode in others else mode for mode in note.modes)


def _left_out(count: int) -> Said:
    """Say how many of a list are not shown; nothing where all are."""
    return [(f"… {count:,} more", "muted")] if count > 0 else []


def happened(events: Sequence[ModeEvent]) -> list[str]:
    """Say what happened to a mode, the newest first; what somebody did again and again is one line.

    Such as "assigned to 1 session at a time, 10 times · mia, last 25 May 2026 09:10".
    """
    said = []
    for (words, author), alike in groupby(events, key=lambda one: (one.words, one.author)):
        newest, *others = alike
        # Each time it may be another session.
        often = f"{' at a time' * bool(newest.sessions)}, {len(others) + 1:,} times" if others else ""
        said.append(f"{words}{often} · {author},{' last' if others else ''} {moment(newest.at)}")
    return said
