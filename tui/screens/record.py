"""RecordScreen: a talk with a chatbot, every turn of it in the database before the next begins."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from turnwise.conversations.errors import TurnwiseError
from turnwise.tui.actions import ACTIONS, Place, bindings
from turnwise.tui.live_talk import LiveTalk, TalkPlan
from turnwise.tui.screens.talk import TalkDialog
from turnwise.tui.widgets.key_line import KeyLine
from turnwise.tui.widgets.live_line import LiveLine
from turnwise.tui.widgets.message_editor import MessageEditor
from turnwise.tui.widgets.notice import Notice
from turnwise.tui.widgets.run_line import RunLine
from turnwise.tui.widgets.safe_text import make_safe_line
from turnwise.tui.widgets.score_groups import SessionScores
from turnwise.tui.widgets.score_pane import ScorePane
from turnwise.tui.widgets.title_bar import TitleBar
from turnwise.tui.widgets.transcript import TranscriptView
from turnwise.tui.widgets.wrapping import ELLIPSIS

if TYPE_CHECKING:
    from turnwise.tui.app import TurnwiseApp

BESIDE_FROM = 120
"""From so many cells up the scores stand beside the talk; below they are one line."""
SECONDS_BETWEEN_FRAMES = 0.1
SECONDS_OF_A_NOTE = 3.0
SECONDS_TO_CONFIRM = 4.0
EMPTY = "Nothing is said yet. Every turn is kept as soon as it is said."
AGAIN = "ctrl+r asks again."
CLOSING = "closing"
"""The app's workers that give a chatbot back; the program ends after them."""


class TalkEditor(MessageEditor):
    """The editor of a talk: the screen's keys with ctrl come before those of a text area."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, f"screen.{action.name}", show=False)
        for action in ACTIONS["record"]
        for key in action.keys
        if action.name in ("edit_and_fork", "regenerate", "score", "stop", "page_up", "page_down")
    ]


class RecordScreen(Screen[int | None]):
    """Talks and records. It ends with the id of the session that was kept, None where nothing was said."""

    PLACE: ClassVar[Place] = "record"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("record"))
    AUTO_FOCUS = "TalkEditor"
    CSS = """
    RecordScreen {
        & #talk { height: 1fr; }
        & TranscriptView { width: 1fr; height: 1fr; margin: 1 0 0 0; }
        & ScorePane { width: 38%; max-width: 64; height: 1fr; display: none; }
        &.-wide.-scored ScorePane { display: block; }
        &.-wide LiveLine { display: none; }
        & #message { height: auto; background: $panel; }
        & #prompt { width: 2; padding: 0 0 0 1; color: $accent; text-style: bold; background: $panel; }
    }
    """

    app: TurnwiseApp

    def __init__(
        self, target: str | None, *, role: str = "", system: str | None = None, name: str = ""
    ) -> None:
        """target: what `choose_target` takes; None asks. system: None makes one from the role."""
        super().__init__()
        self._plan = TalkPlan(target, role, system, name)
        self._talk: LiveTalk
        self._reply: Worker[None] | None = None
        self._ticking: Timer
        self._waiting = ""
        """What is waited for before the first word; empty when nothing is."""
        self._waits_since = 0.0
        self._shown = (0, 0)
        """Pieces and seconds of the reply under way, as they were shown last."""
        self._editing: int | None = None
        """The number of the turn that is written anew."""
        self._draft = ""
        self._asked_to_leave = 0.0

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        self._talk = LiveTalk(self.app.store)
        yield TitleBar("Record")
        with Horizontal(id="talk"):
            yield TranscriptView()
            yield ScorePane()
        yield LiveLine()
        yield RunLine()
        yield Notice()
        with Horizontal(id="message"):
            yield Static(">", id="prompt", markup=False)
            yield TalkEditor(placeholder="write your message")
        yield KeyLine("record")

    def on_mount(self) -> None:
        """Find the chatbot, or ask for it."""
        self._ticking = self.set_interval(SECONDS_BETWEEN_FRAMES, self._tick, pause=True)
        self.app.run_changed.subscribe(self, self.query_one(RunLine).show)
        self.app.sessions_changed.subscribe(self, lambda _: self._show_scores())
        self.query_one(RunLine).show(self.app.runs.state)
        if self._plan.target is None:
            self._ask()
        else:
            self._connect()

    async def on_unmount(self) -> None:
        """Give the chatbot back, where the app is left in the middle of a talk."""
        await self._talk.close()

    def on_resize(self) -> None:
        """Say as much in the title as there is room for, and put the scores where there is room."""
        self.set_class(self.size.width >= BESIDE_FROM, "-wide")
        self._show_title()

    # The chatbot

    @work(group="target", exclusive=True)
    async def _ask(self, error: TurnwiseError | None = None) -> None:
        """Ask for a chatbot; error: why the last one could not be had."""
        plan = await self.app.push_screen_wait(TalkDialog(self._plan, error))
        if plan is None:
            self.dismiss(None)
            return
        self._plan = plan
        self._connect()

    @work(group="target", exclusive=True)
    async def _connect(self) -> None:
        """Get the chatbot ready. One that is found and still loads answers what was said meanwhile."""
        talk = self._talk
        try:
            self._wait_for("Looking for the chatbot")
            await talk.choose(self._plan)
            assert talk.target is not None  # noqa: S101
            self._show_talk()
            self._wait_for(f"Loading {talk.target.name}" if talk.target.loads else "")
            await talk.target.open()
        except TurnwiseError as error:
            self._wait_for("")
            if talk.turns:
                self.query_one(Notice).tell_error(error, AGAIN)
            else:
                self._ask(error)
            return
        self._wait_for("")
        if not talk.turns:
            self.query_one(Notice).tell(EMPTY)

    def _wait_for(self, what: str) -> None:
        if self._waiting and not what:
            self.query_one(Notice).tell("")
        self._waiting, self._waits_since = what, time.monotonic()
        self._pace()

    def _pace(self) -> None:
        """Let the clock run while something goes on, and offer the keys that make sense now."""
        if self._waiting or self._reply is not None:
            self._ticking.resume()
            self._tick()
        else:
            self._ticking.pause()
        self.refresh_bindings()

    def _tick(self) -> None:
        """Show how far what goes on is."""
        if self._waiting:
            seconds = time.monotonic() - self._waits_since
            self.query_one(Notice).tell(f"{self._waiting} {ELLIPSIS} {seconds:.0f} s")
        if self._talk.replying:
            count, seconds = len(self._talk.pieces), int(self._talk.seconds)
            if (count, seconds) == self._shown:
                # A frame is the whole transcript in sight, which is a lot for a slow line.
                return
            self._shown = count, seconds
            pieces = f"{count:,} {'piece' if count == 1 else 'pieces'} · " if count else ""
            self._view.update_last(self._talk.writing, f"{pieces}{seconds} s")

    # What is shown

    @property
    def _view(self) -> TranscriptView:
        return self.query_one(TranscriptView)

    @property
    def _editor(self) -> MessageEditor:
        return self.query_one(TalkEditor)

    def _show_title(self) -> None:
        bar, talk = self.query_one(TitleBar), self._talk
        role = make_safe_line(self._plan.role)
        bar.title = f"Record · {role}" if role else "Record"
        if talk.target is None:
            bar.detail = bar.right = ""
            return
        turns = f"{talk.turns:,} {'turn' if talk.turns == 1 else 'turns'}"
        bar.right = f"saved ✓ {turns}" if talk.session_id else "nothing to save yet"
        # Where an address has no room, the model's name is what matters.
        whole, short = f"target: {talk.target.title}", f"target: {talk.target.name}"
        room = self.size.width - len(bar.title) - len(bar.right) - 9
        bar.detail = whole if len(whole) <= room else short

    def _show_talk(self) -> None:
        """Show the talk as it stands, from its end."""
        self._view.set_rows(self._talk.rows)
        self._view.end()
        self._show_title()
        self._show_scores()

    def _show_scores(self) -> None:
        """Show the newest outcomes: in a line or a pane, and beside the turns."""
        scores, pane = self._talk.scores(), self.query_one(ScorePane)
        pane.show(SessionScores.of(scores))
        self.set_class(bool(scores), "-scored")
        judged = self._talk.judged_turns(scores)
        self.query_one(LiveLine).show(pane.groups, judged if judged < self._talk.turns else 0)
        self._view.set_verdicts(pane.marks)

    def on_transcript_view_cursor_moved(self, event: TranscriptView.CursorMoved) -> None:
        """Show the verdicts about the turn."""
        self.query_one(ScorePane).show_turn(event.row.number)

    def _note(self, text: str) -> None:
        self.notify(text, timeout=SECONDS_OF_A_NOTE, markup=False)

    # Talking

    def on_message_editor_submitted(self) -> None:
        """Send the message."""
        self.action_send()

    def action_send(self) -> None:
        """Keep the message and let the chatbot answer it."""
        text = self._editor.text.strip()
        if self._reply is not None:
            self._note("The chatbot is still writing. ctrl+x cuts it short.")
        elif self._talk.recording is None:
            self._note("The chatbot is not found yet; your message stays here.")
        elif text:
            self._say(text)

    def _say(self, text: str) -> None:
        try:
            self._talk.say(text, instead_of=self._editing)
        except TurnwiseError as error:
            self.query_one(Notice).tell_error(error)
            return
        self._editing, self._draft = None, ""
        self._editor.write("")
        self._answer()

    def _answer(self) -> None:
        """Let the chatbot answer what was said last."""
        if not self._waiting:
            self.query_one(Notice).tell("")
        self._show_talk()
        self._view.append_turn(self._talk.writing)
        self._shown = (0, -1)
        self._reply = self._listen()
        self._pace()

    @work(group="reply", exit_on_error=False)
    async def _listen(self) -> None:
        error: TurnwiseError | None = None
        try:
            await self._talk.listen()
        except TurnwiseError as caught:
            error = caught
        finally:
            self._settle(error)

    def _settle(self, error: TurnwiseError | None) -> None:
        """Show the turn as it was kept, or that none was."""
        self._reply = None
        if not self.is_attached or not self.query(TranscriptView):
            return
        talk = self._talk
        last = talk.rows[-1]
        answered = last.role == "assistant"
        if answered:
            self._view.update_last(last)
            self._show_title()
            self._show_scores()
        else:
            self._show_talk()
        notice = self.query_one(Notice)
        if error is not None:
            notice.tell_error(error, AGAIN)
        elif not answered:
            notice.tell(f"Cut short before a word came. {AGAIN}")
        elif not last.content:
            notice.tell(f"The chatbot said nothing. {AGAIN}")
        self._pace()

    async def _cut_short(self) -> None:
        """End the reply that is under way; return once what came is kept."""
        if (reply := self._reply) is None:
            return
        reply.cancel()
        with suppress(WorkerCancelled, WorkerFailed):
            await reply.wait()
        if self._reply is reply:
            # It was cancelled before it could begin.
            self._settle(None)

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what makes sense now."""
        replying = self._reply is not None
        match action:
            case "stop":
                return replying
            case "send":
                return not replying
            case "regenerate" | "edit_and_fork" | "score":
                return not replying and self.is_mounted and self._talk.turns > 0
        return True

    async def action_stop(self) -> None:
        """Cut the reply short."""
        await self._cut_short()

    def action_new_line(self) -> None:
        """Begin a new line."""
        self._editor.begin_line()

    def action_edit_and_fork(self) -> None:
        """Take the user's last message back into the editor; pressed again, the one before it."""
        row = self._talk.message_before(self._editing or self._talk.turns + 1)
        if row is None or row.number is None:
            self._note("There is no earlier message of yours.")
            return
        if self._editing is None:
            self._draft = self._editor.text
        self._editing = row.number
        self._editor.write(row.content)
        self._editor.focus()
        self._view.jump_to(row.number)
        self.query_one(Notice).tell(
            f"Turn {row.number} anew: enter goes on from there in a fork, esc leaves all as it is."
        )

    def _end_edit(self) -> None:
        if self._editing is not None:
            self._editing = None
            self._editor.write(self._draft)
            self._draft = ""
            self.query_one(Notice).tell("")
            self._view.end()

    def action_regenerate(self) -> None:
        """Ask again; the reply that is taken back stays in the session that is forked."""
        self._end_edit()
        self._talk.take_back_reply()
        self._answer()

    def action_score(self) -> None:
        """Judge the talk as far as it went."""
        if self._talk.session_id is not None:
            self.app.score([self._talk.session_id])
        else:
            self._note("This fork is kept once the chatbot has answered.")

    def action_page_up(self) -> None:
        """Read what was said before."""
        self._view.page_up()

    def action_page_down(self) -> None:
        """Go on to what was said last."""
        self._view.page_down()

    def action_cursor_up(self) -> None:
        """Go to the turn before, where the turns have the keys."""
        self._view.cursor_up()

    def action_cursor_down(self) -> None:
        """Go to the next turn, where the turns have the keys."""
        self._view.cursor_down()

    def action_fold(self) -> None:
        """Open or fold what is folded at the turn."""
        self._view.toggle_fold()

    def action_help(self) -> None:
        """Show all keys."""
        self.app.action_help()

    async def action_finish(self) -> None:
        """Give up an edit, or end the recording; a message that was not sent asks twice."""
        if self._editing is not None:
            self._end_edit()
            return
        now = time.monotonic()
        if self._editor.text.strip() and now - self._asked_to_leave > SECONDS_TO_CONFIRM:
            self._asked_to_leave = now
            self._note("Your message is not sent. esc again leaves without it.")
            return
        await self._cut_short()
        # The app ends a model in this process: that takes a moment, in which the library is there.
        self.app.run_worker(self._talk.close(), group=CLOSING, exit_on_error=False)
        kept = self._talk.kept
        if kept is not None and kept.session_id is not None:
            row = self.app.store.sessions.get(kept.session_id)
            self.app.notify(
                f"{make_safe_line(row.name)}\nsession {row.id} · {row.turns:,} turns",
                title="Recorded",
                markup=False,
            )
        self.dismiss(kept.session_id if kept else None)
