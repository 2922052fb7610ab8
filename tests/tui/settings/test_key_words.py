"""Sentences name the keys of the user's keymap, and only keys of actions that there are."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import turnwise.tui
from turnwise.tui.actions import ACTIONS
from turnwise.tui.settings.keymap import action_of, fill_keys, key_of, key_while_typing, read_keymap

OWN = read_keymap({"library": {"score": ["f6", "S"]}, "criteria": {"save": "F"}}).table
SOURCES = sorted(Path(turnwise.tui.__path__[0]).rglob("*.py"))
ACTION_NAMES = {f"{place}.{action.name}" for place in ACTIONS for action in ACTIONS[place]}


def test_a_key_is_the_first_of_those_that_hold() -> None:
    assert key_of(ACTIONS, "library", "score") == "r"
    assert key_of(OWN, "library", "score") == "f6"
    assert key_of(ACTIONS, "library", "filter") == "/"


def test_while_one_types_it_is_the_first_that_types_nothing() -> None:
    assert key_while_typing(action_of(ACTIONS, "criteria", "save")) == "ctrl+s"
    assert key_while_typing(action_of(OWN, "criteria", "save")) == "F"


def test_words_are_filled_with_keys() -> None:
    assert fill_keys("{library.score} judges, {filter.complete} completes.", OWN) == (
        "f6 judges, tab completes."
    )
    assert fill_keys("No key here.", OWN) == "No key here."


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_action_that_words_name_is_there(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in calls:
        if getattr(call.func, "id", "") in ("key_of", "action_of"):
            place, name = (getattr(one, "value", None) for one in call.args[1:])
            # Else it is a variable, and whoever gives it a value is looked at.
            assert place is None or place in ACTIONS
            assert place is None or name is None or f"{place}.{name}" in ACTION_NAMES
    plain = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    for text in plain:
        # With two braces it is a place of a template.
        if isinstance(text, str) and "{{" not in text:
            fill_keys(text, ACTIONS)
