"""latency, cost, token_usage, execution_metrics: what an answer took."""

from __future__ import annotations

import pytest
from agentv_found import check, found

from turnwise.engine.checks.answer import Effort, Tokens

MEASURED = Effort(
    tool_calls={"Read": 3, "Write": 1},
    model_calls=2,
    tokens=Tokens(input=100, output=50, cached=10),
)


def measured(kind: str, *, compat: bool = False, effort: Effort | None = MEASURED, **config):
    told = {"cost": 0.01, "latency": 1500.0} if effort is MEASURED else {}
    return found(check(kind, **config), effort=effort, compat=compat, **told)


@pytest.mark.parametrize(
    ("kind", "limit", "holds"),
    [
        ("latency", {"threshold": 1500}, True),
        ("latency", {"threshold": 1499}, False),
        ("cost", {"budget": 0.01}, True),
        ("cost", {"budget": 0.009}, False),
        ("token_usage", {"max_total": 160}, True),
        ("token_usage", {"max_total": 159}, False),
        ("token-usage", {"max_input": 100, "max_output": 50}, True),
        ("token_usage", {"max_input": 100, "max_output": 49}, False),
    ],
)
def test_a_limit_is_kept_or_not(kind, limit, holds):
    assert measured(kind, **limit).score == float(holds)


class TestExecutionMetrics:
    def test_the_score_is_the_share_of_limits_kept(self):
        limits = {"max_tool_calls": 3, "max_llm_calls": 2, "max_tokens": 149, "max_cost_usd": 1}
        assert measured("execution_metrics", **limits, max_duration_ms=2000).score == pytest.approx(3 / 5)

    def test_tokens_from_the_cache_do_not_count(self):
        assert measured("execution_metrics", max_tokens=150).score == 1.0

    def test_the_share_of_tools_that_only_look(self):
        assert measured("execution_metrics", target_exploration_ratio=0.6).score == 1.0
        asked = {"target_exploration_ratio": 0.6, "exploration_tolerance": 0.1}
        assert measured("execution-metrics", **asked).score == 0.0

    def test_no_limit_at_all_scores_0(self):
        assert measured("execution_metrics").score == 0.0


class TestWhatWasNotMeasured:
    @pytest.mark.parametrize(
        ("kind", "config"),
        [
            ("latency", {"threshold": 1}),
            ("cost", {"budget": 1}),
            ("token_usage", {"max_total": 1}),
            ("execution_metrics", {"max_tokens": 1}),
        ],
    )
    @pytest.mark.parametrize("effort", [None, Effort()])
    def test_it_is_skipped_and_in_compat_a_score_of_0(self, kind, config, effort):
        assert measured(kind, effort=effort, **config).word == "skipped"
        grade = measured(kind, effort=effort, compat=True, **config)
        assert (grade.word, grade.score, grade.verdict) == ("score", 0.0, "fail")

    def test_in_compat_one_of_several_limits_is_missed(self):
        asked = check("execution_metrics", max_tokens=10, max_duration_ms=100)
        assert found(asked, effort=Effort(), latency=10.0).word == "skipped"
        assert found(asked, effort=Effort(), latency=10.0, compat=True).score == 0.5


def test_a_limit_that_is_no_number_is_a_failure():
    assert measured("latency", threshold="soon").word == "failure"
