"""SessionList: a list of sessions of any length, of which only the rows in sight are fetched and drawn."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from turnwise.conversations.store.orders import Order
from turnwise.conversations.store.rows import SessionRow
from turnwise.tui.widgets.jump_places import JumpPlace
from turnwise.tui.widgets.pages import PAGE, Pages, SessionProvider
from turnwise.tui.widgets.palette import component
from turnwise.tui.widgets.safe_text import make_safe_line
from turnwise.tui.widgets.selection import Selection
from turnwise.tui.widgets.session_columns import (
    GAP,
    Column,
    columns_for,
    header_cell,
    scored_first,
)
from turnwise.tui.widgets.session_rows import row_segments
from turnwise.tui.widgets.wrapping import fit

HEADER = 1
"""Lines of the header, which stays while the rows scroll."""
ABOUT_FROM = 140
"""From so many cells of the terminal up, role and time stay and metrics without room are counted."""
MARGIN = 2
"""Cells left of the columns: the cursor's bar, and a mark for what is selected; a click there selects."""
NOTHING_INDENT = 4


class SessionList(ScrollView, can_focus=True, inherit_bindings=False):
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
    class Highlighted(Message):
        """The cursor stands on this session; None while the row is on its way or the list is empty."""

        list: SessionList
        row: SessionRow | None

        @property
        def control(self) -> SessionList:
            """The list that sent it."""
            return self.list

    @dataclass
    class Opened(Message):
        """This session was asked for."""

        list: SessionList
        row: SessionRow

        @property
        def control(self) -> SessionList:
            """The list that sent it."""
            return self.list

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

    @dataclass
    class FetchFailed(Message):
        """The provider raised; its rows stay placeholders until the list is moved or refreshed."""

        list: SessionList
        error: Exception

        @property
        def control(self) -> SessionList:
            """The list that sent it."""
            return self.list

    @dataclass
    class _Fetched(Message):
        pages: Pages
        page: int
        rows: Sequence[SessionRow]

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
        super().__init__(name=name, id=id, classes=classes)
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
        self._pages = Pages(provider)
        self._columns: list[Column] = []
        self._cursor = 0
        self._told: SessionRow | None = None
        self._fetching = False

    # What is shown

    @property
    def count(self) -> int:
        """How many sessions the list holds."""
        return self._pages.count

    @property
    def metrics(self) -> Sequence[str]:
        """The metrics that have a column, by their full names."""
        return self._metrics

    @metrics.setter
    def metrics(self, metrics: Sequence[str]) -> None:
        self._metrics = tuple(metrics)
        self._order_metrics()

    def set_provider(self, provider: SessionProvider) -> None:
        """Show other sessions, such as those a filter finds; the cursor keeps its session if it is there."""
        self._pages = Pages(provider)
        self.refresh_rows()

    def refresh_rows(self) -> None:
        """Ask for count and rows anew; the cursor and its line in the window stay with their session.

        Without `index_of` of the provider a session is looked for up to a page away from where it was.
        """
        session = self._told.id if self._told else None
        line = self._cursor - round(self.scroll_y)
        self._pages = Pages(self._pages.provider)
        self._pages.count = self._pages.provider.count()
        found = None if session is None or not self.count else self._pages.find(session, self._cursor)
        self._cursor = max(0, min(self._cursor if found is None else found, self.count - 1))
        # The page in sight is fetched at once: an empty frame would flicker at every refresh.
        first = max(0, self._cursor - self._window)
        if (page := self._pages.missing(first, self._cursor)) is not None:
            self._pages.keep(page, self._pages.fetch(page))
        self._order_metrics()
        self._scroll_to_row(self._cursor - max(0, min(line, self._window - 1)))
        self._told = None
        self._tell(force=True)

    # The cursor

    @property
    def cursor(self) -> int:
        """The row the cursor is on, counted from 0."""
        return self._cursor

    @property
    def current(self) -> SessionRow | None:
        """The session the cursor is on, None while its page is on its way or the list is empty."""
        return self._pages.row(self._cursor)

    def move_cursor(self, index: int) -> None:
        """Put the cursor on a row, counted from 0, and bring it into sight."""
        self._cursor = max(0, min(index, self.count - 1))
        top = round(self.scroll_y)
        if self._cursor < top:
            self._scroll_to_row(self._cursor)
        elif self._cursor >= top + self._window:
            self._scroll_to_row(self._cursor - self._window + 1)
        self.refresh()
        self._fetch_missing()
        self._tell()

    def cursor_down(self) -> None:
        """Go to the next session."""
        self.move_cursor(self._cursor + 1)

    def cursor_up(self) -> None:
        """Go to the previous session."""
        self.move_cursor(self._cursor - 1)

    def page_down(self) -> None:
        """Go one window down."""
        self._scroll_to_row(round(self.scroll_y) + self._window)
        self.move_cursor(self._cursor + self._window)

    def page_up(self) -> None:
        """Go one window up."""
        self._scroll_to_row(round(self.scroll_y) - self._window)
        self.move_cursor(self._cursor - self._window)

    def go_to(self, session_id: int) -> bool:
        """Put the cursor on a session; return whether it is in the list."""
        index = self._pages.place(session_id, self._cursor)
        if index is not None:
            self.move_cursor(index)
        return index is not None

    def home(self) -> None:
        """Go to the first session."""
        self.move_cursor(0)

    def end(self) -> None:
        """Go to the last session."""
        self.move_cursor(self.count - 1)

    def open_current(self) -> None:
        """Ask for the session under the cursor to be opened."""
        if (row := self.current) is not None:
            self.post_message(self.Opened(self, row))

    def jump_places(self) -> list[JumpPlace]:
        """Return the rows in sight."""
        top = round(self.scroll_y)
        return [
            JumpPlace(0, index - top + HEADER, partial(self._jump, index))
            for index in range(top, min(top + self._window, self.count))
        ]

    def _jump(self, index: int) -> None:
        self.move_cursor(index)
        self.focus()

    # The same as actions, for screens to bind

    action_cursor_down = cursor_down
    action_cursor_up = cursor_up
    action_page_down = page_down
    action_page_up = page_up
    action_home = home
    action_end = end
    action_open_current = open_current

    # Layout and scrolling

    @property
    def _window(self) -> int:
        return max(1, self.size.height - HEADER)

    def on_mount(self) -> None:
        """Fetch the first page before the first paint."""
        self.refresh_rows()

    def on_resize(self) -> None:
        """Take the columns that fit; keep the cursor in sight."""
        top = round(self.scroll_y)
        seen = self._cursor - top < self._window or not self._columns
        self._lay_out()
        if seen:
            self.move_cursor(self._cursor)

    def _order_metrics(self) -> None:
        """Put the metrics first that say most of the sessions that are there; not while one scrolls."""
        self._ordered = self._metrics
        if not self.pinned:
            self._ordered = tuple(scored_first(self._metrics, self._pages.rows()))
        self._lay_out()

    def _lay_out(self) -> None:
        self._columns = self._fitting_columns()
        self._resize_scroll()
        self.refresh()

    def _fitting_columns(self) -> list[Column]:
        width = self.scrollable_content_region.width
        keep = self.app.size.width >= ABOUT_FROM
        return columns_for(max(1, width - MARGIN - 1), self._ordered, keep_about=keep) if width else []

    def _resize_scroll(self) -> None:
        size = Size(self.size.width, self.count + HEADER)
        if size != self.virtual_size:
            # Without a layout pass: the bar always stands, so no other widget moves.
            self.set_reactive(Widget.virtual_size, size)
            self._scroll_update(size)

    def _scroll_to_row(self, row: int) -> None:
        self.scroll_y = self.scroll_target_y = max(0, min(row, self.count - self._window))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Fetch what comes into sight, however it was scrolled."""
        super().watch_scroll_y(old_value, new_value)
        self._fetch_missing()

    def scroll_to(self, *args: Any, animate: bool = True, **options: Any) -> None:
        """Scroll at once: an animated scroll paints for a second."""
        super().scroll_to(*args, animate=False, **options)

    # Fetching

    def _fetch_missing(self) -> None:
        """Fetch one page that the window lacks; the next one is asked for when it has come.

        One at a time, so that a key held down over many pages fetches those in sight, not those gone by.
        """
        if self._fetching or not self.is_mounted:
            return
        top = round(self.scroll_y)
        page = self._pages.missing(top, min(top + self._window, self.count) - 1)
        if page is not None:
            self._fetching = True
            fetch = partial(self._fetch, self._pages, page)
            self.run_worker(fetch, thread=True, group="pages", exit_on_error=False)

    def _fetch(self, pages: Pages, page: int) -> None:
        """Fetch a page, in a worker's thread; only messages cross from there."""
        try:
            self.post_message(self._Fetched(pages, page, pages.fetch(page)))
        except Exception as error:
            self.post_message(self.FetchFailed(self, error))

    def on_session_list__fetched(self, event: _Fetched) -> None:
        """Keep a page that has come, and ask for the next one that is lacking."""
        event.stop()
        self._fetching = False
        known = any(row.marks for row in event.pages.rows())
        event.pages.keep(event.page, event.rows)
        if not known and event.pages is self._pages:
            self._order_metrics()
        first = event.page * PAGE
        if first <= round(self.scroll_y) + self._window and round(self.scroll_y) < first + PAGE:
            # A page fetched ahead is not in sight, and a paint for nothing would delay the next key.
            self.refresh()
        self._tell()
        self._fetch_missing()

    def on_session_list_fetch_failed(self) -> None:
        """Leave the placeholders; the next move asks again."""
        self._fetching = False

    def _tell(self, *, force: bool = False) -> None:
        row = self.current
        if self.is_mounted and (force or row != self._told):
            self._told = row
            self.post_message(self.Highlighted(self, row))

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
