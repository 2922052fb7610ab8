"""ActionPalette: find an action, a session or a turn by its name; as wide as its longest row."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.actions import Place, bindings
from turnwise.tui.app.commands import Commands
from turnwise.tui.app.offered_command import OfferedCommand, cells_of
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine

if TYPE_CHECKING:
    from turnwise.tui.shell.shell import Shell

SHARE = 0.9
"""Of a screen's height, for all of the palette."""
AROUND = 8
"""Lines around the list: above the panel, of its edge, of the line to type in, and of the keys."""
BESIDE_ROWS = 7
"""Columns beside a row: the edge, what stands free within it and at the row's ends, and a scroll bar."""
LEAST_CELLS = 40
"""Of a row, which is as wide as the longest."""
SECONDS_OF_QUIET = 0.08
"""Sessions are looked for when nothing was typed for so long."""
LOOKED_FOR = "Search for commands, sessions, turns …"
NONE = "Nothing is called so."

Do = Callable[[], Any]


class ActionPalette(Dialog[Do | None]):
    """Ends with what is to be done, or None. Sessions are looked for while one types."""

    PLACE: ClassVar[Place] = "palette"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("palette"))
    DEFAULT_CSS = """
    ActionPalette {
        align: center top;
        & #panel { max-width: 100%; max-height: 90%; margin-top: 2; }
        & ChoiceList { margin-top: 1; }
        & #whole {
            height: 1; margin-top: 1; padding: 0 1; color: $text-muted; display: none;
            text-wrap: nowrap; text-overflow: ellipsis;
        }
        &.-cut #whole { display: block; }
        &.-cut KeyLine { margin-top: 0; }
    }
    /* Where the row that one is at has no ground, its bar alone is lost among forty rows. */
    ActionPalette:ansi ChoiceList > .choices--away,
    ActionPalette:nocolor ChoiceList > .choices--away { text-style: bold underline; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._commands: Commands | None = None
        self._cells = LEAST_CELLS
        self._offers: Sequence[OfferedCommand] = ()
        """What is listed, in its order."""
        self._looking = False
        """Whether sessions are looked for."""
        self._chosen_early = False
        """Whether enter was pressed before anything was found for these words."""

    def begin(self, commands: Commands | None) -> None:
        """commands: what the screen offers that it was opened on; None where that is not known yet."""
        self._commands = commands
        self._looking = self._chosen_early = False

    def compose(self) -> ComposeResult:
        """Lay the palette out."""
        with Vertical(id="panel"):
            yield Input(placeholder=LOOKED_FOR, select_on_focus=False)
            yield ChoiceList()
            yield Static(id="whole")
            yield KeyLine("palette")

    def on_mount(self) -> None:
        """Offer what there is."""
        self.choices.can_focus = False
        self.fill()

    def fill(self) -> None:
        """Offer all that can be done here."""
        self.query_one(Input).value = ""
        self.set_focus(self.query_one(Input))
        self._fit()
        self._show(self._commands.offered() if self._commands else (), anew=True)

    def on_resize(self) -> None:
        """Fit into another size."""
        self._fit()

    def _fit(self) -> None:
        """Let the list take what stands around it leaves, and the panel as much as the longest row."""
        room = self.app.size.width - BESIDE_ROWS
        longest = self._commands.cells if self._commands else 0
        self._cells = max(LEAST_CELLS, min(longest, room))
        self.set_class(longest > self._cells, "-cut")
        self.query_one("#panel").styles.width = self._cells + BESIDE_ROWS
        # In cells: a share of the screen does not count where the panel measures what it holds.
        self.choices.styles.max_height = max(3, int(SHARE * self.app.size.height) - AROUND)

    def _show(self, offers: Sequence[OfferedCommand], *, anew: bool) -> None:
        """List commands. anew: from the first on."""
        self._offers = offers
        rows = [Choice(one.title, one.title, row=one.row(self._cells)) for one in offers]
        if not rows and not self._looking:
            rows = [Choice("", NONE, disabled=True)]
        self.choices.show(rows, anew=anew)
        self._tell_whole()

    def after_move(self) -> None:
        """Tell all of what is cut in the row that the cursor has moved to, in the same frame."""
        self._tell_whole()

    def _tell_whole(self) -> None:
        if self.has_class("-cut"):
            at = self.choices.highlighted
            offer = self._offers[at] if at is not None and at < len(self._offers) else None
            cut = offer is not None and cells_of(offer) > self._cells
            words = make_safe_line(offer.about) if offer is not None and cut else ""
            # Its height is fixed: a key would lay the palette out anew.
            self.query_one("#whole", Static).update(Content(words), layout=False)

    # What is typed

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show what the words name, and look for sessions."""
        self._chosen_early = False
        if self._commands is None:
            return
        words = event.value.strip()
        self._looking = bool(self._commands.words_of_sessions(words))
        self._show(self._commands.found(words), anew=True)
        self._look(words)

    @work(exclusive=True, group="look", exit_on_error=False)
    async def _look(self, words: str) -> None:
        """Add the sessions that the words are found in."""
        if self._commands is None or not self._looking:
            return
        # The next key ends this search, so that the store is asked only when typing pauses.
        await asyncio.sleep(SECONDS_OF_QUIET)
        found = await self._commands.sessions(words)
        self._looking = False
        self._show([*self._offers, *found], anew=False)
        if self._chosen_early:
            self.action_choose()

    def action_cancel(self) -> None:
        """Go back; no session is looked for any more."""
        self.end_work()
        super().action_cancel()

    def on_input_submitted(self) -> None:
        """Do what the cursor is on."""
        self.action_choose()

    def on_option_list_option_selected(self) -> None:
        """Do what was clicked."""
        self.action_choose()

    def action_choose(self) -> None:
        """Do what the cursor is on; what is yet looked for is waited for where nothing else is called so."""
        choice = self.choices.current
        if choice is None or choice.disabled:
            self._chosen_early = self._looking
            return
        offer = next(one for one in self._offers if one.title == choice.id)
        if self._commands is not None:
            self._commands.note(offer)
        self.end_work()
        self.dismiss(offer.do)


def open_palette(shell: Shell, app: App[Any]) -> None:
    """Open the palette on what the screen offers, and do what is chosen. shell and app: both are the app."""
    below: Screen[Any] = app.screen
    if isinstance(below, ActionPalette):
        return

    def do(chosen: Do | None) -> Any:
        # Textual waits for it where that is to be done. The palette has gone by then.
        return chosen() if chosen is not None else None

    app.push_screen(shell.kept_dialogs.of(ActionPalette, Commands(shell, app, below)), do)
