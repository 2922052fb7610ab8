"""NamingDialog: ends once, however often and fast enter is pressed."""

from __future__ import annotations

from textual.widgets import Input
from tui_driver import burst, until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.review.review_screen import ReviewScreen


async def test_a_second_enter_leaves_the_screen_below_where_it_is(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(ReviewScreen(1))
        given: list[str | None] = []
        await app.push_screen(NamingDialog("A name", name="Mia"), given.append)
        await until(pilot, lambda: app.screen.query_one(Input).has_focus)
        burst(app, "enter", "enter", "enter")
        await until(pilot, lambda: bool(given))
        await pilot.pause(0.1)
        assert given == ["Mia"]
        assert [type(screen).__name__ for screen in app.screen_stack] == ["LibraryScreen", "ReviewScreen"]
