"""A comparison and a pair that were read ahead open as others do, and nobody has seen them until then."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from compared_runs import two_targets
from stored import keep
from textual.pilot import Pilot
from textual.screen import Screen
from tui_driver import shown, until

from turnwise.conversations.store import Store
from turnwise.engine.comparing.compare import RunComparison, compare
from turnwise.engine.comparing.sides import Side
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.made_later import read_next, steps_ahead
from turnwise.tui.compare import compare_screen
from turnwise.tui.compare.compare_screen import CompareScreen
from turnwise.tui.compare.pair_screen import PairScreen
from turnwise.tui.runs.runs_screen import RunsScreen

pytestmark = pytest.mark.usefixtures("steps_by_hand")

SIZES = [(160, 50), (80, 24)]
VALUES = [(0.9, 0.2), (0.4, 0.8), (0.6, 0.7), (0.5, 0.5)]


@pytest.mark.parametrize("size", SIZES)
async def test_what_was_read_ahead_looks_as_what_was_not(store: Store, size: tuple[int, int]) -> None:
    two_targets(store, VALUES)
    seen: list[list[str]] = []
    for ahead in (False, True):
        app = TurnwiseApp(store)
        async with app.run_test(size=size) as pilot:
            await went_to(app, pilot, "7", RunsScreen)
            made = await read_ahead(app, pilot, CompareScreen) if ahead else None
            screen = await went_to(app, pilot, "C", CompareScreen)
            assert (screen is made) is ahead
            pictures = [shown(app)]
            assert "4 cases in both" in pictures[0]
            made = await read_ahead(app, pilot, PairScreen) if ahead else None
            screen = await went_to(app, pilot, "enter", PairScreen)
            assert (screen is made) is ahead
            seen.append([*pictures, shown(app)])
    assert seen[0] == seen[1]


async def test_the_scores_of_a_pair_are_seen_once_it_is_opened(store: Store) -> None:
    two_targets(store, VALUES)
    # So many that in the library what has scores is out of sight.
    for number in range(40):
        keep(store, f"question {number}", "answer", name=f"talk {number}")
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        await went_to(app, pilot, "7", RunsScreen)
        before = [number for number in range(1, 9) if number in app.sights]
        await read_ahead(app, pilot, CompareScreen)
        assert [number for number in range(1, 9) if number in app.sights] == before
        await went_to(app, pilot, "C", CompareScreen)
        await until(
            pilot, lambda: len([number for number in range(1, 9) if number in app.sights]) > len(before)
        )


async def test_other_runs_than_were_expected_are_compared(store: Store) -> None:
    two_targets(store, VALUES)
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        await went_to(app, pilot, "7", RunsScreen)
        made = await read_ahead(app, pilot, CompareScreen)
        first, second = sorted(store.runs.all(), key=lambda run: run.id)
        screen = app.kept_dialogs.take(CompareScreen, (Side(second), Side(first)))
        app.push_screen(screen)
        assert screen is made
        await until(pilot, lambda: "A  run 2 · Bookings · two" in shown(app) and "✗ → ✓" in shown(app))


async def test_a_pair_is_read_again_where_something_was_written_since(store: Store) -> None:
    two_targets(store, VALUES)
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        await went_to(app, pilot, "7", RunsScreen)
        await went_to(app, pilot, "C", CompareScreen)
        made = await read_ahead(app, pilot, PairScreen)
        before = shown(app)
        store.queues.add("of today", [1], sampler="random")
        await went_to(app, pilot, "enter", PairScreen)
        assert app.screen is made
        assert shown(app) != before


async def test_the_same_runs_are_compared_again_only_where_what_is_read_of_them_has_changed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A label, a queue and another run are none of that; they may hide a pair, and change none."""
    two_targets(store, VALUES)
    compared: list[tuple[Side, Side]] = []

    def count(store: Store, a: Side, b: Side) -> RunComparison:
        compared.append((a, b))
        return compare(store, a, b)

    def label() -> None:
        store.labels.add(1, "pass", author="mia", blind=True)
        store.queues.add("of today", [1], sampler="random")

    monkeypatch.setattr(compare_screen, "compare", count)
    changes: list[tuple[Callable[[], object], str]] = [
        (lambda: None, "4 cases in both"),
        (label, "4 cases in both"),
        (lambda: store.forgetting.forget([2]), "3 cases in both"),
    ]
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        await went_to(app, pilot, "7", RunsScreen)
        for times, (change, says) in zip((1, 1, 2), changes, strict=True):
            change()
            await went_to(app, pilot, "C", CompareScreen)
            assert says in shown(app)
            assert len(compared) == times
            await went_to(app, pilot, "escape", RunsScreen)


async def went_to(app: TurnwiseApp, pilot: Pilot[int], key: str, kind: type[Screen[int]]) -> Screen[int]:
    await until(pilot, lambda: len(app.screen_stack) > 1 or "sessions" in shown(app))
    await pilot.press(key)
    await until(pilot, lambda: isinstance(app.screen, kind))
    screen = app.screen
    await app.workers.wait_for_complete()
    await pilot.pause(0.3)
    return screen


async def read_ahead(app: TurnwiseApp, pilot: Pilot[int], kind: type[Screen[int]]) -> Screen[int]:
    for _ in steps_ahead(app, app.screen):
        await pilot.pause()
    made = app.get_screen(f"kept {kind.__name__}")
    await until(pilot, lambda: made.is_mounted)
    for _ in range(2):
        while read_next(app, app.screen):
            await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause(0.1)
    return made
