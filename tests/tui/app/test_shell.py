"""What a screen hears of the app ends with the screen, and so does what is remembered of it."""

from __future__ import annotations

import asyncio
import gc
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
from textual._styles_cache import StylesCache
from textual.app import App
from textual.color import Color
from textual.screen import Screen
from textual.signal import Signal
from tui_driver import until

from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.shell.shell import Followers


async def test_a_screen_hears_what_it_follows_as_long_as_it_is_there() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        signal: Signal[str] = Signal(app, "news")
        followers, heard = Followers(lambda: app.screen_stack), list[str]()
        screen: Screen[None] = Screen()
        await app.push_screen(screen)
        followers.follow(screen, signal, heard.append)
        followers.let_go(())
        signal.publish("one")
        await pilot.pause()
        await app.pop_screen()
        followers.let_go(())
        signal.publish("two")
        await pilot.pause()
    assert heard == ["one"]


async def test_a_screen_that_was_kept_hears_the_last_of_what_it_missed_once_it_is_there_again() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        signal: Signal[str] = Signal(app, "news")
        followers, heard = Followers(lambda: app.screen_stack), list[str]()
        screen: Screen[None] = Screen()
        app.install_screen(screen, "kept")
        await app.push_screen("kept")
        followers.follow(screen, signal, heard.append)
        await app.pop_screen()
        followers.let_go([screen])
        signal.publish("one")
        signal.publish("two")
        await pilot.pause()
        assert heard == []
        await app.push_screen("kept")
        followers.let_go([screen])
        signal.publish("three")
        await pilot.pause()
    assert heard == ["two", "three"]


@pytest.mark.parametrize(
    ("key", "kind"), [("r", "ScoreDialog"), ("enter", "ReviewScreen"), ("5", "CriteriaScreen")]
)
async def test_screens_that_were_left_are_not_kept(app: TurnwiseApp, key: str, kind: str) -> None:
    left: weakref.WeakSet[Screen[object]] = weakref.WeakSet()
    # A worker of Textual stays, with its screen, in the thread that ran it until that runs another.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(max_workers=1))
    async with app.run_test(size=(120, 40)) as pilot:
        for _ in range(7):
            await pilot.press(key)
            await until(pilot, lambda: type(app.screen).__name__ == kind)
            await pilot.pause(0.2)
            left.add(app.screen)
            await pilot.press("escape")
            await until(pilot, lambda: len(app.screen_stack) == 1)
            await pilot.pause(0.2)
        gc.collect()
        # That thread holds one, and the context of what ran last may hold another.
        assert len(left) <= 2


async def test_what_was_drawn_of_a_dialog_is_forgotten_with_it(app: TurnwiseApp) -> None:
    async with app.run_test() as pilot:
        await pilot.press("question_mark")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        await pilot.pause(0.2)
        drawn = StylesCache()
        drawn.get_inner_outer(Color(0, 0, 0), Color(0, 0, 0))
        remembered = weakref.ref(drawn)
        del drawn
        assert remembered() is not None
        await pilot.press("escape")
        await until(pilot, lambda: remembered() is None)
