"""Earlier: what did not pass last time, and answers that a run that was stopped left behind."""

from __future__ import annotations

import json
import sqlite3
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any

import pytest
from judge_server import JudgeServer, Request, Step, drops, refuses, says

from turnwise.conversations.errors import JudgeUnavailableError, SettingError
from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.conversations.store import Store
from turnwise.conversations.suites import Suite, TargetSpec
from turnwise.engine.chatbots.targets import Target
from turnwise.engine.models.settings import ModelSettings
from turnwise.engine.suites.answering import Answerer
from turnwise.engine.suites.earlier import KeptAnswers, last_outcomes
from turnwise.engine.suites.keeping import CaseRun
from turnwise.engine.suites.running import run_suite
from turnwise.engine.suites.selecting import Filters, for_target, repeated, selected

TALK = "{% for c in _conversation %}{{ c.output }}{% endfor %}{{q}}"


async def at_once(_: float) -> None:
    """Wait for nothing."""


def suite_of(folder: Path, *questions: str, prompt: str = "{{q}}", **rest: Any) -> Suite:
    tests = [
        {"vars": {"q": question}, "assert": [{"type": "not-contains", "value": "bad"}], **rest}
        for question in questions
    ]
    path = folder / "suite.json"
    config = {"prompts": [prompt], "providers": ["echo"], "tests": tests}
    path.write_text(json.dumps({**config, "evaluateOptions": {"maxConcurrency": 1}}))
    return load_suite(path)


async def ran(suite: Suite, store: Store, server: JudgeServer, **rest: Any) -> list[CaseRun]:
    settings = ModelSettings(base_url=server.url, model="m")
    async with (
        Target(settings, sleep=at_once) as target,
        Answerer(target, environment={}) as answerer,
        aclosing(run_suite(for_target(suite, TargetSpec(id="mine")), answerer, store=store, **rest)) as runs,
    ):
        return [run async for run in runs]


def forget_answers(store: Store) -> None:
    """Leave of a run what an earlier version kept of it: its sessions."""
    with closing(sqlite3.connect(store.path)) as database, database:
        database.execute("DELETE FROM answers")


def answers_by_question(request: Request) -> Step:
    said = str(request.body["messages"][-1]["content"])
    return refuses(400, "odd") if "odd" in said else says(f"re {said}")


def questions_left(suite: Suite, chosen: Any) -> list[str]:
    return [str(case.vars["q"]) for case in selected(suite, Filters(chosen=chosen)).cases]


async def test_what_did_not_pass_is_known_by_test(tmp_path, store: Store, judge_server):
    judge_server.default = answers_by_question
    suite = suite_of(tmp_path, "good", "bad", "odd", "fine")
    await ran(suite, store, judge_server)
    last = last_outcomes(suite, store)
    assert questions_left(suite, last.was_failing) == ["bad", "odd"]
    assert questions_left(suite, last.was_failure) == ["odd"]


async def test_it_is_the_last_run_that_counts_and_turns_of_conversations_count_singly(
    tmp_path, store: Store, judge_server
):
    judge_server.default = answers_by_question
    suite = suite_of(tmp_path, "good", "bad", prompt=TALK)
    await ran(suite, store, judge_server)
    assert questions_left(suite, last_outcomes(suite, store).was_failing) == ["bad"]
    judge_server.default = says("well")
    await ran(suite, store, judge_server, again=True)
    assert questions_left(suite, last_outcomes(suite, store).was_failing) == []


def test_without_an_earlier_run_it_says_so(tmp_path, store: Store):
    with pytest.raises(SettingError, match=r"no earlier run of suite\.json"):
        last_outcomes(suite_of(tmp_path, "a"), store)


@pytest.mark.parametrize("prompt", ["{{q}}", '[{"role": "user", "content": "{{q}}"}]', TALK])
@pytest.mark.parametrize("of_earlier_version", [False, True])
async def test_a_run_that_was_stopped_is_taken_up(
    tmp_path, store: Store, judge_server, prompt, of_earlier_version
):
    suite = suite_of(tmp_path, "a", "b", "c", prompt=prompt)
    judge_server.script(says("one "), says("two "))
    judge_server.default = drops()
    with pytest.raises(JudgeUnavailableError):
        await ran(suite, store, judge_server)
    judge_server.requests.clear()
    judge_server.default = says("three")
    kept = KeptAnswers(for_target(suite, TargetSpec(id="mine")), store)
    assert len(kept) == 2
    if of_earlier_version:
        forget_answers(store)
    runs = await ran(suite, store, judge_server, resume=of_earlier_version)
    assert [run.output for run in runs] == ["one ", "two ", "three"]
    assert len(judge_server.requests) == 1
    assert [run.result.word for run in runs] == ["pass"] * 3
    assert len(KeptAnswers(suite, store)) == 0


async def test_a_run_that_is_stopped_twice_loses_nothing(tmp_path, store: Store, judge_server):
    suite = suite_of(tmp_path, "a", "b", "c")
    for answers in (["one", "two"], []):
        judge_server.script(*map(says, answers))
        judge_server.default = drops()
        with pytest.raises(JudgeUnavailableError):
            await ran(suite, store, judge_server)
    judge_server.default = says("three")
    runs = await ran(suite, store, judge_server)
    assert [run.output for run in runs] == ["one", "two", "three"]


async def test_another_prompt_or_repetition_is_asked_anew(tmp_path, store: Store, judge_server):
    judge_server.script(says("one"))
    judge_server.default = drops()
    with pytest.raises(JudgeUnavailableError):
        await ran(repeated(suite_of(tmp_path, "a"), 2), store, judge_server)
    suite = for_target(repeated(suite_of(tmp_path, "a"), 2), TargetSpec(id="mine"))
    kept = KeptAnswers(suite, store)
    assert kept.answer(suite.cases[0], "a") == "one"
    assert kept.answer(suite.cases[0], "b") is None
    assert kept.answer(suite.cases[1], "a") is None


async def test_what_a_transform_made_is_asked_anew(tmp_path, store: Store, judge_server):
    pytest.importorskip("py_mini_racer")
    judge_server.script(says("one"))
    judge_server.default = drops()
    suite = suite_of(tmp_path, "a", "b", options={"transform": "output + '!'"})
    with pytest.raises(JudgeUnavailableError):
        await ran(suite, store, judge_server)
    suite = for_target(suite, TargetSpec(id="mine"))
    assert KeptAnswers(suite, store).answer(suite.cases[0], "a") is None
