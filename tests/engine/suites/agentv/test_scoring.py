"""The score of a case, out of those of its evaluators."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from agentv_found import check
from turnwise.engine.suites.agentv.grade import Grade, graded, verdict_of
from turnwise.engine.suites.agentv.outcome import case_result
from turnwise.engine.suites.agentv.scoring import case_grade

SKIPPED = Grade(score=0.0, verdict="fail", reason="It needs a judge", skipped=True)
FAILURE = Grade(score=0.0, verdict="fail", reason="The judge is away", failure=True)


def scored(*found, **rest):
    """Return the grade of a case from pairs of settings and scores or grades."""
    pairs = [
        (check("contains", **config), score if isinstance(score, Grade) else graded(score))
        for config, score in found
    ]
    return case_grade(pairs, **rest)


class TestMean:
    def test_it_is_weighted(self):
        case = scored(({"weight": 3.0}, 1.0), ({}, 0.2))
        assert (case.score, case.verdict, case.passed) == (0.8, "pass", True)

    @pytest.mark.parametrize(("score", "verdict"), [(0.8, "pass"), (0.7, "borderline"), (0.5, "fail")])
    def test_only_a_pass_passes(self, score, verdict):
        case = scored(({}, score))
        assert (case.verdict, case.passed) == (verdict, verdict == "pass")

    def test_a_file_may_set_its_own_threshold(self):
        assert scored(({}, 0.5), threshold=0.5).passed
        assert scored(({}, 0.9), threshold=0.95).verdict == "borderline"

    def test_no_weight_at_all_scores_0(self):
        assert scored(({"weight": 0.0}, 1.0)).score == 0.0

    @given(some.lists(some.tuples(some.floats(0, 5), some.floats(0, 1)), min_size=1))
    def test_it_lies_between_its_parts(self, parts):
        case = scored(*[({"weight": weight}, score) for weight, score in parts])
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
        case = scored((config, score), ({"weight": 9.0}, 1.0))
        assert case.passed == passes
        assert passes or (case.score == 0.0 and "required" in case.reason)

    def test_a_required_criterion_that_is_not_met_fails_the_case(self):
        unmet = graded(0.9, gate=True)
        case = scored(({"name": "rubric"}, unmet))
        assert (case.score, case.passed, case.verdict) == (0.9, False, "fail")
        assert case.reason == "rubric: a required criterion is not met"

    def test_in_compat_it_loses_its_effect(self):
        assert scored(({}, graded(0.9, gate=True)), compat=True).verdict == "pass"


class TestUndecided:
    def test_a_failure_is_the_cases_own(self):
        case = scored(({}, 1.0), ({"name": "judge"}, FAILURE))
        assert (case.failure, case.score, case.reason) == (True, 0.0, "judge: The judge is away")

    def test_a_skip_leaves_the_case_open(self):
        case = scored(({}, 1.0), ({}, SKIPPED))
        assert (case.skipped, case.passed) == (True, False)

    def test_where_the_others_decide_a_skip_does_not_matter(self):
        assert not scored(({"weight": 4.0}, 0.0), ({}, SKIPPED)).skipped
        assert not scored(({"required": True}, 0.0), ({"weight": 99.0}, SKIPPED)).skipped

    def test_what_agentv_ignores_counts_nothing(self):
        ignored = Grade(score=0.0, verdict="fail", ignored=True)
        assert scored(({}, 1.0), ({}, ignored), compat=True).score == 1.0


class TestResult:
    def test_it_tells_each_evaluator_and_the_members_after_it(self):
        inner = graded(0.4)
        whole = Grade(score=0.9, verdict="pass", members=((check("regex", name="in"), inner),))
        pairs = [(check("composite", name="all", negate=True), whole), (check("contains"), graded(0.2))]
        result = case_result(case_grade(pairs, threshold=0.5), threshold=0.5)
        assert (result.outcome, result.score) == ("pass", pytest.approx(0.55))
        assert [(one.type, one.metric, one.passed) for one in result.checks] == [
            ("not-composite", "all", True),
            ("regex", "in", False),
            ("contains", None, False),
        ]

    @pytest.mark.parametrize(
        ("grade", "outcome"), [(FAILURE, "failure"), (SKIPPED, "skipped"), (graded(0.1), "fail")]
    )
    def test_the_outcome(self, grade, outcome):
        assert case_result(scored(({}, grade))).outcome == outcome


def test_words_for_scores():
    assert [verdict_of(score) for score in (1.0, 0.8, 0.6, 0.59)] == ["pass", "pass", "borderline", "fail"]
