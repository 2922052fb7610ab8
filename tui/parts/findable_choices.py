"""Choices of which `/` shows only those that are like some words, and the dialogs that hold them."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from turnwise.tui.actions import Action
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog, Result
from turnwise.tui.parts.panel_layout import PanelLayout
from turnwise.tui.settings.keymap import action_while_typing

_WHILE_FINDING = {
    "keep": ("to the list", 1, "enter"),
    "cancel": ("show all", 2, ""),
    "help": ("help", 90, ""),
}


class FindableChoices(Vertical):
    """A list of choices, above which a line to type in opens once something is to be found.

    The dialog hears of the line's `Input.Submitted` where one is to be taken at once.
    """

    DEFAULT_CSS = """
    FindableChoices {
        height: auto;
        & > Input { display: none; }
        & > Input.-open { display: block; margin-bottom: 1; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._all: Sequence[Choice] = ()

    def on_mount(self) -> None:
        """Let the list alone give way where the dialog is too high."""
        self.styles.inline.set_rule("layout", PanelLayout())

    def compose(self) -> ComposeResult:
        """Put the line above the list."""
        yield Input(placeholder="(words of what is looked for)", select_on_focus=False)
        yield ChoiceList()

    @property
    def list(self) -> ChoiceList:
        """The choices that are shown."""
        return self.query_one(ChoiceList)

    @property
    def line(self) -> Input:
        """The line that is typed in."""
        return self.query_one(Input)

    def show(self, choices: Sequence[Choice], *, anew: bool = False) -> None:
        """Show these choices, of which the line leaves those that have all of its words.

        anew: as where nobody has typed or moved yet.
        """
        if anew:
            self._close_line()
        self._all = choices
        words = self.line.value.casefold().split()
        found = [one for one in choices if _has(one, words)]
        self.list.show(found or [Choice("", "nothing is like this", disabled=True)], anew=anew)

    def find(self) -> None:
        """Open the line, without the words of the last time."""
        self.line.value = ""
        self.line.add_class("-open")
        self.line.focus()

    def leave_finding(self) -> bool:
        """Close the line and show all choices again. Returns whether it was open."""
        was_open = self.line.has_class("-open")
        self._close_line()
        self.list.focus()
        return was_open

    def _close_line(self) -> None:
        self.line.remove_class("-open")
        self.line.value = ""

    def on_input_changed(self) -> None:
        """Show what is like the words."""
        self.show(self._all)

    def on_input_submitted(self) -> None:
        """Go on among what was found."""
        self.list.focus()


def _has(choice: Choice, words: Sequence[str]) -> bool:
    text = f"{choice.name} {choice.note} {choice.id}".casefold()
    return all(word in text for word in words)


class FindingDialog(Dialog[Result]):
    """A dialog over many choices, in which one finds."""

    AUTO_FOCUS = "ChoiceList"

    def key_now(self, action: Action) -> Action:
        """Say what enter and esc do while one types: some dialogs take what is found at once."""
        if not (self.is_mounted and self.found.line.has_focus):
            return action
        return action_while_typing(action, {**_WHILE_FINDING, "choose": (action.title, 1, "enter")})

    @property
    def found(self) -> FindableChoices:
        """The choices, with the line that finds among them."""
        return self.query_one(FindableChoices)

    def action_find(self) -> None:
        """Type words of what is looked for."""
        self.found.find()

    def action_cancel(self) -> None:
        """Show all choices again, or go back."""
        if not self.found.leave_finding():
            super().action_cancel()
