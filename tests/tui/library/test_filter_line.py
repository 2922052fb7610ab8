"""FilterLine: its sign tells whether keys are typed there."""

from __future__ import annotations

from textual.pilot import Pilot
from textual.widgets import Static
from tui_driver import settled

from turnwise.tui.app.app import TurnwiseApp


async def test_the_sign_stands_out_while_a_query_is_typed(app: TurnwiseApp) -> None:
    def bold(pilot: Pilot[int]) -> bool:
        return bool(pilot.app.screen.query_one(".filter--sign", Static).rich_style.bold)

    async with app.run_test(size=(100, 24)) as pilot:
        await settled(pilot)
        assert not bold(pilot)
        await pilot.press("slash", "u")
        assert bold(pilot)
        await pilot.press("escape")
        assert not bold(pilot)
