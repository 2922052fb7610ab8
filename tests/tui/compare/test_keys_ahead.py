"""Keys that are typed ahead of a comparison or of its dialogs are for these, however long they take."""

from __future__ import annotations

import threading
import time

import pytest
from compared_runs import a_run, judged
from stored import keep
from tui_driver import burst, sessions, shown, until

from turnwise.conversations.store import Store
from turnwise.engine.comparing.compare import compare
from turnwise.tui.app import keys_in_turn
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.compare import choose_run_dialog, compare_screen
from turnwise.tui.compare.choose_run_dialog import ChooseRunDialog, OfferedSide, offered_sides
from turnwise.tui.compare.compare_screen import CompareScreen
from turnwise.tui.compare.pair_screen import PairScreen
from turnwise.tui.library.library_screen import LibraryScreen

SECONDS = 0.2


@pytest.fixture
def app(store: Store) -> TurnwiseApp:
    """The app on three runs of the same three sessions."""
    ids = [keep(store, name=f"talk {number}") for number in range(3)]
    for run in range(3):
        a_run(store, [(one, judged(0.9 - 0.2 * run - 0.1 * place)) for place, one in enumerate(ids)])
    return TurnwiseApp(store)


@pytest.fixture
def _slow(monkeypatch: pytest.MonkeyPatch) -> None:
    def offered_slowly(store: Store) -> list[OfferedSide]:
        time.sleep(SECONDS)
        return offered_sides(store)

    def compare_slowly(*asked):
        time.sleep(SECONDS)
        return compare(*asked)

    monkeypatch.setattr(choose_run_dialog, "offered_sides", offered_slowly)
    monkeypatch.setattr(compare_screen, "compare", compare_slowly)


def is_read(app: TurnwiseApp) -> bool:
    return isinstance(app.screen, LibraryScreen) and bool(sessions(app).count)


@pytest.mark.usefixtures("_slow")
async def test_keys_after_the_one_that_chooses_a_run_are_for_its_dialog(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: is_read(app))
        burst(app, "C", "A", "end", "enter")
        await until(pilot, lambda: "A  run 1 " in shown(app) and "B  run 3 " in shown(app))
        assert isinstance(app.screen, CompareScreen)
        burst(app, "B", "down", "enter")
        await until(pilot, lambda: "A  run 1 " in shown(app) and "B  run 2 " in shown(app))
        assert isinstance(app.screen, CompareScreen)


@pytest.mark.usefixtures("_slow")
async def test_keys_ahead_of_a_comparison_open_a_pair_of_that_comparison(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: is_read(app))
        burst(app, "C", "end", "enter")
        await until(pilot, lambda: isinstance(app.screen, PairScreen))
        assert "3 of 3" in shown(app)
        burst(app, "escape", "A", "end", "enter")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen) and "comparing …" in shown(app))
        burst(app, "end", "enter")
        await until(pilot, lambda: isinstance(app.screen, PairScreen) and "run 1" in shown(app))
        assert "3 of 3" in shown(app)


async def test_escape_waits_for_no_comparison(app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    def compare_at_last(*asked):
        go_on.wait(60)
        return compare(*asked)

    monkeypatch.setattr(compare_screen, "compare", compare_at_last)
    # Longer than the test itself waits for anything.
    monkeypatch.setattr(keys_in_turn, "SECONDS_TO_OPEN", 60.0)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: is_read(app))
        burst(app, "C", "escape", "down")
        await until(pilot, lambda: is_read(app) and sessions(app).cursor == 1)
        assert not go_on.is_set()
        go_on.set()


async def test_only_one_key_waits_for_what_takes_too_long(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def offer_at_last(store: Store) -> list[OfferedSide]:
        go_on.wait(10)
        return offered_sides(store)

    monkeypatch.setattr(choose_run_dialog, "offered_sides", offer_at_last)
    monkeypatch.setattr(keys_in_turn, "SECONDS_TO_OPEN", 0.5)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: is_read(app))
        burst(app, "C", "A")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen))
        begun = time.monotonic()
        burst(app, *["down", "up"] * 5, "down")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen) and app.screen.list.cursor == 1)
        assert 0.3 < time.monotonic() - begun < 2
        go_on.set()
        await until(pilot, lambda: isinstance(app.screen, ChooseRunDialog))
