"""Dialog: what all dialogs look like: a panel over the screen, a title, and a line of keys."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, TypeVar

from textual import on
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.events import DescendantFocus
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.tui.actions import Place, bindings
from turnwise.tui.drawing.still import StillScreen
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.parts.dims_below import dims_below
from turnwise.tui.parts.error_words import error_words
from turnwise.tui.parts.panel_layout import PanelLayout, tells_what_is_wrong
from turnwise.tui.shell.shell import ShellOfApp
from turnwise.tui.textual_screens import make_ready_again

Result = TypeVar("Result")


@dims_below("#panel")
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
        & .title { text-style: bold; color: $text-accent; padding: 0 1; height: auto; margin-bottom: 1; }
        & .words { padding: 0 1; height: auto; color: $text-muted; }
        & .wrong { padding: 0 1; height: auto; color: $text-error; display: none; }
        & KeyLine { margin-top: 1; }
        /* The edge is there before it is seen: one that came with the focus would lay all out anew. */
        & Input {
            border: none; border-left: blank; height: 1; padding: 0 1 0 0; background: $panel;
            /* A frame would have no room in one line. What is wrong is said below. */
            &.-invalid { border: none; border-left: blank; }
            &:focus, &.-invalid:focus {
                border: none; border-left: outer $accent; padding: 0 1 0 0;
                background: $panel; background-tint: transparent;
            }
            &>.input--placeholder, &>.input--suggestion { color: $text-muted; }
        }
        /* Where no row is between fields every other one has another ground. */
        & .-other Input { background: $foreground 12%; &:focus { background: $foreground 12%; } }
        &.-high .-other Input { background: $panel; &:focus { background: $panel; } }
        &:ansi .-other Input { background: ansi_default; &:focus { background: ansi_default; } }
    }
    Dialog:ansi {
        background: ansi_default;
        & #panel { background: ansi_default; border: round ansi_default; max-height: 100%; }
        & .words { text-style: dim; }
    }
    /* Where a field has no ground of its own its ends are drawn, and what only shows the way is slanted.
    The bar of the field that is typed into is broad, as that of a row is. */
    Dialog:ansi Input, Dialog:nocolor Input, Dialog:ansi Input:focus, Dialog:nocolor Input:focus {
        border-left: vkey $text-muted; border-right: vkey $text-muted; padding: 0;
    }
    Dialog:ansi Input:focus, Dialog:nocolor Input:focus { border-left: outer ansi_default; }
    Dialog:ansi MessageEditor, Dialog:nocolor MessageEditor,
    Dialog:ansi MessageEditor:focus, Dialog:nocolor MessageEditor:focus {
        border: none !important; border-left: vkey $text-muted !important;
        border-right: vkey $text-muted !important; padding: 0;
    }
    Dialog:ansi MessageEditor:focus, Dialog:nocolor MessageEditor:focus {
        border-left: outer ansi_default !important;
    }
    Dialog Input > .input--placeholder { text-style: italic; }
    """

    def on_mount(self) -> None:
        """Lay the panel out, and take away what was told before: toasts would stand on the dialog."""
        for panel in self.query("#panel"):
            # Setting it by its name would take one of the four that Textual has.
            panel.styles.inline.set_rule("layout", PanelLayout())
        # One that is made ahead of its opening covers nothing.
        if self.is_current:
            self.app.clear_notifications()

    def fill(self) -> None:
        """Show what the dialog was begun with, with nothing of the last time, where it can be kept."""

    def open_again(self) -> None:
        """Show what a kept dialog was begun with, in the frame that opens it."""
        self.app.clear_notifications()
        self.clear_selection()
        # What is told of a line that is emptied would be shown in a frame of its own.
        with self.prevent(Input.Changed):
            make_ready_again(self, self.fill)

    @on(DescendantFocus)
    def show_focused_part(self) -> None:
        """Show the part that has the focus, where what is wrong took the room of others."""
        for part in self.query("#panel > *"):
            if part.display and tells_what_is_wrong(part):
                part.refresh(layout=True)

    def end_work(self) -> None:
        """Let nothing that was begun in it end as if it were still open, where it is kept when it closes.

        A thread goes on to its end; it has to ask whether it is wanted still.
        """
        self.workers.cancel_node(self)

    @property
    def choices(self) -> ChoiceList:
        """The choices that the keys move in, of a dialog that has some."""
        return self.query_one(ChoiceList)

    def refuse(self, error: TurnwiseError) -> None:
        """Say what is wrong and what to do about it, in a dialog that has a line for it."""
        line = self.query_one(".wrong", Static)
        line.update(error_words(str(error)))
        line.display = True

    @property
    def shows_what_is_wrong(self) -> bool:
        """Whether all that it refuses or warns of is in sight, so that whoever goes on has seen it."""
        line, panel = self.query_one(".wrong", Static), self.query_one("#panel")
        # Without a region it is not on the screen.
        whole = line.get_content_height(self.size, self.size, line.content_size.width)
        return (
            line.display
            and line.region.area > 0
            and panel.content_region.contains_region(line.region)
            and line.content_size.height >= whole
        )

    def action_cancel(self) -> None:
        """Go back."""
        self.dismiss(None)


class ScrolledWords(VerticalScroll, can_focus=False):
    """Answers the keys that scroll, without taking the focus."""

    def __init__(self, lines: int = 0, *, id: str | None = None) -> None:  # noqa: A002
        """lines: how far a key scrolls; 0 for a whole page."""
        super().__init__(id=id)
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
