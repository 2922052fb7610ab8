"""ReviewScreen: a session's transcript, and beside it what was found about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.message import Message

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.findings import LabelWord
from turnwise.conversations.store.mode_rows import AssignedMode
from turnwise.conversations.store.rows import LabelRow, SessionRow, TurnRow
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.key_words import fill_keys, key_of
from turnwise.tui.labelling import Opinion, Step, Subject
from turnwise.tui.neighbours import Neighbours, neighbours_of
from turnwise.tui.review_keys import ReviewMoment, review_key
from turnwise.tui.screens.labelling import LabellingScreen
from turnwise.tui.screens.two_panes import UNSCORED
from turnwise.tui.stored_sessions import QueueSessions
from turnwise.tui.widgets.key_line import KeyLine
from turnwise.tui.widgets.note_line import NoteLine
from turnwise.tui.widgets.pages import SessionProvider
from turnwise.tui.widgets.prompt_line import PromptLine
from turnwise.tui.widgets.run_line import RunLine
from turnwise.tui.widgets.score_groups import SessionScores
from turnwise.tui.widgets.score_pane import ScorePane
from turnwise.tui.widgets.title_bar import TitleBar
from turnwise.tui.widgets.transcript import TranscriptView
from turnwise.tui.widgets.turn_lines import turn_text

if TYPE_CHECKING:
    from turnwise.tui.app import TurnwiseApp

BESIDE_FROM = 100
"""From so many cells up the scores stand beside the transcript; below they stand under it."""


class ReviewScreen(LabellingScreen):
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
        &.-narrow ScorePane { width: 1fr; max-width: 100%; height: 7; }
        &.-narrow.-unscored ScorePane {
            height: 3;
            & > #turn-verdicts { display: none; }
            & > LabelPane { dock: bottom; }
        }
        &.-narrow ScorePane.-open { height: 2fr; }
    }
    """

    app: TurnwiseApp

    @dataclass
    class Loaded(Message):
        """A session was read."""

        row: SessionRow
        turns: Sequence[TurnRow]
        scores: SessionScores
        labels: Sequence[LabelRow]
        modes: Sequence[AssignedMode]

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
        scores: SessionScores
        labels: Sequence[LabelRow]
        modes: Sequence[AssignedMode]

    def __init__(
        self, session_id: int, sessions: SessionProvider | None = None, *, turn: int | None = None
    ) -> None:
        """sessions: the list it was opened from; None for all. turn: the number of the one to begin at."""
        super().__init__()
        self.session_id = session_id
        self._sessions = sessions
        self._begin_at = turn
        self._row: SessionRow | None = None
        self._neighbours: Neighbours | None = None
        self._to_go = 0
        """How many sessions to go on, or back, once it is known which those are."""

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        narrow = self.app.size.width < BESIDE_FROM
        self.set_class(narrow, "-narrow")
        yield TitleBar()
        with Container(id="body"):
            yield TranscriptView()
            pane = ScorePane(empty=fill_keys(UNSCORED, self.app.actions), labels=True)
            pane.set_class(narrow, "-under")
            yield pane
        yield PromptLine()
        yield NoteLine()
        yield RunLine()
        yield KeyLine("review")

    def on_mount(self) -> None:
        """Read the session off the loop, and hear of runs."""
        self.app.followers.follow(
            self, self.app.sessions_changed, lambda _: self._read_scores(self.session_id)
        )
        self.app.followers.follow(self, self.app.run_changed, self.query_one(RunLine).show)
        self.query_one(RunLine).show(self.app.runs.state)
        self._load(self.session_id)

    def on_resize(self) -> None:
        """Put the scores beside the transcript or under it."""
        narrow = self.size.width < BESIDE_FROM
        self.set_class(narrow, "-narrow")
        self.pane.set_class(narrow, "-under")

    # Reading

    @work(thread=True, exclusive=True, group="load")
    def _load(self, session_id: int) -> None:
        store = self.app.store
        try:
            row = store.sessions.get(session_id)
        except NotFoundError as error:
            self.post_message(self.Missing(error))
            return
        self.post_message(self.Loaded(row, store.turns.of(session_id), *self._findings(session_id)))
        self.post_message(self.Placed(session_id, neighbours_of(store, self._sessions, session_id)))

    @work(thread=True, exclusive=True, group="place")
    def _place(self, session_id: int) -> None:
        self.post_message(self.Placed(session_id, neighbours_of(self.app.store, self._sessions, session_id)))

    async def keep(self, subject: Subject, after: Opinion, step: Step = "") -> bool:
        """Keep what is said of a subject now; in a queue, count anew how many are done."""
        changed = await super().keep(subject, after, step)
        if changed and isinstance(self._sessions, QueueSessions):
            self._place(self.session_id)
        return changed

    @work(thread=True, exclusive=True, group="scores")
    def _read_scores(self, session_id: int) -> None:
        self.post_message(self.Rescored(session_id, *self._findings(session_id)))

    def _findings(self, session_id: int) -> tuple[SessionScores, Sequence[LabelRow], Sequence[AssignedMode]]:
        store = self.app.store
        scores = SessionScores.of(store.scores.newest(session_id))
        return scores, store.labels.of(session_id), store.modes.of(session_id)

    def on_review_screen_loaded(self, event: Loaded) -> None:
        """Show a session that was read, unless another was asked for meanwhile."""
        if event.row.id != self.session_id:
            return
        self._row = event.row
        self.transcript.set_rows(event.turns)
        self.show_findings(event.scores, event.labels, event.modes)
        self._tell_title()
        self.pane.score_list.rewind()
        if self._begin_at is not None:
            self.transcript.jump_to(self._begin_at)
            self._begin_at = None
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
            step, self._to_go = self._to_go, 0
            if step and event.neighbours is not None:
                self._to_go = step - 1 if step > 0 else step + 1
                self.action_next_session() if step > 0 else self.action_previous_session()

    def on_review_screen_rescored(self, event: Rescored) -> None:
        """Show scores that came while the session is read."""
        known = [row.id for row in self.scores.rows], [row.id for row in self.labels], self.modes
        came = [row.id for row in event.scores.rows], [row.id for row in event.labels], event.modes
        if event.session_id == self.session_id and self._row is not None and known != came:
            self.show_findings(event.scores, event.labels, event.modes)

    def scores_shown(self) -> None:
        """Show the verdicts in the margin too, and the signs in the title."""
        self.transcript.set_verdicts(self.pane.marks)
        self._tell_title()

    def _tell_title(self) -> None:
        if (row := self._row) is None:
            return
        bar = self.query_one(TitleBar)
        turns = f"{row.turns:,} turn{'s' * (row.turns != 1)}"
        bar.title = row.name or f"session {row.id}"
        bar.detail = " · ".join(part for part in (row.chatbot_role, turns) if part)
        near = self._neighbours
        place = near.words if near else ""
        groups = self.pane.groups
        signs = "scores hidden" if self.hides_scores else " ".join(group.sign for group in groups)
        bar.right = "   ".join(part for part in (place, signs) if part)

    # Going elsewhere

    def action_why(self) -> None:
        """Show what is behind the score that is looked at: of the scores, of the turn, or the worst one."""
        if not self.pane.groups:
            self.say_no_scores()
            return
        rows = [row for group in self.pane.groups for row in group.rows]
        wanted = self.chosen_score
        if wanted is None:
            worst = min(self.pane.groups, key=lambda group: "✗!~✓–".index(group.sign))
            wanted = worst.failing[0][0] if worst.failing else worst.rows[0]
        from turnwise.tui.screens.why import WhyScreen

        screen = WhyScreen(self._title(), rows, rows.index(wanted), self.last_number)
        self.app.push_screen(screen, lambda turn: self.jump_to_turn(turn) if turn else None)

    def action_score(self) -> None:
        """Judge this session."""
        self.app.score([self.session_id])

    async def action_stop(self) -> None:
        """Stop the run that is under way."""
        await self.app.action_stop_run()

    def action_replay(self) -> None:
        """Play this session again."""
        from turnwise.tui.screens.replay import ReplayScreen

        if self.hides_scores:
            self.note("A replay shows the scores: a label given now counts as not blind.")
            self.action_reveal()
        self.app.push_screen(ReplayScreen(self.session_id))

    @work(thread=True)
    def action_pictures(self) -> None:
        """Show the images that the session was judged with."""
        from turnwise.tui.screens.pictures import PicturesDialog, pictures_of

        images = pictures_of(self.app.store.sessions.case(self.session_id))
        if images:
            self.app.call_from_thread(self.app.push_screen, PicturesDialog(images))
        else:
            self.app.call_from_thread(self.notify, "This session has no images.")

    def action_copy(self) -> None:
        """Copy what is selected, the turn, or the reason where the scores have the keys."""
        item = self.pane.score_list.current
        if selected := self.get_selected_text():
            self.app.copy_to_clipboard(selected)
            self.clear_selection()
            self.note(f"Selection copied: {len(selected):,} characters.")
        elif self.in_scores and item is not None:
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
        else:
            self._to_go += 1

    def labelled(self, word: LabelWord) -> None:
        """Open the next session, where the settings say so."""
        near = self._neighbours
        if self.app.settings.next_after_label and near is not None:
            name = self._title()
            self._go_to_session(near.next, "This was the last session of the list.")
            if near.next is not None:
                back = key_of(self.app.actions, "review", "previous_session")
                self.note(f"{word}: {name}. {back} goes back to it.")

    def action_previous_session(self) -> None:
        """Go to the session before."""
        if near := self._neighbours:
            self._go_to_session(near.previous, "This is the first session of the list.")
        else:
            self._to_go -= 1

    def _go_to_session(self, session_id: int | None, otherwise: str) -> None:
        if session_id is None:
            self._to_go = 0
            self.note(otherwise)
            return
        self.session_id, self._neighbours = session_id, None
        self._load(session_id)

    def action_back(self) -> None:
        """Close a search, leave the scores, or go back to the list."""
        if (line := self.query_one(NoteLine)).asking:
            line.hand_on()
        elif self.prompt.asking:
            self.stop_finding()
        elif self.in_scores:
            self.leave_scores()
        else:
            self.dismiss(self.session_id)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to show the scores only while they are hidden, and to ask why only where they are not."""
        if action == "reveal":
            return self.hides_scores
        if action == "why":
            return not self.hides_scores
        return True

    def key_now(self, action: Action) -> Action:
        """Return an action with the words and the rank that it has here and now."""
        return review_key(action, self._moment)

    @property
    def _moment(self) -> ReviewMoment:
        if self.prompt.typing:
            return ReviewMoment("asking")
        if self.query_one(NoteLine).asking:
            return ReviewMoment("noting")
        return ReviewMoment(
            "scores" if self.in_scores else "turns",
            selected=self.transcript.text_selection is not None,
            matches=self.finding,
            failing=bool(self.transcript.failed_turns),
            shown=bool(self.pane.groups),
            scored=bool(self.scores.rows),
        )

    def _title(self) -> str:
        return self._row.name if self._row else f"session {self.session_id}"
