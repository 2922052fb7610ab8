"""ScorePane: the scores of a session beside its transcript, and the verdicts about the turn being read."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.strip import Strip

from turnwise.conversations.store.rows import LabelRow, ScoreRow
from turnwise.tui.widgets.lines_view import DrawnLines, LinesView, read_tones
from turnwise.tui.widgets.margin import BAR
from turnwise.tui.widgets.score_groups import ScoreGroup, group_scores, turn_marks, verdicts_by_turn
from turnwise.tui.widgets.score_lines import (
    Item,
    ScoreLines,
    chips,
    score_lines,
    short_turn_lines,
    turn_lines,
)
from turnwise.tui.widgets.turn_lines import Line

CHIP_LINES = 2
LINES_A_VERDICT = 2
FURTHER_LINES = 3


class ScoreList(LinesView):
    """All outcomes, with a cursor over them and over the turns that failed."""

    DEFAULT_CSS = "ScoreList { background: $surface; }"

    @dataclass
    class Chosen(Message):
        """A failing turn was clicked."""

        row: ScoreRow
        turn: int

    def __init__(self, clock: Callable[[], float], empty: str, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._clock = clock
        self._empty = empty
        self._groups: Sequence[ScoreGroup] = ()
        self._labels: Sequence[LabelRow] = ()
        self._drawn = ScoreLines()
        self._cursor = 0

    @property
    def current(self) -> Item | None:
        """What the cursor is on; None where there are no scores."""
        return self._drawn.items[self._cursor] if self._cursor < len(self._drawn.items) else None

    def show(self, groups: Sequence[ScoreGroup], labels: Sequence[LabelRow]) -> None:
        """Show outcomes; the cursor stays where it was among them."""
        self._groups, self._labels = groups, labels
        self._draw()

    def move(self, by: int) -> None:
        """Move the cursor by so many items."""
        self._cursor = max(0, min(self._cursor + by, len(self._drawn.items) - 1))
        if item := self.current:
            # The first item brings what stands over it into sight, the last what stands under it.
            at_end = self._cursor == len(self._drawn.items) - 1
            last = len(self._drawn.lines) - 1 if at_end else item.last
            self.go_to_line(item.first if self._cursor else 0, last)
        self.refresh()

    def rewind(self) -> None:
        """Put the cursor on the first item."""
        self._cursor = 0
        self.scroll_to(y=0)

    def on_resize(self) -> None:
        """Wrap anew."""
        self._draw()

    def on_focus(self) -> None:
        """Show the cursor."""
        self.move(0)

    def on_blur(self) -> None:
        """Hide the cursor."""
        self.refresh()

    def _draw(self) -> None:
        width = self.scrollable_content_region.width
        if not self.is_mounted or not width:
            return
        tones = read_tones(self)
        if self._groups or self._labels:
            self._drawn = score_lines(self._groups, self._labels, width, tones, self._clock())
        else:
            lines: list[Line] = [[Segment(f"  {line}", tones.muted)] for line in self._empty.split("\n")]
            self._drawn = ScoreLines(lines)
        self._cursor = max(0, min(self._cursor, len(self._drawn.items) - 1))
        self.set_lines(self._drawn.lines, keep_place=True)

    def notify_style_update(self) -> None:
        """Draw anew where the theme changed."""
        super().notify_style_update()
        self._draw()

    def render_line(self, y: int) -> Strip:
        """Draw one line, with the bar beside what the cursor is on."""
        strip = super().render_line(y)
        item = self.current
        number = self.scroll_offset.y + y
        if item is None or not self.has_focus or not item.first <= number <= item.last:
            return strip
        bar = Segment(BAR, self._base + read_tones(self).bar)
        return Strip.join([Strip([bar], 1), strip.crop(1)]).adjust_cell_length(self.size.width, self._base)

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on what was clicked, and follow it where it leads to a turn."""
        offset = event.get_content_offset(self)
        if offset is None or self.text_selection is not None:
            return
        number = self.scroll_offset.y + offset.y
        for index, item in enumerate(self._drawn.items):
            if item.first <= number <= item.last:
                self._cursor = index
                self.refresh()
                if item.turn is not None:
                    self.post_message(self.Chosen(item.row, item.turn))
                return


class ScorePane(Vertical):
    """Scores above, the verdicts about the present turn below.

    Where it stands under a transcript (class -under) it shows the scores as one or two lines of signs until
    it is opened (class -open). empty: what to say where there are no scores. clock: seconds since 1970.
    """

    DEFAULT_CSS = """
    ScorePane {
        background: $surface;
        padding: 1 0 0 0;
        & > ScoreList { height: 1fr; }
        & > #score-chips { display: none; height: auto; }
        & > #turn-verdicts { height: 0; }
        &.-under {
            padding: 0;
            & > ScoreList { display: none; }
            & > #score-chips { display: block; height: 2; }
            & > #turn-verdicts { height: 1fr; }
        }
        &.-under.-open {
            & > ScoreList { display: block; }
            & > #score-chips, & > #turn-verdicts { display: none; }
        }
    }
    """

    def __init__(
        self,
        *,
        empty: str = "No scores yet.",
        clock: Callable[[], float] = time.time,
        id: str | None = None,  # noqa: A002
    ) -> None:
        super().__init__(id=id)
        self._empty = empty
        self._clock = clock
        self._groups: Sequence[ScoreGroup] = ()
        self._turn: int | None = None
        self._room = 0
        self._by_turn = verdicts_by_turn(())

    def compose(self) -> ComposeResult:
        """Put the parts together."""
        yield DrawnLines(id="score-chips")
        yield ScoreList(self._clock, self._empty, id="score-list")
        yield DrawnLines(id="turn-verdicts")

    @property
    def score_list(self) -> ScoreList:
        """The list of outcomes, which takes the focus."""
        return self.query_one(ScoreList)

    @property
    def groups(self) -> Sequence[ScoreGroup]:
        """The outcomes that are shown, by metric."""
        return self._groups

    def show(self, rows: Sequence[ScoreRow], labels: Sequence[LabelRow] = ()) -> None:
        """Show these outcomes, the newest of each metric and exchange, and the newest label."""
        self._groups = group_scores(rows)
        self._by_turn = verdicts_by_turn(self._groups)
        self.score_list.show(self._groups, labels)
        self._draw()

    def marks(self) -> dict[int, list[tuple[str, bool | None]]]:
        """Return what the margin of the transcript shows for these outcomes."""
        return turn_marks(self._groups)

    def show_turn(self, number: int | None) -> None:
        """Show the verdicts about the turn of this number; None for a message that has no number."""
        if number != self._turn:
            self._turn = number
            self._draw_turn()

    def row_for_turn(self) -> ScoreRow | None:
        """Return the outcome whose verdict about the present turn asks most to be looked at."""
        verdicts = self._by_turn.get(self._turn or 0)
        return verdicts[0][1] if verdicts else None

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._draw()

    def _draw(self) -> None:
        width = self.size.width
        if not self.is_mounted or not width:
            return
        head = self.query_one("#score-chips", DrawnLines)
        tones = head.tones
        empty: list[Line] = [[Segment(f" {self._empty.splitlines()[0]}", tones.muted)]]
        head.set_lines(chips(self._groups, width, tones, CHIP_LINES) if self._groups else empty)
        under = self.has_class("-under")
        self._room = self._room_below(under)
        self.query_one("#turn-verdicts", DrawnLines).styles.height = None if under else self._room
        self._draw_turn()

    def _draw_turn(self) -> None:
        verdicts = self.query_one("#turn-verdicts", DrawnLines)
        width = self.size.width
        found = self._by_turn.get(self._turn or 0)
        lines: list[Line] = []
        if found and width and self.has_class("-under"):
            lines = [[], *short_turn_lines(found, width, verdicts.tones, self._room - 1)]
        elif found and width:
            lines = turn_lines(self._turn or 0, found, width, verdicts.tones, self._room - 1)
        verdicts.set_lines(lines)

    def _room_below(self, under: bool) -> int:
        """Return how many lines the verdicts have, whatever the turn: a change would lay all out anew."""
        if under:
            return max(1, self.size.height - CHIP_LINES)
        most = max((len(found) for found in self._by_turn.values()), default=0)
        return min(FURTHER_LINES + LINES_A_VERDICT * most, self.size.height // 2) if most else 0
