"""Running a suite of AgentV: who answers, what is kept, and what a case that cannot be run becomes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from judge_server import JudgeServer, Request, Step, refuses, says
from judged import judge_at
from real_files import FIXTURES

from turnwise.conversations.errors import JudgeUnavailableError
from turnwise.conversations.formats.agentv import load_agentv
from turnwise.conversations.store import Store
from turnwise.conversations.suites import Suite, TargetSpec
from turnwise.engine.chatbots.targets import Target
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.engine.models.settings import ModelSettings
from turnwise.engine.suites.agentv.running import AgentvRun, needs_judge, run_agentv
from turnwise.engine.suites.answering import Answerer, Reply
from turnwise.engine.suites.selecting import for_target

TWO = """\
description: sums
evalcases:
  - id: one
    expected_outcome: It says 2
    input: 1 + 1?
    expected_output: "2"
    execution:
      evaluators:
        - {name: says, type: latency, threshold: 60000}
  - id: two
    expected_outcome: It says 4
    input:
      - {role: system, content: Count.}
      - {role: user, content: 2 + 2?}
"""
TALK = """\
tests:
  - id: talk
    criteria: It repeats
    mode: conversation
    input: [{role: system, content: Repeat.}]
    turns:
      - input: red
        assertions: [{type: contains, value: red}]
      - input: blue
        assertions: [{type: contains, value: blue}]
    assertions: [{type: contains, value: "assistant: blue"}]
"""


def suite_of(folder: Path, text: str, name: str = "suite.yaml", *, target: str | None = "echo") -> Suite:
    path = folder / name
    path.write_text(text)
    suite = load_agentv(path)
    return suite if target is None else for_target(suite, TargetSpec(id=target))


async def ran(suite: Suite, server: JudgeServer | None = None, **rest: Any) -> list[AgentvRun]:
    target = Target(ModelSettings(base_url=server.url, model="m")) if server else None
    try:
        async with (
            Answerer(target, environment={}) as answerer,
            aclosing(run_agentv(suite, answerer, **rest)) as runs,
        ):
            return [run async for run in runs]
    finally:
        if target is not None:
            await target.close()


def outcomes(runs: Sequence[AgentvRun]) -> list[tuple[str, str, str]]:
    return [(run.case.id, run.result.word, run.verdict) for run in runs]


def answers(request: Request) -> Step:
    """Answer as a chatbot, and as the judge where a question of it comes."""
    judging = "hits" in request.text
    return says({"reasoning": "right", "hits": ["4"], "misses": [], "score": 0.7} if judging else "It is 4.")


class TestWhoAnswers:
    async def test_echo_says_back_what_the_user_said_last(self, tmp_path):
        runs = await ran(suite_of(tmp_path, TWO))
        assert [run.output for run in runs] == ["1 + 1?", "2 + 2?"]

    async def test_a_target_gets_the_messages_and_the_judge_the_answer(self, tmp_path, judge_server):
        judge_server.default = answers
        suite = suite_of(tmp_path, TWO, target="mine")
        assert needs_judge(suite)
        async with judge_at(judge_server) as judge:
            runs = await ran(suite, judge_server, judge=judge)
        assert outcomes(runs)[1] == ("two", "fail", "borderline")
        sent = [request.body["messages"] for request in judge_server.requests]
        assert [{"role": "system", "content": "Count."}, {"role": "user", "content": "2 + 2?"}] in sent
        assert any("It says 4" in request.text for request in judge_server.requests)

    async def test_without_any_the_failure_says_what_to_do(self, tmp_path):
        runs = await ran(suite_of(tmp_path, TWO, target=None))
        assert {run.result.word for run in runs} == {"failure"}
        assert all("--target" in run.result.reason for run in runs)

    async def test_one_that_refuses_is_a_failure_and_the_run_goes_on(self, tmp_path, judge_server):
        judge_server.default = lambda request: (
            refuses(400, "too odd") if "1 + 1?" in request.text else says("4")
        )
        runs = await ran(suite_of(tmp_path, TWO, target="mine"), judge_server)
        assert [run.result.word for run in runs] == ["failure", "skipped"]
        assert "too odd" in runs[0].result.reason

    async def test_one_that_is_away_stops_the_run(self, tmp_path):
        class Away(Answerer):
            async def reply(self, *_: Any, **__: Any) -> Reply:
                raise JudgeUnavailableError("The chatbot is away")

        with pytest.raises(JudgeUnavailableError):
            async with aclosing(run_agentv(suite_of(tmp_path, TWO, target="mine"), Away())) as runs:
                [run async for run in runs]


class TestWhatIsKept:
    async def test_a_case_is_a_session_with_its_scores(self, tmp_path, judge_server, store):
        judge_server.default = answers
        async with judge_at(judge_server, StoredCallBook(store)) as judge:
            runs = await ran(suite_of(tmp_path, TWO, target="mine"), judge_server, judge=judge, store=store)
        session = runs[1].session
        assert session is not None
        kept = store.sessions.case(session)
        assert [(turn.role, turn.content) for turn in kept.turns] == [
            ("system", "Count."),
            ("user", "2 + 2?"),
            ("assistant", "It is 4."),
        ]
        assert kept.name == "two"
        scores = {row.metric: row for row in store.scores.of(session)}
        assert scores["llm_judge"].score == 0.7
        assert store.calls.get(scores["llm_judge"].calls[0]) is not None

    async def test_a_conversation_is_one_session(self, tmp_path, store):
        [run] = await ran(suite_of(tmp_path, TALK), store=store)
        assert (run.result.word, run.result.score, run.verdict) == ("pass", 1.0, "pass")
        turns = store.sessions.case(run.session).turns
        assert [(turn.role, turn.content) for turn in turns] == [
            ("system", "Repeat."),
            *[("user", "red"), ("assistant", "red"), ("user", "blue"), ("assistant", "blue")],
        ]
        assert store.sessions.count("") == 1

    async def test_what_was_done_before_a_stop_is_kept(self, tmp_path, store):
        suite = suite_of(tmp_path, TWO)
        async with Answerer() as answerer, aclosing(run_agentv(suite, answerer, store=store)) as runs:
            async for _ in runs:
                await asyncio.sleep(0.05)
                break
        assert store.sessions.count("") == 2


class TestData:
    async def test_it_names_the_case_and_the_verdict(self, tmp_path):
        run, _ = await ran(suite_of(tmp_path, TWO))
        data = run.data()
        assert (data["index"], data["id"], data["verdict"]) == (0, "one", "pass")
        assert (data["prompt"], data["output"], data["outcome"]) == ("1 + 1?", "1 + 1?", "pass")
        assert data["checks"][0]["metric"] == "says"


class TestThreshold:
    async def test_the_suites_own_holds_for_cases_without_one(self, tmp_path):
        text = """\
execution: {threshold: 0.4}
tests:
  - {id: low, criteria: c, input: abc, assertions: [{type: contains, value: a}, {type: contains, value: z}]}
"""
        [run] = await ran(suite_of(tmp_path, text))
        assert (run.result.word, run.result.score) == ("pass", 0.5)


@pytest.mark.fixtures
@pytest.mark.skipif(not FIXTURES.is_dir(), reason="the folder ../shared/fixtures is not here")
async def test_the_real_files_run_and_no_check_is_a_failure_of_ours(store: Store) -> None:
    files = sorted(
        path for path in (FIXTURES / "agentv").rglob("*") if "evals" in path.parts and path.suffix == ".yaml"
    )
    seen = 0
    for path in files:
        if "baseline" in path.name or not is_suite(path):
            continue
        suite = for_target(load_agentv(path), TargetSpec(id="echo"))
        runs = await ran(suite, store=store)
        seen += len(runs)
        told = [check.reason for run in runs for check in run.result.checks if check.word == "failure"]
        assert all("There is no evaluator" in reason for reason in told), path
    assert seen >= 100


def is_suite(path: Path) -> bool:
    from turnwise.conversations.errors import TurnwiseError
    from turnwise.conversations.formats.agentv import looks_like_agentv

    try:
        return looks_like_agentv(path) and bool(load_agentv(path).cases)
    except TurnwiseError:
        return False
