"""HelpScreen: what the keys of a screen do and what its marks mean, made from the registry of actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, Static

from turnwise.conversations.store import fields_help
from turnwise.tui.actions import ACTIONS, FOCUS, OTHER_KEY, Action, Place, Table, bindings, written
from turnwise.tui.actions.legends import LEGENDS
from turnwise.tui.app.help_list import HelpKey, HelpList, HelpSection
from turnwise.tui.app.offered_command import is_live
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.notice import note
from turnwise.tui.parts.rewriting import rewrite
from turnwise.tui.settings.keymap import key_while_typing

if TYPE_CHECKING:
    from turnwise.tui.shell.shell import Shell

AROUND = 6  # lines that the title, the line of keys and the border take
LINE_TO_TYPE_IN = 2
SHARE = 0.94  # of a screen's height, which a dialog may take at the most
NOT_NOW = "not now"
BY_ITSELF = "press the key itself"
MARKS = "Marks and words"
QUERY_HELP = (
    'words are searched in what was said and names; "quoted words" are a phrase',
    *fields_help(76),
    "role_adherence<0.5   turns>20   relevancy:fail   relevancy:skipped",
    '-tag:billing for not; all terms together are joined by "and"; tab completes',
)


def open_help(app: App[Any], shell: Shell, place: Place) -> None:
    """Show the help of the screen that is open, and do there what is chosen in it."""
    below = app.screen

    async def do(action: Action | None) -> None:
        if action is not None:
            own = any(action.name == one.name for one in ACTIONS[place])
            await app.run_action(action.name, below if own else app)

    app.push_screen(shell.kept_dialogs.of(HelpScreen, place, app.focused, below), do)


class HelpScreen(Dialog[Action | None]):
    """The keys of one screen, those of its line first, then its marks; ends with what is to be done."""

    PLACE: ClassVar[Place] = "help"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("help"))
    AUTO_FOCUS = "HelpList"
    DEFAULT_CSS = """
    HelpScreen #panel { width: 112; }
    HelpScreen Input { display: none; margin: 0 1 1 1; }
    HelpScreen.-finding Input { display: block; }
    """

    def begin(self, place: Place, focused: Widget | None = None, below: Screen[Any] | None = None) -> None:
        """place: what is explained. focused: what has the focus there. below: the screen itself."""
        self._place: Place = place
        self._focus = type(focused).__name__ if focused is not None else ""
        self._below = below

    def compose(self) -> ComposeResult:
        """Lay the page out."""
        with Vertical(id="panel"):
            yield Static(self._heading, classes="title")
            yield Input(placeholder="(words of a mark, a key or what it does)", select_on_focus=False)
            yield HelpList()
            yield KeyLine("help")

    def on_mount(self) -> None:
        """Show all there is."""
        self._fit()
        self._show()

    def fill(self) -> None:
        """Show all there is on another screen."""
        rewrite(self.query_one(".title", Static), self._heading)
        self._show_all()
        self._show()

    @property
    def _heading(self) -> Content:
        title = f"Help · {self._place.replace('_', ' ')}"
        if not LEGENDS[self._place]:
            return Content(title)
        return Content.assemble(title, ("   keys first, marks and words below", "$text-muted not bold"))

    def on_resize(self) -> None:
        """Keep room for the title and the line of keys."""
        self._fit()

    def _fit(self) -> None:
        # In cells: a share of the screen does not count where the panel measures what it holds.
        around = AROUND + (LINE_TO_TYPE_IN if self.has_class("-finding") else 0)
        self.lines.styles.max_height = max(3, int(self.size.height * SHARE) - around)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """This is the help already; some screens have no marks."""
        return bool(LEGENDS[self._place]) if action == "marks" else action != "help"

    @property
    def lines(self) -> HelpList:
        """The lines that the keys move in."""
        return self.query_one(HelpList)

    def _show(self) -> None:
        words = self.query_one(Input).value
        self.lines.show([one.like(words) for one in self._sections()])

    def _sections(self) -> list[HelpSection]:
        # Keys first: whoever asks for help wants to do something, and a long list of marks hid all of them.
        sections = [
            HelpSection(heading, keys=[HelpKey(one, self._barred(one)) for one in actions])
            for heading, actions in grouped(self._place, self._focus, self.shell.actions)
        ]
        sections.append(HelpSection(MARKS, LEGENDS[self._place]))
        if self._place == "library":
            sections.append(HelpSection("The filter", plain=QUERY_HELP))
        return sections

    def _barred(self, action: Action) -> str:
        """Say why an action cannot be chosen now; empty where it can."""
        if self._below is not None and not is_live(self._below, action.name):
            return NOT_NOW
        return BY_ITSELF if action.numbered or action.name == "help" else ""

    # What the keys do

    def action_choose(self) -> None:
        """Do what the line under the cursor says, once that is in sight."""
        if not self.lines.seek_cursor():
            self._take(self.lines.current)

    def on_help_list_chosen(self, event: HelpList.Chosen) -> None:
        """Do what was clicked."""
        self._take(event.key)

    def _take(self, key: HelpKey | None) -> None:
        if key is None:
            return
        if key.barred:
            note(self, f"{key.action.title}: {key.barred}.")
        else:
            self.dismiss(key.action)

    def action_marks(self) -> None:
        """Go to what marks and words mean."""
        self.lines.go_to_section(MARKS)

    def action_find(self) -> None:
        """Show only lines that are like the words you type."""
        self.add_class("-finding")
        self._fit()
        self.query_one(Input).focus()

    def on_input_changed(self) -> None:
        """Show what is like what is typed."""
        self._show()

    def on_input_submitted(self) -> None:
        """Do what was found."""
        self.action_choose()

    def action_close(self) -> None:
        """Show all again, or go back."""
        if self.has_class("-finding"):
            self._show_all()
        else:
            self.dismiss(None)

    def _show_all(self) -> None:
        if self.has_class("-finding"):
            self.query_one(Input).value = ""
            self.remove_class("-finding")
            self._fit()
            self.lines.focus()


def grouped(place: Place, focus: str = "", table: Table = ACTIONS) -> list[tuple[str, list[Action]]]:
    """Return a screen's actions in groups: what has the focus, what the screen does, moving, everywhere.

    focus: the class of the widget that has the focus. table: the actions with the keys that hold.
    """
    where, words = FOCUS.get(focus, ("", {}))
    own = {action.name for action in table[place]}
    shared = [action for action in table["everywhere"] if action.name not in own]
    here = [_with_help(one, words[one.name]) for one in (*table[place], *shared) if one.name in words]
    rest = [action for action in table[place] if action.name not in words]
    moves = [action for action in rest if action.is_move]
    acts = [action for action in rest if not action.is_move]
    ranks = _ranks(acts)
    acts.sort(key=lambda action: ranks[action.name])
    everywhere = [action for action in shared if action.name not in words]
    groups = [(f"Here, {where}", here), ("On this screen", acts)]
    groups += [("Moving", moves), ("Everywhere", everywhere)]
    return [(heading, actions) for heading, actions in groups if actions]


def _ranks(actions: Sequence[Action]) -> dict[str, int]:
    """Return where actions stand in help: as in the line of keys, and those behind them that it leaves out.

    Of two that the line of keys shows as one ("← →") the other one stands right behind the first.
    """
    ranks: dict[str, int] = {}
    pair = 0
    for action in actions:
        ranks[action.name] = action.rank or pair or 100
        pair = action.rank if " " in action.shown else 0
    return ranks


def _with_help(action: Action, text: str) -> Action:
    """Return the action with other words of help; those of a key that is typed name the one that is not."""
    if text != OTHER_KEY:
        return replace(action, help=text)
    first, other = written(action.keys[0]), key_while_typing(action)
    return action if first == other else replace(action, help=text.format(first=first, other=other))
