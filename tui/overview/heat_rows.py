"""HeatRows: sessions by metrics, a cell for each: a mark for how it came out and a block for its score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from turnwise.conversations.marks import FAILED, FAILURE, PASSED, UNSURE, outcome_sign
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import Mark, SessionOrder, SessionRow
from turnwise.tui.drawing.lines import BAR, BAR_AWAY
from turnwise.tui.drawing.lines_view import TONE_CLASSES, TONES_CSS
from turnwise.tui.drawing.rows_view import HEADER, RowsView
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.overview.heat_columns import BEFORE_BLOCK, CELL, MOST_BLOCK, HeatColumns
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.session_lists.pages import PAGE, Pages
from turnwise.tui.session_lists.stored_sessions import FoundSessions

SHADES = "▂▄▆█"
"""Four, from near 1 to 0. Their heights are told apart at once, also far from each other and without colour;
grounds of more and fewer dots are not."""
TONES = {PASSED: "passed", FAILED: "failed", FAILURE: "failed", UNSURE: "unsure"}
"""The tone of a cell, by its mark; all others are muted."""


def heat_cell(mark: Mark | None, cell: int = CELL, block: int = MOST_BLOCK) -> str:
    """Draw an outcome over so many cells: ✗ 0.20 █ for 0.20 that fails, ✓ 0.90 for 0.90 that passes.

    Without a score it is the mark alone; where there is room the block is longer. block: its most cells.
    """
    if mark is None:
        return " " * cell
    sign = outcome_sign(mark)
    if mark.score is None:
        return sign.ljust(cell)
    # What is not quite 1 is never rounded to it.
    digits = "1.00" if mark.score == 1 else f"{min(mark.score, 0.99):.2f}"
    if mark.passed or mark.score == 1:
        # Blocks beside what passes would hide those of what fails.
        return f"{sign} {digits}".ljust(cell)
    heat = SHADES[min(int((1 - mark.score) * len(SHADES)), len(SHADES) - 1)]
    return f"{sign} {digits} {heat * max(1, min(block, cell - BEFORE_BLOCK - 1))}".ljust(cell)


def thresholds_of(rows: Iterable[SessionRow], metrics: Sequence[str]) -> dict[str, Sequence[float]]:
    """Return by metric the scores from which on it passes in some sessions, each once, the lowest first."""
    found: dict[str, set[float]] = {metric: set() for metric in metrics}
    for row in rows:
        for metric, mark in row.marks.items():
            if mark.threshold is not None and metric in found:
                found[metric].add(mark.threshold)
    return {metric: sorted(values) for metric, values in found.items()}


class HeatRows(RowsView, inherit_bindings=False):
    """Draws what is in sight of any number of sessions; its cursor is a cell."""

    TONE_PREFIX = "lines--"
    COMPONENT_CLASSES: ClassVar[set[str]] = {*TONE_CLASSES, "lines--cursor"}
    DEFAULT_CSS = (
        """
    HeatRows {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
        background: $background;
        color: $text;
        & .lines--cursor { background: $panel; text-style: bold; }
    """
        + TONES_CSS
        + "}"
    )

    @dataclass
    class Moved(Message):
        """Under the cursor stands another cell, by no key: its page came, or it was clicked."""

    @dataclass
    class Chosen(Message):
        """The session of a cell was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.provider: FoundSessions | None = None
        """The sessions that are shown."""
        self._pages: Pages | None = None
        self._metrics: Sequence[str] = ()
        self._chosen = 0
        self._order: SessionOrder | None = None
        # How the metrics stand, and for which width and cursor: each line that is drawn asks for it.
        self._laid: tuple[tuple[int, int, Sequence[str]], HeatColumns, Sequence[tuple[str, str]]] | None = (
            None
        )
        self._reading = NewestReading(self)
        self.thresholds: Mapping[str, Sequence[float]] = {}
        """By metric the scores from which on it passes, of the sessions whose pages are there."""
        self.hides: Callable[[SessionRow], bool] = lambda _: False
        """Whether the outcomes of a session are not shown, as it waits for a blind label."""

    def show(
        self, provider: FoundSessions, metrics: Sequence[str], order: SessionOrder, *, cursor: int = 0
    ) -> None:
        """Show sessions in an order, with the cursor on a row, counted from 0."""
        self.provider, self._metrics, self._order = provider, metrics, order
        self._pages = Pages(provider)
        self._pages.count = provider.count()
        self._chosen = min(self._chosen, max(0, len(metrics) - 1))
        self.fit_scroll_bar()
        self.refresh()
        self.move_cursor(cursor)

    @property
    def count(self) -> int:
        """How many sessions there are."""
        return self._pages.count if self._pages is not None else 0

    def rows_in_sight(self) -> Iterable[SessionRow]:
        """Return the sessions that stand on the screen, as far as their pages are there."""
        pages = self._pages
        return () if pages is None else (row for at in self.in_sight if (row := pages.row(at)) is not None)

    @property
    def metric(self) -> str:
        """The metric under the cursor; empty without metrics."""
        return self._metrics[self._chosen] if self._metrics else ""

    @property
    def letters(self) -> Mapping[str, str]:
        """By metric the letters that stand over its column; empty where names do."""
        return self._layout()[0].letters()

    @property
    def current(self) -> SessionRow | None:
        """The session under the cursor; None while it is on its way."""
        return self._pages.row(self.cursor) if self._pages is not None else None

    def cursor_moved(self) -> None:
        """Fetch what is in sight now."""
        self._fetch()

    def action_column_right(self) -> None:
        """Go to the next metric."""
        self._choose(self._chosen + 1)

    def action_column_left(self) -> None:
        """Go to the metric before."""
        self._choose(self._chosen - 1)

    def _choose(self, column: int) -> None:
        self._chosen = max(0, min(column, len(self._metrics) - 1))
        self.refresh()

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self.fit_scroll_bar()
        if self.count:
            self.move_cursor(self.cursor)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Fetch what comes into sight, however it was scrolled."""
        super().watch_scroll_y(old_value, new_value)
        self._fetch()

    def _fetch(self) -> None:
        pages = self._pages
        if pages is None or not self.is_mounted:
            return
        page = pages.missing(self.top, min(self.top + self.window, self.count) - 1)
        if page is not None:
            self._reading.ask(
                lambda: (pages, page, pages.fetch(page)), lambda came: self._take(came[0], came[1], came[2])
            )

    def _take(self, pages: Pages, page: int, rows: Sequence[SessionRow]) -> None:
        pages.keep(page, rows)
        if pages is self._pages:
            self.thresholds = thresholds_of(pages.rows(), self._metrics)
            first = page * PAGE
            if first <= self.top + self.window and self.top < first + PAGE:
                self.refresh()
                self.post_message(self.Moved())
            self._fetch()

    # Drawing

    def _layout(self) -> tuple[HeatColumns, Sequence[tuple[str, str]]]:
        """Return how the metrics stand, and what stands over them."""
        # A cell stands free before the scroll bar, which is drawn of blocks as well.
        width = max(1, self.scrollable_content_region.width - 1)
        asked = (width, self._chosen, self._metrics)
        if self._laid is None or self._laid[0] != asked:
            columns = HeatColumns.fitting(self._metrics, width, self._chosen)
            self._laid = asked, columns, columns.heads()
        return self._laid[1], self._laid[2]

    @property
    def head(self) -> int:
        """How many lines stand over the rows: two where a metric's name takes two."""
        _, heads = self._layout()
        return HEADER + any(upper for upper, _ in heads)

    def render_line(self, y: int) -> Strip:
        """Draw the head, or the session that stands there."""
        columns, heads = self._layout()
        if y < self.head:
            is_last = y == self.head - 1
            return self.strip_of(self._head(columns, heads, is_last=is_last), self.base_style)
        index = self.top + y - self.head
        if index >= self.count or self._pages is None:
            return Strip.blank(self.size.width, self.base_style)
        row, here = self._pages.row(index), index == self.cursor
        bar = (BAR if self.has_focus else BAR_AWAY) if here else " "
        name = make_safe_line(row.name[:400]) if row is not None else "…"
        segments = [Segment(f"{bar} ", self.tone("bar")), Segment(fit(name, columns.name), self.tone("text"))]
        for place in range(columns.first, columns.first + columns.shown):
            segments += self._cell(row, place, columns, here=here and place == self._chosen)
        behind = Style(bgcolor=self.tone("cursor").bgcolor) if here else Style.null()
        return self.strip_of(segments, self.base_style + behind)

    def _cell(self, row: SessionRow | None, place: int, columns: HeatColumns, *, here: bool) -> list[Segment]:
        edge, cell = Segment(BAR if here else " ", self.tone("bar")), columns.cells[place]
        if row is None:
            return [edge, Segment(" " * cell)]
        if self.hides(row):
            return [edge, Segment("·".ljust(cell), self.tone("muted"))]
        text = heat_cell(row.marks.get(self._metrics[place]), cell, columns.block)
        style = rest = self.tone(TONES.get(text[0], "muted"))
        # What passes steps back, so that what fails is seen from afar.
        if text[0] == PASSED:
            rest = self.tone("muted")
        elif text[0] == FAILED:
            style = self.tone("cross")
        if here:
            style, rest = (one + Style(bold=True, underline=True) for one in (style, rest))
        # What is not scored keeps its place too.
        shown = text.rstrip() or " "
        return [edge, Segment(shown[:1], style), Segment(shown[1:], rest), Segment(" " * (cell - len(shown)))]

    def _head(
        self, columns: HeatColumns, heads: Sequence[tuple[str, str]], *, is_last: bool
    ) -> list[Segment]:
        """Return a line over the rows: the last of them, or the one above it."""
        muted, chosen = self.tone("muted"), self.tone("heading")
        title = self._session_head(columns) if is_last else ""
        segments = [Segment(f"  {fit(title, columns.name)}", muted)]
        for place in range(columns.first, columns.first + columns.shown):
            sorted_by = self._order is not None and self._order.metric == columns.metrics[place]
            arrow = ("↓" if self._order is not None and self._order.falling else "↑") if sorted_by else ""
            style = chosen if place == self._chosen else muted
            upper, lower = heads[place]
            told = f"{lower}{arrow}" if is_last else upper
            segments.append(Segment(f" {fit(told, columns.cells[place])}", style))
        return segments

    @staticmethod
    def _session_head(columns: HeatColumns) -> str:
        more = len(columns.metrics) - columns.shown
        hidden = (f" (+{more} metrics: ← →)", f" (+{more}: ← →)") if more > 0 else ("",)
        title = next((one for one in hidden if len(one) <= columns.name - len("session")), hidden[-1])
        return f"session{title}"

    def on_click(self, event: events.Click) -> None:
        """Go to the cell that is clicked; open its session at the second click."""
        row, offset = self.row_at(event), event.get_content_offset(self)
        if row is None or offset is None:
            return
        columns, _ = self._layout()
        left = 2 + columns.name
        for place in range(columns.first, columns.first + columns.shown):
            if left <= offset.x < left + columns.cells[place] + 1:
                self._choose(place)
            left += columns.cells[place] + 1
        self.move_cursor(row)
        self.post_message(self.Moved())
        if event.chain == 2:
            self.post_message(self.Chosen())
