"""Reading for a screen: in a thread, one thing at a time, and of what is asked in a row only the newest."""

from __future__ import annotations

import threading

import pytest
from textual.app import App
from textual.screen import Screen

from turnwise.tui.parts.newest_reading import NewestReading, hand_over


async def test_what_was_read_is_taken_on_the_loop() -> None:
    taken: list[str] = []
    app: App[None] = App()
    async with app.run_test() as pilot:
        here = threading.current_thread()

        def read() -> str:
            assert threading.current_thread() is not here
            return "read"

        def take(found: str) -> None:
            assert threading.current_thread() is here
            taken.append(found)

        NewestReading(app).ask(read, take)
        await pilot.app.workers.wait_for_complete()
    assert taken == ["read"]


async def test_of_what_is_asked_meanwhile_only_the_newest_is_read_and_taken() -> None:
    begun, go_on = threading.Event(), threading.Event()
    read: list[int] = []
    taken: list[int] = []
    app: App[None] = App()
    async with app.run_test() as pilot:
        reading = NewestReading(app)

        def slow() -> int:
            begun.set()
            assert go_on.wait(10)
            return 0

        reading.ask(slow, taken.append)
        while not begun.is_set():
            await pilot.pause()

        def asked(number: int) -> None:
            def note() -> int:
                read.append(number)
                return number

            reading.ask(note, taken.append)

        for number in (1, 2, 3):
            asked(number)
        go_on.set()
        await pilot.app.workers.wait_for_complete()
    assert (read, taken) == ([3], [3])


async def test_what_was_dropped_is_not_taken_and_what_is_asked_after_is() -> None:
    begun, go_on = threading.Event(), threading.Event()
    taken: list[str] = []
    app: App[None] = App()
    async with app.run_test() as pilot:
        reading = NewestReading(app)

        def slow() -> str:
            begun.set()
            assert go_on.wait(10)
            return "late"

        reading.ask(slow, taken.append)
        while not begun.is_set():
            await pilot.pause()
        reading.drop()
        go_on.set()
        await pilot.app.workers.wait_for_complete()
        assert taken == []
        reading.ask(lambda: "new", taken.append)
        await pilot.app.workers.wait_for_complete()
    assert taken == ["new"]


@pytest.mark.parametrize("way", ["reading", "thread"])
async def test_a_screen_that_has_gone_takes_nothing(way: str) -> None:
    """Its parts are no longer there, and looking for them would end the app with a traceback."""
    begun, go_on, over = threading.Event(), threading.Event(), threading.Event()
    taken: list[str] = []
    app: App[None] = App()
    async with app.run_test() as pilot:
        screen: Screen[None] = Screen()
        await app.push_screen(screen)

        def slow() -> str:
            begun.set()
            assert go_on.wait(10)
            return "late"

        def in_a_thread() -> None:
            hand_over(screen, taken.append, slow())
            over.set()

        if way == "reading":
            NewestReading(screen).ask(slow, taken.append)
        else:
            app.call_later(app.run_worker, in_a_thread, thread=True)
        while not begun.is_set():
            await pilot.pause()
        leaving = app.pop_screen()
        go_on.set()
        await leaving
        await pilot.app.workers.wait_for_complete()
        assert way == "reading" or over.is_set()
    assert taken == []
