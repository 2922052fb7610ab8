"""evaluate and assert_test: the library's face."""

import time
from typing import ClassVar

import pytest
from judge_server import refuses
from judged import answers_all, asks_score, gives, judge_at
from stored import said

from turnwise.conversations import Failure, LLMTestCase, Score, Skipped
from turnwise.conversations.errors import CaseError, JudgeRefusedError, SettingError
from turnwise.conversations.store import Store
from turnwise.engine import a_evaluate, assert_test, evaluate
from turnwise.engine.metrics import (
    ContainsMetric,
    ExactMatchMetric,
    KnowledgeRetentionMetric,
    Metric,
    RoleAdherenceMetric,
)
from turnwise.engine.metrics.metric import Finding
from turnwise.engine.scoring.configs import DisplayConfig

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
        own = RoleAdherenceMetric(model=f"{judge_server.url}#another", name="own")
        await a_evaluate([GOOD], [own, RoleAdherenceMetric()], judge=judge)
    assert sorted(request.body["model"] for request in judge_server.requests) == ["another", "m"]


def test_each_turn_judges_every_exchange_of_a_conversation():
    case = said("a", "x", "b", "y")
    [result] = evaluate([case], [ContainsMetric(text="y")], each_turn=True).results
    assert [(outcome.exchange, outcome.score) for outcome in result.outcomes] == [(1, 0.0), (2, 1.0)]


def test_a_skip_or_a_failure_is_no_success():
    metrics = [RoleAdherenceMetric(), ContainsMetric(text="b")]
    [without_judge] = evaluate([GOOD], metrics, judge="none", skip_on_missing_params=True).results
    assert [type(outcome).__name__ for outcome in without_judge.outcomes] == ["Skipped", "Score"]
    assert not without_judge.success


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
        cases = [said("a", f"b {number}") for number in range(5)]
        with pytest.raises(JudgeRefusedError, match="The run was stopped"):
            await a_evaluate(cases, [KnowledgeRetentionMetric()], judge=judge)


class TwoAtOnce(Metric):
    """Asks two questions at once."""

    key = "two_at_once"
    scope = "conversation"

    asking_now: ClassVar[int] = 0
    most: ClassVar[int] = 0

    async def assess(self, subject, asking):
        async def one(number):
            TwoAtOnce.asking_now += 1
            TwoAtOnce.most = max(TwoAtOnce.most, TwoAtOnce.asking_now)
            await asking.ask(asks_score(f"{self.name} {number}"))
            TwoAtOnce.asking_now -= 1

        await asking.each([1, 2], one)
        return Finding(score=1.0, reason="r")


class TestFitting:
    def test_both_kinds_of_cases_in_one_run_are_refused(self):
        with pytest.raises(CaseError, match="cannot be judged in one run") as caught:
            evaluate([GOOD, LLMTestCase(input="a", actual_output="b")], [ContainsMetric(text="b")])
        assert caught.value.detail == "Given: ConversationalTestCase and LLMTestCase"
        assert isinstance(caught.value, ValueError)

    def test_a_metric_on_conversations_takes_no_single_exchange(self):
        with pytest.raises(CaseError, match="role_adherence judges whole conversations"):
            evaluate([LLMTestCase(input="a", actual_output="b")], [RoleAdherenceMetric()])

    def test_a_missing_field_is_an_error_before_anything_is_judged(self, judge_server_apart):
        metrics = [KnowledgeRetentionMetric(), RoleAdherenceMetric()]
        with pytest.raises(CaseError, match="A metric lacks what it needs") as caught:
            evaluate([GOOD, said("a", "b", name="bare")], metrics, judge=judge_server_apart.url)
        assert caught.value.detail == "role_adherence, bare: the case has no chatbot_role"
        assert "skip_on_missing_params" in caught.value.next_step
        assert judge_server_apart.requests == []

    def test_or_the_metric_is_skipped_and_does_not_count(self):
        metrics = [ContainsMetric(text="b"), ExactMatchMetric()]
        without, answered = evaluate([said("a"), BAD], metrics, skip_on_missing_params=True).results
        assert all(isinstance(outcome, Skipped) for outcome in without.outcomes)
        assert not without.success
        assert isinstance(answered.outcomes[1], Skipped)
        assert answered.success

    def test_two_metrics_of_one_name_are_refused(self):
        with pytest.raises(SettingError, match="Two metrics are called contains:b"):
            evaluate([GOOD], [ContainsMetric(text="b"), ContainsMetric(text="b", ignore_case=True)])

    def test_no_metric_is_no_evaluation(self):
        with pytest.raises(CaseError, match="no metric"):
            evaluate([GOOD], [])

    def test_what_is_no_case_is_refused(self):
        with pytest.raises(CaseError, match="judges an LLMTestCase or a ConversationalTestCase"):
            evaluate(["a"], [ContainsMetric(text="b")])


@pytest.mark.parametrize(
    ("cases", "metrics", "told"),
    [
        (GOOD, [ContainsMetric(text="b")], "Test cases are given as a list"),
        ([GOOD], ContainsMetric(text="b"), "Metrics are given as a list"),
        ([GOOD], [RoleAdherenceMetric], "an object of its class"),
    ],
)
def test_what_is_no_list_of_cases_and_metrics_is_told(cases, metrics, told):
    with pytest.raises(ValueError, match=told):
        evaluate(cases, metrics)


class TestAsserting:
    def test_a_case_that_passes_says_nothing(self):
        assert_test(GOOD, [ContainsMetric(text="refund")])

    def test_what_does_not_pass_is_listed_with_score_threshold_and_reason(self):
        metrics = [ContainsMetric(text="refund"), ContainsMetric(text="b", name="letter"), ExactMatchMetric()]
        with pytest.raises(AssertionError) as caught:
            assert_test(LLMTestCase(input="a", actual_output="b", expected_output="x"), metrics)
        assert str(caught.value).splitlines() == [
            "2 of 3 metrics do not pass:",
            '  contains:refund (exchange 1): 0.00, below 1. "refund" is not in the reply.',
            '  exact_match (exchange 1): 0.00, below 1. Expected "x".',
        ]

    def test_strict_mode_is_told(self, judge_server_apart):
        judge_server_apart.default = gives("turn", {2: "yes", 4: "no"})
        case = said("a", "b", "c", "d", chatbot_role="r")
        metric = RoleAdherenceMetric(strict_mode=True, threshold=0.2)
        with pytest.raises(AssertionError, match=r"role_adherence: 0\.00, below 1 \(strict\)\. 1 of 2"):
            assert_test(case, [metric], judge=f"{judge_server_apart.url}#m")

    def test_a_failure_is_told_with_its_cause(self, judge_server_apart):
        judge_server_apart.default = refuses(400, "too odd")
        with pytest.raises(AssertionError, match=r"(?s)knowledge_retention: could not be judged\. .*too odd"):
            assert_test(GOOD, [KnowledgeRetentionMetric()], judge=f"{judge_server_apart.url}#m")


async def test_it_works_where_a_loop_runs_already(judge_server_apart):
    judge_server_apart.default = gives("turn", {2: "yes"})
    done = evaluate([GOOD], [RoleAdherenceMetric()], judge=f"{judge_server_apart.url}#m")
    assert isinstance(done.results[0].outcomes[0], Score)


class TestPrinting:
    def test_nothing_is_printed_where_quiet_is_wanted(self, capfd, judge_server_apart):
        judge_server_apart.default = gives("turn", {2: "no"})
        metrics = [RoleAdherenceMetric(), ContainsMetric(text="b")]
        quiet = {"show_indicator": False, "print_results": False}
        evaluate([GOOD, BAD], metrics, judge=f"{judge_server_apart.url}#m", **quiet)
        assert capfd.readouterr() == ("", "")
        display = DisplayConfig(show_indicator=False, print_results=False)
        evaluate([GOOD, BAD], metrics, judge=f"{judge_server_apart.url}#m", display_config=display)
        assert capfd.readouterr() == ("", "")

    def test_the_failing_cases_alone_may_be_printed(self, capfd):
        display = DisplayConfig(display_option="failing")
        evaluate([GOOD, BAD], [ContainsMetric(text="refund")], display_config=display)
        assert "case 1" not in (out := capfd.readouterr().out)
        assert "✗ case 2" in out

    def test_the_results_are_printed(self, capfd):
        evaluate([GOOD, BAD], [ContainsMetric(text="refund")])
        assert capfd.readouterr().out.splitlines() == [
            "✓ case 1",
            '  contains:refund (exchange 1): 1.00, at least 1. The reply contains "refund".',
            "✗ case 2",
            '  contains:refund (exchange 1): 0.00, below 1. "refund" is not in the reply.',
            "1 of 2 cases passed",
        ]

    @pytest.mark.parametrize(("own", "given", "told"), [(True, None, 1), (True, False, 0), (False, True, 1)])
    def test_a_verbose_metric_explains_itself_unless_overruled(self, capfd, own, given, told):
        evaluate([GOOD], [ContainsMetric(text="refund", verbose_mode=own)], verbose_mode=given)
        assert capfd.readouterr().out.count("contains:refund: 1.00, passes at 1.") == told

    def test_progress_goes_to_standard_error(self, capfd):
        evaluate([GOOD], [ContainsMetric(text="b")], show_indicator=True, print_results=False)
        assert capfd.readouterr().out == ""

    def test_where_nobody_sees_it_no_progress_is_shown(self, capfd):
        evaluate([GOOD], [ContainsMetric(text="b")], print_results=False)
        assert capfd.readouterr() == ("", "")


class TestKeeping:
    def test_a_run_is_kept_with_its_name_and_hyperparameters(self):
        done = evaluate(
            [GOOD, BAD], [ContainsMetric(text="refund")], {"model": "m", "temperature": 1}, "nightly"
        )
        assert (done.identifier, done.hyperparameters) == ("nightly", {"model": "m", "temperature": 1})
        with Store.open() as store:
            [run] = store.runs.all()
            assert (run.id, run.name) == (done.run, "nightly")
            assert run.parameters == {"model": "m", "temperature": 1}
            assert (run.scores, run.passed, run.metrics) == (2, 1, ("contains:refund",))
            assert run.finished_at is not None
            assert store.sessions.count() == 2

    def test_without_write_cache_nothing_is_kept(self, tmp_path):
        assert evaluate([GOOD], [ContainsMetric(text="b")], write_cache=False).run is None
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(("use_cache", "asked"), [(False, 2), (True, 1)])
    def test_what_was_judged_before_serves_again_where_that_is_wanted(
        self, judge_server_apart, use_cache, asked
    ):
        judge_server_apart.default = gives("turn", {2: "yes"})
        judge = f"{judge_server_apart.url}#m"
        evaluate([GOOD], [RoleAdherenceMetric()], judge=judge)
        again = evaluate([GOOD], [RoleAdherenceMetric()], judge=judge, use_cache=use_cache)
        assert again.success
        assert len(judge_server_apart.requests) == asked

    def test_the_same_case_twice_is_judged_once_and_has_two_results(self, judge_server_apart):
        judge_server_apart.default = gives("turn", {2: "yes"})
        done = evaluate([GOOD, GOOD], [RoleAdherenceMetric()], judge=f"{judge_server_apart.url}#m")
        assert [len(result.outcomes) for result in done.results] == [1, 1]
        assert len(judge_server_apart.requests) == 1

    def test_a_single_exchange_keeps_all_its_fields(self):
        case = LLMTestCase(
            input="a",
            actual_output="b",
            expected_output="b",
            context=["c"],
            token_cost=1.5,
            completion_time=2,
        )
        assert evaluate([case], [ExactMatchMetric()]).success
        with Store.open() as store:
            assert store.sessions.case(store.sessions.ids()[0]) == case


class TestPace:
    def test_one_question_after_the_other_whatever_a_metric_would_do(self, judge_server_apart):
        judge_server_apart.default = answers_all
        metrics = [TwoAtOnce(name="one"), TwoAtOnce(name="two")]
        judge = f"{judge_server_apart.url}#m"
        assert_test(GOOD, metrics, run_async=False, judge=judge)
        assert (TwoAtOnce.most, judge_server_apart.most_at_once) == (1, 1)
        assert all(metric.async_mode for metric in metrics)
        assert_test(GOOD, metrics, judge=judge)
        assert TwoAtOnce.most > 1

    def test_one_case_after_the_other(self, judge_server_apart):
        judge_server_apart.default = gives("turn", {2: "yes"})
        cases = [said("a", f"b {number}", chatbot_role="r") for number in range(4)]
        evaluate(cases, [RoleAdherenceMetric()], judge=f"{judge_server_apart.url}#m", run_async=False)
        assert judge_server_apart.most_at_once == 1

    @pytest.mark.parametrize("write_cache", [False, True])
    def test_cases_are_throttled(self, write_cache):
        cases = [said("a", f"b {number}") for number in range(3)]
        began = time.monotonic()
        evaluate(cases, [ContainsMetric(text="b")], throttle_value=0.1, write_cache=write_cache)
        assert time.monotonic() - began >= 0.2

    async def test_errors_may_be_ignored_and_stay_visible(self, judge_server):
        judge_server.script(gives("turn", {2: "no"}))
        judge_server.default = refuses(400, "no")
        async with judge_at(judge_server, concurrency=1) as judge:
            metrics = [KnowledgeRetentionMetric(), ContainsMetric(text="b")]
            done = await a_evaluate([GOOD, BAD], metrics, judge=judge, ignore_errors=True)
        assert done.success
        assert sum(isinstance(o, Failure) for result in done.results for o in result.outcomes) == 1


def test_a_result_knows_the_name_of_its_case():
    case = said("a", "b", name="greeting")
    [result] = evaluate([case], [ContainsMetric(text="b")]).results
    assert result.name == "greeting"
    assert not isinstance(result.outcomes[0], Failure)


class TestAsDeepevalTellsResults:
    def test_each_metric_has_its_data(self, judge_server_apart):
        judge_server_apart.default = gives("turn", {2: "yes"})
        metrics = [RoleAdherenceMetric(strict_mode=True), ContainsMetric(text="refund")]
        done = evaluate([BAD], metrics, judge=f"{judge_server_apart.url}#m")
        assert done.test_results == done.results
        role, contains = done.test_results[0].metrics_data
        assert (role.name, role.score, role.success, role.strict_mode) == ("role_adherence", 1.0, True, True)
        assert (role.evaluation_model, role.error) == ("m", None)
        assert (contains.success, contains.evaluation_model) == (False, None)
        assert contains.reason == '"refund" is not in the reply.'

    def test_what_could_not_be_judged_has_an_error(self, judge_server_apart):
        judge_server_apart.default = refuses(400, "too odd")
        [result] = evaluate([GOOD], [KnowledgeRetentionMetric()], judge=f"{judge_server_apart.url}#m").results
        [data] = result.metrics_data
        assert (data.score, data.success, data.reason) == (None, False, None)
        assert "too odd" in data.error

    def test_without_its_reason_where_none_is_wanted(self):
        metric = ContainsMetric(text="b", include_reason=False)
        assert evaluate([GOOD], [metric]).results[0].outcomes[0].reason == ""
        metric.measure(GOOD)
        assert (metric.score, metric.reason) == (1.0, None)


def test_settings_may_be_given_in_the_order_that_deepeval_has():
    done = evaluate([GOOD], [ContainsMetric(text="b")], {"model": "m"}, "first", False, 0, 5)
    assert (done.identifier, done.hyperparameters) == ("first", {"model": "m"})


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"max_concurrent": 0}, "max_concurrent is a whole number from 1"),
        ({"throttle_value": -1}, "throttle_value is a number of seconds"),
        ({"hyperparameters": ["m"]}, "hyperparameters is an object with named values"),
        ({"hyperparameters": {"model": object()}}, "hyperparameters: model is no text, number"),
        ({"hyperparameters": {5: "m"}}, "hyperparameters: a name is a text"),
        ({"identifier": 7}, "identifier is a text"),
        ({"async_config": DisplayConfig()}, "async_config is a AsyncConfig"),
        ({"judge": RoleAdherenceMetric}, "That is no judge"),
    ],
)
def test_an_argument_of_the_wrong_kind_is_told_by_its_name(given, told):
    with pytest.raises(SettingError, match=told):
        evaluate([GOOD], [RoleAdherenceMetric()], **given)
