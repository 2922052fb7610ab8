"""PromptLine: one line that asks for a few words at the bottom of a screen, and says what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size
from textual.message import Message
from textual.reactive import Reactive
from textual.widgets import Input, Static

from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.parts.rewriting import rewrite


class _Words(Static):
    """A part of the line whose size its words alone decide."""

    # All would be laid out once more when it is shown.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), repaint=False)


class _Field(Input):
    """Where one types; a letter may say all there is to say."""

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), repaint=False)
    at_once = ""

    @dataclass
    class TypedAtOnce(Message):
        """The letter was typed first."""

        letter: str

    def insert_text_at_cursor(self, text: str) -> None:
        """Type, unless this is all that needs to be typed."""
        if self.at_once and not self.value and text.lower() == self.at_once:
            self.post_message(self.TypedAtOnce(text))
        else:
            super().insert_text_at_cursor(text)


class PromptLine(Horizontal):
    """A label, a line to type in, and a note at the right; hidden until it is asked.

    What it was asked for is its `purpose`; all of its messages carry it.
    """

    DEFAULT_CSS = """
    PromptLine {
        height: 1;
        display: none;
        background: $panel;
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
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), repaint=False)

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.purpose = ""
        self._asking = False

    def compose(self) -> ComposeResult:
        """Put the parts together."""
        yield _Words(classes="prompt--label", markup=False)
        yield _Field(compact=True, select_on_focus=True)
        yield _Words(classes="prompt--note", markup=False)

    @property
    def asking(self) -> bool:
        """Whether the line is there, be it that it waits for words or shows what was found."""
        return self._asking

    @property
    def typing(self) -> bool:
        """Whether it takes the keys."""
        # The field learns of it by a message of its own, later than what it was left for.
        return self.asking and self.screen.focused is self.query_one(Input)

    @property
    def text(self) -> str:
        """The words as they stand."""
        return self.query_one(Input).value

    def ask(
        self, purpose: str, label: str, *, placeholder: str = "", text: str | None = None, at_once: str = ""
    ) -> None:
        """Show the line and take the keys.

        text: what stands there at first; None keeps what was typed. at_once: a letter that is told of as what
        the words changed to, without being drawn, where it is typed first.
        """
        if purpose != self.purpose:
            text = text or ""
        self.purpose = purpose
        self._write(".prompt--label", label)
        field = self.query_one(_Field)
        field.placeholder, field.at_once = placeholder, at_once
        if text is not None:
            field.value = text
        self.say("")
        self._asking = self.display = True
        # Now, not when its turn comes: what is typed in the same burst belongs here.
        self.screen.set_focus(field)

    def say(self, note: str, *, wrong: bool = False) -> None:
        """Show a note at the right. wrong: it says that something cannot be done."""
        self.set_class(wrong, "-wrong")
        self._write(".prompt--note", make_safe_line(note))

    def _write(self, part: str, words: str) -> None:
        rewrite(self.query_one(part, Static), words)

    def close(self) -> None:
        """Take the line away."""
        self._asking = self.display = False

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass the words on."""
        event.stop()
        if self.asking:
            self.post_message(self.Changed(self, self.purpose, event.value))

    def on__field_typed_at_once(self, event: _Field.TypedAtOnce) -> None:
        """Pass the letter on."""
        event.stop()
        if self.asking:
            self.post_message(self.Changed(self, self.purpose, event.letter))

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
