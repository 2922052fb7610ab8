"""RecordScreen: a talk with a chatbot, every turn of it in the database before the next begins."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.words import counted
from turnwise.tui.actions import Place, bindings
from turnwise.tui.drawing.still import StillScreen
from turnwise.tui.drawing.wrapping import ELLIPSIS
from turnwise.tui.judging.run_line import RunLine
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.notice import Notice
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.reading.score_groups import SessionScores
from turnwise.tui.reading.score_pane import ScorePane
from turnwise.tui.reading.transcript import TranscriptView
from turnwise.tui.record.branches_screen import show_branches
from turnwise.tui.record.live_line import LiveLine
from turnwise.tui.record.live_talk import LiveTalk
from turnwise.tui.record.talk_dialog import TalkDialog
from turnwise.tui.record.talk_editor import TalkEditor
from turnwise.tui.record.talk_plan import TalkPlan
from turnwise.tui.settings.keymap import fill_keys, key_of
from turnwise.tui.shell.runs import RunState, ScoreRequest
from turnwise.tui.shell.shell import Shell, ShellOfApp

BESIDE_FROM = 120
"""From this many cells on, the scores stand beside the talk; below they are one line."""
SECONDS_BETWEEN_FRAMES = 0.1
SECONDS_OF_A_NOTE = 3.0
SECONDS_TO_CONFIRM = 4.0
CLOSING = "closing"
"""The app's workers that give a chatbot back; the program ends after them."""
EMPTY = "Nothing is said yet. Every turn is kept as soon as it is said."
IN_USE = "database in use: kept beside it"
WAITS = "Another program is writing to the database: what is said is kept beside it until that is over."
UNANSWERED = "Your last message has no answer yet. {record.regenerate} asks for it."
AGAIN = "{record.regenerate} asks again."
NO_LONGER = (
    "No reply is waited for any more; your message is kept without one. "
    "{record.regenerate} asks again, {record.finish} leaves."
)
GO_ON = "Your last message has no reply: turnwise record --resume {} goes on with it."
CAME_IN_PART = "The reply is kept as far as it came. {record.regenerate} asks again, {record.finish} leaves."


class RecordScreen(StillScreen[int | None]):
    """Talks and records. It ends with the id of the session that was kept, None where nothing was said."""

    PLACE: ClassVar[Place] = "record"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("record"))
    AUTO_FOCUS = "TalkEditor"
    DEFAULT_CSS = """
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

    shell = ShellOfApp()

    def __init__(self, plan: TalkPlan) -> None:
        """plan: a target that is None is asked for."""
        super().__init__()
        self._plan = plan
        self.talk: LiveTalk
        self.reply: Worker[None] | None = None
        self._ticking: Timer
        self._waiting = ""
        """What is waited for before the first word; empty when nothing is."""
        self._waits_since = 0.0
        self._shown = (0, 0)
        """How many pieces and seconds of the reply under way were shown last."""
        self._asked_to_leave = 0.0
        self._kept_in: int | None = None
        """The session that the last reply was kept in."""
        self._scored: tuple[int | None, int] = (None, 0)
        """Session and turns that the metrics of the plan were asked about last."""

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        self.talk = LiveTalk(self.shell.store)
        yield TitleBar("Record")
        with Horizontal(id="talk"):
            yield TranscriptView(opener=key_of(self.shell.actions, "record", "fold"))
            yield ScorePane()
        yield LiveLine()
        yield RunLine()
        yield Notice()
        with Horizontal(id="message"):
            yield Static(">", id="prompt", markup=False)
            yield TalkEditor(placeholder="(write your message)")
        yield KeyLine("record")

    def on_mount(self) -> None:
        """Find the chatbot, or ask for it."""
        self._ticking = self.set_interval(SECONDS_BETWEEN_FRAMES, self._tick, pause=True)
        self.shell.followers.follow(self, self.shell.run_changed, self._follow_run)
        self.shell.followers.follow(self, self.shell.sessions_changed, lambda _: self._show_scores())
        self.query_one(RunLine).show(self.shell.runs.state)
        if self._plan.target is None:
            self._ask()
        else:
            self._connect()

    async def on_unmount(self) -> None:
        """Give the chatbot back, where the app is left in the middle of a talk."""
        await self.talk.close()

    def on_resize(self) -> None:
        """Say as much in the title as there is room for, and put the scores where there is room."""
        self.set_class(self.size.width >= BESIDE_FROM, "-wide")
        self._show_title()

    # The chatbot

    @work(group="target", exclusive=True)
    async def _ask(self, error: TurnwiseError | None = None) -> None:
        """Ask for a chatbot; error: why the last one could not be had."""
        plan = await self.app.push_screen_wait(self.shell.kept_dialogs.of(TalkDialog, self._plan, error))
        if plan is None:
            self.dismiss(None)
            return
        self._plan = plan
        self._connect()

    @work(group="target", exclusive=True)
    async def _connect(self) -> None:
        """Get the chatbot ready. One that is found and still loads answers what was said meanwhile."""
        talk = self.talk
        try:
            self._wait_for("Looking for the chatbot")
            await talk.choose(self._plan)
            assert talk.target is not None  # noqa: S101
            self._show_talk()
            self._wait_for(f"Loading {talk.target.name}" if talk.target.loads else "")
            await talk.target.open()
            if spec := self._plan.spec:
                self.shell.used.chatbot(spec)
        except TurnwiseError as error:
            self._wait_for("")
            if talk.turns:
                self.query_one(Notice).tell_error(error, fill_keys(AGAIN, self.shell.actions))
            else:
                self._ask(error)
            return
        self._wait_for("")
        if not talk.turns:
            self.query_one(Notice).tell(EMPTY)
        elif self.reply is None and talk.recording is not None and talk.recording.waits_for_reply:
            self.query_one(Notice).tell(fill_keys(UNANSWERED, self.shell.actions))

    def _wait_for(self, what: str) -> None:
        if self._waiting and not what:
            self.query_one(Notice).tell("")
        self._waiting, self._waits_since = what, time.monotonic()
        self._pace()

    def _pace(self) -> None:
        """Run the clock while the chatbot is looked for, loads or writes; offer the keys of that moment."""
        if self._waiting or self.reply is not None:
            self._ticking.resume()
            self._tick()
        else:
            self._ticking.pause()
        self.refresh_bindings()

    def _tick(self) -> None:
        """Show how long the chatbot has been loading or writing, and how much of the reply has come."""
        if self._waiting:
            seconds = time.monotonic() - self._waits_since
            self.query_one(Notice).tell(f"{self._waiting} {ELLIPSIS} {seconds:.0f} s")
        if self.talk.replying:
            count, seconds = len(self.talk.pieces), int(self.talk.seconds)
            if (count, seconds) == self._shown:
                # A frame is the whole transcript in sight, which is a lot for a slow line.
                return
            self._shown = count, seconds
            pieces = f"{count:,} {'piece' if count == 1 else 'pieces'} · " if count else ""
            waiting = f"{words} · " if (words := self.talk.waiting) else ""
            self.view.update_last(self.talk.writing, f"{waiting}{pieces}{seconds} s")

    # What is shown

    @property
    def view(self) -> TranscriptView:
        """The turns."""
        return self.query_one(TranscriptView)

    @property
    def editor(self) -> TalkEditor:
        """Where a message is written."""
        return self.query_one(TalkEditor)

    def _show_title(self) -> None:
        bar, talk = self.query_one(TitleBar), self.talk
        role = make_safe_line(talk.recording.role if talk.recording else self._plan.role)
        bar.title = f"Record · {role}" if role else "Record"
        if talk.target is None:
            bar.detail = bar.right = ""
            return
        turns = f"{talk.turns:,} {'turn' if talk.turns == 1 else 'turns'}"
        bar.right = f"saved ✓ {turns}" if talk.session_id else "nothing to save yet"
        if talk.recording is not None and talk.recording.is_waiting:
            bar.right = IN_USE
        # Where an address has no room, the model's name is what matters.
        whole, short = f"target: {talk.target.title}", f"target: {talk.target.name}"
        room = self.size.width - len(bar.title) - len(bar.right) - 9
        bar.detail = whole if len(whole) <= room else short

    def _show_talk(self) -> None:
        """Show the talk as it stands, from its end."""
        self.view.set_rows(self.talk.rows)
        self.view.end()
        self._show_title()
        self._show_scores()

    def _show_scores(self) -> None:
        """Show the newest outcomes: in a line or a pane, and beside the turns."""
        scores, pane = self.talk.scores(), self.query_one(ScorePane)
        pane.show(SessionScores.of(scores))
        self.set_class(bool(scores), "-scored")
        judged = self.talk.judged_turns(scores)
        self.query_one(LiveLine).show(pane.groups, judged if judged < self.talk.turns else 0)
        self.view.set_verdicts(pane.marks, pane.quotes)

    def _follow_run(self, state: RunState) -> None:
        self.query_one(RunLine).show(state)
        if state.over and not state.stopped and state.error is None:
            self._score_as_it_goes()

    def _score_as_it_goes(self) -> None:
        """Let the metrics of the plan judge what was said since; what is said meanwhile, they judge next."""
        talk, metrics = self.talk, self._plan.metrics
        now = (talk.session_id, talk.turns)
        if not metrics or talk.session_id is None or now == self._scored or self.shell.runs.under_way:
            return
        self._scored = now
        self.shell.runs.start(ScoreRequest([talk.session_id], metrics), self.shell.judge.settings)

    def on_transcript_view_cursor_moved(self, event: TranscriptView.CursorMoved) -> None:
        """Show the verdicts about the turn."""
        self.query_one(ScorePane).show_turn(event.row.number)

    def note(self, text: str) -> None:
        """Say something in passing."""
        self.notify(text, timeout=SECONDS_OF_A_NOTE, markup=False)

    # Talking

    def on_message_editor_submitted(self) -> None:
        """Send the message."""
        self.action_send()

    def action_send(self) -> None:
        """Keep the message and let the chatbot answer it."""
        text = self.editor.text.strip()
        if self.reply is not None:
            stop = key_of(self.shell.actions, "record", "stop")
            self.note(f"The chatbot is still writing. {stop} cuts it short.")
        elif self.talk.recording is None:
            self.note("The chatbot is not found yet; your message stays here.")
        elif text:
            self._say(text)

    def _say(self, text: str) -> None:
        try:
            self.talk.say(text, instead_of=self.editor.anew)
        except TurnwiseError as error:
            self.query_one(Notice).tell_error(error)
            return
        self.editor.clear_sent()
        self.answer()

    def answer(self) -> None:
        """Let the chatbot answer what was said last."""
        if not self._waiting:
            self.query_one(Notice).tell("")
        self._show_talk()
        self.view.append_turn(self.talk.writing)
        self._shown = (0, -1)
        self.reply = self._listen()
        self._pace()

    @work(group="reply", exit_on_error=False)
    async def _listen(self) -> None:
        error: TurnwiseError | None = None
        try:
            await self.talk.listen()
        except TurnwiseError as caught:
            error = caught
        finally:
            self._settle(error)

    def _settle(self, error: TurnwiseError | None) -> None:
        """Show the turn as it was kept, or that none was."""
        self.reply = None
        if not self.is_attached or not self.query(TranscriptView):
            return
        talk = self.talk
        last = talk.rows[-1]
        answered = last.role == "assistant"
        if answered:
            self.view.update_last(last)
            self._show_title()
            self._show_scores()
        else:
            self._show_talk()
        notice = self.query_one(Notice)
        if answered and error is None:
            self._score_as_it_goes()
        if answered:
            self._tell_fork()
        if talk.recording is not None and talk.recording.is_waiting:
            notice.tell(WAITS)
        if error is not None:
            notice.tell_error(error, fill_keys(AGAIN, self.shell.actions))
        elif not answered:
            notice.tell(f"Cut short before a word came. {fill_keys(AGAIN, self.shell.actions)}")
        elif not last.content:
            notice.tell(f"The chatbot said nothing. {fill_keys(AGAIN, self.shell.actions)}")
        self._pace()

    def _tell_fork(self) -> None:
        """Say where what was said before stays, once a fork of it is kept."""
        before, now = self._kept_in, self.talk.session_id
        self._kept_in = now
        if before is not None and before != now:
            both = key_of(self.shell.actions, "record", "branches")
            self.query_one(Notice).tell(
                f"This is a branch, session {now}; what was before stays in session {before}. "
                f"{both} shows both."
            )

    def _tell_end_of_waiting(self) -> None:
        """Say what was kept where the reply is no longer waited for, and how to go on."""
        talk = self.talk
        answered = talk.recording is not None and not talk.recording.waits_for_reply
        self.query_one(Notice).tell(fill_keys(CAME_IN_PART if answered else NO_LONGER, self.shell.actions))

    async def cut_short(self) -> None:
        """End the reply that is under way; return once what came is kept."""
        if (reply := self.reply) is None:
            return
        reply.cancel()
        with suppress(WorkerCancelled, WorkerFailed):
            await reply.wait()
        if self.reply is reply:
            # It was cancelled before it could begin.
            self._settle(None)

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what makes sense now."""
        replying = self.reply is not None
        match action:
            case "stop":
                return replying
            case "send":
                return not replying
            case "next_branch" | "previous_branch" | "branches":
                return not replying and self.is_mounted and self.talk.session_id is not None
            case "regenerate" | "edit_and_fork" | "score":
                return not replying and self.is_mounted and self.talk.turns > 0
        return True

    async def action_stop(self) -> None:
        """Cut the reply short."""
        await self.cut_short()

    def action_new_line(self) -> None:
        """Begin a new line."""
        self.editor.begin_line()

    def action_edit_and_fork(self) -> None:
        """Take the user's last message back into the editor; pressed again, the one before it."""
        row = self.talk.message_before(self.editor.anew or self.talk.turns + 1)
        if row is None or row.number is None:
            self.note("There is no earlier message of yours.")
            return
        self.editor.write_anew(row)
        self.view.jump_to(row.number)
        send, leave = (key_of(self.shell.actions, "record", name) for name in ("send", "finish"))
        self.query_one(Notice).tell(
            f"Turn {row.number} anew: {send} goes on from there in a branch, {leave} leaves all as it is."
        )

    def _end_edit(self) -> None:
        if self.editor.give_up():
            self.query_one(Notice).tell("")
            self.view.end()

    def action_regenerate(self) -> None:
        """Ask again; the reply that is taken back stays in the session that is forked."""
        self._end_edit()
        self.talk.take_back_reply()
        self.answer()

    def action_next_branch(self) -> None:
        """Go on in the next way that this talk took."""
        self._go_to_branch(1)

    def action_previous_branch(self) -> None:
        """Go on in the way before."""
        self._go_to_branch(-1)

    def action_branches(self) -> None:
        """See the ways that this talk took beside each other, each with its scores."""
        if self.talk.session_id is not None:
            show_branches(self, self.talk.session_id, self._go_on_in)

    def _go_to_branch(self, step: int) -> None:
        branches, here = self.talk.branches(), self.talk.session_id
        if len(branches) < 2 or here not in branches:
            keys = [key_of(self.shell.actions, "record", name) for name in ("edit_and_fork", "regenerate")]
            self.note(f"This recording has one branch. {keys[0]} and {keys[1]} make others.")
            return
        self._go_on_in(branches[(branches.index(here) + step) % len(branches)])

    def _go_on_in(self, session_id: int) -> None:
        """Go on in another branch."""
        self._end_edit()
        try:
            self.talk.go_on_in(session_id)
        except TurnwiseError as error:
            self.query_one(Notice).tell_error(error)
            return
        self._kept_in = session_id
        self._show_talk()
        branches = self.talk.branches()
        place = f"Branch {branches.index(session_id) + 1} of {len(branches)}"
        self.query_one(Notice).tell(f"{place}: session {session_id}.")
        self.refresh_bindings()

    def action_score(self) -> None:
        """Judge the talk as far as it went."""
        if self.talk.session_id is not None:
            self.shell.score([self.talk.session_id])
        else:
            self.note("This branch is kept once the chatbot has answered.")

    def action_page_up(self) -> None:
        """Read what was said before."""
        self.view.page_up()

    def action_page_down(self) -> None:
        """Go on to what was said last."""
        self.view.page_down()

    def action_cursor_up(self) -> None:
        """Go to the turn before, where the turns have the keys."""
        self.view.cursor_up()

    def action_cursor_down(self) -> None:
        """Go to the next turn, where the turns have the keys."""
        self.view.cursor_down()

    def action_help(self) -> None:
        """Show all keys."""
        self.shell.action_help()

    async def action_finish(self) -> None:
        """Give up an edit, wait no longer for a reply, or end the recording.

        A message that was not sent asks twice.
        """
        if self.editor.anew is not None:
            self._end_edit()
            return
        if self.reply is not None:
            await self.cut_short()
            self._tell_end_of_waiting()
            return
        now = time.monotonic()
        if self.editor.text.strip() and now - self._asked_to_leave > SECONDS_TO_CONFIRM:
            self._asked_to_leave = now
            leave = key_of(self.shell.actions, "record", "finish")
            self.note(f"Your message is not sent. {leave} again leaves without it.")
            return
        await self.cut_short()
        # The app ends a model in this process: that takes a moment, in which the library is there.
        self.app.run_worker(self.talk.close(), group=CLOSING, exit_on_error=False)
        kept = self.talk.kept
        if kept is not None and kept.session_id is not None:
            row = self.shell.store.sessions.get(kept.session_id)
            unanswered = f"\n{GO_ON.format(row.id)}" if kept.waits_for_reply else ""
            self.app.notify(
                f"{make_safe_line(row.name)}\nsession {row.id} · {counted(row.turns, 'turn')}{unanswered}",
                title="Recorded",
                markup=False,
            )
        self.dismiss(kept.session_id if kept else None)


def record(app: App[Any], shell: Shell, then: Callable[[int | None], None]) -> None:
    """Ask for a chatbot and talk to it. shell: the app. then: gets the session that was kept."""

    def begin(plan: TalkPlan | None) -> None:
        if plan is not None:
            app.push_screen(RecordScreen(plan), then)

    # The screen would open in a frame of its own before the dialog does.
    app.push_screen(shell.kept_dialogs.of(TalkDialog, TalkPlan(None)), begin)
