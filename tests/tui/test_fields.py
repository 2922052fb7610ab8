"""Keys that come into a field in one burst are answered in their order."""

from __future__ import annotations

import pytest
from textual.widgets import Input
from tui_driver import burst, sessions, shown, until

from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.message_editor import MessageEditor


@pytest.mark.parametrize(
    ("keys", "typed"),
    [
        (("backspace", "backspace", *"six"), "one tsix"),
        (("left", "left", *"XY"), "one tXYwo"),
        (("home", *"in ", "end", *"s"), "in one twos"),
        (("ctrl+u", *"new"), "new"),
    ],
)
async def test_letters_follow_the_keys_that_came_before_them(
    app: TurnwiseApp, keys: tuple[str, ...], typed: str
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: bool(sessions(app).count))
        burst(app, "slash", *"one two")
        field = app.screen.query(Input).first()
        await until(pilot, lambda: field.value == "one two")
        burst(app, *keys)
        await until(pilot, lambda: field.value == typed)


async def test_a_note_is_mended_in_the_order_of_the_keys_and_kept_whole(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: bool(sessions(app).count))
        await pilot.press("enter", "p", "c")
        await until(pilot, lambda: isinstance(app.focused, MessageEditor))
        burst(app, *"hello", "backspace", "backspace", *"p", "enter")
        await until(pilot, lambda: "help" in shown(app) and not isinstance(app.focused, MessageEditor))


async def test_a_key_that_a_field_has_no_use_for_is_the_screens(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: bool(sessions(app).count))
        before = sessions(app).cursor
        await pilot.press("slash")
        await pilot.press("down")
        await until(pilot, lambda: sessions(app).cursor != before or not isinstance(app.focused, Input))
