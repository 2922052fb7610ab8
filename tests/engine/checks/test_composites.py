"""composite: several evaluators and one score."""

from __future__ import annotations

from typing import Any

import pytest
from agentv_found import check, found, graded
from judge_server import says
from judged import judge_at

from turnwise.conversations.errors import SettingError
from turnwise.engine.checks.answer import Answer
from turnwise.engine.suites.agentv.grading import asks_judge

YES = check("contains", name="yes", value="a")
NO = check("contains", name="no", value="z")


def composite(*members, **aggregator):
    return check("composite", *members, name="all", aggregator=aggregator or {"type": "weighted_average"})


class TestWeightedAverage:
    def test_members_weigh_the_same_unless_told(self):
        grade = found(composite(YES, NO), "abc")
        assert (grade.score, grade.hits) == (0.5, ('yes: The answer contains "a"',))
        weighted = composite(YES, NO, type="weighted_average", weights={"yes": 4})
        assert found(weighted, "abc").score == 0.8

    def test_no_weight_at_all_scores_0(self):
        assert found(composite(YES, type="weighted_average", weights={"yes": 0}), "abc").score == 0.0

    def test_composites_hold_composites(self):
        assert found(composite(composite(YES, NO), YES), "abc").score == 0.75

    def test_a_negated_member_counts_negated_and_in_compat_as_it_is(self):
        member = check("contains", name="not", value="z", negate=True)
        assert found(composite(member), "abc").score == 1.0
        assert found(composite(member), "abc", compat=True).score == 0.0


async def test_a_required_criterion_inside_fails_the_whole_and_in_compat_only_its_member(judge_server):
    reply = {"checks": [{"id": "a", "reasoning": "r", "satisfied": False}], "overall_reasoning": ""}
    rubric = check("rubrics", name="rubric", rubrics=[{"id": "a", "outcome": "A", "required": True}])
    asked = composite(YES, rubric, type="weighted_average", weights={"yes": 9})
    judge_server.default = says(reply)
    async with judge_at(judge_server) as judge:
        for compat, verdict in ((False, "fail"), (True, "pass")):
            grade = await graded(asked, Answer(output="abc"), judge=judge, compat=compat)
            assert (grade.score, grade.verdict, grade.unmet) == (0.9, verdict, True)


class TestThreshold:
    @pytest.mark.parametrize(("threshold", "verdict"), [(0.5, "pass"), (0.6, "fail")])
    def test_it_passes_where_enough_members_do(self, threshold, verdict):
        grade = found(composite(YES, NO, type="threshold", threshold=threshold), "abc")
        assert (grade.score, grade.verdict) == (0.5, verdict)


def set_of(*members, threshold=None):
    aggregator = {"type": "set", "threshold": threshold}
    return check("assert-set", *members, name="gate", aggregator=aggregator)


class TestSet:
    """AgentV 5's AssertSetGrader: a mean by the members' own weights, passed by the threshold or by them."""

    @pytest.mark.parametrize(
        ("threshold", "weight", "score", "verdict"),
        [
            (0.5, 1.0, 0.5, "pass"),
            (0.6, 1.0, 0.5, "fail"),
            (0.6, 3.0, 0.75, "pass"),
            (None, 1.0, 0.5, "fail"),
        ],
    )
    def test_it_passes_by_its_threshold(self, threshold, weight, score, verdict):
        heavy = check("contains", name="yes", value="a", weight=weight)
        grade = found(set_of(heavy, NO, threshold=threshold), "abc")
        assert (grade.score, grade.verdict) == (score, verdict)

    def test_without_one_every_member_that_weighs_anything_has_to_pass(self):
        light = check("contains", name="no", value="z", weight=0.0)
        grade = found(set_of(YES, light), "abc")
        assert (grade.score, grade.verdict) == (1.0, "pass")

    def test_sets_hold_sets(self):
        assert found(set_of(set_of(YES, NO), YES, threshold=0.7), "abc").score == 0.75
        assert asks_judge(set_of(set_of(check("llm-rubric", prompt_text="x"))))

    def test_a_threshold_that_is_none_is_a_failure(self):
        assert found(set_of(YES, threshold="high"), "abc").word == "failure"


class TestMembersThatSayNothing:
    def test_a_failure_or_a_skip_is_that_of_the_whole(self):
        assert found(composite(YES, check("regex", value="(")), "abc").word == "failure"
        grade = found(composite(YES, check("llm_judge", name="judge")), "abc")
        assert (grade.word, grade.reason) == ("skipped", "judge: It needs a judge")


class TestJudge:
    async def test_it_is_shown_what_the_members_found(self, judge_server):
        judge_server.script(says({"reasoning": "half", "score": 0.4}))
        async with judge_at(judge_server) as judge:
            asked = composite(YES, NO, type="llm_judge", prompt="Weigh: {{EVALUATOR_RESULTS_JSON}}")
            grade = await graded(asked, Answer(output="abc"), judge=judge)
        assert (grade.score, grade.verdict, len(grade.members)) == (0.4, "fail", 2)
        assert '"yes": {\n' in judge_server.requests[0].text

    async def test_its_prompt_sees_the_sidecar_and_a_mark_of_nothing_is_told(self, judge_server):
        judge_server.default = says({"score": 1})
        answer = Answer(output="abc", case_metadata={"language": "Python"})
        async with judge_at(judge_server) as judge:
            for mark, word in (("{{sidecar.language}}", "score"), ("{{langage}}", "failure")):
                own = composite(YES, type="llm_judge", prompt=f"{mark}: {{{{EVALUATOR_RESULTS_JSON}}}}")
                grade = await graded(own, answer, judge=judge)
                assert grade.word == word
            left = await graded(own, answer, judge=judge, compat=True)
        assert "nothing stands for {{langage}}" in grade.told
        assert left.word == "score"
        assert "Python: " in judge_server.requests[0].text
        assert "{{langage}}: " in judge_server.requests[1].text

    def test_who_asks_the_judge_is_known_beforehand(self):
        assert asks_judge(composite(YES, type="llm-grader"))
        assert asks_judge(composite(check("rubrics")))
        assert not asks_judge(composite(YES, NO))


class TestCode:
    async def test_it_is_told_what_the_members_found(self):
        seen: dict[str, Any] = {}

        async def run_code(command, given, *, folder, place=""):
            seen.update(given, command=command)
            return {"score": 0.7, "reasoning": "so"}

        asked = composite(YES, NO, type="code_judge", path="sum.py")
        grade = await graded(asked, Answer(output="abc"), run_code=run_code)
        assert (grade.score, grade.reason) == (0.7, "so")
        assert seen["results"]["yes"]["score"] == 1.0

    async def test_one_that_fails_is_a_failure_and_in_compat_a_score_of_0(self):
        async def run_code(command, given, *, folder, place=""):
            raise SettingError("It ended with exit code 1")

        asked = composite(YES, type="code_judge", path="sum.py")
        for compat in (False, True):
            grade = await graded(asked, Answer(output=""), run_code=run_code, compat=compat)
            assert grade.word == ("score" if compat else "failure")


@pytest.mark.parametrize(
    "asked", [composite(), composite(YES, type="median"), composite(YES, type="threshold")]
)
def test_what_cannot_be_added_up_is_a_failure(asked):
    assert found(asked, "abc").word == "failure"
