from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from judge_server import JudgeServer
from textual.widgets import Static
from tui_driver import shown, until, words_shown

from turnwise.conversations.store import Store
from turnwise.engine.certifying.certificate import JudgeCertificate
from turnwise.engine.judge.usual_judge import BY_OPTION
from turnwise.engine.models.embedded.catalogue import DEFAULT_MODEL, find_model
from turnwise.engine.models.embedded.pull import PullProgress
from turnwise.engine.models.settings import ModelSettings
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.judging import judge_dialog
from turnwise.tui.judging.judge_choices import JudgeChoice, choices_at_hand, first_place
from turnwise.tui.judging.judge_dialog import JudgeDialog
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.settings.settings import Settings, load_settings


@pytest.fixture(autouse=True)
def _embedded_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the embedded extra were installed: these tests run no model."""
    monkeypatch.setattr("turnwise.tui.judging.judge_choices._embedded_missing", lambda: "")


SETTINGS = ModelSettings(model="scripted-1", base_url="http://127.0.0.1:1")


def current(app: TurnwiseApp) -> str:
    choice = app.screen.query_one(ChoiceList).current
    return choice.name if choice is not None else ""


async def test_a_local_server_appears_when_it_answers_and_a_number_takes_it(
    app: TurnwiseApp, judge_server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwise.engine.models.served.LOCAL_SERVERS", {"Ollama": (judge_server.port, 4)})
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and "answers at" in shown(app))
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert app.judge.settings is not None
        assert app.judge.settings.model == "scripted-1"
        await until(pilot, lambda: "judge: scripted-1" in shown(app))


async def test_the_choice_is_kept_and_the_dialog_says_who_named_it(
    filled: Store, judge_server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwise.engine.models.served.LOCAL_SERVERS", {"Ollama": (judge_server.port, 4)})
    app = TurnwiseApp(filled)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and "answers at" in shown(app))
        assert "Now: none. Your choice is kept in your settings." in shown(app)
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
    kept = load_settings()
    assert kept.judge == f"{judge_server.url}#scripted-1"
    again = TurnwiseApp(filled, settings=kept)
    async with again.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "judge: scripted-1" in shown(again))
        assert again.judge.settings == app.judge.settings
        await pilot.press("L")
        await until(pilot, lambda: "Now: scripted-1, from your settings." in shown(again))
        assert "tried" not in words_shown(again)
        assert again.judge.settings is not None
        found = JudgeCertificate(
            judge="scripted-1",
            answered_as=("scripted-0",),
            fingerprint=again.judge.settings.fingerprint,
            made_at=1.79e9,
            replies=8,
            calls=90,
            figures=(),
            biases=(),
        )
        filled.certificates.add(
            judge=found.judge, fingerprint=found.fingerprint, made_at=found.made_at, data=found.data()
        )
        await pilot.press("escape", "L")
        await until(pilot, lambda: "It was tried 21 Sep 2026" in words_shown(again))
        assert "no bias found" in words_shown(again)
    monkeypatch.setenv("TURNWISE_JUDGE", f"{judge_server.url}#another")
    named = TurnwiseApp(filled, settings=kept)
    async with named.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "judge: another" in shown(named))
        await pilot.press("L")
        await until(pilot, lambda: "by TURNWISE_JUDGE, which goes before your settings" in shown(named))


async def test_an_address_with_a_password_is_not_kept(app: TurnwiseApp, judge_server: JudgeServer) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and "No local server" in shown(app))
        await pilot.press("3")
        secret = judge_server.url.replace("http://", "http://ada:secret@")
        app.focused.value = f"{secret}#scripted-1"  # type: ignore[union-attr]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert any("holds until turnwise ends" in note.message for note in app._notifications)
    assert load_settings().judge is None
    assert app.judge.source == "chosen here"


async def test_an_address_can_be_typed(app: TurnwiseApp, judge_server: JudgeServer) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and "another" in shown(app))
        await until(pilot, lambda: "No local server answers" in shown(app))
        await pilot.press("3")
        app.focused.value = f"{judge_server.url}#scripted-1"  # type: ignore[union-attr]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert app.judge.settings is not None
        assert app.judge.settings.base_url == judge_server.url


async def test_a_typed_address_is_taken_by_a_click_on_the_line_of_keys(
    app: TurnwiseApp, judge_server: JudgeServer
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and "No local server" in shown(app))
        await pilot.press("3")
        app.focused.value = judge_server.url  # type: ignore[union-attr]
        await pilot.click(app.screen.query_one(KeyLine), offset=(2, 0))
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert app.judge.settings is not None


async def test_an_address_that_does_not_answer_is_explained_and_can_be_typed_again(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and "No local server" in shown(app))
        await pilot.press("3")
        app.focused.value = "http://127.0.0.1:9/v1"  # type: ignore[union-attr]
        await pilot.press("enter")
        await until(pilot, lambda: "127.0.0.1:9/v1" in shown(app) and "cannot be reached" in shown(app))
        assert isinstance(app.screen, JudgeDialog)


async def test_a_model_is_fetched_only_after_a_yes(app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    model = find_model(DEFAULT_MODEL)

    async def pull(wanted: object, *, on_progress: object) -> Path:
        asked.append(wanted.name)  # type: ignore[attr-defined]
        on_progress(PullProgress("downloading", 500_000_000, model.size_bytes, 10, 22))  # type: ignore[operator]
        from asyncio import Event

        await Event().wait()
        raise AssertionError

    monkeypatch.setattr("turnwise.engine.models.embedded.pull.pull", pull)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and "1.1 GB to fetch" in shown(app))
        await pilot.press("1")
        await until(pilot, lambda: "Press b to fetch" in shown(app))
        assert model.warning[:30] in shown(app)
        assert asked == []
        await pilot.press("b")
        await until(pilot, lambda: "500 of 1,117 MB" in shown(app))
        assert asked == [DEFAULT_MODEL]
        await pilot.press("escape")
        await until(pilot, lambda: "What came is kept" in shown(app))
        assert isinstance(app.screen, JudgeDialog)


def test_what_the_environment_names_comes_first_and_no_key_is_shown() -> None:
    choices = choices_at_hand(
        {"OPENAI_BASE_URL": "https://name:word@llm.example/v1", "OPENAI_API_KEY": "sk-x"}
    )
    assert choices[0].kind == "named"
    assert choices[0].name == "https://llm.example/v1"
    assert "sk-x" not in repr([(choice.name, choice.note) for choice in choices])
    openai = choices_at_hand({"OPENAI_API_KEY": "sk-x"})[0]
    assert openai.spec.startswith("openai:")


async def test_it_says_which_of_the_judge_of_the_command_line_and_a_choice_is_used_now(
    filled: Store, judge_server: JudgeServer
) -> None:
    app = TurnwiseApp(filled)
    app.judge.take(ModelSettings(base_url=judge_server.url, model="scripted-1"), BY_OPTION)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("L")
        told = (
            "Now: scripted-1, by --judge, which goes before your settings. "
            "What you choose is used at once, and kept there for starts without it."
        )
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and told in words_shown(app))


async def test_a_named_judge_that_is_away_is_told_with_the_reason(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "judge: not reachable" in shown(app))
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and "cannot be reached" in shown(app))
        none = str(app.screen.query_one(ChoiceList).option_count)
        await pilot.press(none)
        await until(pilot, lambda: "no judge in use" in shown(app))


async def test_an_empty_address_gets_a_word(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and "No local server" in shown(app))
        await pilot.press("3", "enter")
        await until(pilot, lambda: "Type an address" in shown(app))
        assert isinstance(app.screen, JudgeDialog)


async def test_judges_used_before_stand_first_the_one_in_use_under_the_cursor(
    app: TurnwiseApp, judge_server: JudgeServer
) -> None:
    here = f"{judge_server.url}#scripted-1"
    for spec in (here, "http://127.0.0.1:9/v1#gone"):
        app.used.judge(spec)
    async with app.run_test(size=(120, 40)) as pilot:
        app.judge.take(ModelSettings(base_url=judge_server.url, model="scripted-1"))
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and "● answers" in shown(app))
        lines = shown(app).splitlines()
        first = next(place for place, line in enumerate(lines) if "1  gone" in line)
        assert "○ does not answer · used before" in lines[first]
        assert "▌2  scripted-1" in lines[first + 1]
        assert "● answers · in use" in lines[first + 1]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert app.used.last.judges[0] == here


async def test_who_wanted_no_judge_is_not_asked_again(filled: Store) -> None:
    app = TurnwiseApp(filled, settings=Settings(judge="none"))
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.judge.chosen)
        await pilot.press("r")
        # What is ticked then can be judged without one.
        await until(pilot, lambda: "No judge is needed" in shown(app) and "✓  repetition" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: filled.sessions.metrics() == ["repetition", "unresolved_cues"])
        assert not isinstance(app.screen, JudgeDialog)


async def test_a_dialog_that_something_needs_says_what_and_that_it_goes_on(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        app.run_worker(app.ask_judge("Grouping notes needs a judge."))
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog))
        await until(pilot, lambda: "Grouping notes needs a judge. Which model judges?" in words_shown(app))
        assert "What you asked for then goes on." in words_shown(app)
        await pilot.press("escape")


async def test_none_is_offered_where_it_serves_and_the_digits_are_those_that_are_there(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        for said, notes in (
            ({}, ["checks only; what needs a judge is skipped"]),
            ({"why": "This needs a judge."}, []),
            ({"why": "This needs a judge.", "none": "by checks"}, ["by checks"]),
            ({"metric": "role adherence"}, ["the judge of all others judges by it, too"]),
        ):
            app.push_screen(dialog := app.kept_dialogs.take(JudgeDialog, None, **said))
            await until(pilot, lambda dialog=dialog: dialog.is_current and dialog.is_mounted)  # type: ignore[misc]
            offered = dialog.choices._choices
            assert [one.note for one in offered if one.name.startswith("none")] == notes
            told = f"enter 1-{len(offered)} choose"
            await until(pilot, lambda told=told: told in shown(app))  # type: ignore[misc]
            await pilot.press("escape")


async def test_a_long_list_of_judges_is_as_high_as_it_needs_where_there_is_room(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(120, 50)) as pilot:
        app.push_screen(dialog := app.kept_dialogs.take(JudgeDialog, None))
        await until(pilot, lambda: dialog.is_current and dialog.is_mounted)
        many = [JudgeChoice("named", f"judge {n}", "", spec=f"openai:{n}") for n in range(20)]
        dialog._show(many)
        await until(pilot, lambda: "judge 19" in shown(app))
        assert dialog.choices.max_scroll_y == 0


async def test_the_cursor_starts_at_no_judge_where_none_is_there_and_goes_to_one_that_answers(
    app: TurnwiseApp, judge_server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and "No local server" in shown(app))
        assert current(app) == "none"
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        servers = {"Ollama": (judge_server.port, 4)}
        monkeypatch.setattr("turnwise.engine.models.served.LOCAL_SERVERS", servers)
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and "answers at" in shown(app))
        assert current(app) == "scripted-1"


async def test_an_answer_moves_no_cursor_that_somebody_moved(
    app: TurnwiseApp, judge_server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, may_answer = asyncio.Event(), asyncio.Event()

    async def late() -> list[JudgeChoice]:
        asked.set()
        await may_answer.wait()
        return [JudgeChoice("ready", "scripted-1", f"answers at {judge_server.url}", settings=SETTINGS)]

    monkeypatch.setattr("turnwise.tui.judging.judge_dialog.local_choices", late)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and asked.is_set())
        assert current(app) == "none"
        await pilot.press("k")
        assert current(app) == "another"
        may_answer.set()
        await until(pilot, lambda: "answers at" in shown(app))
        assert current(app) == "another"


def test_a_judge_that_something_waits_for_is_not_none_to_begin_with() -> None:
    fetch, none = JudgeChoice("fetch", "a model", "to fetch"), JudgeChoice("none", "none", "checks only")
    dead = JudgeChoice("named", "away", "", spec="away", is_dead=True)
    there = JudgeChoice("named", "there", "", spec="there")
    used = JudgeChoice("named", "in use", "", spec="used", in_use=True, is_dead=True)
    assert first_place([fetch, none], wanted=False) == 1
    assert first_place([fetch, none], wanted=True) == 0
    assert first_place([dead, fetch, there, none], wanted=True) == 2
    assert first_place([there, used, none], wanted=False) == 1


async def test_one_that_was_made_ahead_asks_no_server_before_it_opens_and_shows_the_judge_of_now(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def look() -> list[JudgeChoice]:
        asked.append("local servers")
        return []

    monkeypatch.setattr(judge_dialog, "local_choices", look)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.library.list.count == 3)
        begin = {"why": "It takes a judge.", "metric": "faithfulness"}
        for _ in app.kept_dialogs.make(JudgeDialog, lambda one: one.begin(None, **begin)):
            await pilot.pause()
        made = app.get_screen("kept JudgeDialog")
        await until(pilot, lambda: made.is_mounted)
        assert asked == []
        app.judge.take(ModelSettings(model="newest", base_url="http://127.0.0.1:9/v1"))
        await pilot.press("L")
        await until(pilot, lambda: app.screen is made and "Now: newest" in words_shown(app))
        await until(pilot, lambda: asked == ["local servers"])
        assert "It takes a judge." not in words_shown(app)
        assert "faithfulness" not in str(made.query_one(".title", Static).content)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.library)
        app.judge.take(None)
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and "Now:" in words_shown(app))
        assert "newest" not in str(app.screen.query_one("#now", Static).content)
