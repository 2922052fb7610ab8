"""The dialog of a talk: what it says of scenario, temperature and metrics holds, and is offered again."""

from __future__ import annotations

import asyncio
import threading

import pytest
from judge_server import JudgeServer, streams
from textual.widgets import Input
from tui_driver import shown, until

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store
from turnwise.engine.chatbots import choose
from turnwise.engine.models.settings import ModelSettings
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.parts.message_editor import MessageEditor
from turnwise.tui.record import talk_dialog
from turnwise.tui.record.record_screen import RecordScreen
from turnwise.tui.record.talk_dialog import TalkDialog
from turnwise.tui.record.talk_plan import TalkPlan


async def test_a_talk_goes_as_its_dialog_says_and_the_next_one_is_offered_the_same(
    judge_server: JudgeServer, store: Store
):
    judge_server.default = streams("Rye")
    typed = {
        "address": f"{judge_server.url}#m",
        "scenario": "Somebody wants bread.",
        "temperature": "hot",
        "metrics": "repetition, nonsense",
    }
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = RecordScreen(TalkPlan(None))
        app.push_screen(screen)
        await until(pilot, lambda: "No model runs here" in shown(app))
        for name, text in typed.items():
            app.screen.query_one(f"#{name}", Input).value = text
        await pilot.press("enter")
        await until(pilot, lambda: "from 0 to 2: hot" in shown(app))
        app.screen.query_one("#temperature", Input).value = "0,7"
        await pilot.press("enter")
        await until(pilot, lambda: "✗" in shown(app) and "from 0 to 2" not in shown(app))
        app.screen.query_one("#metrics", Input).value = "repetition"
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is screen and screen.talk.recording is not None)
        screen.editor.write("What bread?")
        await pilot.press("enter")
        await until(pilot, lambda: {row.metric for row in store.scores.of(1)} == {"repetition"})
    assert judge_server.requests[0].body["temperature"] == 0.7
    case = store.sessions.case(1)
    assert isinstance(case, ConversationalTestCase)
    assert case.scenario == "Somebody wants bread."
    assert (case.metadata or {})["temperature"] == 0.7
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(RecordScreen(TalkPlan(None)))
        await until(pilot, lambda: "talked to before" in shown(app))
        lines = [app.screen.query_one(f"#{name}", Input).value for name in typed if name != "address"]
        assert lines == ["Somebody wants bread.", "0,7", "repetition"]


async def test_a_key_to_choose_is_offered_only_where_there_is_a_chatbot_to_choose(store: Store):
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        app.push_screen(RecordScreen(TalkPlan(None)))
        await until(pilot, lambda: "No model runs here" in shown(app))
        await until(pilot, lambda: "↑ ↓ chatbot" not in shown(app))


async def test_without_colour_all_fields_have_both_their_ends(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NO_COLOR", "1")
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        app.push_screen(RecordScreen(TalkPlan(None)))
        await until(pilot, lambda: "No model runs here" in shown(app))
        rows = shown(app).splitlines()
        for name in ("role", "system prompt", "scenario", "score by", "temperature"):
            [row] = [row for row in rows if f" {name} " in row and "optional" in row]
            # Those of the field, within those of the dialog.
            assert row.count("│") + row.count("▕") + row.count("▏") == 4, row


async def test_it_opens_again_with_nothing_of_the_last_time(store: Store):
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+n")
        await until(pilot, lambda: isinstance(app.screen, TalkDialog) and "No model runs here" in shown(app))
        first = app.screen
        for name, text in (("address", "here"), ("role", "baker"), ("temperature", "hot")):
            app.screen.query_one(f"#{name}", Input).value = text
        await until(pilot, lambda: "baker" in app.screen.query_one("#system", MessageEditor).text)
        await pilot.press("enter")
        await until(pilot, lambda: "from 0 to 2: hot" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.library)
        await pilot.press("ctrl+n")
        await until(pilot, lambda: app.screen is first and "No model runs here" in shown(app))
        assert "hot" not in shown(app)
        assert not any(line.value for line in app.screen.query(Input))
        assert app.screen.query_one("#system", MessageEditor).text == ""
        # Nothing answers here, so that the address is what is typed first.
        assert app.focused is app.screen.query_one("#address")


async def test_left_without_a_chatbot_nothing_of_it_is_open(store: Store):
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+n")
        await until(pilot, lambda: isinstance(app.screen, TalkDialog))
        assert len(app.screen_stack) == 2
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.library)


async def test_what_was_about_to_begin_as_the_dialog_was_left_does_not(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    held, asked = threading.Event(), threading.Event()

    def slow(typed: str) -> tuple[()]:
        asked.set()
        held.wait(20)
        return ()

    monkeypatch.setattr(talk_dialog, "_metrics", slow)
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+n")
        await until(pilot, lambda: "No model runs here" in shown(app))
        app.screen.query_one("#address", Input).value = "http://127.0.0.1:9/v1#m"
        app.screen.query_one("#metrics", Input).value = "repetition"
        await pilot.press("enter")
        await until(pilot, asked.is_set)
        await pilot.press("escape")
        held.set()
        await pilot.pause(0.3)
        assert app.screen is app.library


async def test_without_an_address_it_says_what_is_lacking(store: Store):
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+n")
        await until(pilot, lambda: "No model runs here" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "Type the address of a chatbot first" in shown(app))
        assert app.focused is app.screen.query_one("#address")


async def test_what_was_found_stands_there_while_it_is_looked_for_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    app = TurnwiseApp(store)
    looks: list[asyncio.Event] = []

    async def find() -> list[ModelSettings]:
        looks.append(asyncio.Event())
        await looks[-1].wait()
        return [ModelSettings(base_url="http://127.0.0.1:9/v1", model="loaf")] if len(looks) == 1 else []

    monkeypatch.setattr(choose, "find_targets", find)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+n")
        await until(pilot, lambda: len(looks) == 1 and talk_dialog.LOOKING in shown(app))
        looks[0].set()
        await until(pilot, lambda: "loaf" in shown(app) and talk_dialog.LOOKING not in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.library)
        await pilot.press("ctrl+n")
        await until(pilot, lambda: len(looks) == 2 and "loaf" in shown(app))
        assert talk_dialog.LOOKING not in shown(app)
        assert app.focused is app.screen.query_one(ChoiceList)
        # It has gone meanwhile: the keys go to where an address is typed.
        looks[1].set()
        await until(pilot, lambda: "No model runs here" in shown(app))
        assert app.focused is app.screen.query_one("#address")


async def test_a_long_error_leaves_the_field_and_the_keys_in_sight(store: Store):
    refused = SettingError(
        "The chatbot at http://127.0.0.1:9/v1 did not answer",
        detail="Connection refused, and so on. " * 12,
        next_step="Start it, or type another address.",
    )
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = TalkDialog()
        dialog.begin(TalkPlan("http://127.0.0.1:9/v1"), refused)
        app.push_screen(dialog)
        await until(pilot, lambda: "did not answer" in shown(app))
        told = shown(app)
        assert "→ Start it, or type another address." in told
        assert "address       ▌http://127.0.0.1:9/v1" in told
        assert "enter start" in told
