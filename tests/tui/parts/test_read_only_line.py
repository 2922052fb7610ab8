"""A database that can be read only is told on every screen, from the start."""

from __future__ import annotations

import os

import pytest
from tui_driver import shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.read_only_line import ReadOnlyLine


@pytest.mark.parametrize(
    ("size", "words"),
    [
        ((80, 24), "Nothing is kept: the database is read-only. Open a copy: turnwise --db COPY"),
        ((160, 50), "turnwise.db or its folder cannot be written. Take permission to write both, or copy"),
    ],
)
async def test_every_screen_says_that_nothing_is_kept(
    filled: Store, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], words: str
) -> None:
    filled.close()
    # Whoever runs the tests may be allowed to write everything.
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK)
    with Store.open(filled.path) as store:
        app = TurnwiseApp(store)
        app.judge.chosen = True
        async with app.run_test(size=size) as pilot:
            for keys, seen in (("", "enter review"), ("enter", "f fail"), ("escape", "enter review")):
                if keys:
                    await pilot.press(keys)
                await until(pilot, lambda seen=seen: seen in shown(app) and words in shown(app))


async def test_one_that_can_be_written_has_no_such_line(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "enter review" in shown(app))
        assert not app.screen.query(ReadOnlyLine)
