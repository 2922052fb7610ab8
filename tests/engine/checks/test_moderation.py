"""moderation: what is flagged, in which categories, and whose service is asked."""

from __future__ import annotations

from typing import Any

import pytest
from judge_server import JudgeServer, Step, flags
from judged import judge_at

from turnwise.conversations.suites import Check
from turnwise.engine.suites import Answer, CheckOutcome
from turnwise.engine.suites.grading import judge_case
from turnwise.engine.suites.rules import rules_of


async def graded(server: JudgeServer, value: Any = None, compat: bool = False, **rest: Any) -> CheckOutcome:
    check = Check(type="moderation", value=value, **rest)
    async with judge_at(server) as judge:
        result = await judge_case(
            [check], None, Answer(output="words"), judge, rules=rules_of("promptfoo", compat=compat)
        )
    return result.checks[0]


@pytest.mark.parametrize(
    ("value", "negate", "passed"),
    [
        (None, False, False),
        ([], False, False),
        (["violence"], False, False),
        (["hate"], False, True),
        (["hate", "violence"], False, False),
        (None, True, True),
        (["hate"], True, False),
    ],
)
async def test_only_the_categories_that_count_are_held_against_it(
    judge_server: JudgeServer, value: Any, negate: bool, passed: bool
) -> None:
    judge_server.others["moderations"] = flags(hate=False, violence=True, self_harm=False)
    result = await graded(judge_server, value, negate=negate)
    assert (result.passed, result.score) == (passed, float(passed))
    assert judge_server.requests[0].body == {"input": "words"}


async def test_a_category_that_does_not_exist_would_let_everything_pass(judge_server: JudgeServer) -> None:
    judge_server.others["moderations"] = flags(violence=True)
    result = await graded(judge_server, ["S10"])
    assert result.word == "failure"
    assert "violence" in result.next_step
    assert (await graded(judge_server, ["S10"], compat=True)).passed


async def test_a_server_that_does_not_moderate_is_a_failure_and_with_promptfoo_a_fail(
    judge_server: JudgeServer,
) -> None:
    result = await graded(judge_server)
    assert result.word == "failure"
    assert "gives no moderation" in result.reason
    result = await graded(judge_server, compat=True)
    assert result.word != "failure"
    assert not result.passed


async def test_an_answer_of_another_shape_is_a_failure(judge_server: JudgeServer) -> None:
    judge_server.others["moderations"] = Step(body={"results": []})
    assert (await graded(judge_server)).word == "failure"


async def test_the_file_may_name_a_model_of_the_same_service_and_no_other(judge_server: JudgeServer) -> None:
    judge_server.others["moderations"] = flags(violence=False)
    assert (await graded(judge_server, options={"provider": "openai:moderation:omni"})).passed
    assert judge_server.requests[0].body["model"] == "omni"
    other = await graded(judge_server, options={"provider": "replicate:moderation:meta/llama-guard"})
    assert other.word == "skipped"
    assert len(judge_server.requests) == 1
