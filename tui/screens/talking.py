"""TalkingScreen: a talk with a chatbot as it goes on: what was said, what is being said, and the scores."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from turnwise.conversations.errors import TurnwiseError
from turnwise.tui.actions import ACTIONS
from turnwise.tui.key_words import fill_keys
from turnwise.tui.live_talk import LiveTalk, TalkPlan
from turnwise.tui.screens.still import StillScreen
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
EMPTY = "Nothing is said yet. Every turn is kept as soon as it is said."
AGAIN = "{record.regenerate} asks again."


class TalkEditor(MessageEditor):
    """The editor of a talk: the screen's keys with ctrl come before those of a text area."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, f"screen.{action.name}", show=False)
        for action in ACTIONS["record"]
        for key in action.keys
        if action.name in ("edit_and_fork", "regenerate", "score", "stop", "page_up", "page_down")
    ]


class TalkingScreen(StillScreen[int | None]):
    """Finds the chatbot and shows how it answers; what is said to it is for who inherits."""

    AUTO_FOCUS = "TalkEditor"
    DEFAULT_CSS = """
    TalkingScreen {
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
        self.talk: LiveTalk
        self.reply: Worker[None] | None = None
        self._ticking: Timer
        self._waiting = ""
        """What is waited for before the first word; empty when nothing is."""
        self._waits_since = 0.0
        self._shown = (0, 0)
        """Pieces and seconds of the reply under way, as they were shown last."""

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        self.talk = LiveTalk(self.app.store)
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
        self.app.followers.follow(self, self.app.run_changed, self.query_one(RunLine).show)
        self.app.followers.follow(self, self.app.sessions_changed, lambda _: self._show_scores())
        self.query_one(RunLine).show(self.app.runs.state)
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
        plan = await self.app.push_screen_wait(TalkDialog(self._plan, error))
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
        except TurnwiseError as error:
            self._wait_for("")
            if talk.turns:
                self.query_one(Notice).tell_error(error, fill_keys(AGAIN, self.app.actions))
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
        if self._waiting or self.reply is not None:
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
        if self.talk.replying:
            count, seconds = len(self.talk.pieces), int(self.talk.seconds)
            if (count, seconds) == self._shown:
                # A frame is the whole transcript in sight, which is a lot for a slow line.
                return
            self._shown = count, seconds
            pieces = f"{count:,} {'piece' if count == 1 else 'pieces'} · " if count else ""
            self.view.update_last(self.talk.writing, f"{pieces}{seconds} s")

    # What is shown

    @property
    def view(self) -> TranscriptView:
        """The turns."""
        return self.query_one(TranscriptView)

    @property
    def editor(self) -> MessageEditor:
        """Where a message is written."""
        return self.query_one(TalkEditor)

    def _show_title(self) -> None:
        bar, talk = self.query_one(TitleBar), self.talk
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
        self.view.set_verdicts(pane.marks)

    def on_transcript_view_cursor_moved(self, event: TranscriptView.CursorMoved) -> None:
        """Show the verdicts about the turn."""
        self.query_one(ScorePane).show_turn(event.row.number)

    def note(self, text: str) -> None:
        """Say something in passing."""
        self.notify(text, timeout=SECONDS_OF_A_NOTE, markup=False)

    # Talking

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
        if error is not None:
            notice.tell_error(error, fill_keys(AGAIN, self.app.actions))
        elif not answered:
            notice.tell(f"Cut short before a word came. {fill_keys(AGAIN, self.app.actions)}")
        elif not last.content:
            notice.tell(f"The chatbot said nothing. {fill_keys(AGAIN, self.app.actions)}")
        self._pace()

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
