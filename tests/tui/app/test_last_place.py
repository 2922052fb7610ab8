"""Where one was is offered the next time, and nobody is sent there unasked."""

from __future__ import annotations

import time
from typing import Any

from textual.screen import Screen
from tui_driver import current_name, until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import Opening, TurnwiseApp
from turnwise.tui.app.last_place import LastPlace, keep_place, kept_place
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.runs.runs_screen import RunsScreen


def in_library(app: TurnwiseApp) -> bool:
    return isinstance(app.screen, LibraryScreen) and bool(app.screen.list.count)


def offered(app: TurnwiseApp, words: str) -> bool:
    return any(words in note.message for note in app._notifications)


async def left_after(store: Store, *keys: str, at: type[Screen[Any]] = LibraryScreen) -> TurnwiseApp:
    """Leave the app after these keys, which lead to a screen, and return one that is opened anew."""
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: in_library(app))
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.2)
        await until(pilot, lambda: isinstance(app.screen, at))
        await pilot.press("ctrl+q", "ctrl+q")
    return TurnwiseApp(store)


async def test_the_session_that_was_read_is_offered_and_one_key_goes_there(filled: Store) -> None:
    app = await left_after(filled, "j", "enter", at=ReviewScreen)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: offered(app, "Last time you were reading"))
        assert isinstance(app.screen, LibraryScreen)
        await pilot.press("backspace")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        assert app.screen.session_id == 2  # type: ignore[attr-defined]


async def test_a_place_is_offered_by_its_name(filled: Store) -> None:
    app = await left_after(filled, "7", at=RunsScreen)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: offered(app, "Last time you were in Runs"))
        await pilot.press("backspace")
        await until(pilot, lambda: isinstance(app.screen, RunsScreen))


async def test_the_row_of_the_library_is_found_again(filled: Store) -> None:
    app = await left_after(filled, "j", "j")
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: in_library(app) and offered(app, "Last time you were at"))
        first = current_name(app)
        await pilot.press("backspace")
        await until(pilot, lambda: current_name(app) != first)


async def test_who_left_at_the_start_is_offered_nothing(filled: Store) -> None:
    await left_after(filled)
    assert kept_place(filled) is None


def test_a_session_that_is_gone_is_not_named(store: Store) -> None:
    keep_place(store, LastPlace("review", 99))
    place = kept_place(store)
    assert place is not None
    assert place.words(store) == ""


def test_what_means_nothing_is_as_good_as_nothing(store: Store) -> None:
    store.remembered.keep("last place", {"place": "nowhere"})
    assert kept_place(store) is None


async def test_a_run_that_was_left_before_its_end_is_told_of_with_the_key_that_goes_there(
    filled: Store,
) -> None:
    run = filled.runs.begin(judge="judge-1", metrics=["honesty"])
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: offered(app, f"Run {run} is not finished: 7 shows what is left of it."))
    filled.runs.finish(run)
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: in_library(app))
        assert not offered(app, "is not finished")


async def test_all_of_it_is_offered_where_the_app_tells_the_command_that_it_took_the_terminal(
    filled: Store,
) -> None:
    keep_place(filled, LastPlace("runs"))
    run = filled.runs.begin(judge="judge-1", metrics=["honesty"])
    app = TurnwiseApp(filled, Opening(begun=lambda: True))
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: offered(app, "Last time you were in Runs"))
        assert offered(app, f"Run {run} is not finished")


async def test_a_run_of_long_ago_is_left_for_good(filled: Store) -> None:
    filled.runs.begin(judge="judge-1", metrics=["honesty"])
    assert filled.runs.left_since(time.time() + 1) is None
