"""HelpScreen: all keys of a screen, made from the registry of actions."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from turnwise.tui.actions import ACTIONS, FOCUS, Action, Place, Table, bindings
from turnwise.tui.screens.dialog import Dialog
from turnwise.tui.widgets.key_line import KeyLine

KEY_CELLS = 15
QUERY_HELP = """\
words are searched in all turns and names; "quoted words" are a phrase
role:TEXT  name:TEXT  source:TEXT  tag:TEXT  mode:NAME  id:N  run:N
label:pass  label:fail  label:deferred  label:none
role_adherence<0.5   turns>20   relevancy:fail   relevancy:skipped
-tag:billing for not; all terms together are joined by "and"; tab completes
"""


class HelpScreen(Dialog[None]):
    """The keys of one screen, those of the line at its bottom first."""

    PLACE: ClassVar[Place] = "help"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("help"))
    DEFAULT_CSS = """
    HelpScreen VerticalScroll { height: auto; max-height: 70vh; }
    HelpScreen .keys { height: auto; padding: 0 1; }
    HelpScreen .heading { height: auto; padding: 1 1 0 1; text-style: bold; color: $accent; }
    """

    def __init__(self, place: Place, focused: Widget | None = None) -> None:
        """place: the screen whose keys are shown. focused: what has the focus on it."""
        super().__init__()
        self._place = place
        self._focus = type(focused).__name__ if focused is not None else ""

    def compose(self) -> ComposeResult:
        """Lay the page out."""
        with Vertical(id="panel"):
            yield Static(f"Keys · {self._place.replace('_', ' ')}", classes="title", markup=False)
            groups = grouped(self._place, self._focus, self.app.actions)
            titles = max(cell_len(action.title) for _, actions in groups for action in actions)
            with VerticalScroll(can_focus=False):
                for heading, actions in groups:
                    if heading:
                        yield Static(heading, classes="heading", markup=False)
                    yield Static(_table(actions, titles), classes="keys", markup=False)
                if self._place == "library":
                    yield Static("The filter", classes="heading", markup=False)
                    yield Static(QUERY_HELP, classes="words", markup=False)
            yield KeyLine("help")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """This is the help already."""
        return action != "help"

    def action_scroll_down(self) -> None:
        """Scroll down."""
        self.query_one(VerticalScroll).scroll_relative(y=5, animate=False)

    def action_scroll_up(self) -> None:
        """Scroll up."""
        self.query_one(VerticalScroll).scroll_relative(y=-5, animate=False)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)


def grouped(place: Place, focus: str = "", table: Table = ACTIONS) -> list[tuple[str, list[Action]]]:
    """Return a screen's actions in groups: what has the focus, what the screen does, moving, everywhere.

    focus: the class of the widget that has the focus. table: the actions with the keys that hold.
    """
    where, words = FOCUS.get(focus, ("", {}))
    own = {action.name for action in table[place]}
    shared = [action for action in table["everywhere"] if action.name not in own]
    here = [replace(a, help=words[a.name]) for a in (*table[place], *shared) if a.name in words]
    rest = [action for action in table[place] if action.name not in words]
    moves = [action for action in rest if action.is_move]
    acts = [action for action in rest if not action.is_move]
    acts.sort(key=lambda action: action.rank or 100)
    everywhere = [action for action in shared if action.name not in words]
    groups = [(f"Here, {where}", here), ("On this screen" if here else "", acts)]
    groups += [("Moving", moves), ("Everywhere", everywhere)]
    return [(heading, actions) for heading, actions in groups if actions]


def _table(actions: list[Action], titles: int) -> Content:
    keys = [" ".join(action.all_keys) for action in actions]
    lines: list[tuple[str, str]] = []
    for key, action in zip(keys, actions, strict=True):
        lines.append((key + " " * max(2, KEY_CELLS - cell_len(key)), "bold"))
        lines.append((f"{action.title:<{titles}}   ", ""))
        lines.append((f"{action.help}\n", "$text-muted"))
    return Content.assemble(*lines).rstrip("\n")
