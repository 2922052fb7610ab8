"""What holds on every screen: keys, errors and words."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from turnwise.tui.actions import Place, bindings
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.dialog import Dialog


class LateDialog(Dialog[None]):
    """A dialog whose parts take their time."""

    PLACE: ClassVar[Place] = "question"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("question"))

    async def _compose(self) -> None:
        await asyncio.sleep(0.1)
        await super()._compose()

    def compose(self) -> ComposeResult:
        yield Static(id="words")


async def test_a_key_waits_for_a_screen_that_is_only_just_opened(app: TurnwiseApp) -> None:
    async with app.run_test() as pilot:
        late = LateDialog()
        app.push_screen(late)
        await asyncio.sleep(0)
        assert not late.is_mounted
        await app.on_event(events.Key("x", "x"))
        assert late.is_mounted
        assert late.query("#words")
        await pilot.press("escape")
        assert len(app.screen_stack) == 1
