"""OfferedCommand: something that the command palette offers, and the row that it is drawn as.

What it offers, and the menu and help too, means something at this moment: `is_live` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from textual.content import Content
from textual.screen import Screen

from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.drawing.wrapping import fit

TITLE_CELLS = 18
"""From here on a row says what a command does, where its title leaves the room."""
LEAST_ABOUT = 10


@dataclass(frozen=True, slots=True)
class OfferedCommand:
    """A command. about: one sentence. key: as people write it; empty for none.

    marked: the title with the letters marked that were looked for; None where nothing was. name: what the
    action is called, where the title says more.
    """

    title: str
    about: str
    do: Callable[[], Any]
    key: str = ""
    marked: Content | None = None
    name: str = ""

    @property
    def called(self) -> str:
        """What the action itself is called, wherever it is."""
        return self.name or self.title

    def row(self, width: int) -> Content:
        """Return it as a row of so many cells."""
        return row_of(self.marked or Content(self.title), self.about, self.key, width=width)


def cells_of(offer: OfferedCommand) -> int:
    """Return how many cells show all of a command."""
    title = max(TITLE_CELLS, cell_len(offer.title) + 2)
    return title + cell_len(offer.about) + 1 + cell_len(offer.key)


def row_of(title: Content, about: str, key: str = "", *, width: int) -> Content:
    """Return a row: a title, in dim words what it does, and the key at the right end."""
    room = width - cell_len(key) - 1
    if title.cell_length > room:
        title = title.truncate(room, ellipsis=True)
    gap = max(2, TITLE_CELLS - title.cell_length)
    left = room - title.cell_length - gap
    said = fit(make_safe_line(about), left).rstrip() if left >= LEAST_ABOUT else ""
    words = " " * gap + said if said else ""
    rest = " " * (width - title.cell_length - cell_len(words) - cell_len(key))
    return Content.assemble(title, (words, "$text-muted not bold"), rest, (key, "bold"))


def is_live(screen: Screen[Any], action: str) -> bool:
    """Return whether an action means something on a screen now, and has something to act on.

    A screen names in `idle` those that have nothing to act on: their keys say so, and no list offers them.
    """
    idle: Collection[str] = getattr(screen, "idle", ())
    return screen.check_action(action, ()) is not False and action not in idle
