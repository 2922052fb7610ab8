"""Which actions of a screen do something at this moment: what the palette, the menu and help offer."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from textual.screen import Screen


def is_live(screen: Screen[Any], action: str) -> bool:
    """Return whether an action means something on a screen now, and has something to act on.

    A screen names in `idle` those that have nothing to act on: their keys say so, and no list offers them.
    """
    idle: Collection[str] = getattr(screen, "idle", ())
    return screen.check_action(action, ()) is not False and action not in idle
