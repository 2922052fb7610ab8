"""NamingDialog: ends once, and asks the next time with nothing of the last one."""

from __future__ import annotations

from textual.widgets import Input
from tui_driver import burst, until, words_shown

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.review.review_screen import ReviewScreen


async def test_a_second_enter_leaves_the_screen_below_where_it_is(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(ReviewScreen(1))
        given: list[str | None] = []
        dialog = app.kept_dialogs.of(NamingDialog, "A name", name="Mia")
        await app.push_screen(dialog, given.append)
        await until(pilot, lambda: app.screen.query_one(Input).has_focus)
        burst(app, "enter", "enter", "enter")
        await until(pilot, lambda: bool(given))
        await pilot.pause(0.1)
        assert given == ["Mia"]
        assert [type(screen).__name__ for screen in app.screen_stack] == ["LibraryScreen", "ReviewScreen"]


async def test_what_is_asked_next_has_nothing_of_what_was_asked_before(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        kept = app.kept_dialogs
        for _ in kept.make(NamingDialog, lambda one: one.begin("", what="a path", wrong="It failed.")):
            await pilot.pause()
        first = kept.of(NamingDialog, "A name", "It is kept.", "Mia", does="write", wrong="It is taken.")
        given: list[str | None] = []
        app.push_screen(first, given.append)
        await until(pilot, lambda: app.screen is first and "It is kept." in words_shown(app))
        field = first.query_one(Input)
        assert "It is taken." in words_shown(app)
        assert "enter write" in words_shown(app)
        await until(pilot, lambda: field.has_focus)
        # What stands there is replaced by what is typed.
        await pilot.press(*"Bo", "enter")
        assert given == ["Bo"]
        second = kept.of(NamingDialog, "A path", what="a path")
        assert second is first
        app.push_screen(second, given.append)
        await until(pilot, lambda: "A path" in words_shown(app))
        for gone in ("A name", "It is kept.", "It is taken.", "It failed.", "enter write", "Bo"):
            assert gone not in words_shown(app)
        assert (field.value, field.placeholder) == ("", "(path)")
        await pilot.press("enter")
        await until(pilot, lambda: "Type a path first." in words_shown(app))
        await pilot.press("escape")
        third = kept.of(NamingDialog, "Another", name="Zoe")
        app.push_screen(third, given.append)
        await until(pilot, lambda: "Zoe" in words_shown(app))
        assert "Type a path first." not in words_shown(app)
        await pilot.press("x", "enter")
        assert given == ["Bo", None, "x"]
