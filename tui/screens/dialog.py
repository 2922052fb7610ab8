"""Dialog: what all dialogs look like: a panel over the screen, a title, and a line of keys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.binding import BindingType
from textual.screen import ModalScreen

from turnwise.tui.actions import Place, bindings
from turnwise.tui.screens.still import StillScreen
from turnwise.tui.widgets.choice_list import ChoiceList

if TYPE_CHECKING:
    from turnwise.tui.app import TurnwiseApp

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
    app: TurnwiseApp
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
            padding: 1 1 0 1;
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
        & #panel { background: ansi_default; border: round ansi_default; padding: 0 1; max-height: 100%; }
        & .words { text-style: dim; }
    }
    """

    def on_mount(self) -> None:
        """Take away what was told before: toasts would stand on the dialog."""
        self.app.clear_notifications()

    def action_choice_down(self) -> None:
        """Go to the next choice."""
        self.query_one(ChoiceList).action_cursor_down()

    def action_choice_up(self) -> None:
        """Go to the choice before."""
        self.query_one(ChoiceList).action_cursor_up()

    def action_cancel(self) -> None:
        """Go back."""
        self.dismiss(None)
