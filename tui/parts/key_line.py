"""KeyLine: the bottom line of a screen: the keys that matter now, each also a thing to click."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from turnwise.tui.actions import ACTIONS, Action, Place, Table, as_it_is, is_digits, line_of_keys
from turnwise.tui.drawing.palette import component
from turnwise.tui.parts.notice import cells_told
from turnwise.tui.parts.typed_into import is_typed_into
from turnwise.tui.settings.keymap import keys_not_typed

if TYPE_CHECKING:
    from turnwise.conversations.store import Store

GAP = 3
KEPT_RANK = 80
"""From this rank on an action stays in the line, however narrow it is: how to quit, and help."""


class KeyLine(Widget):
    """One line made from `line_of_keys(place)`; where it is narrow the last ranks go.

    How to leave and help stay. A screen's `check_action` that returns False hides a key. Its
    `key_now(action)`, where it has one, gives an action with the title and the rank of the moment.
    `screen.refresh_bindings()` draws anew, but not while its `is_on_its_way`, where it has one, says that
    another thing to act on is being read. What is told in one line stands in it for as long as it is told.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"keys--key", "keys--word"}
    DEFAULT_CSS = """
    KeyLine {
        height: 1;
        background: $surface;
        color: $text;
        & .keys--key { color: $text; text-style: bold; }
        & .keys--word { color: $text-muted; }
        &:ansi {
            .keys--word { text-style: dim; }
        }
    }
    """

    def __init__(self, place: Place, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._place: Place = place
        self._spans: list[tuple[int, int, Action]] = []
        self._drawn: list[Action] = []
        self._told = 0
        """The cells that a toast takes of it."""
        self._follows = False
        """Whether it looks again at what the screen allows, and has not done so yet."""

    def on_mount(self) -> None:
        """Follow what the screen allows."""
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self._follow_soon())
        store: Store | None = getattr(self.app, "store", None)
        if store is not None and self.parent is self.screen and not store.is_writable:
            from turnwise.tui.parts.read_only_line import ReadOnlyLine  # few databases are read-only

            self.screen.mount(ReadOnlyLine(store.path.name), before=self)

    def _follow_soon(self) -> None:
        # What a key changes is told of several times at once.
        if not self._follows:
            self._follows = True
            self.call_later(self._follow)

    def _follow(self) -> None:
        self._follows = False
        if getattr(self.screen, "is_on_its_way", False):
            return
        if not self.screen.is_current:
            # It is found out what it shows once it is drawn.
            self.refresh()
        # A line that stays as it is needs no frame of its own.
        elif (self._cells_told, self._shown) != (self._told, self._drawn):
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        base = self.rich_style
        key, word = component(self, "keys--key"), component(self, "keys--word")
        self._told, self._drawn = self._cells_told, self._shown
        x = 1
        segments = [Segment(" ")]
        self._spans = []
        for action in self._drawn:
            segments += [Segment(action.key_text, key), Segment(f" {action.title}", word), Segment(" " * GAP)]
            end = x + _width(action)
            self._spans.append((x, end, action))
            x = end + GAP
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(self.size.width, base)

    @property
    def _shown(self) -> list[Action]:
        told = self._cells_told
        room = self.size.width - 2 - told
        shown = fitting([a for a in self._offered if self._allowed(a)], room)
        # The last one stays, however narrow the line is; a toast goes before it.
        return shown if not told or sum(map(_width, shown)) <= room else []

    @property
    def _cells_told(self) -> int:
        """The cells at its end in which a toast stands: keys that stay are where one has just seen them."""
        is_last = self.region.bottom == self.screen.size.height
        return cells_told(self.app) if is_last else 0

    @property
    def _offered(self) -> list[Action]:
        now: Callable[[Action], Action] = getattr(self.screen, "key_now", as_it_is)
        actions = line_of_keys(self._place, self._table, now)
        if not is_typed_into(self.screen):
            return actions
        return [one for action in actions if (one := as_typing(action)) is not None]

    @property
    def _table(self) -> Table:
        # The app's actions have the keys of the user's keymap.
        table: Table = getattr(self.app, "actions", ACTIONS)
        return table

    def _allowed(self, action: Action) -> bool:
        return self.screen.check_action(action.name, ()) is not False

    async def on_click(self, event: events.Click) -> None:
        """Do what the key does."""
        for start, end, action in self._spans:
            if start <= event.x < end:
                event.stop()
                own = any(action.name == one.name for one in self._table[self._place])
                await self.app.run_action(action.name, self.screen if own else self.app)


def fitting(actions: Sequence[Action], width: int) -> list[Action]:
    """Return the actions that have room, in order: the last ranks go first, how to leave and help last."""
    kept = list(actions)
    taken = sum(_width(action) + GAP for action in kept) - GAP
    while len(kept) > 1 and taken > width:
        last = max((a for a in kept if not _stays(a)), key=lambda a: a.rank, default=kept[-1])
        kept.remove(last)
        taken -= _width(last) + GAP
    return kept


def as_typing(action: Action) -> Action | None:
    """Return an action as it is shown where letters type, by a key that does not; None without one."""
    if not all(map(_types, action.key_text.split())):
        return action
    other = next(iter(keys_not_typed(action)), "")
    return replace(action, shown=other) if other else None


def _types(key: str) -> bool:
    return key == "space" or is_digits(key) or (len(key) == 1 and key not in "←→↑↓")


def _stays(action: Action) -> bool:
    """Whether an action is how one leaves, or gets help, which nobody should have to look for."""
    return action.rank >= KEPT_RANK or action.keys[0] == "escape"


def _width(action: Action) -> int:
    return cell_len(action.key_text) + 1 + cell_len(action.title)
