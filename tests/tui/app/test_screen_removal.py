"""What the app does while a screen is taken away."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tui_driver import shown, until

from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.made_later import steps_ahead
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.queues.queues_screen import QueuesScreen


async def test_the_app_goes_on_where_a_part_of_a_screen_was_cancelled_as_it_went(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("3")
        await until(pilot, lambda: isinstance(app.screen, QueuesScreen))
        remove = QueuesScreen.remove

        async def remove_with_a_cancelled_part(screen: QueuesScreen) -> None:
            await remove(screen)
            raise asyncio.CancelledError

        monkeypatch.setattr(QueuesScreen, "remove", remove_with_a_cancelled_part)
        await pilot.press("2")
        await until(pilot, lambda: app.place == "overview")
        await pilot.press("1")
        await until(pilot, lambda: "Baggage for two" in shown(app))
        assert app._task is not None
        assert not app._task.done()


async def test_nothing_is_laid_out_anew_once_a_screen_has_gone(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        # What is made ahead for the first time has all styles looked up anew, and all laid out.
        for _ in steps_ahead(app, app.screen):
            await pilot.pause()
        await pilot.press("3")
        await until(pilot, lambda: isinstance(app.screen, QueuesScreen))
        gone = app.screen
        laid_out: list[str] = []
        usual = LibraryScreen._refresh_layout

        def lay_out(screen: LibraryScreen, *args: Any, **options: Any) -> None:
            laid_out.append(type(screen).__name__)
            usual(screen, *args, **options)

        await pilot.press("1")
        await until(pilot, lambda: app.screen is app.library)
        monkeypatch.setattr(LibraryScreen, "_refresh_layout", lay_out)
        await until(pilot, lambda: not gone.is_running)
        await pilot.pause(0.2)
        assert laid_out == []
