"""What every metric does: skip, fail, score, and how it is used from Python."""

import asyncio

import pytest
from judge_server import busy, drops, refuses, says
from judged import found, gives, judge_at
from stored import said
from waiting import until

from turnwise.conversations import ConversationalTestCase, Failure, LLMTestCase, Score, Skipped, Turn
from turnwise.conversations.errors import BudgetSpentError, CaseError, JudgeError, SettingError
from turnwise.engine.metrics import (
    AnswerRelevancyMetric,
    ContainsMetric,
    ExactMatchMetric,
    RoleAdherenceMetric,
    ToolCorrectnessMetric,
)
from turnwise.engine.metrics.metric import Finding, check_listed, given_list, subject_for

CASE = said("a", "b", chatbot_role="r")


class Broken(ContainsMetric):
    async def assess(self, subject, asking):
        raise ZeroDivisionError("a bug")


class BrokenNeeds(ContainsMetric):
    def lacks(self, subject):
        raise KeyError("a bug")


class Outside(ContainsMetric):
    async def assess(self, subject, asking):
        return Finding(score=1.7, reason="r")


class TestOutcomes:
    @pytest.mark.parametrize("kind", [Broken, BrokenNeeds])
    async def test_a_bug_in_a_metric_is_a_failure_that_names_it(self, kind):
        outcome = await found(kind(text="x"), CASE, None)
        assert isinstance(outcome, Failure)
        assert outcome.kind == "error"
        assert outcome.reason.endswith("a bug") or "a bug" in outcome.reason
        assert outcome.reason.startswith(("ZeroDivisionError", "KeyError"))

    async def test_a_score_stays_between_0_and_1(self):
        outcome = await found(Outside(text="x"), CASE, None)
        assert isinstance(outcome, Score)
        assert outcome.score == 1.0

    async def test_without_a_judge_a_judged_metric_is_skipped(self):
        outcome = await found(RoleAdherenceMetric(), CASE, None)
        assert outcome == Skipped(metric="role_adherence", reason="no judge")
        with pytest.raises(JudgeError, match=r"(?s)no judge.*turnwise judge use.*TURNWISE_JUDGE"):
            await RoleAdherenceMetric(model="none").a_measure(CASE)

    @pytest.mark.parametrize(
        ("steps", "kind", "told"),
        [
            ([busy(retry_after_ms="1")] * 6, "unavailable", "overloaded"),
            ([drops()] * 6, "unavailable", "cannot be reached"),
            ([refuses(401, "no such key")], "unusable", "does not accept the key"),
            ([says("{broken"), says("{broken")], "malformed", "not what was asked for"),
        ],
        ids=["busy", "drops", "refuses", "garbles"],
    )
    async def test_a_judges_trouble_is_a_failure_that_says_why(self, judge_server, steps, kind, told):
        judge_server.script(*steps)
        async with judge_at(judge_server) as judge:
            outcome = await found(RoleAdherenceMetric(), CASE, judge)
        assert isinstance(outcome, Failure)
        assert (outcome.kind, outcome.metric) == (kind, "role_adherence")
        assert told in outcome.reason
        assert outcome.next_step

    async def test_trouble_that_passes_is_no_failure(self, judge_server):
        judge_server.script(busy(retry_after_ms="1"), drops(), says("{broken"), gives("turn", {2: "yes"}))
        async with judge_at(judge_server) as judge:
            outcome = await found(RoleAdherenceMetric(), CASE, judge)
        assert isinstance(outcome, Score)
        assert len(outcome.calls) == 2

    async def test_a_spent_budget_and_a_budget_without_a_price_are_nobodys_failure(self, judge_server):
        async with judge_at(judge_server, budget=0.0) as judge:
            with pytest.raises(BudgetSpentError):
                await found(RoleAdherenceMetric(), CASE, judge)
        async with judge_at(judge_server, base_url="https://example.org/v1", budget=1.0) as judge:
            with pytest.raises(SettingError, match="needs a price"):
                await found(RoleAdherenceMetric(), CASE, judge)
        assert judge_server.requests == []

    async def test_an_outcome_knows_its_calls_its_time_and_its_cost(self, judge_server):
        async with judge_at(judge_server, price=(1.0, 2.0)) as judge:
            outcome = await found(RoleAdherenceMetric(), CASE, judge)
            assert isinstance(outcome, Score)
            assert outcome.cost == pytest.approx(100e-6 + 20e-6)
            assert outcome.seconds > 0
            [key] = outcome.calls
            assert judge.book.get(key) is not None


class TestMeasuring:
    def test_a_check_is_measured_at_once(self):
        metric = ContainsMetric(text="b")
        assert not metric.is_successful()
        assert metric.measure(CASE) == 1.0
        assert (metric.score, metric.success, metric.is_successful()) == (1.0, True, True)
        assert metric.reason == 'The reply contains "b".'
        assert isinstance(metric.outcome, Score)
        assert metric.measure(LLMTestCase(input="a", actual_output="c")) == 0.0
        assert not metric.is_successful()

    def test_a_judged_metric_is_measured_by_the_judge_it_names(self, judge_server_apart):
        metric = RoleAdherenceMetric(model=f"{judge_server_apart.url}#m")
        assert metric.measure(CASE) == 1.0
        assert len(judge_server_apart.requests) == 1

    async def test_it_also_works_where_a_loop_runs(self):
        metric = ContainsMetric(text="b")
        assert metric.measure(CASE) == 1.0
        assert await metric.a_measure(CASE) == 1.0

    def test_a_failure_is_an_error_and_leaves_no_score(self, judge_server_apart):
        judge_server_apart.default = refuses(401, "no")
        metric = RoleAdherenceMetric(model=f"{judge_server_apart.url}#m")
        with pytest.raises(JudgeError, match="role_adherence could not be judged") as caught:
            metric.measure(CASE)
        assert "does not accept the key" in caught.value.detail
        assert metric.score is None
        assert not metric.is_successful()

    def test_only_a_verbose_metric_prints(self, capsys):
        ContainsMetric(text="b").measure(CASE)
        assert capsys.readouterr() == ("", "")
        ContainsMetric(text="b", verbose_mode=True).measure(CASE)
        out, err = capsys.readouterr()
        assert out.startswith("contains:b: 1.00, passes at 1.")
        assert "turn 2: yes." in out
        assert err == ""


class TestFitting:
    def test_a_metric_on_conversations_takes_no_single_exchange(self):
        with pytest.raises(CaseError, match="judges whole conversations") as caught:
            RoleAdherenceMetric().measure(LLMTestCase(input="a", actual_output="b"))
        assert "last-turn metric" in caught.value.next_step
        assert isinstance(caught.value, ValueError)

    def test_a_last_turn_metric_takes_the_last_exchange_of_a_conversation(self):
        case = said("a", "first", "c", "second")
        subject = subject_for(ContainsMetric(text="x"), case)
        assert subject.value("actual_output") == "second"

    def test_what_the_case_lacks_is_named(self):
        with pytest.raises(CaseError, match=r"exact_match cannot judge this case: .*no expected_output"):
            ExactMatchMetric().measure(CASE)
        with pytest.raises(CaseError, match="the case has no chatbot_role"):
            RoleAdherenceMetric().measure(said("a", "b"))
        with pytest.raises(CaseError, match="never answered"):
            ContainsMetric(text="x").measure(said("a"))

    @pytest.mark.parametrize("given", [Turn(role="user", content="a"), "a", None, {"turns": []}])
    def test_what_is_no_case_is_refused(self, given):
        with pytest.raises(CaseError, match="judges an LLMTestCase or a ConversationalTestCase"):
            ContainsMetric(text="x").measure(given)


class TestSettings:
    @pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
    def test_a_threshold_lies_between_0_and_1(self, threshold):
        with pytest.raises(SettingError, match="between 0 and 1"):
            RoleAdherenceMetric(threshold=threshold)

    def test_strict_means_only_a_perfect_score_passes(self):
        assert RoleAdherenceMetric(strict_mode=True, threshold=0.2).threshold == 1.0

    def test_what_does_not_change_the_score_is_not_in_the_fingerprint(self):
        plain = AnswerRelevancyMetric()
        same = AnswerRelevancyMetric(threshold=0.9, model="m", async_mode=False, verbose_mode=True)
        assert plain.fingerprint == same.fingerprint
        assert plain.fingerprint != AnswerRelevancyMetric(strict_mode=True).fingerprint
        assert plain.fingerprint != RoleAdherenceMetric().fingerprint
        exact = ToolCorrectnessMetric(should_exact_match=True)
        assert exact.fingerprint != ToolCorrectnessMetric().fingerprint

    def test_a_newer_version_of_a_metric_is_another_metric(self, monkeypatch):
        before = AnswerRelevancyMetric().fingerprint
        monkeypatch.setattr(AnswerRelevancyMetric, "version", 2)
        assert AnswerRelevancyMetric().fingerprint != before

    async def test_one_question_after_the_other_where_asked(self, judge_server):
        case = said("a", "b", "c", "d", "e", "f", chatbot_role="r")
        async with judge_at(judge_server, items_per_question=1) as judge:
            await found(RoleAdherenceMetric(async_mode=False), case, judge)
        assert len(judge_server.requests) == 3
        assert judge_server.most_at_once == 1


async def test_a_cancelled_judging_is_no_failure(judge_server):
    held = asyncio.Event()
    judge_server.default = says({"turn_2": {"verdict": "yes"}}, wait=held)
    async with judge_at(judge_server) as judge:
        task = asyncio.create_task(found(RoleAdherenceMetric(), CASE, judge))
        await until(lambda: judge_server.requests)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        held.set()


def test_a_conversation_without_a_user_has_no_exchange_to_judge():
    case = ConversationalTestCase(turns=[{"role": "assistant", "content": "Hello"}])
    with pytest.raises(CaseError, match="never answered"):
        subject_for(ContainsMetric(text="x"), case)


def test_a_list_may_be_typed_with_commas():
    assert given_list("a, b,,c ") == ["a", "b", "c"]
    assert given_list(["a, b"]) == ["a, b"]
    for wrong in ([], [" "]):
        with pytest.raises(SettingError, match="contains needs topics"):
            check_listed(ContainsMetric(text="x"), "topics", wrong)
