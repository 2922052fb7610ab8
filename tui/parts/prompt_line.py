"""PromptLine: one line that asks for a few words at the bottom of a screen, and says what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from turnwise.conversations.safe_text import make_safe_line


class PromptLine(Horizontal):
    """A label, a line to type in, and a note at the right; hidden until it is asked.

    What it was asked for is its `purpose`; all of its messages carry it.
    """

    DEFAULT_CSS = """
    PromptLine {
        height: 1;
        display: none;
        background: $panel;
        &.-asking { display: block; }
        & > .prompt--label { width: auto; padding: 0 1; text-style: bold; color: $accent; }
        & > Input { width: 1fr; background: $panel; &:focus { background-tint: transparent; } }
        & > .prompt--note { width: auto; max-width: 70%; padding: 0 1; color: $text-muted; }
        &.-wrong > .prompt--note { color: $text-error; }
    }
    """

    @dataclass
    class _Told(Message):
        line: PromptLine
        purpose: str
        text: str

        @property
        def control(self) -> PromptLine:
            """The line that sent it."""
            return self.line

    @dataclass
    class Changed(_Told):
        """The words changed."""

    @dataclass
    class Submitted(_Told):
        """Enter was pressed."""

    @dataclass
    class Cancelled(_Told):
        """Escape was pressed."""

    ALLOW_SELECT: ClassVar[bool] = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.purpose = ""

    def compose(self) -> ComposeResult:
        """Put the parts together."""
        yield Static(classes="prompt--label", markup=False)
        yield Input(compact=True, select_on_focus=True)
        yield Static(classes="prompt--note", markup=False)

    @property
    def asking(self) -> bool:
        """Whether the line is there, be it that it waits for words or shows what was found."""
        return self.has_class("-asking")

    @property
    def typing(self) -> bool:
        """Whether it takes the keys."""
        return self.asking and self.query_one(Input).has_focus

    @property
    def text(self) -> str:
        """The words as they stand."""
        return self.query_one(Input).value

    def ask(self, purpose: str, label: str, *, placeholder: str = "", text: str | None = None) -> None:
        """Show the line and take the keys. text: what stands there at first; None keeps what was typed."""
        if purpose != self.purpose:
            text = text or ""
        self.purpose = purpose
        self.query_one(".prompt--label", Static).update(Content(label))
        field = self.query_one(Input)
        field.placeholder = placeholder
        if text is not None:
            field.value = text
        self.say("")
        self.add_class("-asking")
        # Now, not when its turn comes: what is typed in the same burst belongs here.
        self.screen.set_focus(field)

    def say(self, note: str, *, wrong: bool = False) -> None:
        """Show a note at the right. wrong: it says that something cannot be done."""
        self.set_class(wrong, "-wrong")
        self.query_one(".prompt--note", Static).update(Content(make_safe_line(note)))

    def close(self) -> None:
        """Take the line away."""
        self.remove_class("-asking")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass the words on."""
        event.stop()
        if self.asking:
            self.post_message(self.Changed(self, self.purpose, event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Pass the words on."""
        event.stop()
        self.post_message(self.Submitted(self, self.purpose, event.value))

    def on_key(self, event: events.Key) -> None:
        """Leave on escape, and keep tab from taking the keys elsewhere."""
        if event.key == "escape":
            event.stop()
            event.prevent_default()
            self.post_message(self.Cancelled(self, self.purpose, self.query_one(Input).value))
