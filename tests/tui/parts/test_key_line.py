from __future__ import annotations

from itertools import pairwise
from typing import get_args

import pytest
from tui_driver import until

from turnwise.tui.actions import ACTIONS, Place, bindings, line_of_keys
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.key_line import KeyLine, as_typing, fitting

PLACES = get_args(Place)


@pytest.mark.parametrize("place", PLACES)
def test_the_line_drops_the_last_ranks_first_and_help_never(place: Place) -> None:
    actions = line_of_keys(place)
    lines = [fitting(actions, width) for width in range(300, 0, -1)]
    assert lines[0] == actions
    for wide, narrow in pairwise(lines):
        assert set(narrow) <= set(wide)
    if len(actions) > 1 and actions[-1].name == "help":
        assert all(line[-1].name == "help" for line in lines if len(line) > 1)


@pytest.mark.parametrize(
    ("place", "cells", "names"),
    [("talk", 68, {"start", "simulate", "cancel", "help"}), ("branches", 78, {"open", "back"})],
)
def test_what_leads_on_stands_in_the_line_at_80_columns(place: Place, cells: int, names: set[str]) -> None:
    assert names <= {action.name for action in fitting(line_of_keys(place), cells)}


@pytest.mark.parametrize("place", PLACES)
def test_no_key_of_a_screen_means_two_things(place: Place) -> None:
    keys = [key for action in ACTIONS[place] for key in action.keys]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("place", PLACES)
def test_every_action_has_words_and_a_binding(place: Place) -> None:
    assert all(action.title and action.help.endswith(".") for action in ACTIONS[place])
    # Of a numbered one each digit is bound by itself.
    wanted = sum(len(action.keys) if action.numbered else 1 for action in ACTIONS[place])
    assert len(bindings(place)) == wanted


def test_where_letters_type_an_action_shows_a_key_that_does_not() -> None:
    shown = {
        ("library", "score"): None,
        ("score", "tick"): None,
        ("queue", "metric"): None,
        ("pair", "next_pair"): None,
        ("everywhere", "help"): "f1",
        ("criteria", "try"): "ctrl+t",
        ("tags", "choice_down"): "↑ ↓",
        ("judge", "choose"): "enter 1-9",
    }
    for (place, name), key in shown.items():
        action = next(one for one in ACTIONS[place] if one.name == name)  # type: ignore[index]
        typing = as_typing(action)
        assert (typing.key_text if typing is not None else None) == key, (place, name)


async def test_a_line_whose_words_stay_costs_no_frame(app: TurnwiseApp) -> None:
    async with app.run_test() as pilot:
        await pilot.pause()
        line = app.screen.query_one(KeyLine)
        drawn: list[int] = []
        line.render_line = lambda y, draw=line.render_line: drawn.append(y) or draw(y)  # type: ignore[method-assign, misc, assignment, func-returns-value]
        app.screen.refresh_bindings()
        await pilot.pause()
        assert drawn == []
        line.refresh()
        await pilot.pause()
        assert drawn == [0]


async def test_the_line_stays_while_another_thing_to_act_on_is_being_read(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: bool(app.library.list.size))
        line = app.library.query_one(KeyLine)
        drawn: list[int] = []
        monkeypatch.setattr(line, "refresh", lambda: drawn.append(1))
        monkeypatch.setattr(app.library, "check_action", lambda *_: False)
        monkeypatch.setattr(app.library, "is_on_its_way", True, raising=False)
        line._follow()
        assert drawn == []
        monkeypatch.setattr(app.library, "is_on_its_way", False)
        line._follow()
        assert drawn == [1]
