"""ReviewScreen: a session's transcript, beside it what was found about it, and what people say of it.

The screen lays its parts out, reads sessions off the loop, and says which key does what. What it is made of
keeps its own state: `Panes` which of transcript and scores has the keys, `Finder` what is looked for, and
`SessionLabels` what is said of the session and what of it is hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import SessionRow, TurnRow
from turnwise.conversations.words import counted
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.drawing.frames import framed
from turnwise.tui.drawing.still import StillColumn, StillScreen
from turnwise.tui.judging.run_line import RunLine
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.notice import drop_notes, note
from turnwise.tui.parts.prompt_line import PromptLine
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.reading.drawn_transcript import DrawnTranscript
from turnwise.tui.reading.info_pane import InfoPane
from turnwise.tui.reading.score_lines import ScoreItem
from turnwise.tui.reading.score_list import ScoreList
from turnwise.tui.reading.score_pane import ScorePane
from turnwise.tui.reading.strip_key import StripKey
from turnwise.tui.reading.transcript import TranscriptView
from turnwise.tui.review.elsewhere import Elsewhere
from turnwise.tui.review.finder import Finder
from turnwise.tui.review.going_on import GoingOn
from turnwise.tui.review.histories import Histories
from turnwise.tui.review.label_keys import LabelKeys
from turnwise.tui.review.move_keys import MoveKeys
from turnwise.tui.review.near_modes_line import NearModesLine
from turnwise.tui.review.note_keys import NoteKeys
from turnwise.tui.review.note_line import NoteLine
from turnwise.tui.review.panes import SCORES_TITLE, Panes
from turnwise.tui.review.queue_mode import QueueMode
from turnwise.tui.review.review_keys import ReviewKeys
from turnwise.tui.review.review_style import STYLE
from turnwise.tui.review.session_labels import SessionLabels
from turnwise.tui.review.session_reader import (
    EarlyKeys,
    PlacedSession,
    SessionAhead,
    SessionFindings,
    SessionRead,
    SessionReader,
)
from turnwise.tui.review.session_walk import SessionWalk
from turnwise.tui.session_lists.pages import SessionProvider, SessionToReplay
from turnwise.tui.session_lists.stored_sessions import Neighbours, QueueSessions
from turnwise.tui.settings.keymap import fill_keys, key_of
from turnwise.tui.shell.shell import ShellOfApp
from turnwise.tui.shell.sights import is_in_sight
from turnwise.tui.textual_internals.apps import is_leaving
from turnwise.tui.textual_screens import hold_frames, make_ready_again

BESIDE_FROM = 100
"""From so many cells up the scores stand beside the transcript; below they stand under it."""
UNSCORED = "No scores yet. {review.score} judges this session."
"""What stands in the place of scores where there are none."""


class ReviewScreen(StillScreen[int]):
    """Reads one session, and goes through those of a list. It ends with the id of the session shown last."""

    PLACE: ClassVar[Place] = "review"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("review"))
    AUTO_FOCUS = "TranscriptView"
    CSS = STYLE

    shell = ShellOfApp()
    labels: SessionLabels
    queue: QueueMode
    going_on: GoingOn
    walk: SessionWalk
    """What answers the keys that go to another session; the next five answer what they are named for."""
    histories: Histories
    elsewhere: Elsewhere
    move_keys: MoveKeys
    label_keys: LabelKeys
    note_keys: NoteKeys
    keys: ReviewKeys
    """Knows what each key means at the moment."""
    _reader: SessionReader
    _ahead: SessionAhead

    def __init__(
        self,
        session_id: int | None = None,
        sessions: SessionProvider | None = None,
        *,
        turn: int | None = None,
    ) -> None:
        """session_id: None where it is made ahead, and begun later. The rest is as for `begin`."""
        super().__init__()
        self.session_id = 0
        self._sessions: SessionProvider | None = None
        self._begin_at: int | None = None
        self._is_begun = False
        self._let_frames_go: Callable[[], None] = lambda: None
        if session_id is not None:
            self.begin(session_id, sessions, turn=turn)
        self._row: SessionRow | None = None
        self._shown: tuple[object, ...] = ()
        """What the pane of scores was told last."""
        self.panes = Panes(self, self._show_with_turn, self._show_with_score)
        self.finder = Finder(self)
        self._early = EarlyKeys(lambda: self.labels.is_read)
        self.walk = SessionWalk(self._read_session, partial(note, self))

    def begin(
        self, session_id: int, sessions: SessionProvider | None = None, *, turn: int | None = None
    ) -> None:
        """sessions: the list it was opened from; None for all. turn: the number of the one to begin at."""
        self.session_id = session_id
        self._sessions = sessions
        self._begin_at = turn
        self._is_begun = True

    def expect(self, session_id: int, sessions: SessionProvider | None) -> bool:
        """Read the session that is opened next, most likely; return whether that was still to be done.

        It is for a screen that was made ahead. sessions: as for `begin`.
        """
        return self._ahead.expect(session_id, sessions)

    def replays(self) -> SessionToReplay | None:
        """Return the session that is read."""
        hides = self.labels.session.would_hide
        return SessionToReplay(self.session_id, hides) if self.session_id else None

    def _show_ahead(self, session_id: int, sessions: SessionProvider | None, ahead: PlacedSession) -> None:
        self.begin(session_id, sessions)
        self._share_out()
        self._reader.know(ahead.read)
        self._take(ahead.read)
        self._take_place(session_id, ahead.near)

    def open_again(self) -> None:
        """Show the session in the parts that were made ahead."""
        make_ready_again(self, self._fill)

    def _fill(self) -> None:
        ahead = self._ahead.let_go(self.session_id, self._sessions)
        if ahead.is_shown:
            self._shown = () if ahead.is_old else self._shown
            self._begin_at_turn()
            self.queue.come_in_sight()
            self._follow()
            return
        if ahead.shows_another:
            self._row = None
            self.transcript.set_turns(DrawnTranscript(()))
            self.query_one(TitleBar).right = ""
        self._share_out()
        self._let_frames_go = hold_frames(self.app)
        self._start(ahead.read)

    def _share_out(self) -> None:
        """Make what answers the keys: each knows the session, and the list that it stands in."""
        self.walk.begin(self.session_id)
        self.labels = SessionLabels(self.shell, self.session_id, self._labels_changed, self._sessions)
        self.queue = QueueMode(self, self.shell, self._sessions, go_to=self.walk.go_to, leave=self._leave)
        self.going_on = GoingOn(self.walk, self.shell, in_queue=self.queue.is_on)
        self.histories = Histories(self, self.shell, self.labels, self.panes, self.jump_to_turn)
        self.elsewhere = Elsewhere(
            self,
            self.shell,
            self.labels,
            self.panes,
            go_to=self.walk.go_to,
        )
        self.move_keys = MoveKeys(
            self,
            self.shell,
            self.panes,
            self.labels,
            self.finder,
            self._early,
            title=self._title,
            go_to_turn=self.jump_to_turn,
        )
        self.label_keys = LabelKeys(
            self,
            self.shell,
            self.panes,
            self.labels,
            self.going_on,
            self.queue,
            self._early,
            show=self._show_labels,
            say_no_scores=self.move_keys.say_no_scores,
        )
        self.note_keys = NoteKeys(
            self,
            self.shell,
            self.panes,
            self.labels,
            self.label_keys,
            self.finder,
            self._early,
            read_again=self._read_changes,
        )
        self.keys = ReviewKeys(
            self.shell,
            self.panes,
            self.finder,
            self.labels,
            self.label_keys,
            self.note_keys,
            self.going_on,
            self.queue,
        )
        self._reader = SessionReader(
            self,
            self.shell.store,
            self._sessions,
            take=self._take,
            take_place=self._take_place,
            take_findings=self._take_findings,
            take_grown=self._take_grown,
        )

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        self._share_out()
        narrow = self.app.size.width < BESIDE_FROM
        self.set_class(narrow, "-narrow")
        yield TitleBar()
        with Container(id="body"):
            yield NoteLine(lambda one: self.note_keys.written(one), lambda lines: self.note_keys.cover(lines))
            with framed(StillColumn(id="reading"), "Transcript"):
                # First: where it comes and goes, all that is composed later keeps its place and is not drawn.
                yield PromptLine()
                yield StripKey()
                yield TranscriptView(opener=key_of(self.shell.actions, "review", "fold"))
            pane = ScorePane(empty=fill_keys(UNSCORED, self.shell.actions), labels=True)
            pane.set_class(narrow, "-under")
            yield framed(pane, SCORES_TITLE)
        yield NearModesLine()
        yield RunLine()
        yield KeyLine("review")

    def on_mount(self) -> None:
        """Begin, unless it is made ahead."""
        self._ahead = SessionAhead(self, self.shell, draw=self.transcript.drawn_ahead, show=self._show_ahead)
        if self._is_begun:
            self._start()

    def _start(self, ahead: PlacedSession | None = None) -> None:
        """Read the session off the loop, unless it was read ahead, and hear of runs."""
        self._follow()
        if ahead is not None:
            self._reader.hand_on(ahead)
        else:
            self._reader.read(self.session_id)

    def _follow(self) -> None:
        self.shell.followers.follow(self, self.shell.sessions_changed, lambda _: self._read_changes())
        self.shell.followers.follow(self, self.shell.run_changed, self.query_one(RunLine).show)
        self.query_one(RunLine).show(self.shell.runs.state)
        self.run_worker(self.shell.sights.keep, thread=True, group="sights")

    def on_screen_resume(self) -> None:
        """Show the scores that were shown above, as in a replay."""
        self.queue.look()
        if self.is_mounted and self.labels.is_read:
            self._findings_changed()

    def on_screen_suspend(self) -> None:
        """Count no time while something else is in front."""
        self.queue.look_away()

    def on_resize(self) -> None:
        """Put the scores beside the transcript or under it."""
        narrow = self.size.width < BESIDE_FROM
        self.set_class(narrow, "-narrow")
        self.pane.stand(under=narrow)

    @property
    def transcript(self) -> TranscriptView:
        """The turns."""
        return self.query_one(TranscriptView)

    @property
    def pane(self) -> ScorePane:
        """The scores and labels."""
        return self.query_one(ScorePane)

    @property
    def with_keys(self) -> TranscriptView | ScoreList | InfoPane:
        """What the keys move in."""
        return self.panes.with_keys

    # Reading

    def _take(self, read: SessionRead | NotFoundError) -> None:
        """Show a session, unless another was asked for meanwhile; go back where there is none."""
        self._let_frames_go()
        if isinstance(read, NotFoundError):
            self.shell.tell_error(read)
            self.dismiss(self.session_id)
            return
        if read.row.id != self.session_id:
            return
        name, self._row = self._title(), read.row
        self.pane.info.take(read.info)
        self.labels.take(read.findings)
        # Laid out once, with the room for the verdicts that are shown.
        hidden = self.labels.hides_scores
        turns = DrawnTranscript(read.turns) if read.drawn is None else read.drawn
        self.transcript.set_turns(turns, {} if hidden else read.findings.scores.marks)
        self.labels.came_back(to_undo=self.going_on.goes_back_to(self.session_id))
        self.note_keys.session_read()
        self.labels.came_from(self.going_on.arrive(), name)
        self._findings_changed()
        self.pane.info.show_taken()
        self._tell_title()
        self.pane.score_list.rewind()
        self.queue.offer(read.turns)
        self.queue.look()
        if step := self.going_on.step_in(self.session_id):
            make = self.label_keys.undo_here if step == "undo" else self.label_keys.redo_here
            self.call_later(make)
        self._begin_at_turn()
        self.finder.find_again()
        self._early.do()

    def _begin_at_turn(self) -> None:
        if self._begin_at is not None:
            self.transcript.jump_to(self._begin_at)
            self._begin_at = None

    def _take_place(self, session_id: int, near: Neighbours | None) -> None:
        """Show where the session stands in the list."""
        if session_id == self.session_id:
            self.walk.near = near
            self._tell_title()
            self.queue.opened(near)
            if self.walk.make_steps():
                self.label_keys.nowhere_to_go()
            self.label_keys.arrived()

    def _take_findings(self, session_id: int, kept: int, found: SessionFindings) -> None:
        """Show scores that came while the session is read. kept: the changes that were kept before."""
        wanted = session_id == self.session_id and self._row is not None
        if wanted and self.labels.kept != kept:
            # Read before what was said meanwhile.
            self._read_changes()
        elif wanted and not found.is_same(self.labels.session.found):
            self.labels.take(found)
            self._findings_changed()

    def _read_changes(self) -> None:
        self._reader.read_findings(self.session_id, self.labels.kept)
        self._reader.read_growth(self.session_id)

    def _take_grown(self, row: SessionRow, turns: Sequence[TurnRow]) -> None:
        """Show what was said since; whoever reads the end goes along, and whoever reads elsewhere stays."""
        if row.id == self.session_id and self._row is not None:
            self._row = row
            self.transcript.show_grown(turns)
            self._findings_changed()
            self._tell_title()

    # What is shown

    def _findings_changed(self) -> None:
        """Show again what may be hidden or shown by now."""
        said, last = self.labels.session, self.transcript.last_number
        others = said.of_others
        hidden = said.why_hidden(key_of(self.shell.actions, "review", "reveal"))
        # What was made ahead nobody has seen yet.
        if not hidden and (said.scores.rows or others) and is_in_sight(self):
            said.reveal()
        mine, rated = said.mine.of_metrics, said.rated_by_others
        shown = (said.scores, last, hidden, mine, rated)
        if shown != self._shown:
            self._shown = shown
            self.pane.show(said.scores, rated, mine=mine, last=last, hidden=hidden)
            self.transcript.set_verdicts(self.pane.marks, self.pane.quotes)
            # With the margin, of which a message tells only when a frame was drawn: the turns would move.
            self.query_one(StripKey).show_names(self.pane.groups, self.transcript.margin)
            self._tell_title()
        self._show_labels()
        self.refresh_bindings()

    def _show_labels(self) -> None:
        """Show what is said of the session, and of the score that the cursor is on."""
        self.queue.show(
            self.labels.session.modes_in_sight,
            self.labels.session.author,
            deciding=self.label_keys.fail_waits,
        )
        self._show_with_score(self.pane.score_list.current if self.panes.in_scores else None)

    def _show_with_score(self, item: ScoreItem | None) -> None:
        """Show what is said of the session, and of a score; None where the turns have the keys."""
        view = self.labels.view(
            item.row if item else None,
            self.panes.failing_number,
            in_reply=self.panes.fails_in_reply,
            keeps_room=self.panes.is_roomy and bool(self.pane.groups),
        )
        self.pane.label_pane.show(view)

    def _show_with_turn(self, number: int | None) -> None:
        """Show the verdicts about a turn, and whether the first failure is or would be put there."""
        self.pane.show_turn(number)
        if self.labels.session.mine.whole.word in (None, "fail", "defer"):
            self._show_labels()

    def after_move(self) -> None:
        """Show what goes with the turn or the score that a key has moved to."""
        self.panes.show_place()

    def on_transcript_view_cursor_moved(self, event: TranscriptView.CursorMoved) -> None:
        """Show what goes with the turn."""
        self._show_with_turn(event.row.number)

    def on_transcript_view_margin_changed(self, event: TranscriptView.MarginChanged) -> None:
        """Say over the verdict marks what they are."""
        self.query_one(StripKey).show_margin(event.margin)

    def on_score_list_moved(self) -> None:
        """Show what is said of the score."""
        self._show_labels()

    def _tell_title(self) -> None:
        if (row := self._row) is None:
            return
        bar = self.query_one(TitleBar)
        bar.title = self._title()
        heading_of_role = (row.chatbot_role or "").lstrip().partition("\n")[0]
        bar.detail = " · ".join(filter(None, (heading_of_role, counted(row.turns, "turn"))))
        hidden = self.labels.hides_scores
        signs = "" if hidden else self.pane.counted_signs
        if signs and self.walk.near is not None and self.walk.near.queue is not None:
            # Beside how far the queue is they would be read as its labels.
            signs = f"scores {signs}"
        bar.right = self.walk.words
        # Both are said beside the transcript, too: no title is cut for them.
        bar.aside = "scores hidden" if hidden else signs

    # Moving in the session

    def on_score_list_chosen(self, event: ScoreList.Chosen) -> None:
        """Go to the turn that was clicked."""
        self.jump_to_turn(event.turn)

    def on_transcript_view_mark_chosen(self, event: TranscriptView.MarkChosen) -> None:
        """Go to what a metric says of a turn."""
        self.pane.score_list.go_to(event.letter, event.number)
        self.panes.enter_scores()

    def on_score_pane_list_asked(self) -> None:
        """Show all scores where only their signs have room."""
        self.move_keys.action_other_pane()

    def jump_to_turn(self, number: int) -> None:
        """Go to a turn by its number, or say that it is not there."""
        self.panes.leave_scores()
        self.finder.jump_to_turn(number)

    def action_jump_to_turn(self, number: int) -> None:
        """Go to a turn: for links."""
        self.jump_to_turn(number)

    def action_open(self) -> None:
        """In the scores follow what the cursor is on; in the turns go on after a label, or open and fold."""
        item = self.pane.score_list.current
        if (line := self.query_one(NoteLine)).asking:
            line.hand_on(by_enter=True)
            return
        if self.label_keys.waits and not self.panes.in_scores:
            self.label_keys.go_on()
            return
        if not self.panes.in_scores:
            self.transcript.action_fold()
        elif item is not None and (item.turn or item.named):
            self.jump_to_turn(item.turn or item.named[0])
        else:
            self.move_keys.action_why()

    def on_prompt_line_changed(self, event: PromptLine.Changed) -> None:
        """Find while words are typed."""
        self.finder.typed(event)

    def on_prompt_line_submitted(self, event: PromptLine.Submitted) -> None:
        """Go to what was typed."""
        self.finder.submitted(event)

    def on_prompt_line_cancelled(self, event: PromptLine.Cancelled) -> None:
        """Close the line."""
        self.finder.cancelled(event)

    # Labels: all are awaited, so that keys are kept in the order they were pressed

    def _labels_changed(self, here: bool) -> None:
        """Show a label that was kept; in a queue, count anew how many are done. here: of this session."""
        if is_leaving(self):
            return
        if here:
            self.going_on.touched(self.session_id)
            self._findings_changed()
        if isinstance(self._sessions, QueueSessions):
            self._reader.read_place(self.session_id)

    def action_reveal(self) -> None:
        """Show the scores before a label was given; the label will say so."""
        if self._early.holds(self.action_reveal):
            return
        if not self.labels.hides_scores:
            note(self, "Nothing is hidden.")
            return
        self.labels.session.reveal()
        # The pane says from now on that a label will not be blind: told in passing it would take keys' room.
        self._findings_changed()

    def on_score_list_reveal_asked(self) -> None:
        """Show what is hidden."""
        self.action_reveal()

    async def action_near_mode(self, number: int = 0) -> None:
        """Give the session the failure mode that bears a digit, or take it away; 0 is no digit of any."""
        await self.label_keys.give_near_mode(number)

    async def on_unmount(self) -> None:
        """Leave once every note is kept."""
        await self.note_keys.kept()

    # Going elsewhere

    async def action_stop(self) -> None:
        """Stop the run that is under way."""
        await self.shell.action_stop_run()

    def _read_session(self, session_id: int) -> None:
        self.note_keys.line.move_to(session_id)
        drop_notes(self.app)
        self.session_id = self.labels.session.id = session_id
        self._early.forget()
        self._reader.read(session_id)

    def action_back(self) -> None:
        """Close a search, leave the scores, or go back to the list."""
        if (line := self.query_one(NoteLine)).asking:
            line.hand_on()
        elif self.finder.prompt.asking:
            self.finder.stop()
        elif self.panes.in_scores:
            self.panes.leave_scores()
        elif self.panes.info_is_open:
            self.panes.close_info()
        else:
            self._leave()

    @property
    def closes_a_part(self) -> bool:
        """Whether escape closes a part of it, or ends a search, before it leads back."""
        return self.panes.in_scores or self.panes.info_is_open or self.finder.found is not None

    def _leave(self) -> None:
        self.dismiss(self.session_id)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what means something while scores are hidden, or shown."""
        return self.keys.is_offered(action)

    @property
    def is_on_its_way(self) -> bool:
        """Whether a session is being read whose keys are not known yet."""
        return not self.labels.is_read

    @property
    def idle(self) -> frozenset[str]:
        """The actions that have nothing to act on at this moment; their keys say so."""
        return self.keys.idle

    @property
    def key_now(self) -> Callable[[Action], Action]:
        """Gives an action the words and the rank that it has here and now."""
        return self.keys.now

    def _title(self) -> str:
        return (self._row.name if self._row else "") or f"session {self.session_id}"
