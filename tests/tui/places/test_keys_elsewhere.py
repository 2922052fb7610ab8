"""A key that means nothing on a screen says where it does something; one of nowhere says nothing."""

from __future__ import annotations

import pytest
from textual.widgets import Input
from tui_driver import press, shown, until

from turnwise.tui.actions import ACTIONS, Place
from turnwise.tui.actions.places import NUMBERED
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.places.keys_elsewhere import elsewhere_words


@pytest.mark.parametrize(
    ("here", "key", "words"),
    [
        ("library", "H", "H is “heat map” in Overview: 2, then H"),
        ("queues", "H", "H is “heat map” in Overview: 2, then H"),
        ("queues", "slash", "/ is “filter” in Library: 1, then /"),
        ("queues", "u", "u is “undo” in Library: 1, then u"),
        ("library", "p", "p is “pass” where a session is read: enter, then p"),
        ("runs", "p", "p is “pass” where a session is read"),
        # In a review digits give failure modes.
        ("review", "H", "H is “heat map” in Overview"),
        # It is one of nowhere, of this place, of all places, or only moves about.
        ("library", "f12", ""),
        ("library", "u", ""),
        ("library", "question_mark", ""),
        ("overview", "ctrl+d", ""),
        # What takes back, stops or leads somewhere is looked for nowhere else.
        ("overview", "x", ""),
        ("review", "9", ""),
        # The number of the place itself.
        ("overview", "2", ""),
    ],
)
def test_a_key_is_told_with_where_and_which_keys_lead_to_it(here: Place, key: str, words: str) -> None:
    assert elsewhere_words(ACTIONS, here, key) == words


@pytest.mark.parametrize("here", [one.place for one in NUMBERED])
def test_what_is_told_fits_a_line(here: Place) -> None:
    keys = {key for place in ACTIONS for action in ACTIONS[place] for key in action.keys}
    assert all(len(elsewhere_words(ACTIONS, here, key)) <= 77 for key in keys)


async def test_it_is_said_in_the_line_of_keys_and_keys_go_on(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await press(pilot, "H")
        await until(pilot, lambda: "H is “heat map” in Overview: 2, then H" in shown(app))
        await press(pilot, "2")
        await until(pilot, lambda: app.place == "overview" and "is “heat map”" not in shown(app))


async def test_nothing_is_said_where_one_types_or_of_a_dialog(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await press(pilot, "slash", "H")
        assert app.screen.query_one(Input).value == "H"
        await press(pilot, "escape")
        await pilot.press("o")
        await until(pilot, lambda: app.place == "sort")
        await pilot.press("H")
        await pilot.pause(0.1)
        assert app.place == "sort"
        assert "heat map" not in shown(app)
