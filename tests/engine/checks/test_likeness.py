"""similar and answer-relevance: distances and thresholds, and who makes the vectors."""

from __future__ import annotations

import math
from typing import Any

import pytest
from judge_server import JudgeServer, embeds, refuses, says
from judged import judge_at

from turnwise.conversations.suites import Check
from turnwise.engine.checks.asker import Reach
from turnwise.engine.judge.embeddings import Embedder
from turnwise.engine.suites import Answer, CheckOutcome
from turnwise.engine.suites.grading import judge_case

VECTORS = {"output": [3.0, 4.0], "same": [6.0, 8.0], "near": [4.0, 3.0], "far": [-3.0, -4.0]}
ANSWER = Answer(output="output", prompt="near")


@pytest.fixture
def server(judge_server: JudgeServer) -> JudgeServer:
    judge_server.others["embeddings"] = embeds(VECTORS)
    return judge_server


async def graded(server: JudgeServer, kind: str, value: Any = None, **rest: Any) -> CheckOutcome:
    options = rest.pop("options_of_case", None)
    check = Check(type=kind.removeprefix("not-"), negate="not-" in kind, value=value, **rest)
    async with judge_at(server) as judge:
        result = await judge_case([check], None, ANSWER, judge, options=options)
    return result.checks[0]


@pytest.mark.parametrize(
    ("kind", "value", "threshold", "passed", "score"),
    [
        ("similar", "same", None, True, 1.0),
        ("similar", "near", None, True, 0.96),
        ("similar", "near", 0.97, False, 0.96),
        ("similar", "near", 0.96, True, 0.96),
        ("similar", "far", None, False, -1.0),
        ("similar", ["far", "near"], None, True, 0.96),
        ("similar:cosine", "near", None, True, 0.96),
        ("similar:dot", "near", 24, True, 24.0),
        ("similar:dot", "near", 25, False, 24.0),
        ("similar:euclidean", "near", 1.5, True, 1 / (1 + math.sqrt(2))),
        ("similar:euclidean", "near", 1, False, 1 / (1 + math.sqrt(2))),
        ("similar:euclidean", ["far", "same"], 5, True, 1 / 6),
        ("not-similar", "near", None, False, 0.04),
        ("not-similar", "far", None, True, 2.0),
        ("not-similar", ["far", "near"], None, False, 0.04),
        ("not-similar:euclidean", "near", 1, True, 1 - 1 / (1 + math.sqrt(2))),
    ],
)
async def test_how_near_a_text_is(
    server: JudgeServer, kind: str, value: Any, threshold: float | None, passed: bool, score: float
) -> None:
    result = await graded(server, kind, value, threshold=threshold)
    assert (result.passed, result.score) == (passed, pytest.approx(score))
    assert "threshold" in result.reason
    assert result.calls


async def test_the_mean_nearness_of_the_questions_that_it_would_answer(server: JudgeServer) -> None:
    server.script(says({"questions": ["same", "near", "far"]}))
    result = await graded(server, "answer-relevance", threshold=0.3)
    expected = (0.96 + 1 - 0.96) / 3
    assert (result.passed, result.score) == (True, pytest.approx(expected))
    assert len(result.calls) == 5
    assert "output" in server.requests[0].text
    assert not (await graded(server, "not-answer-relevance", threshold=0.3)).passed


async def test_the_question_may_be_told_by_a_variable(server: JudgeServer) -> None:
    server.script(says({"questions": ["same"]}))
    answer = Answer(output="output", prompt="a long prompt with all its rules", vars={"query": "same"})
    async with judge_at(server) as judge:
        result = await judge_case([Check(type="answer-relevance", threshold=1)], None, answer, judge)
    assert (result.word, result.score) == ("pass", pytest.approx(1))


async def test_questions_that_do_not_come_are_a_failure(server: JudgeServer) -> None:
    server.default = says({"questions": []})
    assert (await graded(server, "answer-relevance")).word == "failure"


async def test_a_server_without_embeddings_is_a_failure_that_says_what_to_do(
    judge_server: JudgeServer,
) -> None:
    result = await graded(judge_server, "similar", "near")
    assert result.word == "failure"
    assert "gives no embeddings" in result.reason
    assert "--embeddings" in result.next_step
    judge_server.others["embeddings"] = refuses(401, "no key")
    assert (await graded(judge_server, "not-similar", "near")).word == "failure"


async def test_without_a_judge_it_is_skipped_unless_something_else_makes_vectors(server: JudgeServer) -> None:
    check = Check(type="similar", value="same")
    assert (await judge_case([check], None, ANSWER, None)).word == "skipped"
    async with judge_at(server, model="e") as other:
        reach = Reach(embedder=Embedder(other, "e"))
        assert (await judge_case([check], None, ANSWER, None, reach=reach)).word == "pass"


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("openai:embedding:small", "small"),
        ("openai:embeddings:small", "small"),
        ("openai:text-embedding-3-small", "text-embedding-3-small"),
        ({"id": "openai:embedding:small"}, "small"),
        ({"embedding": "openai:embedding:small", "text": "openai:gpt"}, "small"),
        ({"embedding": {"id": "openai:embedding:small"}}, "small"),
        ({"text": "openai:gpt"}, "m"),
        ("openai:gpt-4.1", "m"),
        (None, "m"),
    ],
)
async def test_the_file_may_name_the_model(server: JudgeServer, provider: Any, model: str) -> None:
    await graded(server, "similar", "same", options={"provider": provider})
    assert server.requests[0].body["model"] == model


async def test_so_may_the_options_of_the_case(server: JudgeServer) -> None:
    options = {"provider": {"embedding": "openai:embedding:small"}}
    await graded(server, "similar", "same", options_of_case=options)
    assert server.requests[0].body["model"] == "small"


@pytest.mark.parametrize("provider", ["cohere:embedding:x", {"embedding": {"id": "sagemaker:embedding:e"}}])
async def test_vectors_of_another_service_are_not_asked_for(server: JudgeServer, provider: Any) -> None:
    result = await graded(server, "similar", "same", options={"provider": provider})
    assert result.word == "skipped"
    assert server.requests == []


async def test_a_model_that_the_user_names_goes_before_those_of_the_file(server: JudgeServer) -> None:
    check = Check(type="similar", value="same", options={"provider": "cohere:embedding:x"})
    async with judge_at(server) as judge:
        reach = Reach(embedder=Embedder(judge, "mine"))
        result = await judge_case([check], None, ANSWER, judge, reach=reach)
    assert result.word == "pass"
    assert server.requests[0].body["model"] == "mine"


@pytest.mark.parametrize("kind", ["similar", "answer-relevance"])
async def test_an_empty_answer_is_like_nothing(judge_server: JudgeServer, kind: str) -> None:
    async with judge_at(judge_server) as judge:
        checks = [Check(type=kind, value="same"), Check(type=kind, value="same", negate=True)]
        result = await judge_case(checks, None, Answer(output=" "), judge)
    assert [check.passed for check in result.checks] == [False, True]
    assert judge_server.requests == []


async def test_a_value_must_be_there(server: JudgeServer) -> None:
    assert (await graded(server, "similar", [])).word == "failure"
    assert server.requests == []
