"""Keys that come in one burst are each for what the one before has opened, and for nothing else."""

from __future__ import annotations

import pytest
from textual.widgets import Input
from tui_driver import burst, until

from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.review.review_screen import ReviewScreen


async def test_what_a_line_takes_is_typed_into_it_and_no_key_of_the_screen(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count)
        burst(app, "slash", "j", "o")
        await until(pilot, lambda: app.screen.query_one(Input).value == "jo")
        assert isinstance(app.screen, LibraryScreen)


@pytest.mark.parametrize("first", ["1", "2", "3", "4", "5", "7"])
async def test_a_key_of_a_burst_that_means_nothing_in_a_place_is_not_one_of_the_library_below(
    app: TurnwiseApp, first: str
) -> None:
    """In Agreement no judge is chosen; in the library, to which escape leads, the same key chooses one."""
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count)
        await pilot.press(first)
        await pilot.pause()
        burst(app, "6", "L", "escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        await pilot.pause(0.2)
        assert isinstance(app.screen, LibraryScreen)


async def test_escape_in_a_burst_closes_the_dialog_that_the_key_before_it_opens(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count)
        burst(app, "L", "escape")
        await pilot.pause(0.2)
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        await pilot.pause(0.2)
        assert isinstance(app.screen, LibraryScreen)


@pytest.mark.parametrize("seconds", [0.0, 1.0])
async def test_a_key_after_the_enter_of_a_list_is_for_what_that_opens(
    app: TurnwiseApp, seconds: float
) -> None:
    """With time a review of the first session is made ahead, and shown: it knows what stands around that."""
    last = app.store.sessions.ids()[-1]
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count)
        await pilot.pause(seconds)
        burst(app, "j", "enter", "J")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and app.screen.session_id == last)
