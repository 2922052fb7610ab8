"""What the library's filter and order find, and what is said of it while it is typed."""

from __future__ import annotations

import sqlite3

import pytest
from textual.widgets import Input
from tui_driver import burst, current_name, sessions, shown, type_text, until

from turnwise.conversations.store import SessionOrder, Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.library.library_screen import LibraryScreen


async def test_the_list_follows_the_filter_while_it_is_typed(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("slash")
        await type_text(pilot, "baggage")
        await until(pilot, lambda: sessions(app).count == 1)
        assert isinstance(app.focused, Input)
        await until(pilot, lambda: "1 of " in shown(app))
        await pilot.press("enter")
        assert app.focused is sessions(app)
        assert current_name(app) == "Baggage for two"


async def test_what_comes_in_one_burst_after_the_slash_is_the_filter(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        burst(app, "slash", *"refundia", "backspace", "backspace", "enter")
        await until(pilot, lambda: sessions(app).count == 1)
        assert app.screen.query_one(Input).value == "refund"
        assert isinstance(app.screen, LibraryScreen)


async def test_a_wrong_filter_is_explained_under_it_and_the_list_stays(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("slash")
        app.screen.query_one(Input).value = "rolle:x"
        await until(pilot, lambda: "Did you mean role?" in shown(app))
        assert "   ▔▔▔▔▔▔▔ the filter does not know rolle." in shown(app)
        assert sessions(app).count == 3
        await pilot.press("escape")
        await until(pilot, lambda: "Did you mean role?" not in shown(app))


async def test_where_a_term_alone_leaves_nothing_it_is_told_and_what_the_others_find(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("slash", *"tag", "colon", *"airline zeppelin")
        await until(pilot, lambda: "It finds 3 without “zeppelin”." in shown(app))
        # What is typed on is another filter, of which nothing is told yet.
        await pilot.press(*"s x")
        await until(pilot, lambda: "zeppelins x" in shown(app) and "It finds" not in shown(app))


async def test_an_order_that_cannot_be_remembered_holds_for_this_sitting(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwise.conversations.store.database.IMPATIENT_SECONDS", 0.05)
    monkeypatch.setattr("turnwise.conversations.store.database.BUSY_SECONDS", 0.05)
    other = sqlite3.connect(filled.path, isolation_level=None)
    app = TurnwiseApp(filled)
    async with app.run_test(size=(100, 30)) as pilot:
        other.execute("BEGIN IMMEDIATE")
        assert await pilot.click(sessions(app), offset=(14, 0))
        await until(pilot, lambda: bool(app._notifications))
        assert app.is_running
        assert "name" in str(sessions(app).order)
        other.close()


async def test_a_filter_shows_its_best_match_and_without_it_one_goes_on_where_one_was(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("G", "slash")
        await type_text(pilot, "please")
        await until(pilot, lambda: "3 of " in shown(app))
        assert sessions(app).cursor == 0
        await pilot.press("enter", "G")
        last = current_name(app)
        await pilot.press("escape")
        await until(pilot, lambda: "3 of " not in shown(app))
        assert current_name(app) == last


async def test_another_order_is_looked_at_from_its_top(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("G")
        assert sessions(app).cursor == 2
        await pilot.press("O")
        await until(pilot, lambda: sessions(app).order is not None)
        await until(pilot, lambda: sessions(app).cursor == 0)


async def test_a_wrong_filter_leaves_what_the_list_shows_until_another_is_found(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        search = app.library.search
        app.library.show_query("baggage")
        # Asked for at once, and found a moment later.
        assert (search.query, search.is_shown) == ("", False)
        await until(pilot, lambda: search.is_shown)
        assert (search.query, sessions(app).count) == ("baggage", 1)
        app.library.show_query("rolle:x")
        await until(pilot, lambda: "the filter does not know rolle" in shown(app))
        assert (search.query, search.is_shown, sessions(app).count) == ("baggage", False, 1)
        app.library.show_query("")
        await until(pilot, lambda: search.is_shown and sessions(app).count == 3)


async def test_all_sessions_are_shown_at_once_whatever_the_filter_and_the_order(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        app.library.show_query("baggage")
        await pilot.press("O")
        await until(pilot, lambda: sessions(app).count == 1 and sessions(app).order is not None)
        app.library.search.show_all()
        assert (sessions(app).count, sessions(app).order, app.library.asked) == (3, SessionOrder(), "")
        assert app.screen.query_one(Input).value == ""
