"""SessionList: a list of sessions: its rows, fetched as they come into sight, its columns and its head."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import SessionOrder, SessionRow
from turnwise.tui.drawing.drawing_ahead import DrawingAhead
from turnwise.tui.drawing.kept_strips import KeptStrips
from turnwise.tui.drawing.palette import marks_css
from turnwise.tui.drawing.rows_view import HEADER, RowsView
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.session_lists.column_fitting import ColumnFitting
from turnwise.tui.session_lists.found_words import NOTHING_SOUGHT, SoughtWords
from turnwise.tui.session_lists.list_totals import ListTotals, totals_segments
from turnwise.tui.session_lists.pages import PAGE, Pages, SessionProvider, Teller
from turnwise.tui.session_lists.selection import Selection
from turnwise.tui.session_lists.session_columns import SessionColumn, header_cell
from turnwise.tui.session_lists.session_rows import row_segments

ABOUT_FROM = 140
"""From so many cells of the terminal up, role and time stay and metrics without room are counted."""
MARGIN = 2
"""Cells left of the columns: the cursor's bar, and a mark for what is selected; a click there selects."""
NOTHING_INDENT = 4
ABOVE_GAP = 2
SECONDS_ALIKE = 10
"""For so long a row says the same of when its session came."""


class SessionList(RowsView, inherit_bindings=False):
    """Draws the sessions of a provider, of which it holds the pages that are near."""

    TONE_PREFIX = "sessions--"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "sessions--text",
        "sessions--header",
        "sessions--totals",
        "sessions--bar",
        "sessions--cursor",
        "sessions--muted",
        "sessions--passed",
        "sessions--failed",
        "sessions--cross",
        "sessions--unsure",
        "sessions--found",
    }
    DEFAULT_CSS = (
        """
    SessionList {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
        background: $background;
        color: $text;
        & .sessions--text { color: $text; }
        & .sessions--header, & .sessions--muted { color: $text-muted; }
        & .sessions--totals { color: $text; background: $surface; }
        & .sessions--bar { color: $accent; }
        & .sessions--cursor { color: $text; background: $panel; text-style: bold; }
        & .sessions--found { color: $text-accent; text-style: bold underline; }
        &:ansi {
            .sessions--header, .sessions--muted { text-style: dim; }
        }
    """
        + marks_css("sessions--")
        + "}"
    )

    @dataclass
    class OfList(Message):
        """What a list tells; whoever holds several knows by `control` which one."""

        list: SessionList

        @property
        def control(self) -> SessionList:
            """The list that sent it."""
            return self.list

    @dataclass
    class Highlighted(OfList):
        """The cursor stands on this session; None while the row is on its way or the list is empty."""

        row: SessionRow | None

    @dataclass
    class Opened(OfList):
        """This session was asked for."""

        row: SessionRow

    @dataclass
    class LaidOut(OfList):
        """The list has other columns. keys: what stands over the metrics, by the metric, in their order."""

        keys: Mapping[str, str]

    @dataclass
    class FetchFailed(OfList):
        """The provider raised; its rows stay placeholders until the list is moved or refreshed.

        Told once, until a page comes again.
        """

        error: Exception

    @dataclass
    class _Fetched(Message):
        pages: Pages
        page: int
        rows: Sequence[SessionRow]

    @dataclass
    class HeaderClicked(OfList):
        """The title of this column was clicked."""

        column: SessionColumn

    @dataclass
    class Taken(OfList):
        """By a click a session was taken or left; with_range: all from the one before to it."""

        row: SessionRow
        with_range: bool

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
        self._pages = Pages(provider)
        self._told: SessionRow | None = None
        """The session under the cursor that was told of last."""
        self._fetching = False
        self._failed = False
        self._fitting = ColumnFitting(metrics)
        self.with_totals = False
        """Whether a row under the head says how all that is shown came out."""
        self._totals: ListTotals | None = None
        self.order: SessionOrder | None = None
        """What the rows are sorted by, for the head; whoever gives the provider sorts."""
        self.selection = Selection()
        """The sessions that are marked; whoever changes it refreshes the list."""
        self.nothing: Sequence[str] = ()
        """What is said where there are no rows, line by line."""
        self.way_out: Callable[[], str] = lambda: ""
        """Says below that what leads to rows again, as it is drawn: it depends on what has the focus."""
        self.sought = NOTHING_SOUGHT
        """What the filter searches for; its words are marked in names."""
        self._clock = clock
        self._strips = KeptStrips()
        self._ahead = DrawingAhead(self, self._draw_ahead)
        self.hides: Callable[[SessionRow], bool] = lambda _: False
        """Whether a session's marks are covered by a dot; whoever changes it refreshes the list."""
        self._columns: list[SessionColumn] = []
        self._told_keys: Mapping[str, str] | None = None
        """What stands over the metrics, as it was told last."""

    # What is shown

    @property
    def count(self) -> int:
        """How many sessions the list holds."""
        return self._pages.count

    def known_rows(self) -> Iterable[SessionRow]:
        """Return the rows that are known: all of a list that is no longer than a page."""
        return self._pages.rows()

    def rows_in_sight(self) -> Iterable[SessionRow]:
        """Return the rows that stand on the screen, as far as they have come."""
        return (row for index in self.in_sight if (row := self._pages.row(index)) is not None)

    def set_provider(self, provider: SessionProvider, *, from_top: bool = False) -> None:
        """Show other sessions, such as those a filter finds; the cursor keeps its session if it is there.

        from_top: it goes to the first one instead, as where the best match stands. Else the list is shown
        from its start where the cursor is in sight so; where not, the cursor keeps its line, but for the
        first one, which would look like the start.
        """
        self.selection.settle()
        self._pages = Pages(provider, self._pages.tell)
        if from_top:
            self._cursor, self._told = 0, None
            self.scroll_to_row(0)
        at_top = self._cursor == self.top
        self.refresh_rows()
        if self._cursor < self.window:
            self.scroll_to_row(0)
        elif at_top:
            self.scroll_to_row(self._cursor - self.window // 2)

    def refresh_rows(self) -> None:
        """Ask for count and rows anew; the cursor and its line in the window stay with their session.

        Without `index_of` of the provider a session is looked for up to a page away from where it was.
        """
        self.selection.settle()
        session = self._told.id if self._told else None
        line = self._cursor - self.top
        self._pages = Pages(self._pages.provider, self._pages.tell)
        self._pages.count = self._pages.provider.count()
        found = None if session is None or not self.count else self._pages.find(session, self._cursor)
        self._cursor = max(0, min(self._cursor if found is None else found, self.count - 1))
        # The page in sight is fetched at once: an empty frame would flicker at every refresh.
        first = max(0, self._cursor - self.window)
        if (page := self._pages.missing(first, self._cursor)) is not None:
            self._pages.keep(page, self._pages.fetch(page))
        self._fitting.see_anew(self._pages.rows())
        self._lay_out()
        self.scroll_to_row(self._cursor - max(0, min(line, self.window - 1)))
        self._told = None
        self._tell(force=True)
        self.tell_other_rows()

    def show_metrics(self, metrics: Sequence[str], *, pinned: bool) -> None:
        """Let these metrics have columns. pinned: also where no session was judged by them."""
        self._fitting.metrics, self._fitting.pinned = tuple(metrics), pinned
        self._lay_out()

    @property
    def metrics_in_sight(self) -> Sequence[str]:
        """Those of the metrics whose columns have room."""
        return [one.metric for one in self._columns if one.kind == "metric"]

    def show_facts(self, facts: Sequence[str], tell: Teller) -> None:
        """Give what sessions say of themselves columns, by such names as `meta.language`.

        tell: adds to rows what they say under these names. Where the facts are others than before the list is
        to be refreshed.
        """
        self._fitting.facts, self._pages.tell = tuple(facts), tell

    def ask(self, query: str) -> None:
        """Mark what a filter looks for, and let the metrics that it names have their columns first."""
        self.sought = SoughtWords.by(query)
        self._fitting.ask(query)

    def name_metrics(self, metrics: Sequence[str]) -> None:
        """Say which metrics there are in all, so that each keeps its key whichever are shown."""
        self._fitting.name_metrics(metrics)

    @property
    def totals(self) -> ListTotals | None:
        """How all that is shown came out; None while that is counted."""
        return self._totals

    @totals.setter
    def totals(self, totals: ListTotals | None) -> None:
        before, self._totals = self._totals, totals
        if totals is not None and (before is None or set(before.tallies) != set(totals.tallies)):
            self._lay_out()
        self.refresh()

    @property
    def head(self) -> int:
        """How many lines stand over the rows."""
        return HEADER + self.with_totals

    def on_mount(self) -> None:
        """Fetch the first page before the first paint."""
        self.refresh_rows()

    def on_focus(self) -> None:
        """Tell what one looks at now."""
        self._tell(force=True)

    def on_resize(self) -> None:
        """Take the columns that fit; keep the cursor in sight."""
        self._lay_out()
        self.move_cursor(self._cursor)
        self.tell_other_rows()

    def _lay_out(self) -> None:
        self._columns = self._fitting_columns()
        self.fit_scroll_bar()
        self.refresh()
        keys = self._fitting.keys_of(self.metrics_in_sight)
        if keys != self._told_keys and self.is_mounted:
            self._told_keys = keys
            self.post_message(self.LaidOut(self, keys))

    def _fitting_columns(self) -> list[SessionColumn]:
        width = self.scrollable_content_region.width
        if not width:
            return []
        keep_about = self.app.size.width >= ABOUT_FROM
        room = max(1, width - MARGIN - 1)
        return self._fitting.fitting(room, self.order, self._totals, keep_about=keep_about)

    # The cursor

    @property
    def current(self) -> SessionRow | None:
        """The session the cursor is on, None while its page is on its way or the list is empty."""
        return self._pages.row(self._cursor)

    def ids_to_cursor(self, session_id: int) -> list[int] | None:
        """Return the ids from a session to the cursor's, both too, in order; None unless all are known."""
        return self._pages.between(session_id, self._cursor)

    def cursor_moved(self) -> None:
        """Fetch what is in sight now, and tell of the session under the cursor."""
        self._fetch_missing()
        self._tell()

    def action_page_down(self) -> None:
        """Go one window down."""
        self.scroll_to_row(self.top + self.window)
        self.move_cursor(self._cursor + self.window)

    def action_page_up(self) -> None:
        """Go one window up."""
        self.scroll_to_row(self.top - self.window)
        self.move_cursor(self._cursor - self.window)

    def go_to(self, session_id: int) -> bool:
        """Put the cursor on a session; return whether it is in the list."""
        index = self._pages.place(session_id, self._cursor)
        if index is not None:
            self.move_cursor(index)
        return index is not None

    def action_open(self) -> None:
        """Ask for the session under the cursor to be opened."""
        if (row := self.current) is not None:
            self.post_message(self.Opened(self, row))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Fetch what comes into sight, however it was scrolled."""
        super().watch_scroll_y(old_value, new_value)
        self._fetch_missing()
        self._ahead.begin()

    # Drawing

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the lines of the window that have changed."""
        if not self._columns:
            # The first frame is drawn before the first resize is told, and it should show the rows.
            self._columns = self._fitting_columns()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Draw the header or one row."""
        if y < HEADER and not self.count and self.nothing:
            return Strip.blank(self.size.width, self.base_style)
        if y < HEADER:
            return self.strip_of(self._header_segments(), self.base_style)
        head = self.head
        if y < head:
            return self._totals_strip()
        if not self.count and self.nothing and y > head:
            return self._nothing_strip(y - head - 1)
        index = self.top + y - head
        if index >= self.count or not self._columns:
            return Strip.blank(self.size.width, self.base_style)
        return self._row(index)

    def _nothing_strip(self, line: int) -> Strip:
        """Return a line of what is said where there are no rows."""
        lines = [*self.nothing, self.way_out()]
        text = make_safe_line(lines[line]) if line < len(lines) else ""
        style = self.tone("muted" if line else "text")
        fitting = fit(text, max(0, self.size.width - NOTHING_INDENT))
        return self.strip_of([Segment(" " * NOTHING_INDENT), Segment(fitting, style)], self.base_style)

    def focus_lines(self) -> list[int]:
        """Return the line of the row under the cursor; where there are none, of what leads out of there."""
        line = self.head + 1 + len(self.nothing)
        return super().focus_lines() if self.count else [line] if line < self.size.height else []

    def _draw_ahead(self) -> Iterator[None]:
        """Draw the rows of the pages below and above, as far as they were fetched."""
        top, window = self.top, self.window
        below = range(top + window, min(top + 2 * window, self.count))
        for index in (*below, *range(top - 1, max(0, top - window) - 1, -1)):
            if self._columns and self._pages.row(index) is not None:
                self._row(index)
            yield

    def _row(self, index: int) -> Strip:
        """Return the line of a row, which may be out of sight."""
        row, now = self._pages.row(index), self._clock()
        current = index == self._cursor
        taken = row is not None and row.id in self.selection
        hidden, away = row is not None and self.hides(row), current and not self.has_focus

        def draw() -> Strip:
            segments = row_segments(
                row,
                self._columns,
                self.tone,
                now,
                current=current,
                away=away,
                taken=taken,
                hidden=hidden,
                words=self.sought.in_names,
            )
            behind = Style(bgcolor=self.tone("cursor").bgcolor) if current else Style.null()
            return self.strip_of(segments, self.base_style + behind)

        state = (row, self._columns, self.sought, current, away, taken, hidden, now // SECONDS_ALIKE)
        return self._strips.of(index, (*state, self.size.width, self.base_style), draw)

    def _header_segments(self) -> list[Segment]:
        style = self.tone("header")
        titles = [Segment(self._header_cell(column), style) for column in self._columns]
        return [Segment(" " * MARGIN), *titles]

    def _header_cell(self, column: SessionColumn) -> str:
        """Return a title; over the names also how many rows stand above those in sight."""
        cell = header_cell(column, self.order, self._columns)
        if column.kind != "name" or not self.top:
            return cell
        told = f"{cell.rstrip()}{' ' * ABOVE_GAP}({self.top:,} above)"
        return fit(told, cell_len(cell)) if cell_len(told) <= column.width else cell

    def _totals_strip(self) -> Strip:
        behind = Style(bgcolor=self.tone("totals").bgcolor)
        if not self.count:
            return Strip.blank(self.size.width, self.base_style)
        row = totals_segments(self._totals, self._columns, self.tone)
        return self.strip_of([Segment(" " * MARGIN), *row], self.base_style + behind)

    def notify_style_update(self) -> None:
        """Draw in the styles of another theme."""
        super().notify_style_update()
        self._strips.forget()

    # The mouse

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the row; a second click opens it."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        if offset.y < self.head:
            self._click_header(offset.x - MARGIN)
        elif (index := self.row_at(event)) is not None:
            self.move_cursor(index)
            if (row := self.current) is not None and (offset.x < MARGIN or event.ctrl or event.shift):
                self.post_message(self.Taken(self, row, event.shift))
            elif event.chain == 2:
                self.action_open()

    def _click_header(self, x: int) -> None:
        # The gap after a title is its own: there the sign of the order stands.
        for column in self._columns:
            if column.start <= x < column.end + column.gap:
                self.post_message(self.HeaderClicked(self, column))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Name the metric whose short name the pointer is on."""
        at = event.get_content_offset(self)
        x = at.x - MARGIN if at is not None and at.y < self.head else -1
        over = next((c for c in self._columns if c.metric and c.start <= x < c.end), None)
        tooltip = over.metric if over is not None else None
        if tooltip != self.tooltip:
            self.tooltip = tooltip

    # Fetching

    def _fetch_missing(self) -> None:
        """Fetch one page that the window lacks; the next one is asked for when it has come.

        One at a time, so that a key held down over many pages fetches those in sight, not those gone by.
        """
        if self._fetching or not self.is_mounted:
            return
        top = self.top
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

    def on_session_list__fetched(self, event: _Fetched) -> None:
        """Keep a page that has come, and ask for the next one that is lacking."""
        event.stop()
        self._fetching = self._failed = False
        event.pages.keep(event.page, event.rows)
        if event.pages is self._pages and self._fitting.see(event.rows):
            self._lay_out()
        first = event.page * PAGE
        if first <= self.top + self.window and self.top < first + PAGE:
            # A page fetched ahead is not in sight, and a paint for nothing would delay the next key.
            self.refresh()
            self.tell_other_rows()
        self._tell()
        self._fetch_missing()
        self._ahead.begin()

    def on_session_list_fetch_failed(self, event: FetchFailed) -> None:
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
