"""Rubrics: criteria that are met or not, and criteria with a score."""

from __future__ import annotations

from typing import Any

import pytest
from agentv_found import Seen, check, graded
from judge_server import JudgeServer, says
from judged import judge_at

from turnwise.engine.checks.answer import Answer

A_AND_B = [
    {"id": "a", "outcome": "It greets", "weight": 1.0, "required": False},
    {"id": "b", "outcome": "It thanks", "weight": 3.0, "required": False},
]
RANGED = [
    {
        "id": "a",
        "outcome": "It is clear",
        "score_ranges": [
            {"score_range": [0, 6], "outcome": "no"},
            {"score_range": [7, 10], "outcome": "yes"},
        ],
    }
]


async def judged(server: JudgeServer, rubrics: Any, *replies: Any, compat: bool = False) -> Seen:
    server.script(*map(says, replies))
    answer = Answer(output="Hello", prompt="Hi", criterion="It is kind")
    async with judge_at(server) as judge:
        return await graded(
            check("llm_judge", rubrics=rubrics), answer, judge=judge, secret="s", compat=compat
        )


def met(**said: bool) -> dict[str, Any]:
    checks = [{"id": name, "reasoning": f"r {name}", "satisfied": word} for name, word in said.items()]
    return {"checks": checks, "overall_reasoning": "all"}


def scored(**said: float) -> dict[str, Any]:
    checks = [{"id": name, "reasoning": f"r {name}", "score": score} for name, score in said.items()]
    return {"checks": checks, "overall_reasoning": "all"}


class TestChecklist:
    async def test_the_score_is_the_weighted_share_of_what_is_met(self, judge_server):
        grade = await judged(judge_server, A_AND_B, met(a=False, b=True))
        assert (grade.score, grade.verdict, grade.unmet) == (0.75, "borderline", False)
        assert grade.hits == ("It thanks: r b",)
        assert grade.calls

    async def test_the_judge_sees_the_criteria_the_question_and_the_fenced_answer(self, judge_server):
        await judged(judge_server, A_AND_B, met(a=True, b=True))
        asked = judge_server.requests[0].text
        assert "[a] It greets" in asked
        assert "It is kind" in asked
        assert "the answer begins ---\nHello" in asked

    async def test_a_prompt_of_the_files_own_stands_before_them(self, judge_server):
        judge_server.default = says(met(a=True, b=True))
        own = check("llm_judge", rubrics=A_AND_B, prompt_text="Read {{output}} as a pirate")
        async with judge_at(judge_server) as judge:
            await graded(own, Answer(output="Hello", criterion="It is kind"), judge=judge, secret="s")
        asked = judge_server.requests[0].text
        assert "as a pirate" in asked
        assert "[a] It greets" in asked
        assert "It is kind" not in asked

    async def test_a_text_is_a_required_criterion(self, judge_server):
        grade = await judged(judge_server, ["It greets"], met(**{"rubric-1": False}))
        assert (grade.score, grade.unmet) == (0.0, True)

    async def test_a_required_one_that_is_not_met_makes_the_verdict_fail(self, judge_server):
        rubrics = [{**A_AND_B[0], "required": True}, {**A_AND_B[1], "weight": 9.0}]
        grade = await judged(judge_server, rubrics, met(a=False, b=True))
        assert (grade.score, grade.verdict, grade.unmet) == (0.9, "fail", True)

    async def test_how_a_criterion_is_meant_is_told(self, judge_server):
        rubrics = [{"id": "a", "outcome": "The fee is 5", "operator": "contradiction"}]
        await judged(judge_server, rubrics, met(a=True))
        assert "need not say it" in judge_server.requests[0].text


class TestWhatTheJudgeLeavesOut:
    async def test_it_is_asked_for_again_alone(self, judge_server):
        grade = await judged(judge_server, A_AND_B, met(a=True), met(b=True))
        assert grade.score == 1.0
        assert len(judge_server.requests) == 2
        assert "[a] It greets" not in judge_server.requests[1].text

    async def test_left_out_twice_it_is_not_met(self, judge_server):
        grade = await judged(judge_server, A_AND_B, met(a=True), met(x=True))
        assert (grade.score, grade.misses) == (0.25, ("It thanks: the judge says nothing of it",))

    async def test_told_in_two_ways_it_is_asked_for_again(self, judge_server):
        both = {"checks": [*met(a=True)["checks"], *met(a=False, b=True)["checks"]], "overall_reasoning": ""}
        assert (await judged(judge_server, A_AND_B, both, met(a=False))).score == 0.75

    async def test_an_id_in_brackets_is_known(self, judge_server):
        assert (await judged(judge_server, A_AND_B, met(**{"[a]": True, " b ": True}))).score == 1.0

    async def test_in_compat_it_does_not_count(self, judge_server):
        assert (await judged(judge_server, A_AND_B, met(a=True), compat=True)).score == 1.0
        assert len(judge_server.requests) == 1


class TestScores:
    async def test_a_score_of_ten_is_the_whole(self, judge_server):
        grade = await judged(judge_server, [*RANGED, {"id": "b", "outcome": "B"}], scored(a=8, b=5))
        assert (grade.score, grade.unmet) == (0.65, False)
        assert grade.misses == ("B: r b (5 of 10)",)
        assert "7 to 10: yes" in judge_server.requests[0].text

    @pytest.mark.parametrize(
        ("least", "gate"),
        [
            ({"required_min_score": 8}, False),
            ({"required_min_score": 9}, True),
            ({"min_score": 0.8}, False),
            ({"min_score": 0.85}, True),
            ({"required": True}, True),
            ({}, False),
        ],
    )
    async def test_one_below_its_least_score_makes_the_verdict_fail(self, judge_server, least, gate):
        grade = await judged(judge_server, [{**RANGED[0], **least}], scored(a=8))
        assert (grade.score, grade.verdict, grade.unmet) == (0.8, "fail" if gate else "pass", gate)

    async def test_scores_where_each_begins(self, judge_server):
        rubrics = [{"id": "a", "outcome": "A", "score_ranges": {0: "bad", 6: "good"}}]
        assert (await judged(judge_server, rubrics, scored(a=6))).score == 0.6
        assert "0 to 5: bad" in judge_server.requests[0].text


class TestRepliesThatCannotBeRead:
    @pytest.mark.parametrize("reply", [{}, "nope", {"checks": "all good"}, {"checks": [{"satisfied": True}]}])
    async def test_they_are_a_failure(self, judge_server, reply):
        grade = await judged(judge_server, A_AND_B, reply, reply)
        assert grade.word == "failure"
        assert "judge" in grade.reason

    async def test_in_compat_they_score_0(self, judge_server):
        grade = await judged(judge_server, A_AND_B, *["nope"] * 4, compat=True)
        assert (grade.word, grade.score, grade.verdict) == ("score", 0.0, "fail")

    async def test_in_compat_the_third_reply_still_counts(self, judge_server):
        replies = ["nope", {"checks": []}, met(a=True, b=True)]
        assert (await judged(judge_server, A_AND_B, *replies, "x", compat=True)).score == 1.0

    async def test_a_score_that_is_not_whole_is_a_failure(self, judge_server):
        assert (await judged(judge_server, RANGED, scored(a=7.5), scored(a=7.5))).word == "failure"


async def test_without_criteria_it_is_a_failure(judge_server):
    async with judge_at(judge_server) as judge:
        assert (await graded(check("rubrics"), Answer(output=""), judge=judge)).word == "failure"


async def test_without_a_judge_it_is_skipped():
    grade = await graded(check("rubrics", rubrics=A_AND_B), Answer(output=""))
    assert (grade.word, grade.next_step) == ("skipped", "Name one with --judge.")
