"""Keys that come in one go with the enter of a dialog are for what is in front once it has closed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input
from tui_driver import burst, sessions, until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.overview.overview_screen import OverviewScreen
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.textual_internals.asked import SECONDS_AFTER_CLOSING


def is_read(app: TurnwiseApp) -> bool:
    return isinstance(app.screen, LibraryScreen) and bool(sessions(app).count)


async def test_what_is_typed_after_a_command_of_the_palette_goes_to_the_line_that_it_opens(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: is_read(app))
        burst(app, "ctrl+p", *"filter", "enter", *"bagg")
        await until(pilot, lambda: is_read(app) and app.screen.query_one(Input).value == "bagg")


async def test_a_digit_after_a_command_of_the_palette_goes_on_from_there(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: is_read(app))
        burst(app, "ctrl+p", *"queues", "enter", "2")
        await until(pilot, lambda: isinstance(app.screen, OverviewScreen))
        assert len(app.screen_stack) == 2


async def test_keys_after_a_choice_are_for_the_list_below(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: is_read(app))
        burst(app, "o", "down", "down", "enter", "slash", *"bagg")
        await until(pilot, lambda: is_read(app) and app.screen.query_one(Input).value == "bagg")


async def test_keys_after_a_file_is_named_move_in_the_list_below(
    app: TurnwiseApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: is_read(app))
        burst(app, "e", "enter", "end")
        await until(pilot, lambda: is_read(app) and sessions(app).cursor == 2)
        await until(pilot, lambda: bool(list(tmp_path.iterdir())))


async def test_keys_after_a_queue_is_made_are_for_its_review(app: TurnwiseApp, filled: Store) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: is_read(app))
        burst(app, "Q", "enter", "escape", "3")
        await until(pilot, lambda: app.place == "queues")
        assert len(filled.queues.all()) == 1


@pytest.mark.parametrize("seconds", [0.0, 0.1])
async def test_keys_after_an_answer_are_for_what_its_worker_opens_next(
    app: TurnwiseApp, seconds: float
) -> None:
    ends: list[str | None] = []

    async def ask() -> None:
        for name in ("first", "second"):
            ends.append(await app.push_screen_wait(app.kept_dialogs.of(NamingDialog, name)))
            await asyncio.sleep(seconds)

    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: is_read(app))
        asking: Callable[[], Any] = ask
        app.run_worker(asking, group="ask")
        burst(app, *"one", "enter", *"two", "enter", "end")
        await until(pilot, lambda: is_read(app) and sessions(app).cursor == 2)
        assert ends == ["one", "two"]


async def test_what_goes_on_long_after_an_answer_holds_up_no_key_that_comes_later(app: TurnwiseApp) -> None:
    go_on = asyncio.Event()

    async def ask() -> None:
        await app.push_screen_wait(app.kept_dialogs.of(NamingDialog, "first"))
        await go_on.wait()

    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: is_read(app))
        asking: Callable[[], Any] = ask
        app.run_worker(asking, group="ask")
        burst(app, *"one", "enter", "down")
        await until(pilot, lambda: is_read(app) and sessions(app).cursor == 1)
        await pilot.pause(SECONDS_AFTER_CLOSING)
        begun = time.monotonic()
        burst(app, "end")
        await until(pilot, lambda: sessions(app).cursor == 2)
        assert time.monotonic() - begun < SECONDS_AFTER_CLOSING
        go_on.set()
