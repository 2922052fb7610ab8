from __future__ import annotations

import pytest
from tui_driver import shown, until

from turnwise.conversations.errors import SettingError
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.judging.score_dialog import ScoreDialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.settings.themes import THEMES


async def test_what_was_told_before_does_not_stand_on_a_dialog(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.notify("told before")
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog))
        assert not list(app._notifications)


async def test_a_toast_leaves_the_line_of_keys_free(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.notify("a toast")
        await until(pilot, lambda: bool(app.screen.query("Toast")) and toast_bottom(app) > 0)
        assert toast_bottom(app) <= app.screen.query_one(KeyLine).region.y


async def test_what_is_told_in_passing_takes_one_line_and_the_place_of_the_last(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        for text in ("first", "second", "second"):
            app.notify(text)
        await until(pilot, lambda: "second" in shown(app))
        assert [told.message for told in app._notifications] == ["second"]
        [toast] = app.screen.query("Toast")
        assert toast.region.height == 1


async def test_an_error_stays_beside_what_is_told_in_passing_and_equal_ones_are_one(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        for _ in range(3):
            app.tell_error(SettingError("It is wrong", detail="here"))
        app.notify("a note")
        await until(pilot, lambda: "a note" in shown(app))
        assert [told.message for told in app._notifications] == ["here", "a note"]


@pytest.mark.parametrize("theme", [one.name for one in THEMES])
async def test_a_dialog_has_an_edge_in_every_theme(app: TurnwiseApp, theme: str) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        app.theme = theme
        await pilot.press("o")
        await until(pilot, lambda: "\u256d" in shown(app) and "\u256f" in shown(app))


async def test_where_a_question_mark_is_typed_the_line_of_keys_names_the_other_key(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: "f1 help" in shown(app))
        assert "? help" not in shown(app).split("\n")[-2]


def toast_bottom(app: TurnwiseApp) -> int:
    return max(toast.region.bottom for toast in app.screen.query("Toast"))
