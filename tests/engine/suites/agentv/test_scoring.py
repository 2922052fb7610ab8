"""The score of a case, out of those of its evaluators."""

from __future__ import annotations

import asyncio

import pytest
from agentv_found import bench, check
from hypothesis import given
from hypothesis import strategies as some

from turnwise.conversations.results import Failure, Outcome, Score, Skipped
from turnwise.conversations.suites import Check
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.composites import verdict_of, verdict_of_score
from turnwise.engine.checks.findings import CheckOutcome, Finding, scored
from turnwise.engine.suites.agentv.grading import grade_case, required_mean
from turnwise.engine.suites.rules import rules_of

SKIPPED = Skipped(metric="judge", reason="It needs a judge")
FAILURE = Failure(metric="judge", reason="The judge is away")


def came_to(of: Check, found: float | Finding | Outcome) -> CheckOutcome:
    """Return the outcome of an evaluator that gave a score, or found something, or could not be asked."""
    if isinstance(found, Failure | Skipped):
        return CheckOutcome(check=of, outcome=found)
    finding = found if isinstance(found, Finding) else scored(float(found))
    score = Score(metric="x", reason="", score=finding.score, stated=verdict_of(finding) == "pass")
    return CheckOutcome(check=of, outcome=score, finding=finding, is_left_out=not finding.counts)


def case_of(*found, compat=False, **rest):
    """Return what a case comes to by pairs of settings and what evaluators with them came to."""
    outcomes = [came_to(check("contains", **config), score) for config, score in found]
    return required_mean(outcomes, rules=rules_of("agentv", compat=compat), **rest)


class TestMean:
    def test_it_is_weighted(self):
        case = case_of(({"weight": 3.0}, 1.0), ({}, 0.2))
        assert (case.score, case.verdict, case.passed) == (0.8, "pass", True)

    @pytest.mark.parametrize(("score", "verdict"), [(0.8, "pass"), (0.7, "borderline"), (0.5, "fail")])
    def test_only_a_pass_passes(self, score, verdict):
        case = case_of(({}, score))
        assert (case.verdict, case.passed) == (verdict, verdict == "pass")

    def test_a_file_may_set_its_own_threshold(self):
        assert case_of(({}, 0.5), threshold=0.5).passed
        assert case_of(({}, 0.9), threshold=0.95).verdict == "borderline"

    def test_no_weight_at_all_scores_0(self):
        assert case_of(({"weight": 0.0}, 1.0)).score == 0.0

    @given(some.lists(some.tuples(some.floats(0, 5), some.floats(0, 1)), min_size=1))
    def test_it_lies_between_its_parts(self, parts):
        case = case_of(*[({"weight": weight}, score) for weight, score in parts])
        assert 0.0 <= case.score <= 1.0 + 1e-9
        assert case.passed == (case.score >= 0.8)


class TestRequired:
    @pytest.mark.parametrize(
        ("config", "score", "passes"),
        [
            ({"required": True}, 0.79, False),
            ({"required": True}, 0.8, True),
            ({"required": 0.5}, 0.5, True),
            ({"required": 0.5}, 0.4, False),
            ({"required": True, "min_score": 0.3}, 0.3, True),
            ({"required": False}, 0.0, True),
            ({"min_score": 0.9}, 0.0, True),
        ],
    )
    def test_an_evaluator_below_its_least_score_makes_the_score_0(self, config, score, passes):
        case = case_of((config, score), ({"weight": 9.0}, 1.0))
        assert case.passed == passes
        assert passes or (case.score == 0.0 and "required" in case.reason)

    def test_a_required_criterion_that_is_not_met_fails_the_case(self):
        unmet = scored(0.9, unmet=True)
        case = case_of(({"name": "rubric"}, unmet))
        assert (case.score, case.passed, case.verdict) == (0.9, False, "fail")
        assert case.reason == "rubric: a required criterion is not met"

    def test_in_compat_it_loses_its_effect(self):
        assert case_of(({}, scored(0.9, unmet=True)), compat=True).verdict == "pass"


class TestUndecided:
    def test_a_failure_is_the_cases_own(self):
        case = case_of(({}, 1.0), ({"name": "judge"}, FAILURE))
        assert (case.word, case.score, case.reason) == ("failure", 0.0, "judge: The judge is away")

    def test_a_skip_leaves_the_case_open(self):
        case = case_of(({}, 1.0), ({}, SKIPPED))
        assert (case.word, case.passed) == ("skipped", False)

    def test_where_the_others_decide_a_skip_does_not_matter(self):
        assert case_of(({"weight": 4.0}, 0.0), ({}, SKIPPED)).word != "skipped"
        assert case_of(({"required": True}, 0.0), ({"weight": 99.0}, SKIPPED)).word != "skipped"

    def test_what_agentv_ignores_counts_nothing(self):
        unread = CheckOutcome(check=check("llm-grader"), outcome=SKIPPED, is_left_out=True)
        assert required_mean([came_to(check("contains"), 1.0), unread]).score == 1.0


class TestResult:
    def test_it_tells_each_evaluator_and_the_members_after_it(self):
        inner = check("contains", name="in", value="z")
        whole = check("composite", inner, name="all", negate=True)
        result = asyncio.run(grade_case([whole, check("contains", value="a")], Answer(output="a"), bench()))
        assert (result.word, result.score) == ("pass", 1.0)
        assert [(one.type, one.metric, one.passed) for one in result.checks] == [
            ("not-composite", "all", True),
            ("contains", "in", False),
            ("contains", None, True),
        ]

    @pytest.mark.parametrize(
        ("grade", "outcome"), [(FAILURE, "failure"), (SKIPPED, "skipped"), (scored(0.1), "fail")]
    )
    def test_the_outcome(self, grade, outcome):
        assert case_of(({}, grade)).word == outcome


def test_words_for_scores():
    assert [verdict_of_score(score) for score in (1.0, 0.8, 0.6, 0.59)] == [
        "pass",
        "pass",
        "borderline",
        "fail",
    ]
