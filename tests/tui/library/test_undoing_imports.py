"""An import is taken back by the key for undo, in the library right after it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.notifications import Notification
from textual.pilot import Pilot
from textual.widgets import Input
from tui_driver import sessions, shown, until, words_shown

from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.commands import commands_of
from turnwise.tui.importing.import_dialog import ImportDialog
from turnwise.tui.importing.rejections import RejectionsScreen
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.question_dialog import QuestionDialog


@pytest.fixture(autouse=True)
def _notices_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what is told in passing stay until it is looked for, however long this machine takes to look."""
    monkeypatch.setattr(Notification, "has_expired", False)


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A file of three conversations that was not meant."""
    path = tmp_path / "wrong.jsonl"
    turns = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello to you"}]
    path.write_text("\n".join(json.dumps({"name": f"wrong {n}", "turns": turns[: n + 1]}) for n in range(2)))
    return path


def told(app: TurnwiseApp) -> str:
    """What was told in passing."""
    return " ".join(one.message for one in app._notifications)


async def bring_in(pilot: Pilot[int], path: Path) -> None:
    """Import a file by the dialog."""
    app = pilot.app
    assert isinstance(app, TurnwiseApp)
    await until(pilot, lambda: sessions(app).current is not None)
    await pilot.press("b")
    await until(pilot, lambda: isinstance(app.screen, ImportDialog))
    app.screen.query_one("#path", Input).value = str(path)
    # A tab in the line of the path would complete it.
    app.screen.query_one("#role", Input).focus()
    await pilot.press("enter")
    await until(pilot, lambda: not isinstance(app.screen, ImportDialog))


async def test_where_nothing_can_be_taken_back_the_key_says_so_and_where_labels_are(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: sessions(app).count == app.store.sessions.count() > 0)
        assert "undo" not in {one.title for one in commands_of(app, app, app.screen)}
        await pilot.press("u")
        # In a line.
        words = "There is no change to take back. Labels are taken back in their review."
        await until(pilot, lambda: words in shown(app))


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_what_came_in_goes_and_the_line_of_keys_says_how_where_it_has_room(
    app: TurnwiseApp, wrong: Path, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        before = app.store.sessions.count()
        await bring_in(pilot, wrong)
        await until(pilot, lambda: sessions(app).count == before + 2)
        words = "2 imported. u undoes it. The chatbot says nothing in 1 of them"
        await until(pilot, lambda: words in told(app))
        app.clear_notifications()
        # A narrow line has room for what is pressed all day; there the notice said it.
        await until(pilot, lambda: ("u undo import" in shown(app)) is (size[0] >= 160))
        await pilot.press("u")
        await until(pilot, lambda: sessions(app).count == before)
        await until(pilot, lambda: "Taken back: 2 sessions of wrong.jsonl." in told(app))
        await until(pilot, lambda: "undo import" not in shown(app))


async def test_a_role_that_an_import_gave_is_taken_back_too(app: TurnwiseApp, wrong: Path) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        before = app.store.sessions.count()
        await bring_in(pilot, wrong)
        await until(pilot, lambda: sessions(app).count == before + 2)
        app.clear_notifications()
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        app.screen.query_one("#path", Input).value = str(wrong)
        app.screen.query_one("#role", Input).value = "A clerk"
        app.screen.query_one("#role", Input).focus()
        await pilot.press("enter")
        await until(pilot, lambda: "0 imported, 2 given their role. u undoes it." in told(app))
        assert app.store.sessions.count("role:clerk") == 2
        await pilot.press("u")
        await until(
            pilot, lambda: "Taken back: the chatbot's role of 2 sessions of wrong.jsonl." in told(app)
        )
        assert app.store.sessions.count("role:clerk") == 0
        # Before it what came in first is taken back.
        await pilot.press("u")
        await until(pilot, lambda: sessions(app).count == before)


async def test_what_somebody_labelled_since_stays_and_is_asked_about(app: TurnwiseApp, wrong: Path) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        before = app.store.sessions.count()
        await bring_in(pilot, wrong)
        await until(pilot, lambda: sessions(app).count == before + 2)
        row = sessions(app).current
        assert row is not None
        app.store.labels.add(row.id, "fail", author="ann", blind=True)
        await pilot.press("u")
        await until(pilot, lambda: isinstance(app.screen, QuestionDialog))
        words = words_shown(app)
        assert "Take the import of wrong.jsonl back?" in words
        assert "1 session with no score and no label would go. 1 stays: 1 labelled since." in words
        # The first answer keeps all, and the key asks again.
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert app.store.sessions.count() == before + 2
        await pilot.press("u")
        await until(pilot, lambda: isinstance(app.screen, QuestionDialog) and "Take it back" in shown(app))
        await pilot.press("down", "enter")
        await until(
            pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == before + 1
        )
        await until(
            pilot,
            lambda: "Taken back: 1 session of wrong.jsonl. 1 stays: 1 labelled since." in told(app),
        )
        assert row.id in app.store.sessions


async def test_where_all_was_used_nothing_goes_and_it_says_why(app: TurnwiseApp, wrong: Path) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        before = app.store.sessions.count()
        await bring_in(pilot, wrong)
        await until(pilot, lambda: sessions(app).count == before + 2)
        app.store.tags.change(app.store.sessions.ids("source:wrong.jsonl"), give=["mine"])
        await pilot.press("u")
        nothing = "Nothing of wrong.jsonl was left to take back. 2 stay: 2 tagged since."
        await until(pilot, lambda: nothing in told(app))
        assert app.store.sessions.count() == before + 2


async def test_what_was_there_before_stays_and_is_told(app: TurnwiseApp, wrong: Path) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        before = app.store.sessions.count()
        await bring_in(pilot, wrong)
        await until(pilot, lambda: sessions(app).count == before + 2)
        first = wrong.read_text().splitlines()[0]
        more = wrong.with_name("more.jsonl")
        more.write_text(f"{first}\n{first.replace('Hello', 'Good day')}\n")
        await bring_in(pilot, more)
        await until(pilot, lambda: sessions(app).count == before + 3)
        await pilot.press("u")
        await until(pilot, lambda: sessions(app).count == before + 2)
        await until(
            pilot, lambda: "Taken back: 1 session of more.jsonl. 1 stays: 1 there before." in told(app)
        )
        # The import before it comes next.
        await pilot.press("u")
        await until(pilot, lambda: sessions(app).count == before)


async def test_a_screen_that_tells_of_many_files_says_so_too(app: TurnwiseApp, wrong: Path) -> None:
    wrong.with_name("second.jsonl").write_text(wrong.read_text().replace("Hello", "Good day"))
    async with app.run_test(size=(80, 24)) as pilot:
        before = app.store.sessions.count()
        await bring_in(pilot, wrong.parent)
        await until(pilot, lambda: isinstance(app.screen, RejectionsScreen))
        assert "u in the library undoes it." in shown(app)
        await pilot.press("escape")
        await until(
            pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == before + 4
        )
        await pilot.press("u")
        await until(pilot, lambda: sessions(app).count == before)
        await until(pilot, lambda: "and 1 more file." in told(app))


async def test_an_import_that_brought_nothing_new_is_nothing_to_undo(app: TurnwiseApp, wrong: Path) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        before = app.store.sessions.count()
        await bring_in(pilot, wrong)
        await until(pilot, lambda: sessions(app).count == before + 2)
        app.clear_notifications()
        await bring_in(pilot, wrong)
        await until(pilot, lambda: "0 imported, 2 there already." in told(app))
        assert "undoes it" not in told(app)
