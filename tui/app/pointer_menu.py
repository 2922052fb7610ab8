"""PointerMenu: what can be done where the mouse points, in a menu that opens there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.geometry import Offset
from textual.screen import Screen
from textual.widget import Widget

from turnwise.tui.actions import Action, Place, as_it_is, bindings
from turnwise.tui.actions.action import written
from turnwise.tui.app.offered_command import is_live
from turnwise.tui.drawing.rows_view import RowsView
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.shell.shell import Shell, ShellOfApp

MOST = 17
"""What else can be done is found in the palette, which the menu ends with."""
AROUND_ROWS = 2
AROUND_CELLS = 6
PART_OF_HEIGHT = 0.9
"""So much of the height of the terminal a menu has in any case."""
FOOT = 1
"""The line of keys."""
PALETTE = "command_palette"
QUIT = "quit"
NO_MENU: tuple[Place, ...] = ("everywhere", "help", "menu", "palette", "jump")


def open_menu_at_focus(shell: Shell, app: App[Any], place: Place) -> None:
    """Open the menu of the screen that is open, where the keys are. shell and app: both are the app."""
    focused = app.focused
    at = focused.region.offset if focused else None
    open_menu(shell, app, place, focused.cursor_offset if isinstance(focused, RowsView) else at)


def open_menu(shell: Shell, app: App[Any], place: Place, at: Offset | None) -> None:
    """Open the menu of the screen that is open, and do there what is chosen.

    shell and app: both are the app. at: where it is to stand.
    """
    below = app.screen
    if place in NO_MENU:
        return
    actions = offered(place, below, at)

    async def do(name: str | None) -> None:
        if name is not None:
            own = any(name == one.name for one in actions)
            await app.run_action(name, below if own else app)

    app.push_screen(shell.kept_dialogs.of(PointerMenu, actions, at or Offset(0, 0)), do)


def offered(place: Place, screen: Screen[Any], at: Offset | None) -> Sequence[Action]:
    """Return what can be done now: first what the part under the mouse answers.

    A screen's `menu_now(action)`, where it has one, gives an action with the words that it has here now.
    """
    shell = ShellOfApp().__get__(screen, type(screen))
    under = screen.get_widget_at(*at)[0] if at is not None and screen.region.contains_point(at) else None

    def is_there(action: Action) -> bool:
        part = getattr(screen, action.target, None) if action.target else None
        return under is not None and isinstance(part, Widget) and part in under.ancestors_with_self

    able = [
        one for one in shell.actions[place] if not (one.is_move or one.numbered) and is_live(screen, one.name)
    ]
    # Places are in sight at the top, and a key that leads away is not what one asks for at a row.
    able = [one for one in able if not one.keys[0].isdigit() and one.name != QUIT]
    # What is done to the session under the cursor comes before what is done to none.
    able.sort(key=lambda one: (not is_there(one), not one.of_sessions, one.rank or 100))
    # What the line of keys names is there in any case: in a narrow window the line has no room for all of it.
    named = [one for one in able if one.rank]
    others = [one for one in able if not one.rank][: max(0, MOST - len(named))]
    told: Callable[[Action], Action] = getattr(screen, "menu_now", as_it_is)
    return [told(one) for one in able if one in named or one in others][:MOST]


class PointerMenu(Dialog[str | None]):
    """Ends with the name of what is to be done, or None."""

    PLACE: ClassVar[Place] = "menu"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("menu"))
    DEFAULT_CSS = """
    PointerMenu {
        align: left top;
        background: transparent;
        & #panel { padding: 0; max-width: 100%; position: absolute; }
        & #foot { dock: bottom; height: 1; }
        & KeyLine { margin: 0; }
    }
    PointerMenu:ansi { background: transparent; }
    """

    def begin(self, actions: Sequence[Action], at: Offset) -> None:
        """actions: what is offered. at: where the mouse points."""
        self._actions = actions
        self._at = at

    def compose(self) -> ComposeResult:
        """Lay the menu out."""
        with Vertical(id="panel"):
            yield ChoiceList()
        # Over the line of keys of the screen, which is not asked meanwhile: beside a menu that covers the
        # end of it, it would name another use of esc.
        with Vertical(id="foot"):
            yield KeyLine("menu")

    def on_mount(self) -> None:
        """Offer what there is."""
        super().on_mount()
        self.fill()

    def fill(self) -> None:
        """Offer what there is, from the first on."""
        rows = [(one.name, one.title, one.key_text) for one in self._actions]
        palette = next(one for one in self.shell.actions["everywhere"] if one.name == PALETTE)
        rows.append((PALETTE, "all commands …", written(palette.keys[0])))
        names = max(cell_len(title) for _, title, _ in rows)
        self._width = names + max(cell_len(key) for *_, key in rows) + AROUND_CELLS
        # A bar that came while the panel is as low as that of another screen would go in a second frame.
        whole = len(rows) + AROUND_ROWS <= self.size.height * PART_OF_HEIGHT
        self.choices.styles.overflow_y = "hidden" if whole else "auto"
        self.choices.show([Choice(name, title, key) for name, title, key in rows], anew=True)
        self.query_one("#panel").styles.width = self._width
        self._rows = len(rows)
        self._place()

    def on_resize(self, event: events.Resize) -> None:
        """Stay in sight."""
        self._place()

    def _place(self) -> None:
        high, right = self._rows + AROUND_ROWS, max(0, self.size.width - self._width)
        x, y = min(self._at.x, right), self._at.y + 1
        lines = self.size.height - FOOT
        if y + high > lines:
            # Above the row where that has room; else beside it, so that the row it is about is seen.
            above = self._at.y - high
            x, y = (x, above) if above >= 0 else (right, max(0, lines - high))
        self.query_one("#panel").styles.offset = (x, y)

    def on_click(self, event: events.Click) -> None:
        """Leave where it is clicked beside the menu."""
        if not self.query_one("#panel").region.contains_point(event.screen_offset):
            event.stop()
            self.dismiss(None)

    def on_option_list_option_selected(self) -> None:
        """Do what was clicked."""
        self.action_choose()

    def action_choose(self) -> None:
        """Do what the cursor is on."""
        choice = self.choices.current
        self.dismiss(choice.id if choice is not None else None)
