"""MessageEditor: where a message is written: enter sends it, ctrl+j begins a new line."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widgets import TextArea

from turnwise.conversations.safe_text import make_safe
from turnwise.tui.textual_internals.fields import answers_in_turn

NEW_LINE_KEYS = ("ctrl+j", "shift+enter")


@answers_in_turn
class MessageEditor(TextArea):
    """A text area that grows with its text, to eight lines."""

    DEFAULT_CSS = """
    MessageEditor {
        height: auto;
        min-height: 1;
        max-height: 8;
        /* Textual breaks off where a placeholder has no room at all. */
        min-width: 4;
        padding: 0 1;
        background: $panel;
        scrollbar-size-vertical: 1;
        & .text-area--placeholder { color: $text-muted; text-style: italic; }
        &:focus { background-tint: transparent; }
    }
    """

    @dataclass
    class Submitted(Message):
        """Enter was pressed."""

        editor: MessageEditor
        text: str

        @property
        def control(self) -> MessageEditor:
            """The editor that sent it."""
            return self.editor

    def __init__(self, text: str = "", *, placeholder: str = "", id: str | None = None) -> None:  # noqa: A002
        super().__init__(
            make_safe(text), placeholder=placeholder, id=id, compact=True, highlight_cursor_line=False
        )

    def write(self, text: str) -> None:
        """Put a text in the place of all that stands here, and go to its end."""
        self.text = make_safe(text)
        self.move_cursor(self.document.end)

    def write_before(self, text: str) -> None:
        """Put a text before all that stands here; the cursor stays where it is in the latter."""
        self.insert(make_safe(text), (0, 0), maintain_selection_offset=True)

    def begin_line(self) -> None:
        """Begin a new line where the cursor is."""
        self.insert("\n")
        self.scroll_cursor_visible()

    def on_key(self, event: events.Key) -> None:
        """Send the message by enter, and begin a line by the keys for that."""
        if event.key == "enter":
            self.post_message(self.Submitted(self, self.text))
        elif event.key in NEW_LINE_KEYS:
            self.begin_line()
        else:
            # Textual calls the text area's own handler next.
            return
        event.stop()
        event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Make what is pasted safe before it is drawn."""
        # What is pasted is drawn at once, and a terminal would obey what it holds.
        event.stop()
        event.prevent_default()
        result = self.replace(make_safe(event.text), *self.selection)
        self.move_cursor(result.end_location)
