"""SessionList: how a list of sessions looks: its columns, its rows, its head, and what a click does."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from turnwise.conversations.store.orders import Order
from turnwise.conversations.store.rows import SessionRow
from turnwise.tui.widgets.paged_list import HEADER, PagedList
from turnwise.tui.widgets.pages import SessionProvider
from turnwise.tui.widgets.palette import component
from turnwise.tui.widgets.safe_text import make_safe_line
from turnwise.tui.widgets.selection import Selection
from turnwise.tui.widgets.session_columns import (
    GAP,
    Column,
    columns_for,
    header_cell,
    scored_first,
    silent_columns,
)
from turnwise.tui.widgets.session_rows import row_segments
from turnwise.tui.widgets.wrapping import fit

ABOUT_FROM = 140
"""From so many cells of the terminal up, role and time stay and metrics without room are counted."""
MARGIN = 2
"""Cells left of the columns: the cursor's bar, and a mark for what is selected; a click there selects."""
NOTHING_INDENT = 4


class SessionList(PagedList, inherit_bindings=False):
    """Draws rows line by line over pages of a provider. It has no keys: screens bind its actions."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "sessions--text",
        "sessions--header",
        "sessions--bar",
        "sessions--cursor",
        "sessions--muted",
        "sessions--passed",
        "sessions--failed",
        "sessions--unsure",
        "sessions--found",
    }
    DEFAULT_CSS = """
    SessionList {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
        background: $background;
        color: $text;
        & .sessions--text { color: $text; }
        & .sessions--header { color: $text-muted; }
        & .sessions--bar { color: $accent; }
        & .sessions--cursor { color: $text; background: $panel; text-style: bold; }
        & .sessions--muted { color: $text-muted; }
        & .sessions--passed { color: $text-success; }
        & .sessions--failed { color: $text-error; text-style: bold; }
        & .sessions--unsure { color: $text-warning; }
        & .sessions--found { color: $text-accent; text-style: bold underline; }
        &:ansi {
            .sessions--header, .sessions--muted { text-style: dim; }
        }
    }
    """

    @dataclass
    class HeaderClicked(Message):
        """The title of this column was clicked."""

        list: SessionList
        column: Column

        @property
        def control(self) -> SessionList:
            """The list that sent it."""
            return self.list

    @dataclass
    class Taken(Message):
        """By a click a session was taken or left; with_range: all from the one before to it."""

        list: SessionList
        row: SessionRow
        with_range: bool

        @property
        def control(self) -> SessionList:
            """The list that sent it."""
            return self.list

    def __init__(
        self,
        provider: SessionProvider,
        metrics: Sequence[str] = (),
        *,
        clock: Callable[[], float] = time.time,
        name: str | None = None,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(provider, name=name, id=id, classes=classes)
        self._styles: dict[str, Style] = {}
        self._base = Style.null()
        self._metrics = tuple(metrics)
        self._ordered = self._metrics
        """The metrics in the order of their columns."""
        self.pinned = False
        """Whether the metrics keep the order they were given in."""
        self.order: Order | None = None
        """What the rows are sorted by, for the head; whoever gives the provider sorts."""
        self.selection = Selection()
        """The sessions that are marked; whoever changes it refreshes the list."""
        self.nothing: Sequence[str] = ()
        """What is said where there are no rows, line by line."""
        self.words: Sequence[str] = ()
        """Words to mark in names."""
        self._clock = clock
        self.hides: Callable[[SessionRow], bool] = lambda _: False
        """Whether a session's marks are covered by a dot; whoever changes it refreshes the list."""
        self._columns: list[Column] = []
        self._marked = False
        """Whether one of the sessions that are there has an outcome."""
        self._silent: frozenset[str] | None = None
        """The columns that are left out because no session has a word there; None until rows came."""

    # What is shown

    @property
    def metrics(self) -> Sequence[str]:
        """The metrics that have a column, by their full names."""
        return self._metrics

    @metrics.setter
    def metrics(self, metrics: Sequence[str]) -> None:
        self._metrics = tuple(metrics)
        self._order_metrics()

    def on_resize(self) -> None:
        """Take the columns that fit; keep the cursor in sight."""
        top = round(self.scroll_y)
        seen = self._cursor - top < self.window or not self._columns
        self._lay_out()
        if seen:
            self.move_cursor(self._cursor)

    def set_provider(self, provider: SessionProvider) -> None:
        """Show other sessions, such as those a filter finds; the cursor keeps its session if it is there."""
        self._silent = None
        super().set_provider(provider)

    def rows_came(self, rows: Sequence[SessionRow] | None) -> None:
        """Choose the columns again where these rows say what the ones before did not."""
        silent = self._silent
        if known := list(self._pages.rows()) if rows is None else rows:
            # What has a column keeps it while one scrolls, though none of the rows near has a word there.
            silent = silent_columns(known) if silent is None else silent & silent_columns(known)
        if rows is None or silent != self._silent or (self._metrics and not self._marked):
            self._silent = silent
            self._order_metrics()

    def _order_metrics(self) -> None:
        """Put the metrics first that say most of the sessions that are there; not while one scrolls."""
        rows = list(self._pages.rows())
        self._marked = any(row.marks for row in rows)
        self._ordered = self._metrics if self.pinned else tuple(scored_first(self._metrics, rows))
        self._lay_out()

    def _lay_out(self) -> None:
        self._columns = self._fitting_columns()
        self.fit_scroll_bar()
        self.refresh()

    def _fitting_columns(self) -> list[Column]:
        width = self.scrollable_content_region.width
        if not width:
            return []
        keep = self.app.size.width >= ABOUT_FROM
        without = self._silent or frozenset()
        return columns_for(max(1, width - MARGIN - 1), self._ordered, keep_about=keep, without=without)

    # Drawing

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the lines of the window that have changed."""
        # Once a frame: what a style inherits takes longer to find out than a line takes to draw.
        self._base = self.rich_style
        if not self._columns:
            # The first frame is drawn before the first resize is told, and it should show the rows.
            self._columns = self._fitting_columns()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Draw the header or one row."""
        if y < HEADER:
            return self._strip(self._header_segments(), self._base)
        if not self.count and HEADER < y <= HEADER + len(self.nothing):
            text = fit(make_safe_line(self.nothing[y - HEADER - 1]), max(0, self.size.width - NOTHING_INDENT))
            style = self._style("text" if y == HEADER + 1 else "muted")
            return self._strip([Segment(" " * NOTHING_INDENT), Segment(text, style)], self._base)
        index = round(self.scroll_y) + y - HEADER
        if index >= self.count or not self._columns:
            return Strip.blank(self.size.width, self._base)
        current = index == self._cursor
        row = self._pages.row(index)
        segments = row_segments(
            row,
            self._columns,
            self._style,
            self._clock(),
            current=current,
            taken=row is not None and row.id in self.selection,
            hidden=row is not None and self.hides(row),
            words=self.words,
        )
        behind = Style(bgcolor=self._style("cursor").bgcolor) if current else Style.null()
        return self._strip(segments, self._base + behind)

    def _strip(self, segments: list[Segment], base: Style) -> Strip:
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(self.size.width, base)

    def _header_segments(self) -> list[Segment]:
        style = self._style("header")
        titles = [Segment(header_cell(column, self.order), style) for column in self._columns]
        return [Segment(" " * MARGIN), *titles]

    def _style(self, name: str) -> Style:
        if name not in self._styles:
            self._styles[name] = component(self, f"sessions--{name}")
        return self._styles[name]

    def notify_style_update(self) -> None:
        """Forget the styles of another theme."""
        super().notify_style_update()
        self._styles.clear()

    # The mouse

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the row; a second click opens it."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        if offset.y < HEADER:
            self._click_header(offset.x - MARGIN)
            return
        index = round(self.scroll_y) + offset.y - HEADER
        if index < self.count:
            self.move_cursor(index)
            if (row := self.current) is not None and (offset.x < MARGIN or event.ctrl or event.shift):
                self.post_message(self.Taken(self, row, event.shift))
            elif event.chain == 2:
                self.open_current()

    def _click_header(self, x: int) -> None:
        # The gap after a title is its own: there the sign of the order stands.
        for column in self._columns:
            if column.start <= x < column.end + GAP:
                self.post_message(self.HeaderClicked(self, column))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Name the metric whose short name the pointer is on."""
        x = event.x - MARGIN
        over = next((c for c in self._columns if c.metric and c.start <= x < c.end), None)
        tooltip = over.metric if over is not None and event.y < HEADER else None
        if tooltip != self.tooltip:
            self.tooltip = tooltip
