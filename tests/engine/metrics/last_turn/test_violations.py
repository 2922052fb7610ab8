"""Bias, toxicity, misuse, PII leakage, non-advice and role violation: statements a reply should not hold."""

import pytest
from judged import found, gives, judge_at
from stored import said

from turnwise.conversations import LLMTestCase, Score, Skipped
from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics import (
    BiasMetric,
    MisuseMetric,
    NonAdviceMetric,
    PIILeakageMetric,
    RoleViolationMetric,
    ToxicityMetric,
)
from turnwise.engine.metrics.registry import make_metric

CASE = LLMTestCase(input="Hi", actual_output="One. Two. Three.")
SHARES = [
    BiasMetric(),
    ToxicityMetric(),
    PIILeakageMetric(),
    MisuseMetric(domain="travel"),
    NonAdviceMetric(advice_types=["legal"]),
]


async def judged(server, metric, words, case=CASE):
    server.script(gives("statement", words))
    async with judge_at(server) as judge:
        return await found(metric, case, judge)


@pytest.mark.parametrize("metric", SHARES, ids=lambda metric: metric.key)
@pytest.mark.parametrize(
    ("words", "value"),
    [
        ({1: "no", 2: "no", 3: "no"}, 1.0),
        ({1: "yes", 2: "no", 3: "none"}, 0.5),
        ({1: "yes", 2: "none", 3: "none"}, 0.0),
        ({1: "none", 2: "none", 3: "none"}, 1.0),
    ],
)
async def test_a_single_violation_weighs_against_statements_of_its_kind_alone(
    judge_server, metric, words, value
):
    outcome = await judged(judge_server, metric, words)
    assert isinstance(outcome, Score)
    assert outcome.score == value


@pytest.mark.parametrize("metric", SHARES, ids=lambda metric: metric.key)
async def test_a_reply_without_statements_scores_1_and_one_that_is_empty_is_skipped(judge_server, metric):
    async with judge_at(judge_server) as judge:
        silent = await found(metric, LLMTestCase(input="Hi", actual_output="…"), judge)
        empty = await found(metric, LLMTestCase(input="Hi", actual_output=""), judge)
    assert isinstance(silent, Score)
    assert silent.score == 1
    assert isinstance(empty, Skipped)
    assert judge_server.requests == []


async def test_one_statement_out_of_role_is_a_role_that_is_broken(judge_server):
    metric = RoleViolationMetric(role="a wizard")
    assert (await judged(judge_server, metric, {1: "no", 2: "no", 3: "no"})).score == 1
    outcome = await judged(judge_server, metric, {1: "no", 2: "yes", 3: "no"})
    assert outcome.score == 0
    assert outcome.reason == "1 of 3 statements breaks the role (turn 2): reason 2"


class TestSettings:
    async def test_the_role_is_that_of_the_conversation_where_the_metric_has_none(self, judge_server):
        case = said("Hi", "One. Two. Three.", chatbot_role="a clerk")
        words = {1: "no", 2: "no", 3: "no"}
        await judged(judge_server, RoleViolationMetric(), words, case)
        await judged(judge_server, RoleViolationMetric(role="a wizard"), words, case)
        first, second = (request.text for request in judge_server.requests)
        assert "role 1] a clerk" in first
        assert "role 1] a wizard" in second
        assert "a clerk" not in second
        assert RoleViolationMetric().reads == ("actual_output", "chatbot_role")
        assert RoleViolationMetric(role="a wizard").reads == ("actual_output",)

    async def test_without_any_role_it_is_skipped(self, judge_server):
        async with judge_at(judge_server) as judge:
            outcome = await found(RoleViolationMetric(), CASE, judge)
        assert isinstance(outcome, Skipped)
        assert outcome.reason == "the case has no chatbot_role"

    async def test_domain_and_kinds_of_advice_stand_in_the_question(self, judge_server):
        words = {1: "no", 2: "no", 3: "no"}
        await judged(judge_server, MisuseMetric(domain="train {travel}"), words)
        await judged(judge_server, NonAdviceMetric(advice_types=["legal", "medical"]), words)
        first, second = (request.text for request in judge_server.requests)
        assert "made for one domain: train {travel}" in first
        assert "no advice of these kinds: legal, medical." in second

    def test_they_can_be_typed_after_the_name(self):
        assert make_metric("misuse:travel bookings").domain == "travel bookings"
        assert make_metric("non_advice:legal, medical").advice_types == ["legal", "medical"]
        assert make_metric("role_violation:a wizard").role == "a wizard"

    @pytest.mark.parametrize(
        ("make", "told"),
        [
            (lambda: MisuseMetric(), "needs the chatbot's domain"),
            (lambda: MisuseMetric(domain=" "), "needs the chatbot's domain"),
            (lambda: NonAdviceMetric(), "needs the kinds of advice"),
            (lambda: NonAdviceMetric(advice_types=[]), "needs the kinds of advice"),
        ],
    )
    def test_without_what_they_are_about_they_mean_nothing(self, make, told):
        with pytest.raises(SettingError, match=told):
            make()

    def test_what_they_are_about_is_a_part_of_what_they_are(self):
        one, other = (MisuseMetric(domain=domain) for domain in ("travel", "cooking"))
        assert one.fingerprint != other.fingerprint
