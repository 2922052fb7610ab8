"""LibraryScreen: all sessions, or those a filter finds, with a preview of the one under the cursor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store.rows import SessionRow
from turnwise.tui.actions import Place, bindings
from turnwise.tui.judge_words import judge_words
from turnwise.tui.runs import RunState
from turnwise.tui.screens.filling import FillingScreen
from turnwise.tui.stored_sessions import AllSessions, FoundSessions, QueueSessions
from turnwise.tui.widgets.empty_words import EmptyWords
from turnwise.tui.widgets.filter_line import FilterLine
from turnwise.tui.widgets.key_line import KeyLine
from turnwise.tui.widgets.preview import MOST_SEARCHED, TURNS_SHOWN, Glance, Preview
from turnwise.tui.widgets.run_line import RunLine
from turnwise.tui.widgets.session_list import SessionList
from turnwise.tui.widgets.title_bar import TitleBar

OF_SESSIONS = frozenset(
    (
        *("open", "score", "filter", "replay", "queues", "select", "select_range", "select_all"),
        *("tag", "give_mode", "export", "sort", "reverse", "columns"),
    )
)
"""Actions that need a session."""
PREVIEW_FROM = 100
"""Below so many cells the preview goes."""

HIDDEN = "Scores hidden: it waits in a queue for your label."

EMPTY = """\
   `{library.import}`   import a file: chat logs, transcripts, tables, or what other tools wrote
   `{library.record}`   talk to a chatbot and keep every turn
   `{library.samples}`   open the samples: a dozen conversations, good and bad"""
"""How an empty library is filled."""


class LibraryScreen(FillingScreen):
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
        &.-empty #body, &.-empty FilterLine { display: none; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._total = 0
        self._resumed = False
        self._shown: tuple[SessionRow | None, Sequence[str]] = None, ()
        """The session in the preview, and the words that are marked there."""

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        self._total = self.app.store.sessions.count()
        self.set_class(self._total == 0, "-empty")
        self.set_class(self.app.size.width >= PREVIEW_FROM, "-wide")
        yield TitleBar("Library", brand=True, right=self._about())
        yield FilterLine()
        with Horizontal(id="body"):
            self._provider = AllSessions(self.app.store)
            sessions = SessionList(self._provider, self.app.store.sessions.metrics_by_use())
            sessions.hides = self._hides
            yield sessions
            yield Preview()
        yield EmptyWords("No conversations yet.", EMPTY)
        yield RunLine()
        yield KeyLine("library")

    def on_mount(self) -> None:
        """Follow runs, and what changes the sessions."""
        self.app.followers.follow(self, self.app.run_changed, self._show_run)
        self.app.followers.follow(self, self.app.sessions_changed, lambda _: self._refresh_if_seen())
        self.app.followers.follow(self, self.app.judge_changed, lambda _: self._show_title())
        self.take_up()

    def on_resize(self) -> None:
        """Open up where there is room."""
        self.set_class(self.app.size.width >= PREVIEW_FROM, "-wide")
        self._show_glance(self.list.current)

    def on_screen_resume(self) -> None:
        """Show what changed while another screen was above this one."""
        if self._resumed:
            # What was there is drawn first: reading takes longer than that.
            self.call_after_refresh(self.refresh_sessions)
            self._show_run(self.app.runs.state)
        self._resumed = True

    # What is shown

    def refresh_sessions(self) -> None:
        """Read the list anew; the cursor keeps its session, and a filter its matches."""
        total = self.app.store.sessions.count()
        if total != self._total and not self.asked and isinstance(self._provider, FoundSessions):
            # All sessions in an order of one's own: those that came belong there.
            self.ask()
        self._total = total
        self.set_class(total == 0, "-empty")
        self.show_columns()
        self.list.refresh_rows()
        self.list.refresh()
        self._shown = None, ()
        self._show_current()
        self._show_title()
        self.refresh_bindings()

    def _refresh_if_seen(self) -> None:
        # Where another screen is above, this one reads anew when it comes back.
        if self.is_current:
            self.refresh_sessions()

    def _about(self) -> str:
        count = f"{self._total:,} {'session' if self._total == 1 else 'sessions'}"
        selected = (
            f"{len(self.list.selection):,} selected   " if self.is_mounted and self.list.selection else ""
        )
        return f"{selected}judge: {judge_words(self.app.judge_settings, self.app.judge_trouble)}   {count}"

    def show_selection(self) -> None:
        """Show what is selected, and how many that are."""
        super().show_selection()
        self._show_current()
        self._show_title()

    def _show_title(self) -> None:
        self.query_one(TitleBar).right = self._about()

    def _show_run(self, state: RunState | None) -> None:
        line = self.query_one(RunLine)
        line.show(state)
        self.refresh_bindings()

    # The preview

    def on_paged_list_highlighted(self, event: SessionList.Highlighted) -> None:
        """Show the session under the cursor."""
        self._show_current()

    def _show_current(self) -> None:
        # Called by the keys too, not only when the list tells of it: a frame is saved, and both move as one.
        row = self.list.current
        if (row, self.list.words) != self._shown and (row is not None or not self.list.count):
            self._show_glance(row)

    def _show_glance(self, row: SessionRow | None) -> None:
        self._shown = row, self.list.words
        if row is None or not self.has_class("-wide"):
            self.query_one(Preview).show(None)
            return
        # Read at once: it takes a tenth of a millisecond, and a thread's answer comes a whole frame later.
        store, words = self.app.store, self.list.words
        turns = store.turns.of(row.id, MOST_SEARCHED if words else TURNS_SHOWN)
        hidden = HIDDEN if row.marks and self._hides(row) else ""
        scores = () if hidden else store.scores.newest_by_metric(row.id)
        self.query_one(Preview).show(Glance(row, turns, scores, words, hidden))

    def _hides(self, row: SessionRow) -> bool:
        """Return whether a session's scores are covered, so that its label in a queue will be blind."""
        waits = row.queued and row.label is None
        return waits and self.app.settings.blind and row.id not in self.app.seen

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what means nothing now."""
        if action == "stop":
            return self.app.runs.under_way
        if action in OF_SESSIONS and self.is_mounted:
            return self._total > 0
        if action == "undo":
            return bool(self._tag_changes)
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

    def on_paged_list_fetch_failed(self, event: SessionList.FetchFailed) -> None:
        """Tell why there are no rows."""
        self.app.tell_mistake(event.error)

    def on_paged_list_opened(self, event: SessionList.Opened) -> None:
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
        """Leave all selected ones; else clear the filter; and go back to the list."""
        if self.list.selection and self.list.has_focus:
            self.list.selection.clear()
            self.show_selection()
        else:
            self.query_one(FilterLine).clear()
        self.list.focus()

    @work(group="choose", exclusive=True)
    async def action_score(self) -> None:
        """Judge the selected sessions, or those that the filter shows."""
        self.app.score(await self.chosen_sessions(or_all=True))

    # Queues

    @work(group="ask", exclusive=True)
    async def action_queues(self) -> None:
        """Make a queue to review, or go on with one."""
        from turnwise.tui.screens.queueing import QueueDialog

        chosen = await self.chosen_sessions(or_all=True) if self.list.selection else None
        if chosen is not None:
            whose = f"the {len(chosen):,} selected"
        else:
            matching = (
                "the one that matches" if self.list.count == 1 else f"the {self.list.count:,} that match"
            )
            whose = matching if self.asked else f"all {self._total:,} sessions"
        metrics = self.app.store.sessions.metrics_by_use()
        queue = await self.app.push_screen_wait(QueueDialog(self.asked, chosen, whose, metrics))
        if queue is not None:
            self.open_queue(queue)

    def open_queue(self, queue_id: int) -> None:
        """Review a queue from its first session that is not done; where all are, from the beginning."""
        from turnwise.tui.screens.review import ReviewScreen

        store = self.app.store
        try:
            queue = store.queues.get(queue_id)
        except TurnwiseError as error:
            self.app.tell_error(error)
            return
        sessions = QueueSessions(store, queue)
        item = store.queues.next(queue_id)
        if item is None:
            self.notify(f"All of {queue.name} are done.")
        first = item.session_id if item is not None else next(iter(sessions.ids()), None)
        if first is not None:
            self.app.push_screen(ReviewScreen(first, sessions), self.go_to_session)

    def action_stop(self) -> None:
        """Stop the run that is under way."""
        self.app.run_worker(self.app.action_stop_run())

    def action_replay(self) -> None:
        """Play the session under the cursor."""
        if (row := self.list.current) is not None:
            from turnwise.tui.screens.replay import ReplayScreen

            self.app.push_screen(ReplayScreen(row.id))

    def action_criteria(self) -> None:
        """Write criteria, and try them against people's labels."""
        from turnwise.tui.screens.criteria import CriteriaScreen

        self.app.push_screen(CriteriaScreen(self._provider, self.asked))

    def action_agreement(self) -> None:
        """Measure metrics against people's labels."""
        self.app.action_agreement()

    def action_compare(self) -> None:
        """Compare two runs."""
        self.app.action_compare()

    def action_failure_modes(self) -> None:
        """Name the ways to go wrong, and count them."""
        from turnwise.tui.screens.failure_modes import FailureModesScreen

        self.app.push_screen(FailureModesScreen(), self.show_query)

    def action_judge(self) -> None:
        """Choose the model that judges."""
        self.app.action_choose_judge()
