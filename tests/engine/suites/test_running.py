"""Running a suite: who answers, in which order, what is kept, and what a case that cannot be run becomes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from judge_server import JudgeServer, Request, Step, refuses, says, streams
from judged import judge_at
from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.conversations.store import Store
from turnwise.conversations.suites import Suite, TargetSpec
from turnwise.engine.evidence import StoredCallBook
from turnwise.engine.judge.settings import JudgeSettings
from turnwise.engine.suites.answering import Answerer
from turnwise.engine.suites.running import CaseRun, run_suite
from turnwise.engine.suites.selecting import for_target, with_metadata
from turnwise.engine.targets import Target


def suite_of(folder: Path, *tests: dict[str, Any], **config: Any) -> Suite:
    path = folder / "suite.json"
    path.write_text(json.dumps({"prompts": ["{{q}}"], "providers": ["echo"], "tests": list(tests), **config}))
    return load_suite(path)


def asks(question: str, *checks: dict[str, Any], **rest: Any) -> dict[str, Any]:
    return {"vars": {"q": question}, "assert": list(checks), **rest}


def contains(value: str) -> dict[str, Any]:
    return {"type": "contains", "value": value}


async def ran(suite: Suite, server: JudgeServer | None = None, **rest: Any) -> list[CaseRun]:
    settings = JudgeSettings(base_url=server.url, model="m") if server else None
    target = Target(settings) if settings else None
    try:
        async with (
            Answerer(target, environment={}) as answerer,
            aclosing(run_suite(suite, answerer, **rest)) as runs,
        ):
            return [run async for run in runs]
    finally:
        if target is not None:
            await target.close()


def outcomes(runs: Sequence[CaseRun]) -> list[str]:
    return [run.result.outcome for run in runs]


class TestWhoAnswers:
    async def test_echo_says_the_prompt_back(self, tmp_path):
        suite = suite_of(tmp_path, asks("yes", contains("yes")), asks("yes", contains("no")))
        runs = await ran(suite)
        assert outcomes(runs) == ["pass", "fail"]
        assert [run.output for run in runs] == ["yes", "yes"]

    async def test_an_answer_in_the_file_is_taken_whatever_the_target(self, tmp_path, judge_server):
        suite = suite_of(tmp_path, asks("2 + 2?", contains("4"), providerOutput="It is 4."))
        for server in (None, judge_server):
            [run] = await ran(suite, server)
            assert (run.result.outcome, run.output) == ("pass", "It is 4.")
        assert not judge_server.requests

    async def test_a_target_that_was_given_answers_each_test_once(self, tmp_path, judge_server):
        judge_server.default = streams("Good ", "morning")
        suite = suite_of(tmp_path, asks("Hi", contains("morning")), providers=["echo", "x:one", "y:two"])
        assert len(suite.cases) == 3
        [run] = await ran(for_target(suite, TargetSpec(id="mine")), judge_server)
        assert (run.result.outcome, run.output) == ("pass", "Good morning")
        assert [request.body["messages"] for request in judge_server.requests] == [
            [{"role": "user", "content": "Hi"}]
        ]

    async def test_a_prompt_of_messages_is_sent_as_messages(self, tmp_path, judge_server):
        judge_server.default = streams("4")
        said = [{"role": "system", "content": "Count."}, {"role": "user", "content": "{{q}}"}]
        suite = suite_of(tmp_path, asks("2 + 2?", contains("4")), prompts=[json.dumps(said)])
        await ran(for_target(suite, TargetSpec(id="mine")), judge_server)
        sent = judge_server.requests[0].body["messages"]
        assert sent == [said[0], {"role": "user", "content": "2 + 2?"}]

    @pytest.mark.parametrize(
        ("provider", "words"),
        [
            ("anthropic:messages:claude", "does not ask the target anthropic:messages:claude"),
            ("exec: rm -rf /", "does not ask the target exec"),
            ("openai:gpt-4.1", "Set OPENAI_API_KEY"),
            ({"id": "openai:gpt-4.1", "config": {"apiHost": "elsewhere"}}, "does not ask"),
        ],
    )
    async def test_any_other_target_is_a_failure_that_says_what_to_do(self, tmp_path, provider, words):
        [run] = await ran(suite_of(tmp_path, asks("Hi", contains("Hi")), providers=[provider]))
        assert run.result.outcome == "failure"
        assert words in run.result.reason
        assert "--target" in run.result.reason

    async def test_a_model_of_openai_is_asked_where_there_is_a_key(self, tmp_path, judge_server, monkeypatch):
        monkeypatch.setattr("turnwise.engine.judge.choose.OPENAI_URL", judge_server.url)
        judge_server.default = streams("fine")
        suite = suite_of(tmp_path, asks("a", contains("fine")), asks("b"), providers=["openai:chat:gpt-4.1"])
        async with (
            Answerer(environment={"OPENAI_API_KEY": "sk-1"}) as answerer,
            aclosing(run_suite(suite, answerer)) as runs,
        ):
            assert [run.result.outcome async for run in runs] == ["pass", "pass"]
        assert {request.body["model"] for request in judge_server.requests} == {"gpt-4.1"}
        assert judge_server.requests[0].headers["authorization"] == "Bearer sk-1"

    async def test_a_target_that_refuses_is_a_failure_and_the_run_goes_on(self, tmp_path, judge_server):
        judge_server.script(refuses(400, "too odd"))
        judge_server.default = streams("fine")
        suite = suite_of(tmp_path, asks("a", contains("fine")), asks("b", contains("fine")))
        runs = await ran(for_target(suite, TargetSpec(id="mine")), judge_server)
        assert sorted(outcomes(runs)) == ["failure", "pass"]


class TestConversations:
    PROMPT = "{% for c in _conversation %}U:{{ c.input }} A:{{ c.output }} | {% endfor %}NOW:{{q}}"

    async def test_cases_of_one_conversation_see_what_was_said_before_in_it(self, tmp_path):
        suite = suite_of(
            tmp_path,
            asks("one", {"type": "equals", "value": "NOW:one"}, metadata={"conversationId": "a"}),
            asks("uno", {"type": "equals", "value": "NOW:uno"}, metadata={"conversationId": "b"}),
            asks("two", contains("U:NOW:one A:NOW:one | NOW:two"), metadata={"conversationId": "a"}),
            asks("off", contains("NOW:off"), options={"disableConversationVar": True}),
            prompts=[self.PROMPT],
        )
        runs = await ran(suite)
        assert outcomes(runs) == ["pass"] * 4
        assert [run.case.index for run in runs] == [0, 1, 2, 3]

    async def test_a_prefix_stays_before_a_prompt_that_is_filled_again(self, tmp_path):
        case = asks("one", {"type": "equals", "value": "P NOW:one"}, options={"prefix": "P "})
        assert outcomes(await ran(suite_of(tmp_path, case, prompts=[self.PROMPT]))) == ["pass"]

    async def test_conversations_run_side_by_side_and_are_told_in_the_order_of_the_file(
        self, tmp_path, judge_server
    ):
        second = asyncio.Event()

        def answer(request: Request) -> Step:
            if "first" not in request.text:
                second.set()
                return streams("done")
            return Step(body=streams("done").body, wait=second)

        judge_server.default = answer
        suite = suite_of(
            tmp_path,
            asks("first", metadata={"conversationId": "a"}),
            asks("second", metadata={"conversationId": "b"}),
            prompts=[self.PROMPT],
        )
        runs = await ran(for_target(suite, TargetSpec(id="mine")), judge_server)
        assert [(run.case.index, run.output) for run in runs] == [(0, "done"), (1, "done")]


class TestWhatCannotBeRun:
    async def test_a_case_with_a_problem_is_a_failure_that_tells_it(self, tmp_path):
        runs = await ran(suite_of(tmp_path, asks("fine"), prompts=["{{q}}", "{% broken"]))
        broken = [run for run in runs if run.case.options.get("problem")]
        assert outcomes(broken) == ["failure"]
        assert "template" in broken[0].result.reason

    async def test_a_scoring_function_is_code_and_is_not_run(self, tmp_path):
        case = asks("x", contains("x"), assertScoringFunction="file://score.py")
        [run] = await ran(suite_of(tmp_path, case))
        assert (run.result.outcome, "is code" in run.result.reason) == ("failure", True)

    async def test_a_check_that_needs_a_judge_is_skipped_without_one(self, tmp_path):
        suite = suite_of(tmp_path, asks("x", {"type": "llm-rubric", "value": "It is polite."}))
        [run] = await ran(suite)
        assert (run.result.outcome, run.result.checks[0].skipped) == ("skipped", True)

    async def test_transforms_come_before_checks(self, tmp_path):
        pytest.importorskip("py_mini_racer")
        case = asks(
            "x", {"type": "equals", "value": "X!"}, options={"transform": "output.toUpperCase() + '!'"}
        )
        [run] = await ran(suite_of(tmp_path, case))
        assert (run.result.outcome, run.output) == ("pass", "X!")


class TestKeeping:
    async def test_every_case_is_a_session_with_where_it_came_from(self, tmp_path, store: Store):
        suite = suite_of(
            tmp_path,
            asks("Hi", contains("Hi"), description="greets", metadata={"k": 1}),
            description="My suite",
        )
        [run] = await ran(suite, store=store)
        assert run.session is not None
        row = store.sessions.get(run.session)
        assert (row.name, row.source, row.tags, row.turns) == ("greets", "suite.json", ("My suite",), 2)
        case = store.sessions.case(run.session)
        assert case.metadata == {
            "suite": "My suite",
            "case": 0,
            "prompt": "{{q}}",
            "target": "echo",
            "vars": {"q": "Hi"},
            "k": 1,
        }

    async def test_the_same_answers_a_second_time_are_the_same_sessions(self, tmp_path, store: Store):
        suite = suite_of(tmp_path, asks("a"), asks("b"))
        first, again = await ran(suite, store=store), await ran(suite, store=store)
        assert [run.session for run in first] == [run.session for run in again]
        assert store.sessions.count() == 2

    async def test_a_run_that_is_closed_keeps_what_was_answered(self, tmp_path, store: Store):
        suite = suite_of(tmp_path, *(asks(f"question {number}") for number in range(20)))
        async with Answerer() as answerer, aclosing(run_suite(suite, answerer, store=store)) as runs:
            await anext(runs)
        assert store.sessions.count() == 20

    async def test_the_judge_is_asked_and_its_calls_are_kept(self, tmp_path, store, judge_server):
        judge_server.default = says({"reason": "kind", "pass": True, "score": 1})
        suite = suite_of(tmp_path, asks("x", {"type": "llm-rubric", "value": "It is polite."}))
        async with judge_at(judge_server, StoredCallBook(store)) as judge:
            [run] = await ran(suite, judge=judge, store=store)
        assert run.result.outcome == "pass"
        assert store.calls.get(run.result.checks[0].calls[0]).model


class TestSelecting:
    @pytest.mark.parametrize(
        ("filters", "left"),
        [
            ([("kind", "math")], ["a", "b"]),
            ([("kind", "Math")], []),
            ([("tags", "ai")], ["a", "c"]),
            ([("n", "1")], ["a"]),
            ([("kind", "math"), ("tags", "ai")], ["a"]),
            ([("absent", "")], []),
        ],
    )
    def test_cases_are_chosen_by_text_in_their_metadata(self, tmp_path, filters, left):
        suite = suite_of(
            tmp_path,
            asks("a", metadata={"kind": "math", "tags": ["ai", "x"], "n": 10}),
            asks("b", metadata={"kind": "mathematics", "tags": ["y"]}),
            asks("c", metadata={"tags": "ai"}),
        )
        assert [case.vars["q"] for case in with_metadata(suite, filters).cases] == left
