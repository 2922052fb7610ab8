"""LibraryScreen: all sessions, or those a filter finds, with a preview of the one under the cursor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import BroughtIn, SessionRow, Store
from turnwise.tui.actions import Action, Place, as_it_is, bindings
from turnwise.tui.drawing.frames import framed
from turnwise.tui.judging.judge_words import judge_in_title
from turnwise.tui.judging.run_line import RunLine
from turnwise.tui.library.arrangement import (
    Arrangement,
    filter_commands,
    title_words,
)
from turnwise.tui.library.columns_legend import ColumnsLegend
from turnwise.tui.library.empty_library import how_to_fill
from turnwise.tui.library.filter_line import FilterLine
from turnwise.tui.library.library_keys import LibraryMoment, in_menu, is_offered, library_key
from turnwise.tui.library.library_search import LibrarySearch
from turnwise.tui.library.many_sessions import ManySessions
from turnwise.tui.library.no_match import way_out
from turnwise.tui.library.preview import PREVIEW_FROM, Preview
from turnwise.tui.library.select_keys import SelectKeys
from turnwise.tui.library.way_back import NO_WAY, WayBack, show_listing
from turnwise.tui.parts.empty_words import EmptyWords
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.places.place_screen import PlaceScreen
from turnwise.tui.places.places_line import PlacesLine, unnamed_database
from turnwise.tui.session_lists.covered import covered_sessions, is_covered
from turnwise.tui.session_lists.list_totals import ListCounting, ListTotals
from turnwise.tui.session_lists.marks_in_sight import MarksInSight
from turnwise.tui.session_lists.pages import SessionToRead, SessionToReplay
from turnwise.tui.session_lists.session_list import SessionList
from turnwise.tui.session_lists.stored_sessions import AllSessions, FoundSessions
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.shell.runs import RunState
from turnwise.tui.shell.shell import ShellOfApp


class LibraryScreen(PlaceScreen[None]):
    """The list, its filter, its preview, and how far a run is."""

    PLACE: ClassVar[Place] = "library"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("library"))
    AUTO_FOCUS = "SessionList"
    DEFAULT_CSS = """
    LibraryScreen {
        & #body { height: 1fr; }
        & #listed { width: 1fr; }
        & #glance { width: 36%; max-width: 64; display: none; }
        &.-wide #glance { display: block; }
        &.-empty #body, &.-empty FilterLine { display: none; }
    }
    """

    shell = ShellOfApp()

    def __init__(self, store: Store) -> None:
        """store: whose sessions are shown."""
        super().__init__()
        self._arranged = Arrangement(store, lambda: covered_sessions(self.shell, store))
        self._select_keys = SelectKeys(self, self._arranged, self._show_selection)
        self._search = LibrarySearch(
            self, self._arranged, self._select_keys, total=lambda: self._total, came=self._show_found
        )
        self._many = ManySessions(
            self, self._select_keys, refresh=self.refresh_sessions, came_back=self._show_brought_back
        )
        self._total = 0
        self._resumed = False
        self._way_back = NO_WAY
        self._back_on: int | None = None
        """The session that the cursor stands on again once what was asked for is found."""
        self._marks = MarksInSight("in the library")
        self._shown: tuple[SessionRow | None, object] = None, None
        """The session in the preview, and what was searched for, which is marked there."""
        self._counting = ListCounting(
            self,
            lambda store: covered_sessions(self.shell, store),
            lambda: (self.shell.settings.blind, frozenset(self.shell.seen)),
        )

    @property
    def list(self) -> SessionList:
        """The list of sessions."""
        return self.query_one(SessionList)

    @property
    def preview(self) -> Preview:
        """What is shown of the session under the cursor."""
        return self.query_one(Preview)

    @property
    def asked(self) -> str:
        """The filter that was typed last; what it finds may be on its way."""
        return self._arranged.asked

    @property
    def way_back(self) -> WayBack:
        """The way back from what it lists to the screen that led to it; none where nothing else did."""
        return self._way_back.at(self.asked)

    @property
    def provider(self) -> AllSessions | FoundSessions:
        """The sessions that the list shows."""
        return self._arranged.provider

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        self._total = self.shell.store.sessions.count()
        self.set_class(self._total == 0, "-empty")
        self.set_class(self.app.size.width >= PREVIEW_FROM, "-wide")
        yield PlacesLine("library")
        yield TitleBar("Library", right=self._about())
        yield FilterLine()
        with Horizontal(id="body"):
            sessions = SessionList(self._arranged.provider, self.shell.store.sessions.metrics_by_age())
            sessions.hides, sessions.with_totals = partial(is_covered, self.shell), True
            sessions.order, sessions.way_out = self._arranged.order, self._way_out
            # Frames of their own: lists that had them would draw them at each key.
            yield framed(Vertical(sessions, id="listed"), "Sessions")
            yield framed(Vertical(Preview(), id="glance"), "Preview")
        yield ColumnsLegend(f"{key_of(self.shell.actions, 'library', 'columns')} names")
        yield EmptyWords("No sessions yet.", how_to_fill(self.shell.store.path))
        yield RunLine()
        yield KeyLine("library")

    def on_mount(self) -> None:
        """Follow runs, and what changes the sessions."""
        self.shell.followers.follow(self, self.shell.run_changed, self._show_run)
        self.shell.followers.follow(self, self.shell.sessions_changed, lambda _: self._refresh_if_seen())
        self.shell.followers.follow(self, self.shell.judge.changed, lambda _: self._show_title())
        if self._arranged.take_up():
            self._search.ask()
        self._show_columns()
        if self._arranged.shown_facts():
            # The page that came before the columns were known says nothing under them.
            self.list.refresh_rows()
        self._count()

    def on_resize(self) -> None:
        """Open up where there is room."""
        self.set_class(self.app.size.width >= PREVIEW_FROM, "-wide")
        self.query_one(TitleBar).detail = unnamed_database(self.app.size.width, self.shell.store.path.name)
        self._show_glance(self.list.current)

    def on_screen_resume(self) -> None:
        """Show what changed while another screen was above this one."""
        if self._resumed:
            if self._counting.is_outdated(self.shell.store):
                # What was there is drawn first: reading takes longer than that.
                self.call_after_refresh(self.refresh_sessions)
            self._show_run(self.shell.runs.state)
            self._remember_marks()
        self._resumed = True

    # What is shown

    def refresh_sessions(self) -> None:
        """Read the list anew; the cursor keeps its session, and a filter its matches."""
        total = self.shell.store.sessions.count()
        came = total > self._total and not self.asked
        changed = came or total < self._total
        finds_anew = changed and isinstance(self._arranged.provider, FoundSessions)
        if finds_anew:
            # Those that came have their place in an order of one's own, and those that went have none.
            self._search.ask()
        self._total = total
        self.set_class(total == 0, "-empty")
        self._show_columns()
        if not finds_anew:
            # What was found before may hold sessions that went, in whose place others would stand.
            self.list.refresh_rows()
        self.list.refresh()
        self._shown = None, None
        self._show_current()
        self._show_title()
        self._count()
        self.refresh_bindings()

    def _refresh_if_seen(self) -> None:
        # Where another screen is above, this one reads anew when it comes back.
        if self.is_current:
            self.refresh_sessions()

    def _about(self) -> str:
        chosen, totals = (self.list.selection, self.list.totals) if self.is_mounted else (None, None)
        judge = judge_in_title(self.shell.judge, self.size.width)
        none = bool(self.is_mounted and self._search.query and self._total and not self.list.count)
        hidden = len(totals.hidden) if totals else 0
        return title_words(chosen, judge, self._total, hidden, none_listed=none)

    def _way_out(self) -> str:
        keys = (key_of(self.shell.actions, "library", one) for one in ("filter", "clear"))
        return way_out(self._moment, *keys)

    def _show_selection(self, *, rows: bool = True) -> None:
        self.list.refresh(repaint=rows)
        self.refresh_bindings()
        self._show_current()
        self._show_title()

    def _show_title(self) -> None:
        self.query_one(TitleBar).right = self._about()

    def _show_run(self, state: RunState | None) -> None:
        self.query_one(RunLine).show(state)
        self.refresh_bindings()

    def _show_found(self) -> None:
        back_on, self._back_on = self._back_on, None
        if back_on is not None:
            self.list.go_to(back_on)
        self._show_title()
        self.refresh_bindings()
        self._count()

    def _count(self) -> None:
        self._counting.ask(self.shell.store, self._search.query, self._show_totals)

    def _show_totals(self, totals: ListTotals) -> None:
        if self._arranged.is_as_covered(totals.hidden):
            self.list.totals = totals
            self._show_title()
            self.query_one(ColumnsLegend).rank(totals.tallies)
        else:
            # A session was labelled, seen or queued since: totals of others than the list has would be wrong.
            self._search.ask()

    def on_session_list_laid_out(self, event: SessionList.LaidOut) -> None:
        """Tell what stands over the columns."""
        self.query_one(ColumnsLegend).show(event.keys)
        self._remember_marks()

    def on_rows_view_other_rows(self) -> None:
        """Remember whose marks are seen now."""
        self._remember_marks()

    # The preview

    def on_session_list_highlighted(self, event: SessionList.Highlighted) -> None:
        """Show the session under the cursor."""
        self._show_current()

    def _show_current(self) -> None:
        # Called by the keys too, not only when the list tells of it: a frame is saved, and both move as one.
        self._remember_marks()
        if ((row := self.list.current), self.list.sought) != self._shown and (row or not self.list.count):
            self._show_glance(row)

    def _remember_marks(self) -> None:
        typing = not self.list.has_focus or not self._search.is_shown
        self._marks.see(self.list, self.shell.sights, typing=typing)

    def _show_glance(self, row: SessionRow | None) -> None:
        self._shown = row, self.list.sought
        if row is None or not self.has_class("-wide"):
            self.preview.show(None)
            return
        store, covered = self.shell.store, is_covered(self.shell, row)
        from turnwise.tui.library.glance import Glance

        # Read at once: a thread's answer comes a whole frame later.
        self.preview.show(Glance.read(store, row, self.list.sought, covered=covered), store)

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what means nothing now."""
        if action == "stop":
            return self.shell.runs.under_way
        if self.is_mounted and not is_offered(action, self._moment):
            return False
        return action not in ("right_later", "right_earlier") or self.has_class("-wide")

    @property
    def idle(self) -> frozenset[str]:
        """The actions that have nothing to act on; their keys say so."""
        return frozenset() if self._many.can_undo else frozenset({"undo"})

    @property
    def key_now(self) -> Callable[[Action], Action]:
        """Gives an action the words and the rank that it has now."""
        return partial(library_key, now=self._moment) if self.is_mounted else as_it_is

    @property
    def menu_now(self) -> Callable[[Action], Action]:
        """Gives an action the words that it has in a menu now."""
        return partial(in_menu, now=self._moment) if self.is_mounted else as_it_is

    @property
    def _moment(self) -> LibraryMoment:
        # The filter line hears of its focus by a message, which comes after the line of keys is drawn.
        typing = isinstance(self.focused, Input)
        shown, selected = self.list.count if self._total else 0, len(self.list.selection)
        way, undo, undoes_import = self.way_back.words, self._many.can_undo, bool(self._many.import_to_undo)
        return LibraryMoment(self._total, shown, typing, selected, bool(self.asked), way, undo, undoes_import)

    def after_move(self) -> None:
        """Show the session that the cursor has moved to."""
        self._show_current()

    @property
    def cursor_on(self) -> int | None:
        """The session under the cursor."""
        return row.id if (row := self.list.current) is not None else None

    def leads_to(self) -> SessionToRead | None:
        """Return the session under the cursor, in the list."""
        row = self.list.current
        return SessionToRead(row.id, self.provider) if row is not None else None

    def replays(self) -> SessionToReplay | None:
        """Return the session under the cursor."""
        row = self.list.current
        return SessionToReplay(row.id) if row is not None else None

    def on_session_list_fetch_failed(self, event: SessionList.FetchFailed) -> None:
        """Tell why there are no rows."""
        self.shell.tell_mistake(event.error)

    def on_session_list_opened(self, event: SessionList.Opened) -> None:
        """Read a session; the ones beside it are those of the list."""
        from turnwise.tui.review.review_screen import ReviewScreen

        review = self.shell.kept_dialogs.take(ReviewScreen, event.row.id, self._arranged.provider)
        self.app.push_screen(review, self.go_to_session)

    def go_to_session(self, session_id: int | None) -> None:
        """Put the cursor on a session, where the list holds it: the one that was read last."""
        if session_id is not None and self.list.go_to(session_id):
            self._show_current()

    # The filter

    def action_filter(self) -> None:
        """Let a query be typed."""
        self.query_one(FilterLine).focus_input()

    def action_clear(self) -> None:
        """Leave all selected ones; else go back to where the filter is from, or clear it; and to the list."""
        if self.list.selection and self.list.has_focus:
            self._select_keys.leave_all()
        elif self.list.has_focus and (way := self.way_back).words:
            way.go()
        else:
            self._marks.see(self.list, self.shell.sights, typing=not self._search.is_shown)
            self.query_one(FilterLine).clear()
        self.list.focus()

    def on_filter_line_asked(self, event: FilterLine.Asked) -> None:
        """Find what the query means, in a thread: typing goes on."""
        self._arranged.asked = event.query
        self._search.ask()

    def show_query(
        self, query: str | None, way_back: WayBack = NO_WAY, *, back_on: int | None = None
    ) -> None:
        """Show the sessions that a query finds; None leaves the list as it is. way_back: what `esc` does.

        back_on: the session that the cursor then stands on again, where the list holds it.
        """
        if query is not None:
            asked, self._way_back, self._back_on = self.asked, replace(way_back, query=query), back_on
            self.query_one(FilterLine).set_query(query)
            # At once, as the very next key may ask what the library lists.
            self._arranged.asked = self.query_one(FilterLine).query_text.strip()
            if self.asked == asked and back_on is not None:
                # Nothing is looked for anew.
                self._back_on = None
                self.list.go_to(back_on)
            self.list.focus()

    def on_filter_line_left(self) -> None:
        """Give the keys back to the list."""
        self.list.focus()

    @work(group="vocabulary", exclusive=True)
    async def on_filter_line_words_wanted(self) -> None:
        """Read what completes a filter."""
        line = self.query_one(FilterLine)
        line.words = await asyncio.to_thread(self.shell.store.sessions.vocabulary)

    # Sorting, columns, saved filters

    @property
    def search(self) -> LibrarySearch:
        """What finds the sessions that are listed, and answers the keys that sort them."""
        return self._search

    def on_session_list_header_clicked(self, event: SessionList.HeaderClicked) -> None:
        """Sort by the column; by the one that is sorted by the other way round."""
        order = self._arranged.order_of_column(event.column)
        if order is None:
            self.action_columns()
        else:
            self._search.sort(order)

    @work(group="ask", exclusive=True)
    async def action_columns(self) -> None:
        """Choose the metrics, and what sessions say of themselves, that have a column."""
        from turnwise.tui.library.arrangement_dialogs import ask_for_columns

        if (chosen := await ask_for_columns(self.app, self.shell, self._arranged.columns)) is not None:
            try:
                self._arranged.choose_columns(chosen)
            except TurnwiseError as error:
                # They hold in this sitting also where they cannot be remembered.
                self.shell.tell_error(error)
            self._show_columns()
            self.list.refresh_rows()

    def on_columns_legend_clicked(self) -> None:
        """Choose the columns."""
        self.action_columns()

    def _show_columns(self) -> None:
        self.list.name_metrics(self.shell.store.sessions.metrics_by_age())
        self.list.show_facts(self._arranged.shown_facts(), self._arranged.tell)
        metrics, chosen = self._arranged.shown_metrics()
        self.list.show_metrics(metrics, pinned=chosen)

    def commands(self) -> Iterator[tuple[str, str, Callable[[], None]]]:
        """Offer the saved filters to the command palette: title, help, what to do."""
        return filter_commands(self.shell.store, self.show_query)

    def action_frequency(self) -> None:
        """Count the values of a column; the one that is chosen there is filtered by."""
        from turnwise.tui.library.frequency_screen import FrequencyScreen

        kept, asked = self.shell.kept_dialogs, self.asked
        show_listing(
            self,
            "How often",
            lambda left: FrequencyScreen(asked, left) if left else kept.take(FrequencyScreen, asked),
        )

    @work(group="ask", exclusive=True)
    async def action_filters(self) -> None:
        """Take a saved filter, or save the present one."""
        from turnwise.tui.library.arrangement_dialogs import ask_for_filter

        self.show_query(await ask_for_filter(self.app, self.shell, self.asked))

    # Several sessions at once

    @property
    def select_keys(self) -> SelectKeys:
        """What answers the keys that select sessions."""
        return self._select_keys

    @property
    def many(self) -> ManySessions:
        """What answers the keys that are about the selected sessions."""
        return self._many

    def on_session_list_taken(self, event: SessionList.Taken) -> None:
        """Select by the mouse."""
        self._select_keys.take(event)

    def _show_brought_back(self, session_id: int) -> None:
        self._search.ask()
        self.go_to_session(session_id)

    # Bringing conversations in

    def action_record(self) -> None:
        """Talk to a chatbot."""
        from turnwise.tui.record.record_screen import record

        record(self.app, self.shell, self._show_recorded)

    def action_simulate(self) -> None:
        """Let simulated users talk to a chatbot."""
        from turnwise.tui.record.simulate_screen import simulate

        simulate(self.app, self.shell, self._show_recorded)

    def _show_recorded(self, session_id: int | None) -> None:
        if session_id is not None:
            self._show_newest()
            self.go_to_session(session_id)

    def action_import(self) -> None:
        """Bring conversations in from a file."""
        from turnwise.tui.importing.import_dialog import ImportDialog

        self.app.push_screen(self.shell.kept_dialogs.take(ImportDialog), self._show_imported)

    def _show_imported(self, brought_in: tuple[BroughtIn, ...] | None) -> None:
        if brought_in:
            self._many.add_imports(brought_in)
            if any(brought.spans for brought in brought_in):
                self._show_newest()
            else:
                # Of an import that only gave roles nothing is new, so that one stays where one is.
                self.refresh_sessions()

    @work(group="ask", exclusive=True)
    async def action_samples(self) -> None:
        """Bring the sample conversations in; among others only where they are wanted."""
        from turnwise.tui.library.samples import add_and_tell, are_wanted

        if await are_wanted(self, self.shell):
            add = partial(add_and_tell, self, self.shell, self._show_newest)
            self.run_worker(add, thread=True, group="samples", exclusive=True)

    def _show_newest(self) -> None:
        """Show what came in: the newest sessions stand first."""
        # At once: the cursor is to go where a filter hid it.
        self._search.show_all()
        self.refresh_sessions()
        self.list.action_home()
        self.list.focus()

    # Queues

    @work(group="ask", exclusive=True)
    async def action_queues(self) -> None:
        """Make a queue to review, or go on with one."""
        from turnwise.tui.queues.queue_dialog import ask_for_queue
        from turnwise.tui.queues.queue_opening import open_queue
        from turnwise.tui.queues.queue_words import whose_words

        chosen = await self._select_keys.sessions(or_all=True) if self.list.selection else None
        matching, unlisted = self.list.count if self.asked else None, self.list.selection.unlisted_count
        whose = whose_words(chosen, matching, self._total, unlisted)
        queue = await ask_for_queue(self.app, self.shell, self.asked, chosen, whose)
        if queue is not None:
            open_queue(self.app, self.shell, queue, self.go_to_session)

    def action_stop(self) -> None:
        """Stop the run that is under way."""
        self.app.run_worker(self.shell.action_stop_run())

    def action_replay(self) -> None:
        """Play the session under the cursor."""
        if (row := self.list.current) is not None:
            self.shell.open_replay(row.id)

    def action_judge(self) -> None:
        """Choose the model that judges."""
        self.shell.action_choose_judge()
