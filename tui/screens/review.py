"""ReviewScreen: a session's transcript, and beside it what was found about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.message import Message

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store.rows import LabelRow, ScoreRow, SessionRow, TurnRow
from turnwise.tui.actions import Place, bindings
from turnwise.tui.neighbours import Neighbours, neighbours_of
from turnwise.tui.screens.finding import FindingScreen
from turnwise.tui.widgets.key_line import KeyLine
from turnwise.tui.widgets.pages import SessionProvider
from turnwise.tui.widgets.prompt_line import PromptLine
from turnwise.tui.widgets.run_line import RunLine
from turnwise.tui.widgets.score_pane import ScoreList, ScorePane
from turnwise.tui.widgets.title_bar import TitleBar
from turnwise.tui.widgets.transcript import TranscriptView
from turnwise.tui.widgets.turn_lines import turn_text

if TYPE_CHECKING:
    from turnwise.tui.app import TurnwiseApp

BESIDE_FROM = 100
"""From so many cells up the scores stand beside the transcript; below they stand under it."""


class ReviewScreen(FindingScreen):
    """Reads one session, and goes through those of a list. It ends with the id of the session shown last."""

    PLACE: ClassVar[Place] = "review"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("review"))
    AUTO_FOCUS = "TranscriptView"
    CSS = """
    ReviewScreen {
        & #body { height: 1fr; layout: horizontal; }
        & TranscriptView { width: 1fr; height: 1fr; margin: 1 0 0 0; }
        & ScorePane { width: 38%; min-width: 38; max-width: 64; height: 1fr; }
        &.-narrow #body { layout: vertical; }
        &.-narrow TranscriptView { margin: 0; }
        &.-narrow ScorePane { width: 1fr; max-width: 100%; height: 6; }
        &.-narrow.-unscored ScorePane { height: 1; }
        &.-narrow ScorePane.-open { height: 2fr; }
    }
    """

    app: TurnwiseApp

    @dataclass
    class Loaded(Message):
        """A session was read."""

        row: SessionRow
        turns: Sequence[TurnRow]
        scores: Sequence[ScoreRow]
        labels: Sequence[LabelRow]

    @dataclass
    class Missing(Message):
        """There is no such session."""

        error: NotFoundError

    @dataclass
    class Placed(Message):
        """Where the session stands in the list is known."""

        session_id: int
        neighbours: Neighbours | None

    @dataclass
    class Rescored(Message):
        """The session's scores were read again."""

        session_id: int
        scores: Sequence[ScoreRow]
        labels: Sequence[LabelRow]

    def __init__(self, session_id: int, sessions: SessionProvider | None = None) -> None:
        """sessions: the list it was opened from; None for all sessions."""
        super().__init__()
        self.session_id = session_id
        self._sessions = sessions
        self._row: SessionRow | None = None
        self._scores: Sequence[ScoreRow] = ()
        self._labels: Sequence[LabelRow] = ()
        self._neighbours: Neighbours | None = None

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        narrow = self.app.size.width < BESIDE_FROM
        self.set_class(narrow, "-narrow")
        yield TitleBar()
        with Container(id="body"):
            yield TranscriptView()
            pane = ScorePane(empty="No scores yet. r judges this session.")
            pane.set_class(narrow, "-under")
            yield pane
        yield PromptLine()
        yield RunLine()
        yield KeyLine("review")

    def on_mount(self) -> None:
        """Read the session off the loop, and hear of runs."""
        self.app.sessions_changed.subscribe(self, lambda _: self._read_scores(self.session_id))
        self.app.run_changed.subscribe(self, self.query_one(RunLine).show)
        self.query_one(RunLine).show(self.app.runs.state)
        self._load(self.session_id)

    def on_resize(self) -> None:
        """Put the scores beside the transcript or under it."""
        narrow = self.size.width < BESIDE_FROM
        self.set_class(narrow, "-narrow")
        self.pane.set_class(narrow, "-under")

    # Reading

    @property
    def pane(self) -> ScorePane:
        """The scores."""
        return self.query_one(ScorePane)

    @work(thread=True, exclusive=True, group="load")
    def _load(self, session_id: int) -> None:
        store = self.app.store
        try:
            row = store.sessions.get(session_id)
        except NotFoundError as error:
            self.post_message(self.Missing(error))
            return
        self.post_message(
            self.Loaded(
                row, store.turns.of(session_id), store.scores.newest(session_id), store.labels.of(session_id)
            )
        )
        self.post_message(self.Placed(session_id, neighbours_of(store, self._sessions, session_id)))

    @work(thread=True, exclusive=True, group="scores")
    def _read_scores(self, session_id: int) -> None:
        store = self.app.store
        self.post_message(
            self.Rescored(session_id, store.scores.newest(session_id), store.labels.of(session_id))
        )

    def on_review_screen_loaded(self, event: Loaded) -> None:
        """Show a session that was read, unless another was asked for meanwhile."""
        if event.row.id != self.session_id:
            return
        self._row = event.row
        self._show_scores(event.scores, event.labels)
        self.pane.score_list.rewind()
        self.transcript.set_rows(event.turns, self.pane.marks())
        self._tell_title()
        self.find_again()

    def on_review_screen_missing(self, event: Missing) -> None:
        """Say so and go back."""
        self.app.tell_error(event.error)
        self.dismiss(self.session_id)

    def on_review_screen_placed(self, event: Placed) -> None:
        """Show where the session stands in the list."""
        if event.session_id == self.session_id:
            self._neighbours = event.neighbours
            self._tell_title()

    def on_review_screen_rescored(self, event: Rescored) -> None:
        """Show scores that came while the session is read."""
        known = [row.id for row in self._scores], [row.id for row in self._labels]
        came = [row.id for row in event.scores], [row.id for row in event.labels]
        if event.session_id == self.session_id and self._row is not None and known != came:
            self._show_scores(event.scores, event.labels)
            self.transcript.set_verdicts(self.pane.marks())
            self._tell_title()

    def _show_scores(self, scores: Sequence[ScoreRow], labels: Sequence[LabelRow]) -> None:
        self._scores, self._labels = scores, labels
        self.set_class(not scores, "-unscored")
        self.pane.show(scores, labels)

    def _tell_title(self) -> None:
        if (row := self._row) is None:
            return
        bar = self.query_one(TitleBar)
        turns = f"{row.turns:,} turn{'s' * (row.turns != 1)}"
        bar.title = row.name or f"session {row.id}"
        bar.detail = " · ".join(part for part in (row.chatbot_role, turns) if part)
        near = self._neighbours
        place = f"{near.index + 1:,} of {near.count:,}" if near else ""
        signs = " ".join(group.sign for group in self.pane.groups)
        bar.right = "   ".join(part for part in (place, signs) if part)

    def on_transcript_view_cursor_moved(self, event: TranscriptView.CursorMoved) -> None:
        """Show the verdicts about the turn."""
        self.pane.show_turn(event.row.number)

    # Moving: in the scores where they have the keys, else in the turns

    def _in_scores(self) -> bool:
        return self.pane.score_list.has_focus

    def _in_turns(self, move: Callable[[], bool | None]) -> bool | None:
        """Move in the transcript, and show the turn's verdicts in the same frame rather than in the next."""
        moved = move()
        if (row := self.transcript.current) is not None:
            self.pane.show_turn(row.number)
        return moved

    def action_cursor_down(self) -> None:
        """Go to the next turn or score."""
        if self._in_scores():
            self.pane.score_list.move(1)
        else:
            self._in_turns(self.transcript.cursor_down)

    def action_cursor_up(self) -> None:
        """Go to the turn or score before."""
        if self._in_scores():
            self.pane.score_list.move(-1)
        else:
            self._in_turns(self.transcript.cursor_up)

    def action_page_down(self) -> None:
        """Go down by a page."""
        if self._in_scores():
            self.pane.score_list.scroll_page_down(animate=False)
        else:
            self._in_turns(self.transcript.page_down)

    def action_page_up(self) -> None:
        """Go up by a page."""
        if self._in_scores():
            self.pane.score_list.scroll_page_up(animate=False)
        else:
            self._in_turns(self.transcript.page_up)

    def action_home(self) -> None:
        """Go to the first turn or score."""
        if self._in_scores():
            self.pane.score_list.move(-len(self._scores) * 100)
        else:
            self._in_turns(self.transcript.home)

    def action_end(self) -> None:
        """Go to the last turn or score."""
        if self._in_scores():
            self.pane.score_list.move(len(self._scores) * 100)
        else:
            self._in_turns(self.transcript.end)

    def action_next_failed(self) -> None:
        """Go to the next verdict that failed, or to the next match of a search."""
        self._next(self.transcript.next_failed, 1, "after")

    def action_previous_failed(self) -> None:
        """Go back to the verdict that failed before, or to the match before."""
        self._next(self.transcript.previous_failed, -1, "before")

    def _next(self, failed: Callable[[], bool], by: int, where: str) -> None:
        if self.finding:
            self.go_to_match(by)
        elif not self.pane.groups:
            self.note("No scores yet. r judges this session.")
        elif not self._in_turns(failed):
            any_failed = any(passed is False for marks in self.pane.marks().values() for _, passed in marks)
            self.note(
                f"No verdict failed {where} this turn." if any_failed else "No verdict about a turn failed."
            )

    def action_fold(self) -> None:
        """Open or fold what is folded at the turn."""
        self.transcript.toggle_fold()

    def action_open(self) -> None:
        """In the scores follow what the cursor is on; in the turns open or fold."""
        item = self.pane.score_list.current
        if not self._in_scores():
            self.transcript.toggle_fold()
        elif item is not None and item.turn is not None:
            self._read_turn(item.turn)
        else:
            self.action_why()

    def on_score_list_chosen(self, event: ScoreList.Chosen) -> None:
        """Go to the turn of a verdict that was clicked."""
        self._read_turn(event.turn)

    def _read_turn(self, number: int) -> None:
        self._leave_scores()
        if not self.transcript.jump_to(number):
            self.note(f"There is no turn {number}.")

    def action_other_pane(self) -> None:
        """Go to the scores, or back to the turns."""
        if self._in_scores():
            self._leave_scores()
        elif not self.pane.groups:
            self.note("No scores yet. r judges this session.")
        else:
            self.pane.add_class("-open")
            self.pane.score_list.focus()

    def _leave_scores(self) -> None:
        self.pane.remove_class("-open")
        self.transcript.focus()

    # Going elsewhere

    def action_why(self) -> None:
        """Show what is behind the score that is looked at: of the scores, of the turn, or the worst one."""
        if not self._scores:
            self.note("No scores yet. r judges this session.")
            return
        rows = [row for group in self.pane.groups for row in group.rows]
        item = self.pane.score_list.current
        wanted = item.row if self._in_scores() and item else self.pane.row_for_turn()
        if wanted is None:
            worst = min(self.pane.groups, key=lambda group: "✗!~✓–".index(group.sign))
            wanted = worst.failing[0][0] if worst.failing else worst.rows[0]
        from turnwise.tui.screens.why import WhyScreen

        self.app.push_screen(WhyScreen(self._title(), rows, rows.index(wanted)))

    def action_score(self) -> None:
        """Judge this session."""
        self.app.score([self.session_id])

    async def action_stop(self) -> None:
        """Stop the run that is under way."""
        await self.app.action_stop_run()

    def action_replay(self) -> None:
        """Play this session again."""
        from turnwise.tui.screens.replay import ReplayScreen

        self.app.push_screen(ReplayScreen(self.session_id))

    def action_copy(self) -> None:
        """Copy the turn, or the reason where the scores have the keys."""
        item = self.pane.score_list.current
        if self._in_scores() and item is not None:
            self.app.copy_to_clipboard(item.row.reason)
            self.note("Reason copied.")
        elif (row := self.transcript.current) is not None:
            text = turn_text(row)
            self.app.copy_to_clipboard(text)
            what = f"Turn {row.number}" if row.number else f"The {row.role} message"
            self.note(f"{what} copied: {len(text):,} characters.")

    def action_next_session(self) -> None:
        """Go to the next session of the list."""
        if near := self._neighbours:
            self._go_to_session(near.next, "This is the last session of the list.")

    def action_previous_session(self) -> None:
        """Go to the session before."""
        if near := self._neighbours:
            self._go_to_session(near.previous, "This is the first session of the list.")

    def _go_to_session(self, session_id: int | None, otherwise: str) -> None:
        if session_id is None:
            self.note(otherwise)
            return
        self.session_id, self._neighbours = session_id, None
        self._load(session_id)

    def action_back(self) -> None:
        """Close a search, leave the scores, or go back to the list."""
        if self.prompt.asking:
            self.stop_finding()
        elif self._in_scores():
            self._leave_scores()
        else:
            self.dismiss(self.session_id)

    def _title(self) -> str:
        return self._row.name if self._row else f"session {self.session_id}"
