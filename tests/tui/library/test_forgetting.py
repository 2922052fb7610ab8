"""Sessions are forgotten in the library, after a question, and brought back."""

from __future__ import annotations

import gc

import pytest
from lock_holder import held
from textual.widgets import Input
from tui_driver import burst, sessions, shown, until, words_shown

from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.question_dialog import QuestionDialog

SIZES = [(80, 24), (160, 50)]


def told(app: TurnwiseApp) -> str:
    """What was told in passing, title and words."""
    return " ".join(f"{one.title} {one.message}" for one in app._notifications)


def asked(app: TurnwiseApp) -> bool:
    return isinstance(app.screen, QuestionDialog) and "Forget" in shown(app)


@pytest.mark.parametrize("size", SIZES)
async def test_one_is_forgotten_and_brought_back(app: TurnwiseApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: sessions(app).current is not None)
        row = sessions(app).current
        assert row is not None
        app.store.labels.add(row.id, "fail", author="ann", blind=True)
        await pilot.press("D")
        await until(pilot, lambda: asked(app))
        words = words_shown(app)
        assert f"Forget “{row.name}”?" in words
        assert "1 session with 1 label" in words
        assert "u brings it back until you leave turnwise; after that nothing does." in words
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 2)
        await until(
            pilot, lambda: "Forgotten: 1 session with 1 label. u in the library brings it back." in told(app)
        )
        assert row.id not in app.store.sessions
        assert "2 sessions" in shown(app)
        await pilot.press("u")
        await until(pilot, lambda: sessions(app).count == 3)
        await until(pilot, lambda: "Brought back: 1 session." in told(app))
        assert app.store.labels.of(row.id)


async def test_in_another_order_too_the_cursor_stays_with_its_session(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: sessions(app).current is not None)
        newest = sessions(app).current
        await pilot.press("O")
        await until(pilot, lambda: sessions(app).current is not None and sessions(app).current != newest)
        await pilot.press("space")
        await until(pilot, lambda: len(sessions(app).selection) == 1)
        row = sessions(app).current
        assert row is not None
        await pilot.press("D")
        await until(pilot, lambda: asked(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 2)
        now = sessions(app).current
        assert now is not None
        assert now.id == row.id


@pytest.mark.parametrize("keys", [("enter",), ("escape",)])
async def test_the_first_answer_keeps_it(app: TurnwiseApp, keys: tuple[str, ...]) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: sessions(app).current is not None)
        await pilot.press("D")
        await until(pilot, lambda: asked(app))
        await pilot.press(*keys)
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert app.store.sessions.count() == 3


async def test_a_key_that_comes_again_at_once_asks_once_and_warns_of_nothing(
    app: TurnwiseApp, recwarn: pytest.WarningsRecorder
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: sessions(app).current is not None)
        burst(app, "D", "D", "D")
        await until(pilot, lambda: asked(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
    gc.collect()
    assert not [one for one in recwarn if "never awaited" in str(one.message)]


async def test_the_selected_ones_are_forgotten_whatever_the_filter_finds(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("a")
        await until(pilot, lambda: "3 selected" in shown(app))
        await pilot.press("space", "slash")
        app.screen.query_one(Input).value = "baggage"
        await until(pilot, lambda: sessions(app).count == 1)
        await pilot.press("enter", "D")
        await until(pilot, lambda: asked(app))
        assert "Forget 2 sessions?" in words_shown(app)
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.store.sessions.count() == 1)
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and "selected" not in shown(app))
        await until(pilot, lambda: sessions(app).count == 0)
        await pilot.press("u")
        await until(pilot, lambda: app.store.sessions.count() == 3)
        await until(pilot, lambda: sessions(app).count == 1)


async def test_the_last_ones_leave_an_empty_library_that_says_what_next(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("a", "D")
        await until(pilot, lambda: asked(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: "No sessions yet." in shown(app) and "u bring back" in shown(app))
        await pilot.press("u")
        await until(pilot, lambda: sessions(app).count == 3)


async def test_what_cannot_be_written_is_told_and_nothing_is_lost(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwise.conversations.store.database.IMPATIENT_SECONDS", 0.05)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: sessions(app).current is not None)
        await pilot.press("D")
        await until(pilot, lambda: asked(app))
        with held(app.store.path):
            await pilot.press("down", "enter")
            await until(pilot, lambda: "in use by another program" in told(app))
        assert app.store.sessions.count() == 3


async def test_too_many_to_be_kept_are_told_to_be_gone_for_good(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwise.tui.library.many_sessions.MOST_BROUGHT_BACK", 1)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("a", "D")
        await until(pilot, lambda: asked(app))
        assert "They are too many to be brought back." in words_shown(app)
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.store.sessions.count() == 0)
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert not app.screen.check_action("undo", ())
