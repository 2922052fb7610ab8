"""RecordScreen: a talk with a chatbot, every turn of it in the database before the next begins."""

from __future__ import annotations

import time
from typing import ClassVar

from textual.binding import BindingType

from turnwise.conversations.errors import TurnwiseError
from turnwise.tui.actions import Place, bindings
from turnwise.tui.key_words import key_of
from turnwise.tui.screens.talking import TalkingScreen
from turnwise.tui.widgets.notice import Notice
from turnwise.tui.widgets.safe_text import make_safe_line

SECONDS_TO_CONFIRM = 4.0
CLOSING = "closing"
"""The app's workers that give a chatbot back; the program ends after them."""


class RecordScreen(TalkingScreen):
    """Talks and records. It ends with the id of the session that was kept, None where nothing was said."""

    PLACE: ClassVar[Place] = "record"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("record"))

    def __init__(
        self, target: str | None, *, role: str = "", system: str | None = None, name: str = ""
    ) -> None:
        """target: what `choose_target` takes; None asks. system: None makes one from the role."""
        super().__init__(target, role=role, system=system, name=name)
        self._editing: int | None = None
        """The number of the turn that is written anew."""
        self._draft = ""
        self._asked_to_leave = 0.0

    def on_message_editor_submitted(self) -> None:
        """Send the message."""
        self.action_send()

    def action_send(self) -> None:
        """Keep the message and let the chatbot answer it."""
        text = self.editor.text.strip()
        if self.reply is not None:
            stop = key_of(self.app.actions, "record", "stop")
            self.note(f"The chatbot is still writing. {stop} cuts it short.")
        elif self.talk.recording is None:
            self.note("The chatbot is not found yet; your message stays here.")
        elif text:
            self._say(text)

    def _say(self, text: str) -> None:
        try:
            self.talk.say(text, instead_of=self._editing)
        except TurnwiseError as error:
            self.query_one(Notice).tell_error(error)
            return
        self._editing, self._draft = None, ""
        self.editor.write("")
        self.answer()

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what makes sense now."""
        replying = self.reply is not None
        match action:
            case "stop":
                return replying
            case "send":
                return not replying
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
        row = self.talk.message_before(self._editing or self.talk.turns + 1)
        if row is None or row.number is None:
            self.note("There is no earlier message of yours.")
            return
        if self._editing is None:
            self._draft = self.editor.text
        self._editing = row.number
        self.editor.write(row.content)
        self.editor.focus()
        self.view.jump_to(row.number)
        send, leave = (key_of(self.app.actions, "record", name) for name in ("send", "finish"))
        self.query_one(Notice).tell(
            f"Turn {row.number} anew: {send} goes on from there in a fork, {leave} leaves all as it is."
        )

    def _end_edit(self) -> None:
        if self._editing is not None:
            self._editing = None
            self.editor.write(self._draft)
            self._draft = ""
            self.query_one(Notice).tell("")
            self.view.end()

    def action_regenerate(self) -> None:
        """Ask again; the reply that is taken back stays in the session that is forked."""
        self._end_edit()
        self.talk.take_back_reply()
        self.answer()

    def action_score(self) -> None:
        """Judge the talk as far as it went."""
        if self.talk.session_id is not None:
            self.app.score([self.talk.session_id])
        else:
            self.note("This fork is kept once the chatbot has answered.")

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

    def action_fold(self) -> None:
        """Open or fold what is folded at the turn."""
        self.view.toggle_fold()

    def action_help(self) -> None:
        """Show all keys."""
        self.app.action_help()

    async def action_finish(self) -> None:
        """Give up an edit, or end the recording; a message that was not sent asks twice."""
        if self._editing is not None:
            self._end_edit()
            return
        now = time.monotonic()
        if self.editor.text.strip() and now - self._asked_to_leave > SECONDS_TO_CONFIRM:
            self._asked_to_leave = now
            leave = key_of(self.app.actions, "record", "finish")
            self.note(f"Your message is not sent. {leave} again leaves without it.")
            return
        await self.cut_short()
        # The app ends a model in this process: that takes a moment, in which the library is there.
        self.app.run_worker(self.talk.close(), group=CLOSING, exit_on_error=False)
        kept = self.talk.kept
        if kept is not None and kept.session_id is not None:
            row = self.app.store.sessions.get(kept.session_id)
            self.app.notify(
                f"{make_safe_line(row.name)}\nsession {row.id} · {row.turns:,} turns",
                title="Recorded",
                markup=False,
            )
        self.dismiss(kept.session_id if kept else None)
