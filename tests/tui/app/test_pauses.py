"""Pauses: garbage is collected where nobody presses a key, and a thread that computes gives way soon."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator

import pytest

from turnwise.tui.app import pauses
from turnwise.tui.app.app import TurnwiseApp


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    thresholds, switch = gc.get_threshold(), sys.getswitchinterval()
    yield
    gc.enable()
    gc.unfreeze()
    gc.set_threshold(*thresholds)
    sys.setswitchinterval(switch)


@pytest.fixture
def collected(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry for every time that all was collected, while there is much to collect."""
    calls: list[int] = []
    monkeypatch.setattr(pauses.gc, "get_count", lambda: (0, 0, pauses.LEAST_COLLECTIONS))
    monkeypatch.setattr(pauses.gc, "collect", lambda: calls.append(1))
    return calls


def test_garbage_is_collected_once_no_key_was_pressed_for_a_while(
    app: TurnwiseApp, collected: list[int]
) -> None:
    pauses.collect_if_still(lambda: app.heard_at)
    assert collected == []
    app.heard_at = time.monotonic() - pauses.SECONDS_STILL
    pauses.collect_if_still(lambda: app.heard_at)
    assert collected == [1]


def test_nothing_is_collected_where_there_is_hardly_anything(
    app: TurnwiseApp, collected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pauses.gc, "get_count", lambda: (0, 0, pauses.LEAST_COLLECTIONS - 1))
    app.heard_at = time.monotonic() - pauses.SECONDS_STILL
    pauses.collect_if_still(lambda: app.heard_at)
    assert collected == []


async def test_a_key_counts_as_heard_also_where_a_line_takes_it(app: TurnwiseApp) -> None:
    async with app.run_test() as pilot:
        for key in ("slash", "j"):
            app.heard_at = 0.0
            await pilot.press(key)
            assert app.heard_at > 0


async def test_the_collector_that_the_command_stopped_goes_on(app: TurnwiseApp) -> None:
    gc.disable()
    async with app.run_test() as pilot:
        await pilot.pause()
        assert gc.isenabled()
        assert gc.get_threshold() == pauses.THRESHOLDS
        assert sys.getswitchinterval() == pytest.approx(pauses.SWITCH_SECONDS)
