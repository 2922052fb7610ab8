"""Every key is told once, as people write it."""

from __future__ import annotations

import pytest

from turnwise.tui.actions import ACTIONS, Action

EVERY = [(place, action) for place, actions in ACTIONS.items() for action in actions]


def action(place: str, name: str) -> Action:
    return next(action for there, action in EVERY if (there, action.name) == (place, name))


@pytest.mark.parametrize(
    ("place", "name", "keys"),
    [
        ("review", "cursor_down", ["j", "↓"]),
        ("review", "cursor_up", ["k", "↑"]),
        ("replay", "slower", ["["]),
        ("replay", "faster", ["]"]),
        ("replay", "event_forward", ["."]),
        ("judge", "choose", ["enter", "1-9"]),
        ("library", "end", ["end", "G"]),
    ],
)
def test_all_keys_of_an_action_are_written(place: str, name: str, keys: list[str]) -> None:
    assert action(place, name).all_keys == keys


@pytest.mark.parametrize("place", ACTIONS)
def test_no_key_of_a_screen_is_told_twice(place: str) -> None:
    keys = [key for there, action in EVERY if there == place for key in action.all_keys]
    assert len(keys) == len(set(keys)) or place == "record"
    assert not any("_" in key for key in keys)
