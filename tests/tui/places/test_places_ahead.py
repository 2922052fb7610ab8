"""Places that were made before anybody goes there open as others do, and show what is so by then."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any, cast

import pytest
from textual.events import Key
from textual.pilot import Pilot
from tui_driver import shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.made_later import steps_ahead
from turnwise.tui.places.place_screen import PlaceScreen

pytestmark = pytest.mark.usefixtures("steps_by_hand")

PLACES = {
    "2": ("overview.overview_screen", "OverviewScreen"),
    "3": ("queues.queues_screen", "QueuesScreen"),
    "4": ("failure_modes.failure_modes_screen", "FailureModesScreen"),
    "5": ("criteria.criteria_screen", "CriteriaScreen"),
    "6": ("agreement.agreement_screen", "AgreementScreen"),
    "7": ("runs.runs_screen", "RunsScreen"),
}
"""By the key that leads to each, its module and its class."""


@pytest.mark.parametrize("key", PLACES)
@pytest.mark.parametrize("size", [(160, 50), (80, 24)])
async def test_a_place_that_was_made_ahead_looks_as_one_that_was_not(
    filled: Store, key: str, size: tuple[int, int]
) -> None:
    filled.labels.add(1, "fail", author="Ada", blind=True, note="It forgets the order number.")
    filled.queues.add("by chance", [1, 2], sampler="random")
    seen: list[str] = []
    for ahead in (False, True):
        app = TurnwiseApp(filled)
        async with app.run_test(size=size) as pilot:
            await begin(app, pilot)
            made = await made_ahead(app, pilot, key) if ahead else None
            screen = await gone_to(app, pilot, key)
            assert (screen is made) is ahead
            await settled(app, pilot)
            seen.append(shown(app))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("key", PLACES)
@pytest.mark.parametrize("seconds", [0.0, 0.02])
async def test_an_app_that_ends_as_a_place_is_opened_ends_as_any_other(
    filled: Store, key: str, seconds: float
) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        app.post_message(Key(key, key))
        await asyncio.sleep(seconds)
        app.exit()
    # What went wrong in it would have been raised here.
    assert app.return_code == 0


async def test_a_place_shows_what_came_since_it_was_made(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        made = await made_ahead(app, pilot, "3")
        filled.queues.add("of today", [1, 2], sampler="random")
        await pilot.press("3")
        await until(pilot, lambda: app.screen is made and "of today" in shown(app))


async def test_the_next_visit_has_nothing_of_the_last_one(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        made = await made_ahead(app, pilot, "4")
        await pilot.press("4")
        await until(pilot, lambda: app.screen is made)
        await pilot.press("l", "1")
        await until(pilot, lambda: app.screen is app.library)
        following = await made_ahead(app, pilot, "4")
        assert following is not made
        assert not made.is_running


async def test_an_overview_of_a_filter_counts_its_sessions_alone(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        made = await made_ahead(app, pilot, "2")
        app.library.show_query("turns>1000")
        await until(pilot, lambda: app.library.asked == "turns>1000" and not app.library.list.count)
        await pilot.press("2")
        await until(pilot, lambda: isinstance(app.screen, kind("2")) and "turns>1000" in shown(app))
        assert app.screen is not made


async def gone_to(app: TurnwiseApp, pilot: Pilot[int], key: str) -> PlaceScreen[Any]:
    await pilot.press(key)
    await until(pilot, lambda: isinstance(app.screen, kind(key)))
    return cast("PlaceScreen[Any]", app.screen)


@pytest.mark.parametrize("key", ["1", *PLACES])
async def test_all_that_is_made_ahead_at_a_place_bears_another_size_and_is_not_opened_then(
    filled: Store, key: str
) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        if key != "1":
            await gone_to(app, pilot, key)
        for _ in steps_ahead(app, app.screen):
            await pilot.pause()
        await settled(app, pilot)
        there = app.screen
        await pilot.resize_terminal(80, 24)
        await settled(app, pilot)
        await pilot.press("question_mark")
        await until(pilot, lambda: app.screen is not there)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is there)


@pytest.mark.parametrize("key", PLACES)
async def test_the_top_line_of_a_place_made_ahead_counts_what_came_since(filled: Store, key: str) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(160, 50)) as pilot:
        await begin(app, pilot)
        await made_ahead(app, pilot, key)
        there = app.screen
        await pilot.press("question_mark")
        await until(pilot, lambda: app.screen is not there)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is there)
        filled.queues.add("by chance", [1, 2], sampler="random")
        app.places.count()
        await until(pilot, lambda: "3 Queues (1)" in shown(app))
        await gone_to(app, pilot, key)
        assert "3 Queues (1)" in shown(app)


def kind(key: str) -> type[PlaceScreen[Any]]:
    module, name = PLACES[key]
    return cast("type[PlaceScreen[Any]]", getattr(import_module(f"turnwise.tui.{module}"), name))


async def begin(app: TurnwiseApp, pilot: Pilot[int]) -> None:
    await until(pilot, lambda: "sessions" in shown(app) and app.library.list.count == 3)
    app.judge.take(None)
    await settled(app, pilot)


async def made_ahead(app: TurnwiseApp, pilot: Pilot[int], key: str) -> PlaceScreen[Any]:
    for _ in steps_ahead(app, app.screen):
        await pilot.pause()
    made = cast("PlaceScreen[Any]", app.get_screen(f"kept {kind(key).__name__}"))
    await until(pilot, lambda: made.is_mounted)
    await settled(app, pilot)
    return made


async def settled(app: TurnwiseApp, pilot: Pilot[int]) -> None:
    await app.workers.wait_for_complete()
    await pilot.pause(0.3)
