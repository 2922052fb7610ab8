"""The line of places is on every numbered place; its digits and its words go there."""

from __future__ import annotations

import pytest
from stored import keep
from textual.widgets import Input
from tui_driver import press, shown, until

from turnwise.conversations.store import Store
from turnwise.tui.actions import ACTIONS
from turnwise.tui.actions.places import NUMBERED
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.going import OPENERS
from turnwise.tui.places.place_screen import PlaceScreen
from turnwise.tui.places.places_line import drawn_places
from turnwise.tui.queues.queue_dialog import QueueDialog


def at(app: TurnwiseApp, place: str) -> bool:
    return isinstance(app.screen, PlaceScreen) and app.place == place and app.screen.is_mounted


@pytest.mark.parametrize("one", NUMBERED, ids=lambda one: one.place)
def test_every_place_has_the_digits_of_all_others_and_a_screen(one) -> None:
    keys = {action.keys[0] for action in ACTIONS[one.place] if action.target == "places"}
    assert keys == {other.key for other in NUMBERED if other is not one}
    assert one.place == "library" or one.place in OPENERS


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=str)
async def test_digits_go_from_each_place_to_each_other_one(app: TurnwiseApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        for one in (*NUMBERED, *reversed(NUMBERED)):
            await press(pilot, one.key)
            await until(pilot, lambda place=one.place: at(app, place))
            first = shown(app).split("\n")[0]
            assert all(f"{other.number} {other.title}" in first for other in NUMBERED)
            # Nothing is heaped up below.
            assert len(app.screen_stack) <= 2
        await press(pilot, "6", "q")
        assert at(app, "library")


async def test_a_click_on_a_place_goes_there(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 24)) as pilot:
        await until(pilot, lambda: at(app, "library"))
        for one in (NUMBERED[-1], NUMBERED[0]):
            x = shown(app).split("\n")[0].index(one.title)
            await pilot.click(offset=(x, 0))
            await until(pilot, lambda place=one.place: at(app, place))


async def test_where_one_types_digits_are_typed(app: TurnwiseApp) -> None:
    async with app.run_test() as pilot:
        await press(pilot, "slash", "2", "4")
        assert app.screen.query_one(Input).value == "24"
        assert at(app, "library")


async def test_the_line_names_the_database_and_counts_what_is_there(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 24)) as pilot:
        await until(pilot, lambda: "1 Library (3)" in shown(app))
        assert shown(app).split("\n")[0].rstrip().endswith("turnwise.db")


async def test_in_a_narrow_window_the_library_names_the_database_beside_its_title(app: TurnwiseApp) -> None:
    name = app.store.path.name
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: f"Library   {name}" in shown(app))
        await pilot.resize_terminal(140, 30)
        await until(pilot, lambda: f"Library   {name}" not in shown(app))
        assert name in shown(app)


async def test_what_comes_in_while_the_app_is_open_is_counted(app: TurnwiseApp, store: Store) -> None:
    async with app.run_test(size=(120, 24)) as pilot:
        await until(pilot, lambda: "1 Library (3)" in shown(app))
        with Store.open(store.path) as other:
            keep(other, "one more")
            other.runs.finish(other.runs.begin(judge="judge-1", metrics=["honesty"]))
        await until(pilot, lambda: "1 Library (4)" in shown(app) and "7 Runs (1)" in shown(app))


async def test_it_counts_anew_where_one_comes_back_to(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 24)) as pilot:
        await until(pilot, lambda: "1 Library (3)" in shown(app))
        assert "3 Queues (" not in shown(app)
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(app.screen, QueueDialog))
        app.store.queues.add("by chance", [1, 2], sampler="random")
        await pilot.press("escape")
        await until(pilot, lambda: "3 Queues (1)" in shown(app))


def test_a_narrow_line_leaves_out_counts_brand_and_database_and_then_shortens() -> None:
    counts = {"library": 214}
    whole = drawn_places(200, counts, "airline.db")
    assert (whole.brand, whole.right, "1 Library (214)" in whole.words) == ("turnwise", "airline.db", True)
    close = drawn_places(whole.cells - 1, counts, "airline.db")
    assert (close.gap, close.words) == (2, whole.words)
    assert drawn_places(close.cells - 1, counts, "airline.db").words[0] == "1 Library"
    narrow = drawn_places(77, counts, "airline.db")
    assert (narrow.brand, narrow.right, narrow.words[0]) == ("", "", "1 Library")
    assert drawn_places(30, counts, "airline.db").words[0] == "1 Lib"


@pytest.mark.parametrize("width", range(20, 220, 7))
def test_what_fits_is_within_the_width(width: int) -> None:
    drawn = drawn_places(width, {"library": 100_000, "failure_modes": 12}, "a" * 90 + ".db")
    assert drawn.cells <= max(width, drawn_places(0, {}, "").cells)
