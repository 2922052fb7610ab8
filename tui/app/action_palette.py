"""ActionPalette: the command palette, as wide as its longest row, with an edge in every theme."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.command import CommandInput, CommandList, CommandPalette, SearchIcon
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.strip import Strip
from textual.widgets import Input, LoadingIndicator, Static
from textual.widgets.option_list import Option
from textual.worker import Worker, WorkerState

from turnwise.tui.drawing.lines_view import with_bar
from turnwise.tui.drawing.palette import component
from turnwise.tui.parts.dims_below import dims_below
from turnwise.tui.textual_internals.views import draws_options_once
from turnwise.tui.textual_screens import hold_frames, opens_in_one_frame

SHARE = 0.9
"""Of a screen, for all of the palette."""
AROUND = 8
"""Lines above the panel, of its edge, of the line to type in, and of the keys."""
BESIDE_ROWS = 7
"""Columns beside a row: the edge, what stands free within it and at the row's ends, and a scroll bar."""
LOOKED_FOR = "Search for commands, sessions, turns …"
KEYS = (("enter", "do it"), ("↑ ↓", "choose"), ("esc", "close"))


@draws_options_once
class ActionList(CommandList):
    """Textual's list, where the row that one is at has a bar as in any other list."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"actions--bar"}

    def render_line(self, y: int) -> Strip:
        """Draw a line."""
        strip = super().render_line(y)
        if self.highlighted is None or y + self.scroll_offset.y != self.highlighted:
            return strip
        return with_bar(strip, component(self, "actions--bar"))


@dims_below("#--container")
@opens_in_one_frame
class ActionPalette(CommandPalette):
    """Textual's palette in our looks; what it offers stands in turnwise.tui.app.commands."""

    DEFAULT_CSS = """
    ActionPalette {
        & > #--container {
            max-width: 100%;
            height: auto;
            max-height: 90%;
            margin-top: 2;
            padding: 0 1;
            visibility: visible;
            background: $surface;
            border: round $text-muted;
        }
        & SearchIcon { display: none; }
        & #--input { height: 2; border: none; &.--list-visible { border: none; } }
        & CommandInput, & CommandInput:focus { height: 1; border: none; padding: 0 1; background: $panel; }
        & #--results { overlay: none; height: auto; }
        & LoadingIndicator { display: none; border: none; }
        & CommandList {
            display: none;
            border: none;
            background: $surface;
            text-wrap: nowrap;
            text-overflow: ellipsis;
            scrollbar-size-vertical: 1;
            &.--visible { display: block; }
            & > .option-list--option { padding: 0 1; text-style: not bold; }
            & > .option-list--option-highlighted { background: $panel; color: $text; text-style: bold; }
            & .actions--bar { color: $accent; }
        }
        & #keys { height: 1; margin-top: 1; padding: 0 1; }
        &:ansi > #--container { background: ansi_default; border: round ansi_default; }
        &:ansi CommandList { background: ansi_default; }
        &:ansi CommandList > .option-list--option-highlighted {
            background: ansi_default; color: ansi_default; text-style: bold underline;
        }
        & CommandList:nocolor > .option-list--option-highlighted { text-style: bold underline; }
    }
    """

    def __init__(self, row_cells: int) -> None:
        """row_cells: those of a row of the list."""
        super().__init__(placeholder=LOOKED_FOR, id="--command-palette")
        # As Textual says once there is a list: told from the start, no styles are looked up a second time.
        self.add_class("-ready")
        self.row_cells = row_cells
        self._let_frames_go: Callable[[], None] = lambda: None
        self._before: Option | None = None
        """What stood first in the list as the words to look for changed."""
        self._chosen_early = False
        """Whether enter was pressed before anything was found for these words."""

    def compose(self) -> ComposeResult:
        """Lay the palette out as Textual does, with a line of keys below the list."""
        with Vertical(id="--container"):
            with Horizontal(id="--input", classes="--list-visible"):
                yield SearchIcon()
                yield CommandInput(placeholder=LOOKED_FOR, select_on_focus=False)
            with Vertical(id="--results"):
                yield ActionList(classes="--visible")
                yield LoadingIndicator()
            muted = "$text-muted dim" if self.app.current_theme.ansi else "$text-muted"
            told = [Content.assemble((key, "$text bold"), (f" {word}", muted)) for key, word in KEYS]
            yield Static(Content("   ").join(told), id="keys")

    def on_mount(self) -> None:
        """Open with the list, which is there a moment later."""
        self._let_frames_go = hold_frames(self.app)
        self._fit()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave keys out that move in the list, until it is laid out: Textual finds no lines in it before."""
        if action == "command_list" and not any(one.size for one in self.query(CommandList)):
            return False
        return super().check_action(action, parameters)

    # What is found comes a moment after it is typed. Until then the list is that of other words, of which
    # who types fast would take the first.

    @on(Input.Changed)
    def _words_changed(self) -> None:
        self._before, self._chosen_early = self._first, False

    @on(Input.Submitted)
    def _wait_for_list(self, event: Input.Submitted) -> None:
        looking = any(not worker.is_finished for worker in self.workers if worker.node is self)
        if looking and self._before is not None and self._first is self._before:
            event.stop()
            event.prevent_default()
            self._chosen_early = True

    async def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show what was found; take the first of it where enter came before it."""
        if event.state in (WorkerState.SUCCESS, WorkerState.CANCELLED, WorkerState.ERROR):
            self._let_frames_go()
        if event.state is WorkerState.SUCCESS and self._chosen_early:
            self._chosen_early = False
            await self.query_one(CommandInput).action_submit()

    @property
    def _first(self) -> Option | None:
        options = self.query_one(CommandList).options
        return options[0] if options else None

    def on_resize(self) -> None:
        """Fit into another size."""
        self._fit()

    def _fit(self) -> None:
        """Let the list take what stands around it leaves."""
        self.query_one("#--container").styles.width = self.row_cells + BESIDE_ROWS
        # In cells: a share of the screen does not count where the panel measures what it holds.
        most = max(3, int(SHARE * self.app.size.height) - AROUND)
        self.query_one(CommandList).styles.max_height = most
