"""Key words: keys as sentences name them, by the user's keymap rather than by the registry's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from turnwise.tui.actions import Action, Place, Table, written

_NAMED = re.compile(r"\{(\w+)\.(\w+)\}")


def key_of(actions: Table, place: Place, name: str) -> str:
    """Return the first key of an action as people write it. actions: those of the app."""
    return written(action_of(actions, place, name).keys[0])


def action_of(actions: Table, place: Place, name: str) -> Action:
    """Return an action by its name."""
    return next(action for action in actions[place] if action.name == name)


def keys_not_typed(action: Action) -> list[str]:
    """Return the keys of an action that type nothing, as people write them."""
    return [key for key in map(written, action.keys) if len(key) > 1 and key != "space"]


def key_while_typing(action: Action) -> str:
    """Return the first key of an action that types nothing; where it has none, its first key."""
    return next(iter(keys_not_typed(action)), written(action.keys[0]))


def action_while_typing(action: Action, words: Mapping[str, tuple[str, int, str]]) -> Action:
    """Return an action as the line of keys shows it while letters only type.

    words: for each action that is shown its title, its rank and its key; without a key one that is not typed
    is found, and an action that has none is left out.
    """
    title, rank, key = words.get(action.name, ("", 0, ""))
    key = key or next(iter(keys_not_typed(action)), "")
    return replace(action, title=title, rank=rank if key else 0, shown=key)


def fill_keys(text: str, actions: Table) -> str:
    """Return words of ours with the keys of the actions that they name, as in "{review.score} judges it"."""
    keys = {f"{there}.{one.name}": written(one.keys[0]) for there in actions for one in actions[there]}
    return _NAMED.sub(lambda found: keys[f"{found[1]}.{found[2]}"], text)
