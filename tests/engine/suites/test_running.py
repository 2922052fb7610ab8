"""Running a suite: who answers, in which order, what is kept, and what a case that cannot be run becomes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from judge_server import JudgeServer, Request, Step, drops, refuses, says
from judged import judge_at

from turnwise.conversations.errors import JudgeUnavailableError
from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.conversations.results import Score
from turnwise.conversations.store import Store
from turnwise.conversations.suites import Suite, TargetSpec
from turnwise.engine.chatbots.targets import Target
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.engine.models.settings import ModelSettings
from turnwise.engine.suites.answering import Answerer
from turnwise.engine.suites.keeping import CaseRun
from turnwise.engine.suites.rules import AS_PROMPTFOO
from turnwise.engine.suites.running import run_suite
from turnwise.engine.suites.selecting import for_target, repeated

ONE = {"maxConcurrency": 1}
MINE = TargetSpec(id="mine")


async def at_once(_: float) -> None:
    """Wait for nothing."""


def suite_of(folder: Path, *tests: dict[str, Any], **config: Any) -> Suite:
    path = folder / "suite.json"
    path.write_text(json.dumps({"prompts": ["{{q}}"], "providers": ["echo"], "tests": list(tests), **config}))
    return load_suite(path)


def asks(question: str, *checks: dict[str, Any], **rest: Any) -> dict[str, Any]:
    return {"vars": {"q": question}, "assert": list(checks), **rest}


def contains(value: str) -> dict[str, Any]:
    return {"type": "contains", "value": value}


async def ran(suite: Suite, server: JudgeServer | None = None, **rest: Any) -> list[CaseRun]:
    settings = ModelSettings(base_url=server.url, model="m") if server else None
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
    return [run.result.word for run in runs]


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
            assert (run.result.word, run.output) == ("pass", "It is 4.")
        assert not judge_server.requests

    async def test_a_target_that_was_given_answers_each_test_once(self, tmp_path, judge_server):
        judge_server.default = says("Good morning")
        suite = suite_of(tmp_path, asks("Hi", contains("morning")), providers=["echo", "x:one", "y:two"])
        assert len(suite.cases) == 3
        [run] = await ran(for_target(suite, TargetSpec(id="mine")), judge_server)
        assert (run.result.word, run.output) == ("pass", "Good morning")
        assert [request.body["messages"] for request in judge_server.requests] == [
            [{"role": "user", "content": "Hi"}]
        ]

    async def test_a_prompt_of_messages_is_sent_as_messages(self, tmp_path, judge_server):
        judge_server.default = says("4")
        said = [{"role": "system", "content": "Count."}, {"role": "user", "content": "{{q}}"}]
        suite = suite_of(tmp_path, asks("2 + 2?", contains("4")), prompts=[json.dumps(said)])
        await ran(for_target(suite, TargetSpec(id="mine")), judge_server)
        sent = judge_server.requests[0].body["messages"]
        assert sent == [said[0], {"role": "user", "content": "2 + 2?"}]

    @pytest.mark.parametrize(
        ("provider", "words"),
        [
            ("anthropic:messages:claude", "does not ask the target anthropic:messages:claude"),
            ("openai:gpt-4.1", "Set OPENAI_API_KEY"),
            ("openai:responses:gpt-4.1", "Chat Completions API"),
        ],
    )
    async def test_any_other_target_is_a_failure_that_says_what_to_do(self, tmp_path, provider, words):
        [run] = await ran(suite_of(tmp_path, asks("Hi", contains("Hi")), providers=[provider]))
        assert run.result.word == "failure"
        assert words in run.result.reason
        assert "--target" in run.result.reason

    async def test_a_model_of_openai_is_asked_where_there_is_a_key(self, tmp_path, judge_server):
        judge_server.default = says("fine")
        suite = suite_of(tmp_path, asks("a", contains("fine")), asks("b"), providers=["openai:chat:gpt-4.1"])
        async with (
            Answerer(environment={"OPENAI_API_KEY": "sk-1", "OPENAI_BASE_URL": judge_server.url}) as answerer,
            aclosing(run_suite(suite, answerer)) as runs,
        ):
            assert [run.result.word async for run in runs] == ["pass", "pass"]
        assert {request.body["model"] for request in judge_server.requests} == {"gpt-4.1"}
        assert judge_server.requests[0].headers["authorization"] == "Bearer sk-1"

    async def test_tools_of_a_reply_are_its_output_and_are_kept_with_the_turn(
        self, tmp_path, judge_server, store: Store
    ):
        call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"x": 1}'}}
        judge_server.default = says("", tool_calls=[call])
        tools = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]
        target = {"id": "openai:gpt-4.1", "config": {"tools": tools, "temperature": 0}}
        check = {"type": "is-valid-openai-tools-call"}
        suite = suite_of(tmp_path, asks("Where?", check), providers=[target])
        environment = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": judge_server.url}
        async with (
            Answerer(environment=environment) as answerer,
            aclosing(run_suite(suite, answerer, store=store)) as runs,
        ):
            [run] = [run async for run in runs]
        assert (run.result.word, run.output) == ("pass", [call])
        body = judge_server.requests[0].body
        assert (body["tools"], body["temperature"]) == (tools, 0)
        assert run.session is not None
        reply = store.sessions.case(run.session).turns[-1]
        assert [(one.name, one.input_parameters) for one in reply.tools_called or []] == [("look", {"x": 1})]

    async def test_a_target_that_is_away_ends_the_run_and_what_was_answered_is_kept(
        self, tmp_path, judge_server, store: Store
    ):
        judge_server.script(says("fine"))
        judge_server.default = drops()
        suite = suite_of(tmp_path, *(asks(f"q{number}") for number in range(3)), evaluateOptions=ONE)
        async with Target(ModelSettings(base_url=judge_server.url, model="m"), sleep=at_once) as target:
            answerer = Answerer(target, environment={})
            with pytest.raises(JudgeUnavailableError, match="cannot be reached"):
                async with aclosing(run_suite(for_target(suite, MINE), answerer, store=store)) as runs:
                    [run async for run in runs]
        assert store.sessions.count() == 1
        assert store.runs.all()[0].finished_at is None

    async def test_a_target_that_refuses_is_a_failure_and_the_run_goes_on(self, tmp_path, judge_server):
        judge_server.script(refuses(400, "too odd"))
        judge_server.default = says("fine")
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
                return says("done")
            return says("done", wait=second)

        judge_server.default = answer
        suite = suite_of(
            tmp_path,
            asks("first", metadata={"conversationId": "a"}),
            asks("second", metadata={"conversationId": "b"}),
            prompts=[self.PROMPT],
        )
        runs = await ran(for_target(suite, TargetSpec(id="mine")), judge_server)
        assert [(run.case.index, run.output) for run in runs] == [(0, "done"), (1, "done")]

    async def test_a_conversation_is_one_session_with_the_scores_of_each_exchange(
        self, tmp_path, store: Store
    ):
        suite = suite_of(
            tmp_path,
            asks("one", contains("one"), metadata={"conversationId": "a"}, description="begins"),
            asks("alone", metadata={"conversationId": "b"}),
            asks("two", contains("three"), metadata={"conversationId": "a"}),
            asks("off", options={"disableConversationVar": True}),
            prompts=[self.PROMPT],
        )
        runs = await ran(suite, store=store)
        assert runs[0].session == runs[2].session is not None
        assert len({run.session for run in runs}) == 3
        assert store.sessions.get(runs[0].session).turns == 4
        scores = store.scores.of(runs[0].session)
        assert [(score.metric, score.exchange, score.passed) for score in scores] == [
            ("test", 1, True),
            ("contains", 1, True),
            ("test", 2, False),
            ("contains", 2, False),
        ]
        case = store.sessions.case(runs[0].session)
        assert [one.name for one in case.exchanges] == ["begins", None]
        assert [one.metadata["vars"] for one in case.exchanges] == [{"q": "one"}, {"q": "two"}]

    async def test_messages_that_a_later_prompt_repeats_are_not_said_twice(
        self, tmp_path, judge_server, store: Store
    ):
        judge_server.default = says("aha")
        prompt = (
            '[{"role": "system", "content": "Be brief."},'
            '{% for c in _conversation %}{"role": "user", "content": "{{ c.input }}"},'
            '{"role": "assistant", "content": "{{ c.output }}"},{% endfor %}'
            '{"role": "user", "content": "{{ q }}"}]'
        )
        suite = suite_of(tmp_path, asks("one"), asks("two"), prompts=[prompt])
        run, _ = await ran(for_target(suite, MINE), judge_server, store=store)
        assert run.session is not None
        turns = store.sessions.case(run.session).turns
        assert [turn.content for turn in turns] == ["Be brief.", "one", "aha", "two", "aha"]
        assert len(judge_server.requests[1].body["messages"]) == 4

    async def test_repetitions_of_a_conversation_are_conversations_of_their_own(self, tmp_path):
        suite = suite_of(tmp_path, asks("one", {"type": "equals", "value": "NOW:one"}), prompts=[self.PROMPT])
        assert outcomes(await ran(repeated(suite, 3))) == ["pass"] * 3
        assert outcomes(await ran(repeated(suite, 3), rules=AS_PROMPTFOO)) == ["pass", "fail", "fail"]

    async def test_the_turns_of_a_conversation_that_is_stopped_are_kept(
        self, tmp_path, judge_server, store: Store
    ):
        judge_server.script(says("aha"))
        judge_server.default = drops()
        suite = suite_of(tmp_path, asks("one"), asks("two"), prompts=[self.PROMPT])
        async with Target(ModelSettings(base_url=judge_server.url, model="m"), sleep=at_once) as target:
            answerer = Answerer(target, environment={})
            with pytest.raises(JudgeUnavailableError):
                async with aclosing(run_suite(for_target(suite, MINE), answerer, store=store)) as runs:
                    [run async for run in runs]
        [row] = store.sessions.page()
        assert row.turns == 2


class TestOrder:
    async def test_a_later_case_sees_an_output_that_was_stored(self, tmp_path):
        suite = suite_of(
            tmp_path,
            asks("blue", options={"storeOutputAs": "colour"}),
            asks("The sky is {{colour}}", {"type": "equals", "value": "The sky is blue. blue"}),
            prompts=["{{q}}{% if colour %}. {{colour}}{% endif %}"],
        )
        assert outcomes(await ran(suite)) == ["pass", "pass"]

    async def test_each_prompt_sees_its_own_stored_output_unless_promptfoo_is_followed(self, tmp_path):
        suite = suite_of(
            tmp_path,
            asks("x", options={"storeOutputAs": "last"}),
            asks("y"),
            prompts=["A{{q}}{{last}}", "B{{q}}{{last}}"],
        )
        assert [run.output for run in await ran(suite)] == ["Ax", "Bx", "AyAx", "ByBx"]
        assert [run.output for run in await ran(suite, rules=AS_PROMPTFOO)] == [
            "Ax",
            "BxAx",
            "AyBxAx",
            "ByBxAx",
        ]

    async def test_those_that_run_serially_come_first_and_one_at_a_time(self, tmp_path, judge_server):
        judge_server.default = says("fine")
        serial = {"options": {"runSerially": True}}
        suite = suite_of(tmp_path, asks("c"), asks("a", **serial), asks("d"), asks("b", **serial))
        runs = await ran(for_target(suite, MINE), judge_server)
        assert [run.case.vars["q"] for run in runs] == ["c", "a", "d", "b"]
        asked = [request.body["messages"][0]["content"] for request in judge_server.requests]
        assert (asked[:2], sorted(asked[2:])) == (["a", "b"], ["c", "d"])

    async def test_no_more_are_asked_at_once_than_the_file_allows(self, tmp_path, judge_server):
        judge_server.default = says("fine")
        tests = [asks(f"q{number}") for number in range(12)]
        for options, most in (({"maxConcurrency": 2}, 2), ({"delay": 1}, 1)):
            judge_server.most_at_once = 0
            await ran(for_target(suite_of(tmp_path, *tests, evaluateOptions=options), MINE), judge_server)
            assert judge_server.most_at_once <= most


class TestComparing:
    async def test_the_answer_with_the_highest_score_of_a_test_passes(self, tmp_path):
        checks = [contains("B"), {"type": "max-score"}]
        suite = suite_of(tmp_path, asks("x", *checks), asks("y", *checks), prompts=["A{{q}}", "B{{q}}"])
        runs = await ran(suite)
        assert outcomes(runs) == ["fail", "pass", "fail", "pass"]
        assert [check.type for check in runs[1].result.checks] == ["contains", "max-score"]

    async def test_scores_that_rest_on_skipped_checks_are_not_compared(self, tmp_path):
        checks = [{"type": "llm-rubric", "value": "polite"}, {"type": "max-score"}]
        runs = await ran(suite_of(tmp_path, asks("x", *checks), prompts=["A{{q}}", "B{{q}}"]))
        assert outcomes(runs) == ["skipped", "skipped"]

    async def test_a_judge_selects_the_best_and_without_one_it_is_skipped(self, tmp_path, judge_server):
        judge_server.default = says({"reason": "shorter", "best": 1})
        check = {"type": "select-best", "value": "is shortest"}
        suite = suite_of(tmp_path, asks("x", check), prompts=["Long {{q}}", "{{q}}"])
        assert outcomes(await ran(suite)) == ["skipped", "skipped"]
        async with judge_at(judge_server) as judge:
            assert outcomes(await ran(suite, judge=judge)) == ["fail", "pass"]
        assert len(judge_server.requests) == 1

    async def test_a_case_is_judged_by_the_judge_that_it_names(self, tmp_path, judge_server):
        judge_server.default = says({"reason": "r", "pass": True, "score": 1})
        rubric = {"type": "llm-rubric", "value": "polite"}
        suite = suite_of(tmp_path, asks("x", rubric, options={"provider": "openai:gpt-mine"}))
        async with judge_at(judge_server) as judge:
            assert outcomes(await ran(suite, graders={"openai:gpt-mine": judge})) == ["pass"]
        assert outcomes(await ran(suite)) == ["skipped"]


class TestWhatCannotBeRun:
    async def test_a_case_with_a_problem_is_a_failure_that_tells_it(self, tmp_path):
        runs = await ran(suite_of(tmp_path, asks("fine"), prompts=["{{q}}", "{% broken %}"]))
        broken = [run for run in runs if run.case.problem]
        assert outcomes(broken) == ["failure"]
        assert "template" in broken[0].result.reason

    async def test_a_scoring_function_is_code_and_is_not_run(self, tmp_path):
        case = asks("x", contains("x"), assertScoringFunction="file://score.py")
        [run] = await ran(suite_of(tmp_path, case))
        assert (run.result.word, "is code" in run.result.reason) == ("failure", True)

    async def test_a_check_that_needs_a_judge_is_skipped_without_one(self, tmp_path):
        suite = suite_of(tmp_path, asks("x", {"type": "llm-rubric", "value": "It is polite."}))
        [run] = await ran(suite)
        assert (run.result.word, run.result.checks[0].word == "skipped") == ("skipped", True)

    async def test_transforms_come_before_checks(self, tmp_path):
        pytest.importorskip("py_mini_racer")
        case = asks(
            "x", {"type": "equals", "value": "X!"}, options={"transform": "output.toUpperCase() + '!'"}
        )
        [run] = await ran(suite_of(tmp_path, case))
        assert (run.result.word, run.output) == ("pass", "X!")


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

    async def test_checks_are_kept_as_scores_of_a_run(self, tmp_path, store: Store):
        named = {"type": "contains", "value": "b", "metric": "tone"}
        lacking = {"type": "llm-rubric", "value": "polite"}
        broken = {"type": "latency"}
        suite = suite_of(tmp_path, asks("ab", contains("a"), contains("z"), named, lacking, broken))
        [run] = await ran(suite, store=store)
        assert run.session is not None
        scores = store.scores.of(run.session)
        assert [(score.metric, score.outcome, score.passed, score.exchange) for score in scores] == [
            ("test", "failure", None, None),
            ("contains", "score", True, None),
            ("contains-2", "score", False, None),
            ("tone", "score", True, None),
            ("llm-rubric", "skipped", None, None),
            ("latency", "failure", None, None),
        ]
        [kept] = store.runs.all()
        assert kept.finished_at is not None
        assert kept.metrics[:2] == ("test", "contains")

    @pytest.mark.parametrize(
        ("check", "threshold", "stated"),
        [
            ({"type": "levenshtein", "value": "abcd", "threshold": 1}, None, True),
            ({"type": "rouge-n", "value": "a b c", "threshold": 0.3}, 0.3, None),
            ({"type": "contains", "value": "no", "weight": 0}, None, True),
            ({"type": "not-contains", "value": "abc"}, None, False),
            ({"type": "javascript", "value": "({pass: false, score: 1, reason: 'r'})"}, None, False),
            ({"type": "javascript", "value": "({pass: true, score: -3, reason: 'r'})"}, None, True),
        ],
    )
    async def test_a_kept_score_is_what_was_found_and_passes_as_its_check_did(
        self, tmp_path, store: Store, check, threshold, stated
    ):
        pytest.importorskip("py_mini_racer")
        [run] = await ran(suite_of(tmp_path, asks("abc", check)), store=store)
        assert run.session is not None
        whole, kept = store.scores.of(run.session)
        assert whole.passed is run.result.passed
        found = run.result.checks[0]
        assert (kept.passed, kept.threshold) == (found.passed, threshold)
        assert (kept.score, kept.details) == (
            (found.score, {}) if 0 <= found.score <= 1 else (0.0, {"score": found.score})
        )
        [past] = [one.outcome for one in store.past_scores.of(run.session) if one.outcome.metric != "test"]
        assert isinstance(past, Score)
        assert past.stated is stated
        assert kept.remark == ""

    async def test_repetitions_with_the_same_answer_are_sessions_of_their_own(self, tmp_path, store: Store):
        await ran(repeated(suite_of(tmp_path, asks("a")), 3), store=store)
        assert store.sessions.count() == 3

    async def test_the_same_answers_a_second_time_are_the_same_sessions(self, tmp_path, store: Store):
        suite = suite_of(tmp_path, asks("a"), asks("b"))
        first, again = await ran(suite, store=store), await ran(suite, store=store)
        assert [run.session for run in first] == [run.session for run in again]
        assert store.sessions.count() == 2

    async def test_a_run_that_is_closed_keeps_what_was_answered(self, tmp_path, store: Store):
        suite = suite_of(tmp_path, *(asks(f"question {number}") for number in range(20)))
        answered = []

        class Counted(Answerer):
            async def reply(self, case: Any, *given: Any, **named: Any) -> Any:
                answered.append(case)
                return await super().reply(case, *given, **named)

        async with Counted() as answerer, aclosing(run_suite(suite, answerer, store=store)) as runs:
            await anext(runs)
        # The one that was under way when the run was closed may not have been told by then.
        assert store.sessions.count() >= max(1, len(answered) - 1)

    async def test_the_judge_is_asked_and_its_calls_are_kept(self, tmp_path, store, judge_server):
        judge_server.default = says({"reason": "kind", "pass": True, "score": 1})
        suite = suite_of(tmp_path, asks("x", {"type": "llm-rubric", "value": "It is polite."}))
        async with judge_at(judge_server, StoredCallBook(store)) as judge:
            [run] = await ran(suite, judge=judge, store=store)
        assert run.result.word == "pass"
        assert store.calls.get(run.result.checks[0].calls[0]).model
