"""Dialog: what all dialogs look like: a panel over the screen, a title, and a line of keys."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, TypeVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen

from turnwise.tui.actions import Place, bindings
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.parts.still import StillScreen
from turnwise.tui.shell.shell import ShellOfApp

Result = TypeVar("Result")


class Dialog(StillScreen[Result], ModalScreen[Result]):
    """A panel with the id `panel`, which each dialog composes its parts in."""

    PLACE: ClassVar[Place]
    # A dialog shuts out the app's keys; these hold here too.
    BINDINGS: ClassVar[list[BindingType]] = [
        replace(binding, action=f"app.{binding.action}")
        for binding in bindings("everywhere")
        if not binding.priority
    ]
    shell = ShellOfApp()
    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        background: $background 60%;
        & #panel {
            width: 96;
            max-width: 96%;
            height: auto;
            max-height: 94%;
            background: $surface;
            color: $text;
            border: round $text-muted;
            padding: 0 1;
        }
        & .title { text-style: bold; padding: 0 1; height: auto; margin-bottom: 1; }
        & .words { padding: 0 1; height: auto; color: $text-muted; }
        & .wrong { padding: 0 1; height: auto; color: $text-error; display: none; }
        & KeyLine { margin-top: 1; }
        & Input {
            border: none; height: 1; padding: 0 1; background: $panel;
            &:focus { border: none; background: $panel; background-tint: transparent; }
            &>.input--placeholder, &>.input--suggestion { color: $text-muted; }
        }
    }
    Dialog:ansi {
        background: ansi_default;
        & #panel { background: ansi_default; border: round ansi_default; max-height: 100%; }
        & .words { text-style: dim; }
    }
    """

    def on_mount(self) -> None:
        """Take away what was told before: toasts would stand on the dialog."""
        self.app.clear_notifications()

    @property
    def choices(self) -> ChoiceList:
        """The choices that the keys move in, of a dialog that has some."""
        return self.query_one(ChoiceList)

    def action_cancel(self) -> None:
        """Go back."""
        self.dismiss(None)


class ScrolledWords(VerticalScroll, can_focus=False):
    """Answers the keys that scroll, without taking the focus."""

    def __init__(self, lines: int = 0) -> None:
        """lines: how far a key scrolls; 0 for a whole page."""
        super().__init__()
        self._by = lines

    def action_scroll_down(self) -> None:
        """Scroll down."""
        self.scroll_relative(y=self._step, animate=False)

    def action_scroll_up(self) -> None:
        """Scroll up."""
        self.scroll_relative(y=-self._step, animate=False)

    @property
    def _step(self) -> int:
        return self._by or self.scrollable_content_region.height
