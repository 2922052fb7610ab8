"""LibraryScreen: all sessions, or those a filter finds, with a preview of the one under the cursor."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store.rows import SessionRow
from turnwise.tui.actions import Place, bindings
from turnwise.tui.judge_words import judge_words
from turnwise.tui.runs import RunState
from turnwise.tui.stored_sessions import AllSessions, FoundSessions
from turnwise.tui.widgets.filter_line import FilterLine
from turnwise.tui.widgets.key_line import KeyLine
from turnwise.tui.widgets.preview import TURNS_SHOWN, Glance, Preview
from turnwise.tui.widgets.run_line import RunLine
from turnwise.tui.widgets.session_list import SessionList
from turnwise.tui.widgets.title_bar import TitleBar

if TYPE_CHECKING:
    from turnwise.tui.app import TurnwiseApp

PREVIEW_FROM = 100
"""Below so many cells the preview goes."""

EMPTY = (
    ("i", "import a file: deepeval JSON, JSONL or CSV, or chat messages"),
    ("n", "talk to a chatbot and keep every turn"),
    ("s", "open the samples: a dozen conversations, good and bad"),
)
"""How an empty library is filled: key and words."""


class LibraryScreen(Screen[None]):
    """The list, its filter, its preview, and how far a run is."""

    PLACE: ClassVar[Place] = "library"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("library"))
    AUTO_FOCUS = "SessionList"
    DEFAULT_CSS = """
    LibraryScreen {
        & #body { height: 1fr; }
        & SessionList { width: 1fr; }
        & Preview { width: 36%; max-width: 64; display: none; }
        &.-wide Preview { display: block; }
        & #empty { display: none; height: 1fr; padding: 2 4; color: $text; }
        &.-empty #empty { display: block; }
        &.-empty #body, &.-empty FilterLine { display: none; }
        & .gap { height: 1; }
    }
    """

    app: TurnwiseApp

    def __init__(self) -> None:
        super().__init__()
        self._query = ""
        self._total = 0
        self._resumed = False
        self._shown: SessionRow | None = None
        self._provider: AllSessions | FoundSessions | None = None

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        self._total = self.app.store.sessions.count()
        self.set_class(self._total == 0, "-empty")
        self.set_class(self.app.size.width >= PREVIEW_FROM, "-wide")
        yield TitleBar("Library", brand=True, right=self._about())
        yield FilterLine()
        yield Static("", classes="gap")
        with Horizontal(id="body"):
            self._provider = AllSessions(self.app.store)
            yield SessionList(self._provider, self.app.store.sessions.metrics())
            yield Preview()
        yield Static(_empty_words(), id="empty", markup=False)
        yield RunLine()
        yield KeyLine("library")

    def on_mount(self) -> None:
        """Follow runs, and what changes the sessions."""
        self.app.run_changed.subscribe(self, self._show_run)
        self.app.sessions_changed.subscribe(self, lambda _: self._refresh_if_seen())
        self.app.judge_changed.subscribe(self, lambda _: self._show_title())

    def on_resize(self) -> None:
        """Open up where there is room."""
        self.set_class(self.app.size.width >= PREVIEW_FROM, "-wide")
        self._show_glance(self.list.current)

    def on_screen_resume(self) -> None:
        """Show what changed while another screen was above this one."""
        if self._resumed:
            self.refresh_sessions()
            self._show_run(self.app.runs.state)
        self._resumed = True

    @property
    def list(self) -> SessionList:
        """The list of sessions."""
        return self.query_one(SessionList)

    # What is shown

    def refresh_sessions(self) -> None:
        """Read the list anew; the cursor keeps its session, and a filter its matches."""
        store = self.app.store
        self._total = store.sessions.count()
        self.set_class(self._total == 0, "-empty")
        self.list.metrics = store.sessions.metrics()
        self.list.refresh_rows()
        self.list.refresh()
        self._shown = None
        self._show_current()
        self._show_title()
        self.refresh_bindings()

    def _refresh_if_seen(self) -> None:
        # Where another screen is above, this one reads anew when it comes back.
        if self.is_current:
            self.refresh_sessions()

    def _about(self) -> str:
        count = f"{self._total:,} {'session' if self._total == 1 else 'sessions'}"
        return f"judge: {judge_words(self.app.judge_settings, self.app.judge_trouble)}   {count}"

    def _show_title(self) -> None:
        self.query_one(TitleBar).right = self._about()

    def _show_run(self, state: RunState | None) -> None:
        line = self.query_one(RunLine)
        line.show(state)
        self.refresh_bindings()

    # The filter

    def on_filter_line_asked(self, event: FilterLine.Asked) -> None:
        """Find what the query means, in a thread: typing goes on."""
        self._query = event.query
        self.run_worker(partial(self._find, event.query), thread=True, group="find", exclusive=True)

    def on_filter_line_left(self) -> None:
        """Give the keys back to the list."""
        self.list.focus()

    def _find(self, query: str) -> None:
        store = self.app.store
        try:
            provider = FoundSessions(store, store.sessions.ids(query)) if query else AllSessions(store)
        except TurnwiseError as error:
            self.app.call_from_thread(self._show_wrong_query, query, error)
            return
        self.app.call_from_thread(self._show_found, query, provider)

    def _show_wrong_query(self, query: str, error: TurnwiseError) -> None:
        if query == self._query:
            text = ". ".join(part for part in (error.title, error.next_step or error.detail) if part)
            self.query_one(FilterLine).show_error(text)

    def _show_found(self, query: str, provider: FoundSessions | AllSessions) -> None:
        if query != self._query:
            return
        self._provider = provider
        self.list.set_provider(provider)
        self.list.refresh()
        line = self.query_one(FilterLine)
        if not query:
            line.show_count("")
        elif self.list.count:
            line.show_count(f"{self.list.count:,} match")
        else:
            line.show_count("no match · esc clears the filter")

    # The preview

    def on_session_list_highlighted(self, event: SessionList.Highlighted) -> None:
        """Show the session under the cursor."""
        self._show_current()

    def _show_current(self) -> None:
        # Called by the keys too, not only when the list tells of it: a frame is saved, and both move as one.
        row = self.list.current
        if row != self._shown and (row is not None or not self.list.count):
            self._show_glance(row)

    def _show_glance(self, row: SessionRow | None) -> None:
        self._shown = row
        if row is None or not self.has_class("-wide"):
            self.query_one(Preview).show(None)
            return
        # Read at once: it takes a tenth of a millisecond, and a thread's answer comes a whole frame later.
        store = self.app.store
        glance = Glance(row, store.turns.of(row.id, TURNS_SHOWN), store.scores.newest(row.id))
        self.query_one(Preview).show(glance)

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what means nothing now."""
        if action == "stop":
            return self.app.runs.under_way
        if action in {"open", "score", "filter", "replay"} and self.is_mounted:
            return self._total > 0
        return True

    def action_cursor_down(self) -> None:
        """Go to the next session."""
        self.list.cursor_down()
        self._show_current()

    def action_cursor_up(self) -> None:
        """Go to the session before."""
        self.list.cursor_up()
        self._show_current()

    def action_page_down(self) -> None:
        """Go down by a page."""
        self.list.page_down()
        self._show_current()

    def action_page_up(self) -> None:
        """Go up by a page."""
        self.list.page_up()
        self._show_current()

    def action_home(self) -> None:
        """Go to the first session."""
        self.list.home()
        self._show_current()

    def action_end(self) -> None:
        """Go to the last session."""
        self.list.end()
        self._show_current()

    def action_open(self) -> None:
        """Read the session under the cursor."""
        self.list.open_current()

    def on_session_list_opened(self, event: SessionList.Opened) -> None:
        """Read a session."""
        self.open_session(event.row.id)

    def open_session(self, session_id: int) -> None:
        """Read a session; the ones beside it are those of the list."""
        from turnwise.tui.screens.review import ReviewScreen

        self.app.push_screen(ReviewScreen(session_id, self._provider), self.go_to_session)

    def go_to_session(self, session_id: int | None) -> None:
        """Put the cursor on a session, where the list holds it: the one that was read last."""
        if session_id is not None and self.list.go_to(session_id):
            self._show_current()

    def action_filter(self) -> None:
        """Let a query be typed."""
        self.query_one(FilterLine).focus_input()

    def action_clear(self) -> None:
        """Clear the filter and go back to the list."""
        self.query_one(FilterLine).clear()
        self.list.focus()

    def action_score(self) -> None:
        """Judge the sessions that the filter shows."""
        if self._provider is not None:
            self.app.score(self._provider.ids())

    def action_stop(self) -> None:
        """Stop the run that is under way."""
        self.app.run_worker(self.app.action_stop_run())

    def action_record(self) -> None:
        """Talk to a chatbot."""
        from turnwise.tui.screens.record import RecordScreen

        self.app.push_screen(RecordScreen(None), self._show_recorded)

    def _show_recorded(self, session_id: int | None) -> None:
        if session_id is not None:
            self._show_newest()
            self.go_to_session(session_id)

    def action_replay(self) -> None:
        """Play the session under the cursor."""
        if (row := self.list.current) is not None:
            from turnwise.tui.screens.replay import ReplayScreen

            self.app.push_screen(ReplayScreen(row.id))

    def action_import(self) -> None:
        """Bring conversations in from a file."""
        from turnwise.tui.screens.importing import ImportDialog

        self.app.push_screen(ImportDialog(), self._show_imported)

    def _show_imported(self, imported: int | None) -> None:
        if imported:
            self._show_newest()

    def action_samples(self) -> None:
        """Bring the sample conversations in."""
        self.run_worker(self._add_samples, thread=True, group="samples", exclusive=True)

    def _add_samples(self) -> None:
        from turnwise.tui.samples import add_samples

        try:
            added = add_samples(self.app.store)
        except TurnwiseError as error:
            self.app.call_from_thread(self.app.tell_error, error)
            return
        text = f"{added} sample conversations are in." if added else "The samples are in already."
        self.app.call_from_thread(self.app.notify, text)
        self.app.call_from_thread(self._show_newest)

    def _show_newest(self) -> None:
        """Show what came in: the newest sessions stand first."""
        self.query_one(FilterLine).clear()
        # At once, not when the cleared filter is answered: the cursor is to go where a filter hid it.
        self._query, self._provider = "", AllSessions(self.app.store)
        self.list.set_provider(self._provider)
        self.refresh_sessions()
        self.action_home()
        self.list.focus()

    def action_judge(self) -> None:
        """Choose the model that judges."""
        self.app.action_choose_judge()


def _empty_words() -> Content:
    lines = [part for key, words in EMPTY for part in ((f"   {key}   ", "bold $accent"), (f"{words}\n", ""))]
    return Content.assemble(("No conversations yet.\n\n", "bold"), *lines)
