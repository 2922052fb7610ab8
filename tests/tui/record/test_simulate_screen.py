"""The simulation screen: scenarios of a file are played, and what comes of each shows as it ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from judge_server import JudgeServer, Step, refuses, says
from textual.pilot import Pilot
from textual.widgets import Input
from tui_driver import shown, until, words_shown

from turnwise.conversations import scenarios
from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.notice import Notice
from turnwise.tui.record.simulate_dialog import SimulateDialog
from turnwise.tui.record.simulate_screen import SimulateScreen
from turnwise.tui.review.review_screen import ReviewScreen

SCRIPTS = """
role: A pool's information desk
scenarios:
  - {name: Hours, script: [When do you open?, Thank you.]}
  - {name: Prices, script: [What does it cost?]}
  - {name: Sunday, script: [And on Sunday?]}
"""


SLOWLY: Step = says("From eight to six.")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    (work / "pool.yaml").write_text(SCRIPTS)
    (work / "notes.txt").write_text("no scenarios")
    monkeypatch.chdir(work)
    return work


@asynccontextmanager
async def asking(
    store: Store, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[TurnwiseApp, Pilot[int]]]:
    """The app with the dialog open, as f2 in the library opens it."""
    app = TurnwiseApp(store)
    async with app.run_test(size=size) as pilot:
        await press(pilot, "f2")
        await until(pilot, lambda: isinstance(app.screen, SimulateDialog))
        yield app, pilot


async def test_where_no_file_of_scenarios_is_and_nothing_is_typed_the_dialog_says_so(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with asking(store) as (app, pilot):
        await until(pilot, lambda: "no file of scenarios in " in shown(app))
        await press(pilot, *"zz")
        await until(pilot, lambda: "no folder or file of scenarios begins like this" in shown(app))
        (tmp_path / "empty").mkdir()
        write(app, path="empty/")
        await until(pilot, lambda: "no file of scenarios in empty/" in shown(app))


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_the_key_that_begins_is_told_before_a_file_is_named_and_after(
    store: Store, folder: Path, size: tuple[int, int]
) -> None:
    async with asking(store, size) as (app, pilot):
        await until(
            pilot,
            lambda: "enter chooses a file of scenarios, and pressed again plays them." in words_shown(app),
        )
        await press(pilot, *"po", "tab")
        await until(pilot, lambda: "enter plays the scenarios of this file." in words_shown(app))


def line_of_keys(app: TurnwiseApp) -> str:
    return app.screen.query_one(KeyLine).render_line(0).text.strip()


async def test_the_line_of_keys_says_what_enter_and_tab_do_here(store: Store, folder: Path) -> None:
    (folder / "more").mkdir()
    async with asking(store) as (app, pilot):
        await until(pilot, lambda: line_of_keys(app).startswith("enter open folder   tab next field"))
        await press(pilot, "down")
        await until(pilot, lambda: line_of_keys(app).startswith("enter choose file"))
        await press(pilot, *"po")
        await until(pilot, lambda: line_of_keys(app).startswith("enter choose file   tab complete"))
        await press(pilot, "tab")
        await until(pilot, lambda: line_of_keys(app).startswith("enter play   tab next field"))
        await press(pilot, "tab")
        assert app.focused is app.screen.query_one("#target")
        assert line_of_keys(app).startswith("enter play   tab next field")


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_from_another_line_a_folder_is_told_to_be_one_and_a_file_of_it_can_be_chosen(
    store: Store, folder: Path, size: tuple[int, int]
) -> None:
    (folder / "more").mkdir()
    (folder / "more" / "deep.yaml").write_text(SCRIPTS)
    async with asking(store, size) as (app, pilot):
        for typed, why in (
            ("", "No file of scenarios is named yet: choose one."),
            ("more/", "more/ is a folder: choose a file of scenarios in it."),
            ("none.yaml", "There is no file none.yaml."),
        ):
            write(app, path=typed)
            app.screen.set_focus(app.screen.query_one("#target", Input))
            await until(pilot, lambda: line_of_keys(app).startswith("enter choose file"))
            await press(pilot, "enter")
            await until(pilot, lambda why=why: why in words_shown(app))  # type: ignore[misc]
            assert app.focused is app.screen.query_one("#path")
        write(app, path="more/")
        await press(pilot, "enter")
        assert app.screen.query_one("#path", Input).value == "more/deep.yaml"


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys; a dialog is waited for by a task, which does not end while it is open."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause(0.05)


def told(app: TurnwiseApp) -> str:
    """What was said in passing."""
    return "\n".join(one.message for one in app._notifications)


def write(app: TurnwiseApp, **lines: str) -> None:
    for name, text in lines.items():
        app.screen.query_one(f"#{name}", Input).value = text


async def played(app: TurnwiseApp, pilot: Pilot[int]) -> SimulateScreen:
    """Begin, and wait for the end."""
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(app.screen, SimulateScreen))
    screen = app.screen
    assert isinstance(screen, SimulateScreen)
    await until(pilot, lambda: screen._stop is None and bool(screen.query_one(Notice).display))
    await pilot.pause()
    return screen


async def test_scenarios_of_a_file_become_sessions_that_are_read_from_there(
    filled: Store, folder: Path, judge_server: JudgeServer
) -> None:
    judge_server.default = says("From eight to six.")
    async with asking(filled) as (app, pilot):
        assert "pool.yaml" in shown(app)
        assert "notes.txt" not in shown(app)
        write(app, path="pool.yaml", target=f"{judge_server.url}#m")
        await played(app, pilot)
        assert "3 of 3 conversations" in shown(app)
        assert "3 ended." in shown(app)
        assert shown(app).count("✓") == 3
        await press(pilot, "enter")
        assert isinstance(app.screen, ReviewScreen)
        assert "When do you open?" in shown(app)
    assert filled.sessions.count() == 6
    hours = filled.sessions.case(filled.sessions.ids("Hours")[0])
    assert [turn.content for turn in hours.turns if turn.role == "user"] == [
        "When do you open?",
        "Thank you.",
    ]


async def test_whoever_failed_is_named_and_n_goes_there(
    store: Store, folder: Path, judge_server: JudgeServer
) -> None:
    judge_server.default = lambda request: (
        refuses(400, "no prices here") if "cost" in request.text else says("From eight to six.")
    )
    async with asking(store) as (app, pilot):
        write(app, path="pool.yaml", target=f"{judge_server.url}#m")
        screen = await played(app, pilot)
        assert "chatbot failed" in shown(app)
        assert "1 conversation failed" in shown(app)
        await press(pilot, "n")
        assert screen.table.cursor == 1
        assert "no prices here" in shown(app)
        await press(pilot, "N")
        assert "Nobody failed before this one." in told(app)


async def test_it_is_stopped_and_goes_on_where_it_was(
    store: Store, folder: Path, judge_server: JudgeServer
) -> None:
    hold = asyncio.Event()
    judge_server.default = replace(SLOWLY, wait=hold)
    async with asking(store) as (app, pilot):
        write(app, path="pool.yaml", target=f"{judge_server.url}#m", at_once="1")
        await pilot.press("enter")
        await until(pilot, lambda: len(judge_server.requests) == 1)
        screen = app.screen
        assert isinstance(screen, SimulateScreen)
        await pilot.press("x")
        hold.set()
        await until(pilot, lambda: screen._stop is None)
        await pilot.pause()
        assert "ctrl+n goes on" in shown(app)
        asked = len(judge_server.requests)
        await press(pilot, "ctrl+n")
        assert app.screen.query_one("#path", Input).value == "pool.yaml"
        judge_server.default = says("From eight to six.")
        await played(app, pilot)
        assert "3 of 3 conversations" in shown(app)
    # What was answered before the stop was not asked again.
    assert len(judge_server.requests) - asked == 4 - asked
    assert store.sessions.count() == 3


async def test_whoever_leaves_while_users_are_played_is_asked_once_more(
    store: Store, folder: Path, judge_server: JudgeServer
) -> None:
    judge_server.default = replace(SLOWLY, wait=asyncio.Event())
    async with asking(store) as (app, pilot):
        write(app, path="pool.yaml", target=f"{judge_server.url}#m")
        await pilot.press("enter")
        await until(pilot, lambda: len(judge_server.requests) == 3)
        await pilot.press("escape")
        await until(pilot, lambda: "still played" in told(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.screen_stack[0])
    # What the users said is kept; only the replies under way are lost.
    assert store.sessions.count() == 3


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ({"path": "notes.txt"}, "holds no scenarios"),
        ({"path": "pool.yaml", "turns": "many"}, "turns at most: many is no whole number from 1 on"),
        ({"path": "pool.yaml", "seed": "-1"}, "seed: -1 is no whole number from 0 on"),
        ({"path": "goals.yaml"}, "No model is there to play the users"),
        ({"path": "goals.yaml", "user": "nonsense words"}, "nonsense words"),
        ({"path": "wrong.yaml"}, "wrong.yaml"),
    ],
    ids=["no scenarios", "no number", "negative", "no user model", "no such model", "a wrong word"],
)
async def test_what_cannot_be_played_is_said_in_the_dialog(
    store: Store, folder: Path, lines: dict[str, str], words: str
) -> None:
    (folder / "goals.yaml").write_text("scenarios: [{name: Hours, goal: Find out when they open}]")
    (folder / "wrong.yaml").write_text("scenarios: [{name: Hours, gaol: Find out}]")
    async with asking(store) as (app, pilot):
        write(app, target="http://127.0.0.1:9/v1#m", **lines)
        await pilot.press("enter")
        await until(pilot, lambda: words in " ".join(shown(app).split()))
        assert isinstance(app.screen, SimulateDialog)
    assert store.sessions.count() == 0


async def test_what_was_still_being_read_as_the_dialog_was_left_is_not_played(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, asked = threading.Event(), threading.Event()
    load = scenarios.load_scenarios

    def slow(path: Path) -> Any:
        asked.set()
        held.wait(20)
        return load(path)

    monkeypatch.setattr(scenarios, "load_scenarios", slow)
    async with asking(store) as (app, pilot):
        dialog = app.screen
        write(app, path="pool.yaml", target="http://127.0.0.1:9/v1#m")
        await pilot.press("enter")
        await until(pilot, asked.is_set)
        await press(pilot, "escape", "f2")
        await until(pilot, lambda: app.screen is dialog)
        held.set()
        await pilot.pause(0.3)
        assert app.screen is dialog
        assert app.screen.query_one("#target", Input).value == ""


async def test_a_chatbot_that_is_away_is_said_with_what_to_do(store: Store, folder: Path) -> None:
    async with asking(store) as (app, pilot):
        write(app, path="pool.yaml", target="http://127.0.0.1:9/v1")
        await played(app, pilot)
        assert "cannot be reached" in shown(app)
        assert "ctrl+n goes on" in shown(app)


async def test_the_dialog_says_where_to_read_of_scenarios_and_refuses_a_file_of_none(
    store: Store, folder: Path
) -> None:
    (folder / "empty.jsonl").write_text("")
    async with asking(store) as (app, pilot):
        write(app, path="empty.jsonl", target="http://127.0.0.1:9/v1#m")
        await until(pilot, lambda: "plays the scenarios of this file" in words_shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "holds no conversation to play" in shown(app))


async def test_the_dialog_opens_again_with_nothing_of_the_last_time(store: Store, folder: Path) -> None:
    async with asking(store) as (app, pilot):
        assert "docs/how-to/simulate.md" in words_shown(app)
        write(app, path="nothing.yaml", seconds="none")
        await pilot.press("enter")
        await until(pilot, lambda: "There is no such file" in shown(app))
        await press(pilot, "escape", "f2")
        await until(pilot, lambda: isinstance(app.screen, SimulateDialog))
        assert "docs/how-to/simulate.md" in words_shown(app)
        assert {line.id: line.value for line in app.screen.query(Input) if line.value} == {}
        assert app.focused is app.screen.query_one("#path")


async def test_folders_are_opened_and_paths_completed(store: Store, folder: Path) -> None:
    (folder / "more").mkdir()
    (folder / "more" / "tickets.yaml").write_text(SCRIPTS)
    async with asking(store) as (app, pilot):
        path = app.screen.query_one("#path", Input)
        await press(pilot, *"mo", "tab")
        assert path.value == "more/"
        assert "tickets.yaml" in shown(app)
        await press(pilot, "enter")
        assert path.value == "more/tickets.yaml"
        assert "plays the scenarios of this file" in shown(app)
        await press(pilot, "escape")
        assert app.screen is app.screen_stack[0]


async def test_the_dialog_of_a_talk_leads_there_too(store: Store, folder: Path) -> None:
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "ctrl+n", "f2")
        await until(pilot, lambda: isinstance(app.screen, SimulateDialog))


async def test_the_dialog_of_a_talk_whose_chatbot_was_not_reached_leads_there_too(
    store: Store, folder: Path
) -> None:
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "ctrl+n")
        app.screen.query_one("#address", Input).value = "http://127.0.0.1:9/v1"
        app.screen.query_one("#address").focus()
        await press(pilot, "enter")
        await until(pilot, lambda: "cannot be reached" in words_shown(app))
        await press(pilot, "f2")
        await until(pilot, lambda: isinstance(app.screen, SimulateDialog))
        await pilot.pause(0.2)
        assert isinstance(app.screen, SimulateDialog)
        assert len(app.screen_stack) == 2


async def test_what_a_number_means_is_said_where_it_is_typed(store: Store, folder: Path) -> None:
    async with asking(store) as (app, pilot):
        app.screen.query_one("#seconds").focus()
        await until(pilot, lambda: "The most seconds that one conversation may take." in words_shown(app))
        app.screen.query_one("#path").focus()
        await until(pilot, lambda: "enter chooses a file of scenarios" in words_shown(app))
