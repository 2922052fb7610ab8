"""SideTranscript: two transcripts aligned turn by turn, which are scrolled and read together.

Differences goes to the turns that differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rich.segment import Segment
from textual.cache import LRUCache
from textual.screen import Screen

from turnwise.conversations.store import TurnRow
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.palette import Palette
from turnwise.tui.drawing.word_diff import emphasise, word_diff
from turnwise.tui.drawing.wrapping import ELLIPSIS
from turnwise.tui.parts.notice import note
from turnwise.tui.reading.drawn_transcript import GAP, KEPT_TURNS, DrawnTranscript, TurnGroups
from turnwise.tui.reading.margin import TurnMarks
from turnwise.tui.reading.transcript import TranscriptView
from turnwise.tui.reading.turn_lines import DrawnTurn, TurnDrawer, estimate_height, turn_text

NO_TURN = TurnRow(position=-1, number=None, role="", content="")
"""Stands where the other side has a turn and this one has none."""
DIFFERS = "≠"
"""Stands beside who speaks, and beside a prompt or tool result, where the two sides say something else."""
MOSTLY = "most words differ"
"""Stands behind that where most words differ, so that none is bright among the others."""
SAME_WORDS = "Both sides say the same."
MOST_OF_SIDE = 400
"""Lines of a long turn that are shown before the rest is folded."""


class SideTurns(DrawnTranscript):
    """The turns of one side, one to a slot; a slot is as high as the higher of its two turns.

    In slots that differ, words that the other side says too are dim. shown_alone: the other side is not
    drawn, and laid out as this one is.
    """

    def __init__(self, rows: Sequence[TurnRow]) -> None:
        super().__init__(TurnGroups(rows, each_alone=True))
        self.partner = self
        self.shown_alone = False
        self.marks_words = True
        self._estimates: list[int] = []
        self._marked: LRUCache[int, tuple[DrawnTurn, DrawnTurn, DrawnTurn]] = LRUCache(KEPT_TURNS)
        """Marked turns, each with the plain turns of both sides that it was made from."""
        self._looked_at: set[int] = set()
        """Turns of which it is known whether calls of tools are cut before what differs in them."""

    def lay_out(self, width: int, palette: Palette, window: int) -> None:
        """Draw turns so wide from now on, and let the other side know how high they are."""
        self._lay_out_alone(width, palette)
        if self.shown_alone:
            self.partner._lay_out_alone(width, palette)
        self.estimate_anew(window)
        self.partner.estimate_anew(window)

    def _lay_out_alone(self, width: int, palette: Palette) -> None:
        # Little is folded: what differs may stand at the end of a long turn.
        self.take_drawer(TurnDrawer(width, palette, most=MOST_OF_SIDE, opener=self.opener))
        self._marked.clear()
        self._estimates = [estimate_height(group.row, width) + GAP for group in self.groups]

    def draw(self, turn: int) -> DrawnTurn:
        """Return the turn's lines, with what differs from the other side bright."""
        own = self.draw_plain(turn)
        other = self.partner.draw_plain(turn)
        if not self.marks_words or not own.lines or not other.lines or self._drawer is None:
            return own
        kept = self._marked.get(turn)
        if kept is None or kept[0] is not own or kept[1] is not other:
            # Both at once: the other side is drawn next, and comparing words takes longest.
            lines = self._mark(turn, own, other, self._drawer.palette)
            kept = self._marked[turn] = own, other, DrawnTurn(lines[0], own.folds)
            self.partner._marked[turn] = other, own, DrawnTurn(lines[1], other.folds)
        return kept[2]

    def draw_plain(self, turn: int) -> DrawnTurn:
        """Return the turn's lines as they are without another side."""
        if self.row(turn) is not NO_TURN:
            self._open_cut_calls(turn)
            return super().draw(turn)
        return (
            DrawnTurn([[Segment("no such turn", self._drawer.palette.muted)]])
            if self._drawer
            else DrawnTurn()
        )

    def _open_cut_calls(self, turn: int) -> None:
        """Open, once, calls of tools that are not the same on both sides and that one line does not hold."""
        if turn in self._looked_at or self._drawer is None or not self.marks_words:
            return
        self._looked_at.add(turn)
        calls = zip(self.row(turn).tools_called, self.partner.row(turn).tools_called, strict=False)
        unlike = {
            f"tool {index}"
            for index, (own, other) in enumerate(calls)
            if (own.name, own.arguments, own.output) != (other.name, other.arguments, other.output)
        }
        if not unlike:
            return
        drawn = super().draw(turn)
        cut = {name for line, name in drawn.folds.items() if ELLIPSIS in _text(drawn.lines[line])}
        if opened := frozenset(unlike & cut):
            for side in (self, self.partner):
                side._opened[turn] = side._opened.get(turn, frozenset()) | opened
                side.place.forget(turn)

    def toggle(self, turn: int, fold: str | None) -> None:
        """Open or fold one part of a turn, or all of them."""
        if self.row(turn) is not NO_TURN:
            super().toggle(turn, fold)
        self.place.forget(turn)
        self.partner.place.forget(turn)

    def _mark(
        self, turn: int, own: DrawnTurn, other: DrawnTurn, palette: Palette
    ) -> tuple[list[Line], list[Line]]:
        """Return the lines of both sides, this one's first, with the words bright that differ.

        Where most words do, none is: that stands beside the sign of such a turn.
        """
        row, partner = self.row(turn), self.partner.row(turn)
        if row is NO_TURN or partner is NO_TURN:
            return own.lines, other.lines
        # The first line says who speaks, or what is folded.
        heads = own.lines[0], other.lines[0]
        found = word_diff(*([_text(line) for line in side.lines[1:]] for side in (own, other)))
        if turn_text(row) != turn_text(partner):
            sign = DIFFERS if found is not None else f"{DIFFERS} {MOSTLY}"
            heads = _with_sign(heads[0], sign, palette), _with_sign(heads[1], sign, palette)
        if found is None:
            return [heads[0], *own.lines[1:]], [heads[1], *other.lines[1:]]
        first, second = (
            [
                told,
                *(
                    emphasise(line, spans.get(number, ()), palette.muted, palette.role)
                    for number, line in enumerate(side.lines[1:])
                ),
            ]
            for told, side, spans in zip(heads, (own, other), found, strict=True)
        )
        return first, second

    def _estimate(self, turn: int) -> int:
        both = self._estimates, self.partner._estimates
        return max((known[turn] for known in both if known), default=1 + GAP)

    def _measure(self, turn: int) -> int:
        return max(len(side.draw_plain(turn).lines) for side in (self, self.partner)) + GAP


def _text(line: Line) -> str:
    return "".join(piece.text for piece in line)


def _with_sign(line: Line, sign: str, palette: Palette) -> Line:
    """Return the line that says who speaks, or what is folded, with the sign of what differs behind that.

    Where the gap before what stands at its right has no room for all of it, the first sign stands alone, or
    the line stays as it is.
    """
    who, *rest = line
    if not rest:
        return [who, Segment(f" {sign}", palette.unsure)]
    gap, *right = rest
    told = next((f" {one}" for one in (sign, DIFFERS) if len(one) + 1 < gap.cell_length), "")
    room = gap.cell_length - len(told)
    return [who, Segment(told, palette.unsure), Segment(" " * room, gap.style), *right] if told else line


def join_sides(
    a: Sequence[TurnRow], b: Sequence[TurnRow], *, mark: bool = True
) -> tuple[SideTurns, SideTurns]:
    """Return two transcripts aligned with each other. mark: whether words that differ are to be bright."""
    slots = align(*([group.row for group in TurnGroups(rows)] for rows in (a, b)))
    first, second = (SideTurns([slot[side] for slot in slots]) for side in (0, 1))
    first.partner, second.partner = second, first
    first.marks_words = second.marks_words = mark
    return first, second


def align(a: Sequence[TurnRow], b: Sequence[TurnRow]) -> list[tuple[TurnRow, TurnRow]]:
    """Return drawn turns in pairs of one role, in order, with NO_TURN where one side has none.

    Where the roles differ, what is no turn of the user stands alone: the user's turns are what both have.
    """
    slots: list[tuple[TurnRow, TurnRow]] = []
    i = j = 0
    while i < len(a) or j < len(b):
        first = a[i] if i < len(a) else NO_TURN
        second = b[j] if j < len(b) else NO_TURN
        if first is not NO_TURN and second is not NO_TURN and first.role != second.role:
            if _waits(first) <= _waits(second):
                second = NO_TURN
            else:
                first = NO_TURN
        slots.append((first, second))
        i += first is not NO_TURN
        j += second is not NO_TURN
    return slots


def differing(a: SideTurns, b: SideTurns) -> list[int]:
    """Return the slots whose turns say something else, in order."""
    return [
        slot
        for slot in range(len(a.groups))
        if turn_text(a.row(slot)) != turn_text(b.row(slot)) or NO_TURN in (a.row(slot), b.row(slot))
    ]


def _waits(row: TurnRow) -> int:
    return {"user": 2, "assistant": 1}.get(row.role, 0)


class SideTranscript(TranscriptView):
    """One of two transcripts that always show the same place and have their cursors on the same slot."""

    DEFAULT_CSS = "SideTranscript.-beside { scrollbar-size-vertical: 0; }"

    def __init__(self, opener: str, *, id: str | None = None) -> None:  # noqa: A002
        """opener: as TranscriptView names it."""
        super().__init__(opener=opener, id=id)
        self._partner: SideTranscript | None = None
        self._follows = False
        self._shown = True
        self._alone = False

    def join(self, partner: SideTranscript) -> None:
        """Be moved together with another transcript."""
        self._partner, partner._partner = partner, self

    def show_side(self, turns: SideTurns, verdicts: Mapping[int, TurnMarks]) -> None:
        """Show one side of a pair from its start."""
        turns.shown_alone = self._alone
        self.set_turns(turns, verdicts)

    def set_shown(self, shown: bool, *, alone: bool) -> None:
        """Take note whether it is seen, and whether alone: its turns are then laid out for both."""
        was = self._shown, self._alone
        self._shown, self._alone = shown, shown and alone
        if isinstance(self._turns, SideTurns):
            self._turns.shown_alone = self._alone
        if shown and was != (self._shown, self._alone):
            self._lay_out()

    def on_show(self) -> None:
        """Settle where the other side went meanwhile, in the size that it had."""
        self._window.keep_in_sight(self._cursor, self._lay_out)

    def _lay_out(self) -> None:
        if self._shown:
            super()._lay_out()

    def _settle(self) -> None:
        super()._settle()
        self._lead()

    def move_cursor(self, turn: int, *, reveal: bool = True) -> None:
        """Put the cursor on a slot on both sides, and by default bring it into sight."""
        super().move_cursor(turn, reveal=reveal)
        self._lead()

    def _lead(self) -> None:
        if self._partner is not None and not self._follows and len(self._turns.groups):
            self._partner._follow(self)

    def _follow(self, leader: SideTranscript) -> None:
        place = leader._turns.place
        if self._turns.shown != place.shown:
            # The other side shows its next pair before this one does.
            return
        self._follows = True
        try:
            self._cursor = leader._cursor
            if self.size.height and self._palette is not None:
                self._window.go(place.item, place.line)
            else:
                self._turns.place.item, self._turns.place.line = place.item, place.line
        finally:
            self._follows = False


class Differences:
    """The slots at which two sides differ, and the keys that go from one to the next."""

    def __init__(
        self,
        screen: Screen[Any],
        transcript: Callable[[], SideTranscript],
        alike: Callable[[], str] = lambda: SAME_WORDS,
    ) -> None:
        """transcript: the one that has the keys. alike: says that there are no such slots."""
        self._screen = screen
        self._transcript = transcript
        self._alike = alike
        self.slots: Sequence[int] = ()
        """In order."""

    def action_next_difference(self) -> None:
        """Go to the next turn that is not the same on both sides."""
        here = self._transcript().cursor
        self._go((slot for slot in self.slots if slot > here), "after")

    def action_previous_difference(self) -> None:
        """Go back to such a turn."""
        here = self._transcript().cursor
        self._go((slot for slot in reversed(self.slots) if slot < here), "before")

    def _go(self, there: Iterable[int], where: str) -> None:
        if (slot := next(iter(there), None)) is not None:
            self._transcript().move_cursor(slot)
        else:
            note(self._screen, f"No turn differs {where} this one." if self.slots else self._alike())
