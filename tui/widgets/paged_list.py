"""PagedList: cursor and window of a list of sessions, whose rows are fetched as they come into sight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from turnwise.conversations.store.rows import SessionRow
from turnwise.tui.widgets.jump_places import JumpPlace
from turnwise.tui.widgets.keyless import Keyless
from turnwise.tui.widgets.pages import PAGE, Pages, SessionProvider
from turnwise.tui.widgets.still_view import StillView

HEADER = 1
"""Lines of the header, which stays while the rows scroll."""


class PagedList(StillView, Keyless, inherit_bindings=False):
    """Moves over pages of a provider, and holds those that are near. How a row looks is a subclass's."""

    @dataclass
    class Highlighted(Message):
        """The cursor stands on this session; None while the row is on its way or the list is empty."""

        list: PagedList
        row: SessionRow | None

        @property
        def control(self) -> PagedList:
            """The list that sent it."""
            return self.list

    @dataclass
    class Opened(Message):
        """This session was asked for."""

        list: PagedList
        row: SessionRow

        @property
        def control(self) -> PagedList:
            """The list that sent it."""
            return self.list

    @dataclass
    class FetchFailed(Message):
        """The provider raised; its rows stay placeholders until the list is moved or refreshed.

        Told once, until a page comes again.
        """

        list: PagedList
        error: Exception

        @property
        def control(self) -> PagedList:
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
        *,
        name: str | None = None,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._pages = Pages(provider)
        self._cursor = 0
        self._told: SessionRow | None = None
        self._fetching = False
        self._failed = False

    def rows_came(self, rows: Sequence[SessionRow] | None) -> None:
        """Be told of rows of a page that was fetched; None where all were read anew."""

    # What is shown

    @property
    def count(self) -> int:
        """How many sessions the list holds."""
        return self._pages.count

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
        first = max(0, self._cursor - self.window)
        if (page := self._pages.missing(first, self._cursor)) is not None:
            self._pages.keep(page, self._pages.fetch(page))
        self.rows_came(None)
        self._scroll_to_row(self._cursor - max(0, min(line, self.window - 1)))
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

    def ids_to_cursor(self, session_id: int) -> list[int] | None:
        """Return the ids from a session to the cursor's, both too, in order; None unless all are known."""
        return self._pages.between(session_id, self._cursor)

    def move_cursor(self, index: int) -> None:
        """Put the cursor on a row, counted from 0, and bring it into sight."""
        self._cursor = max(0, min(index, self.count - 1))
        top = round(self.scroll_y)
        if self._cursor < top:
            self._scroll_to_row(self._cursor)
        elif self._cursor >= top + self.window:
            self._scroll_to_row(self._cursor - self.window + 1)
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
        self._scroll_to_row(round(self.scroll_y) + self.window)
        self.move_cursor(self._cursor + self.window)

    def page_up(self) -> None:
        """Go one window up."""
        self._scroll_to_row(round(self.scroll_y) - self.window)
        self.move_cursor(self._cursor - self.window)

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
            for index in range(top, min(top + self.window, self.count))
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

    # Scrolling

    @property
    def window(self) -> int:
        """How many rows are in sight, at least one."""
        return max(1, self.size.height - HEADER)

    def on_mount(self) -> None:
        """Fetch the first page before the first paint."""
        self.refresh_rows()

    def fit_scroll_bar(self) -> None:
        """Let the scroll bar know how many rows there are."""
        size = Size(self.size.width, self.count + HEADER)
        if size != self.virtual_size:
            # Without a layout pass: the bar always stands, so no other widget moves.
            self.set_reactive(Widget.virtual_size, size)
            self._scroll_update(size)

    def _scroll_to_row(self, row: int) -> None:
        self.scroll_y = self.scroll_target_y = max(0, min(row, self.count - self.window))

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
        page = self._pages.missing(top, min(top + self.window, self.count) - 1)
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

    def on_paged_list__fetched(self, event: _Fetched) -> None:
        """Keep a page that has come, and ask for the next one that is lacking."""
        event.stop()
        self._fetching = self._failed = False
        event.pages.keep(event.page, event.rows)
        if event.pages is self._pages:
            self.rows_came(event.rows)
        first = event.page * PAGE
        if first <= round(self.scroll_y) + self.window and round(self.scroll_y) < first + PAGE:
            # A page fetched ahead is not in sight, and a paint for nothing would delay the next key.
            self.refresh()
        self._tell()
        self._fetch_missing()

    def on_paged_list_fetch_failed(self, event: FetchFailed) -> None:
        """Leave the placeholders; the next move asks again."""
        self._fetching = False
        if self._failed:
            event.stop()
        self._failed = True

    def _tell(self, *, force: bool = False) -> None:
        row = self.current
        if self.is_mounted and (force or row != self._told):
            self._told = row
            self.post_message(self.Highlighted(self, row))
