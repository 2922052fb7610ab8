"""The message editor sends on enter, and draws nothing that a terminal would obey."""

from __future__ import annotations

from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from turnwise.tui.parts.message_editor import MessageEditor


class Desk(App[None]):
    """An app that is one editor, and remembers what was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []

    def compose(self) -> ComposeResult:
        yield MessageEditor()

    def on_message_editor_submitted(self, event: MessageEditor.Submitted) -> None:
        self.sent.append(event.text)


async def test_enter_sends_and_the_text_stays_until_it_is_taken() -> None:
    app = Desk()
    async with app.run_test() as pilot:
        await pilot.press("a", "ctrl+j", "b", "shift+enter", "c", "enter")
        assert app.sent == ["a\nb\nc"]
        assert app.query_one(MessageEditor).text == "a\nb\nc"


async def test_it_grows_with_its_text_to_eight_lines() -> None:
    app = Desk()
    async with app.run_test() as pilot:
        editor = app.query_one(MessageEditor)
        heights = []
        for lines in (1, 3, 30):
            editor.write("\n".join("x" * lines))
            await pilot.pause()
            heights.append(editor.size.height)
        assert heights == [1, 3, 8]


async def test_what_is_pasted_or_put_in_is_made_safe() -> None:
    app = Desk()
    async with app.run_test() as pilot:
        editor = app.query_one(MessageEditor)
        editor.write("\x1b[2J")
        assert editor.text == "␛[2J"
        editor.select_all()
        editor.post_message(events.Paste("new \u202etext\r\nand more"))
        await pilot.pause()
        assert editor.text == "new ‹U+202E›text\nand more"


async def test_it_may_be_in_a_terminal_without_room_for_it() -> None:
    class Narrow(App[None]):
        CSS = "Static { width: 10; } MessageEditor { width: 1fr; }"

        def compose(self) -> ComposeResult:
            with Horizontal():
                yield Static("note")
                yield MessageEditor(placeholder="What did you see?")

    async with Narrow().run_test(size=(10, 3)) as pilot:
        await pilot.pause()
        assert pilot.app.query_one(MessageEditor).content_size.width > 0
