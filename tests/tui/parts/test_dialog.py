from __future__ import annotations

from tui_driver import until

from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.judging.score_dialog import ScoreDialog
from turnwise.tui.parts.key_line import KeyLine


async def test_what_was_told_before_does_not_stand_on_a_dialog(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.notify("told before")
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog))
        assert not list(app._notifications)


async def test_a_toast_leaves_the_two_lowest_lines_free(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.notify("a toast")
        await until(pilot, lambda: bool(app.screen.query("Toast")) and toast_bottom(app) > 0)
        assert toast_bottom(app) <= app.screen.query_one(KeyLine).region.y - 1


def toast_bottom(app: TurnwiseApp) -> int:
    return max(toast.region.bottom for toast in app.screen.query("Toast"))
