"""A screen that is taken away while a part of it is cancelled does not take the app with it."""

from __future__ import annotations

import asyncio

import pytest
from tui_driver import shown, until

from turnwise.tui.app.app import TurnwiseApp
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
