from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest
from judge_server import JudgeServer, hangs, streams
from tui_driver import commands, shown, until

from turnwise.conversations.errors import StoreError
from turnwise.conversations.store import Store
from turnwise.engine.metrics.registry import make_metric
from turnwise.engine.models.settings import ModelSettings
from turnwise.tui.app import going
from turnwise.tui.app.app import Opening, TurnwiseApp
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.record.talk_plan import TalkPlan
from turnwise.tui.replay.replay_screen import ReplayScreen
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.settings.settings import Settings
from turnwise.tui.shell.runs import RunState, ScoreRequest


async def test_an_error_with_words_ends_the_app_without_a_traceback(app: TurnwiseApp) -> None:
    error = StoreError("The disk is full", next_step="Free some space.")

    def fail() -> None:
        raise error

    async with app.run_test(size=(120, 30)):
        app.call_later(fail)
        # Not the pilot's pause, which waits for an app that has ended.
        async with asyncio.timeout(60):
            while app.is_running:
                await asyncio.sleep(0.01)
    assert app.error is error
    assert app.return_code == StoreError.exit_code
    assert app._exit_renderables == []


async def test_any_other_mistake_is_not_hidden(app: TurnwiseApp) -> None:
    def fail() -> None:
        raise RuntimeError("a mistake")

    async def drive() -> None:
        async with app.run_test(size=(120, 30)) as pilot:
            app.call_later(fail)
            await until(pilot, lambda: not app.is_running)

    with pytest.raises(RuntimeError, match="a mistake"):
        await drive()
    assert app.error is not None
    assert "RuntimeError: a mistake" in app.error.detail


async def test_the_palette_offers_the_actions_of_the_screen(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)):
        titles = list(commands(app))
        assert "score (r)" in titles
        assert "import (b)" in titles
        assert not any(title.startswith("stop (") for title in titles)


async def test_a_number_in_the_palette_opens_its_session(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("ctrl+p")
        await pilot.press(*"session", "space", "2")
        await until(pilot, lambda: "open session 2" in shown(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: getattr(app.screen, "session_id", None) == 2)


def test_what_is_heavy_waits_until_it_is_needed() -> None:
    heavy = ("openai", "pydantic", "sqlite_utils", "rich.markdown", "httpx", "yaml", "jinja2")
    code = (
        f"import sys, turnwise.tui.app.app\nassert not set({heavy!r}) & set(sys.modules), sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


NOT_FOR_THE_FIRST_SCREEN = (
    *("conversations.findings", "conversations.results", "engine.models.settings", "engine.people"),
    *("conversations.store.calls", "conversations.store.completing", "conversations.store.events"),
    *("conversations.store.facts.about", "conversations.store.facts.session_names"),
    *("conversations.store.labels", "conversations.store.modes.rows", "conversations.store.review_queues"),
    *("conversations.store.rows", "conversations.store.runs", "conversations.store.scores"),
    *("conversations.store.tallies", "conversations.store.turns"),
    *("tui.app.commands", "tui.app.help", "tui.library.drawn_glance", "tui.library.glance", "tui.reading"),
    "tui.tour.tour_steps",
)


def test_what_the_first_screen_does_not_show_is_not_loaded_before_it() -> None:
    code = (
        "import sys, turnwise.tui.app.running\n"
        "print(*sorted(name.removeprefix('turnwise.') for name in sys.modules))\n"
        "print('textual.widgets._text_area' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, timeout=60, capture_output=True, text=True
    )
    loaded, text_area = done.stdout.splitlines()
    assert "tui.library.library_screen" in loaded.split()
    assert [name for name in loaded.split() if name.startswith(NOT_FOR_THE_FIRST_SCREEN)] == []
    assert text_area == "False"


async def test_what_places_hold_is_counted_once_the_first_screen_is_drawn(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[bool] = []

    def count(store: Store) -> int:
        drawn.append("Baggage" in shown(app))
        return 7

    monkeypatch.setattr(going, "COUNTS", {"queues": count})
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "Queues (7)" in shown(app))
    assert drawn
    assert all(drawn)


async def test_leaving_a_replay_that_was_asked_for_ends_the_program(filled: Store) -> None:
    app = TurnwiseApp(filled, Opening(replay=1))
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press("escape")
        await until(pilot, lambda: not app.is_running)
    assert app.return_value == 0


async def test_leaving_a_recording_that_was_asked_for_ends_the_program_and_names_the_session(
    store: Store, judge_server: JudgeServer, capsys: pytest.CaptureFixture[str]
) -> None:
    judge_server.script(streams("Hi"))
    app = TurnwiseApp(store, Opening(record=TalkPlan(judge_server.url)))
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "nothing to save" in shown(app))
        await pilot.press(*"Hello", "enter")
        await until(pilot, lambda: "2 turns" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: not app.is_running)
    assert app.return_value == 0
    assert "Kept as session 1: turnwise show 1" in capsys.readouterr().err


async def test_a_run_under_way_keeps_the_program(filled: Store, judge_server: JudgeServer) -> None:
    judge_server.default = hangs()
    app = TurnwiseApp(filled, Opening(replay=1))
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        settings = ModelSettings(base_url=judge_server.url, model="scripted-1")
        app.runs.start(ScoreRequest([1], [make_metric("role_adherence")]), settings)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        await until(pilot, lambda: any("A run is under way" in note.message for note in app._notifications))


async def test_a_run_that_ends_is_told_on_whatever_screen_is_open(
    filled: Store, judge_server: JudgeServer
) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        app.push_screen(ReplayScreen(1))
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        app.runs.start(ScoreRequest([1, 2], [make_metric("repetition")]), None)
        await until(pilot, lambda: any("Scored: " in note.message for note in app._notifications))
        await until(pilot, lambda: "Scored: " in shown(app))


async def test_a_failure_in_the_background_is_told_and_kept(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        app.tell_mistake(RuntimeError("[red]unheard[/]"))
        await until(pilot, lambda: "RuntimeError: [red]unheard[/]" in shown(app))
        assert "crash-" in shown(app)


async def test_every_key_of_the_line_can_be_clicked(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "? help" in shown(app))
        line = shown(app).splitlines()[-1]
        await pilot.click(offset=(line.index("? help"), 29))
        await until(pilot, lambda: "Help · library" in shown(app))
        await pilot.press("escape")
        await pilot.click(offset=(line.index("r score"), 29))
        await until(pilot, lambda: "Score 3 sessions by" in shown(app))


@pytest.mark.parametrize(
    ("state", "rings"),
    [
        (RunState(expected=1, over=True, seconds=12.0), ["\a"]),
        (RunState(expected=1, over=True, seconds=9.0), []),
        (RunState(expected=1, over=True, seconds=12.0, stopped=True), []),
        (RunState(expected=1, seconds=12.0), []),
    ],
    ids=["long", "short", "stopped", "under way"],
)
async def test_the_end_of_a_long_run_is_told_as_the_settings_say(
    store: Store, state: RunState, rings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr("turnwise.tui.shell.looks.send_code", lambda _app, code: sent.append(code))
    app = TurnwiseApp(store, settings=Settings(notify="bell"))
    async with app.run_test():
        app._hear_run(state)
    assert [code for code in sent if not code.startswith("\x1b")] == rings


async def test_a_key_that_comes_before_a_slow_screen_is_there_is_meant_for_none(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)):
        assert await app.run_action("label_pass", ReviewScreen(1)) is False
        assert await app.run_action("reveal", ReviewScreen(1)) is False
        assert app.store.labels.of(1) == []
