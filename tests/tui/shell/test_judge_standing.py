"""Whether the judge answers is known from its list of models, and from how the last calls went."""

from __future__ import annotations

import asyncio
import time

import pytest
from judge_server import JudgeServer
from tui_driver import shown, until

from turnwise.conversations.errors import JudgeUnavailableError
from turnwise.engine.models.settings import ModelSettings
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.judging.judge_words import standing_words
from turnwise.tui.shell import judge_standing
from turnwise.tui.shell.judge_standing import JudgeStanding, costs_nothing_to_ask, standing_in, standing_of
from turnwise.tui.shell.runs import RunState


def at(url: str) -> ModelSettings:
    return ModelSettings(base_url=url, model="scripted-1")


async def test_a_judge_on_this_machine_is_asked_for_its_models(judge_server: JudgeServer) -> None:
    assert await standing_of(at(judge_server.url)) == "answers"
    assert await standing_of(at("http://127.0.0.1:9/v1")) == "away"


async def test_what_keeps_the_app_busy_makes_no_judge_slow(
    judge_server_apart: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge_standing, "SLOW_SECONDS", 0.5)
    standing = asyncio.create_task(standing_of(at(judge_server_apart.url)))
    await asyncio.sleep(0)
    time.sleep(1)
    assert await standing == "answers"


def test_a_provider_is_never_asked() -> None:
    assert not costs_nothing_to_ask(at("https://api.openai.com/v1"))
    assert costs_nothing_to_ask(at("http://localhost:8080/v1"))


@pytest.mark.parametrize(
    ("state", "standing"),
    [
        (RunState(9, asked=True), "answers"),
        (RunState(9, asked=True, passed=1), "answers"),
        (RunState(9, asked=True, passed=3, kept=3, retrying=12.0), "trying"),
        (RunState(9, asked=True, passed=3, retrying=12.0, over=True), "away"),
        (RunState(9, asked=True, waiting="the judge: no answer for 12 s yet"), "slow"),
        (RunState(9, asked=True, over=True, error=JudgeUnavailableError("away")), "away"),
        (RunState(9, retrying=12.0), "answers"),
    ],
)
def test_a_run_tells_how_the_judge_answers(state: RunState, standing: JudgeStanding) -> None:
    assert standing_in(state, "answers") == standing


def test_a_judge_that_is_tried_again_answers_once_a_try_gets_through_and_is_away_where_none_does() -> None:
    assert standing_in(RunState(9, asked=True), "trying") == "answers"
    assert standing_in(RunState(9, asked=True, retrying=1.0), "trying") == "answers"
    assert standing_in(RunState(9, asked=True, over=True), "trying") == "away"


def test_it_is_said_by_a_sign_and_a_word() -> None:
    assert [standing_words(one) for one in ("answers", "slow", "trying", "away", "")] == [
        "● answers",
        "◐ slow",
        "○ no answer, trying again",
        "○ away",
        "",
    ]


async def test_the_title_says_so(app: TurnwiseApp, judge_server_apart: JudgeServer) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        app.judge.take(at(judge_server_apart.url))
        await until(pilot, lambda: "scripted-1 ● answers" in shown(app))
        app.judge.take(at("http://127.0.0.1:9/v1"))
        await until(pilot, lambda: "scripted-1 ○ away" in shown(app))
        app.judge.hear(RunState(9, asked=True, passed=1))
        await until(pilot, lambda: "scripted-1 ● answers" in shown(app))


async def test_a_judge_that_stops_answering_in_a_run_is_told_of_and_so_is_its_return(
    app: TurnwiseApp, judge_server_apart: JudgeServer
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        app.judge.take(at(judge_server_apart.url))
        await until(pilot, lambda: "scripted-1 ● answers" in shown(app))
        app.judge.hear(RunState(9, asked=True, passed=1, retrying=2.5))
        await until(pilot, lambda: "scripted-1 ○ no answer, trying again" in shown(app))
        app.judge.hear(RunState(9, asked=True, passed=2))
        await until(pilot, lambda: "scripted-1 ● answers" in shown(app))
