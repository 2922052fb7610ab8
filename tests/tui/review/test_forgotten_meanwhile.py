"""A session that is forgotten while it is read: every key is answered in words, and none ends the app."""

from __future__ import annotations

import pytest
from scored_sessions import add_outcomes, add_talk, retention
from tui_driver import shown, until

from turnwise.conversations.store import Store
from turnwise.tui.actions import ACTIONS
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.review.review_screen import ReviewScreen

_LEADS_AWAY = {"back", "suspend_process", "quit", "quit_soon"}
KEYS = [
    pytest.param(action.keys[0], id=action.name)
    for action in ACTIONS["review"]
    if action.name not in _LEADS_AWAY
]


@pytest.mark.parametrize("key", KEYS)
async def test_every_key_is_answered(store: Store, key: str) -> None:
    add_talk(store, name="Other")
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 30)) as pilot:
        await app.push_screen(ReviewScreen(session))
        await until(pilot, lambda: "said 4" in shown(app))
        store.forgetting.forget([session])
        for pressed in (key, "x", "enter", "escape", "escape"):
            await pilot.press(pressed)
            # A dialog waits in a worker of its own, so that there is nothing else to wait for.
            await pilot.pause(0.05)
        assert app.is_running
        assert app.return_code is None
