"""A random walk: keys pressed by chance, mostly those that mean something on the screen that is in front."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import Any

from textual.pilot import Pilot
from tui_driver import burst

from turnwise.tui.actions import ACTIONS
from turnwise.tui.app.app import TurnwiseApp

LEAVES = frozenset({"suspend_process", "quit", "quit_soon"})
OFTEN = ("enter", "escape", "down", "j")
DEEPEST = 6
"""Screens and dialogs above each other, from which it goes back."""
SECONDS_A_KEY = 30.0


def keys_of(place: str) -> list[str]:
    """Return the keys that mean something at a place, without those that leave turnwise."""
    found = [key for action in ACTIONS.get(place, ()) for key in action.keys if action.name not in LEAVES]  # type: ignore[call-overload]
    return [key for key in found if key != "q"]


def chosen(app: TurnwiseApp, chance: random.Random, keys: int) -> Iterator[str]:
    """Return so many keys, each chosen where those before have led."""
    anywhere = sorted({key for place in ACTIONS for key in keys_of(place)}) + [*OFTEN] * 5
    for _ in range(keys):
        here = keys_of(app.place or "library")
        yield chance.choice(here if here and chance.random() < 0.6 else anywhere)


async def press_by_chance(pilot: Pilot[Any], key: str, *, bursts: bool, chance: random.Random) -> None:
    """Press a key. bursts: half of them before the one before is answered. Raises TimeoutError."""
    if bursts and chance.random() < 0.5:
        burst(pilot.app, key)
    else:
        await asyncio.wait_for(pilot.press(key), SECONDS_A_KEY)
    if len(pilot.app.screen_stack) > DEEPEST:
        await pilot.press(*["escape"] * DEEPEST)
