"""evaluate and assert_test: the library's face."""

import pytest

from judge_server import refuses
from judged import gives, judge_at
from stored import said
from turnwise.conversations import Failure, LLMTestCase, Score, Skipped
from turnwise.conversations.errors import CaseError, JudgeRefusedError
from turnwise.engine import a_evaluate, assert_test, evaluate
from turnwise.engine.metrics import (
    ContainsMetric,
    ExactMatchMetric,
    KnowledgeRetentionMetric,
    RoleAdherenceMetric,
)

GOOD, BAD = said("a", "b refund", chatbot_role="r"), said("a", "b", chatbot_role="r")


def test_results_come_in_the_order_of_cases_and_metrics():
    refund, letter = ContainsMetric(text="refund", name="refund"), ContainsMetric(text="b", name="b")
    done = evaluate([GOOD, BAD], [refund, letter])
    assert [[outcome.metric for outcome in result.outcomes] for result in done.results] == [
        ["refund", "b"]
    ] * 2
    assert [result.success for result in done.results] == [True, False]
    assert [result.case for result in done.results] == [GOOD, BAD]
    assert not done.success
    assert evaluate([GOOD], [refund]).success


async def test_a_judged_metric_is_judged_by_the_judge_that_is_given(judge_server):
    judge_server.default = gives("turn", {2: "yes"})
    async with judge_at(judge_server) as judge:
        done = await a_evaluate([GOOD, BAD], [RoleAdherenceMetric(), ContainsMetric(text="b")], judge=judge)
    assert done.success
    assert len(judge_server.requests) == 2


async def test_a_metric_may_name_a_judge_of_its_own(judge_server):
    judge_server.default = gives("turn", {2: "yes"})
    async with judge_at(judge_server) as judge:
        own = RoleAdherenceMetric(model=f"{judge_server.url}#another")
        await a_evaluate([GOOD], [own, RoleAdherenceMetric()], judge=judge)
    assert sorted(request.body["model"] for request in judge_server.requests) == ["another", "m"]


def test_each_turn_judges_every_exchange_of_a_conversation():
    case = said("a", "x", "b", "y")
    [result] = evaluate([case], [ContainsMetric(text="y")], each_turn=True).results
    assert [(outcome.exchange, outcome.score) for outcome in result.outcomes] == [(1, 0.0), (2, 1.0)]


def test_a_skip_or_a_failure_is_no_success():
    skipped = evaluate([said("a", "b")], [RoleAdherenceMetric()], judge="none").results[0]
    assert isinstance(skipped.outcomes[0], Skipped)
    assert not skipped.success


async def test_a_failure_stands_in_the_result(judge_server):
    judge_server.script(gives("turn", {2: "no"}))
    judge_server.default = refuses(400, "no")
    async with judge_at(judge_server, concurrency=1) as judge:
        done = await a_evaluate([GOOD, BAD], [KnowledgeRetentionMetric()], judge=judge)
    kinds = sorted(type(result.outcomes[0]).__name__ for result in done.results)
    assert kinds == ["Failure", "Score"]


async def test_a_judge_that_only_refuses_is_an_error(judge_server):
    judge_server.default = refuses(401, "no key")
    async with judge_at(judge_server) as judge:
        with pytest.raises(JudgeRefusedError, match="The run was stopped"):
            await a_evaluate([GOOD] * 5, [KnowledgeRetentionMetric()], judge=judge)


class TestFitting:
    def test_both_kinds_of_cases_in_one_run_are_refused(self):
        with pytest.raises(CaseError, match="cannot be judged in one run") as caught:
            evaluate([GOOD, LLMTestCase(input="a", actual_output="b")], [ContainsMetric(text="b")])
        assert caught.value.detail == "Given: ConversationalTestCase and LLMTestCase"
        assert isinstance(caught.value, ValueError)

    def test_a_metric_on_conversations_takes_no_single_exchange(self):
        with pytest.raises(CaseError, match="role_adherence judges whole conversations"):
            evaluate([LLMTestCase(input="a", actual_output="b")], [RoleAdherenceMetric()])

    def test_a_case_without_an_answer_is_skipped_and_the_others_are_judged(self):
        without, answered = evaluate([said("a"), said("a", "b")], [ContainsMetric(text="b")]).results
        assert isinstance(without.outcomes[0], Skipped)
        assert not without.success
        assert answered.success

    def test_no_metric_is_no_evaluation(self):
        with pytest.raises(CaseError, match="no metric"):
            evaluate([GOOD], [])

    def test_what_is_no_case_is_refused(self):
        with pytest.raises(CaseError, match="judges an LLMTestCase or a ConversationalTestCase"):
            evaluate(["a"], [ContainsMetric(text="b")])


class TestAsserting:
    def test_a_case_that_passes_says_nothing(self):
        assert_test(GOOD, [ContainsMetric(text="refund")])

    def test_what_does_not_pass_is_listed_with_score_threshold_and_reason(self):
        metrics = [ContainsMetric(text="refund"), ContainsMetric(text="b", name="letter"), ExactMatchMetric()]
        with pytest.raises(AssertionError) as caught:
            assert_test(BAD, metrics)
        assert str(caught.value).splitlines() == [
            "2 of 3 metrics do not pass:",
            '  contains:refund (exchange 1): 0.00, below 1. "refund" is not in the reply.',
            "  exact_match (exchange 1): skipped, the case has no expected_output.",
        ]

    def test_a_failure_is_told_with_its_cause(self, judge_server_apart):
        judge_server_apart.default = refuses(400, "too odd")
        with pytest.raises(AssertionError, match=r"(?s)knowledge_retention: could not be judged\. .*too odd"):
            assert_test(GOOD, [KnowledgeRetentionMetric()], judge=f"{judge_server_apart.url}#m")


async def test_it_works_where_a_loop_runs_already(judge_server_apart):
    judge_server_apart.default = gives("turn", {2: "yes"})
    done = evaluate([GOOD], [RoleAdherenceMetric()], judge=f"{judge_server_apart.url}#m")
    assert isinstance(done.results[0].outcomes[0], Score)


def test_nothing_is_printed(capfd, judge_server_apart):
    judge_server_apart.default = gives("turn", {2: "no"})
    metrics = [RoleAdherenceMetric(verbose_mode=True), ContainsMetric(text="b")]
    evaluate([GOOD, BAD], metrics, judge=f"{judge_server_apart.url}#m")
    assert capfd.readouterr() == ("", "")


def test_a_result_knows_the_name_of_its_case():
    case = said("a", "b", name="greeting")
    [result] = evaluate([case], [ContainsMetric(text="b")]).results
    assert result.name == "greeting"
    assert not isinstance(result.outcomes[0], Failure)
