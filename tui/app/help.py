"""HelpScreen: all keys of a screen, made from the registry of actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from turnwise.conversations.store import fields_help
from turnwise.tui.actions import ACTIONS, FOCUS, OTHER_KEY, Action, Place, Table, bindings, written
from turnwise.tui.parts.dialog import Dialog, ScrolledWords
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.wrapping import wrap
from turnwise.tui.settings.keymap import key_while_typing

KEY_CELLS = 15
LEAST_HELP = 20
AROUND = 6  # lines that the title, the line of keys and the border take
SHARE = 0.94  # of a screen's height, which a dialog may take at the most
QUERY_HELP = "\n".join(
    [
        'words are searched in what was said and names; "quoted words" are a phrase',
        *fields_help(76),
        "role_adherence<0.5   turns>20   relevancy:fail   relevancy:skipped",
        '-tag:billing for not; all terms together are joined by "and"; tab completes',
        "",
    ]
)


class _Keys(Widget):
    """One group of keys, in columns."""

    def __init__(self, actions: Sequence[Action], titles: int) -> None:
        """titles: the cells that the longest title of all groups takes."""
        super().__init__()
        self._actions = actions
        self._titles = titles

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines the keys take."""
        return len(_table(self._actions, self._titles, width).split("\n"))

    def render(self) -> Content:
        """Draw the keys."""
        return _table(self._actions, self._titles, self.size.width)


class HelpScreen(Dialog[None]):
    """The keys of one screen, those of the line at its bottom first."""

    PLACE: ClassVar[Place] = "help"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("help"))
    DEFAULT_CSS = """
    HelpScreen ScrolledWords { height: auto; scrollbar-size-vertical: 1; }
    HelpScreen _Keys { height: auto; padding: 0 1; }
    HelpScreen .heading { height: auto; padding: 1 1 0 1; text-style: bold; color: $accent; }
    HelpScreen .heading:first-child { padding: 0 1; }
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
            groups = grouped(self._place, self._focus, self.shell.actions)
            titles = max(_cells_of_title(action) for _, actions in groups for action in actions)
            with ScrolledWords(5):
                for heading, actions in groups:
                    if heading:
                        yield Static(heading, classes="heading", markup=False)
                    yield _Keys(actions, titles)
                if self._place == "library":
                    yield Static("The filter", classes="heading", markup=False)
                    yield Static(QUERY_HELP, classes="words", markup=False)
            yield KeyLine("help")

    def on_resize(self) -> None:
        """Keep room for the title and the line of keys."""
        # In cells: a share of the screen does not count where the panel measures what it holds.
        most = int(self.size.height * SHARE) - AROUND
        self.query_one(ScrolledWords).styles.max_height = max(3, most)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """This is the help already."""
        return action != "help"

    @property
    def words(self) -> ScrolledWords:
        """The words that the keys scroll."""
        return self.query_one(ScrolledWords)

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
    here = [_with_help(one, words[one.name]) for one in (*table[place], *shared) if one.name in words]
    rest = [action for action in table[place] if action.name not in words]
    moves = [action for action in rest if action.is_move]
    acts = [action for action in rest if not action.is_move]
    acts.sort(key=lambda action: action.rank or 100)
    everywhere = [action for action in shared if action.name not in words]
    groups = [(f"Here, {where}", here), ("On this screen" if here else "", acts)]
    groups += [("Moving", moves), ("Everywhere", everywhere)]
    return [(heading, actions) for heading, actions in groups if actions]


def _with_help(action: Action, text: str) -> Action:
    """Return the action with other words of help; those of a key that is typed name the one that is not."""
    if text != OTHER_KEY:
        return replace(action, help=text)
    first, other = written(action.keys[0]), key_while_typing(action)
    return action if first == other else replace(action, help=text.format(first=first, other=other))


def _cells_of_title(action: Action) -> int:
    """Return the room of an action's title, with what its key takes of it."""
    return cell_len(action.title) + max(0, cell_len(" ".join(action.all_keys)) + 2 - KEY_CELLS)


def _table(actions: Sequence[Action], titles: int, width: int) -> Content:
    """Return keys, titles and help in columns; help that is longer goes on in its own column."""
    lines: list[tuple[str, str]] = []
    for action in actions:
        key = " ".join(action.all_keys)
        key += " " * max(2, KEY_CELLS - cell_len(key))
        title = action.title.ljust(KEY_CELLS + titles - cell_len(key)) + "   "
        left = cell_len(key + title)
        first, *more = wrap(action.help, max(LEAST_HELP, width - left))
        lines += [(key, "bold"), (title, "")]
        lines.extend((f"{line}\n", "$text-muted") for line in (first, *(" " * left + line for line in more)))
    return Content.assemble(*lines).rstrip("\n")
