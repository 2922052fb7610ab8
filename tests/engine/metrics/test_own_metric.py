"""A metric of one's own as deepeval has them: derived from a base, measured by evaluations like any other."""

from __future__ import annotations

import time

import pytest
from stored import said

from turnwise.conversations import Failure, LLMTestCase, Score
from turnwise.conversations.errors import CaseError, SettingError
from turnwise.conversations.store import Store
from turnwise.engine import assert_test, evaluate
from turnwise.engine.metrics import ContainsMetric
from turnwise.engine.metrics.own_metric import BaseConversationalMetric, BaseMetric

CASE = LLMTestCase(input="Where?", actual_output="There.", completion_time=7.5, name="ferry")


class LengthMetric(BaseMetric):
    """As deepeval's documentation writes one: no call of the base, a property for the name."""

    def __init__(self, threshold: float = 0.5, most: int = 10):
        self.threshold = threshold
        self.most = most

    def measure(self, test_case: LLMTestCase):
        self.score = min(1.0, len(test_case.actual_output) / self.most)
        self.success = self.score >= self.threshold
        self.reason = f"{len(test_case.actual_output)} characters"
        return self.score

    async def a_measure(self, test_case: LLMTestCase):
        return self.measure(test_case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "Length"


class QuickMetric(BaseMetric):
    """A threshold that is no score, and nothing asynchronous."""

    def __init__(self, max_seconds: float):
        self.threshold = max_seconds

    def measure(self, test_case):
        time.sleep(0)
        self.success = test_case.completion_time <= self.threshold
        self.score = 1 if self.success else 0
        return self.score


class TurnsMetric(BaseConversationalMetric):
    async def a_measure(self, test_case, *args, **kwargs):
        self.score = 1 / len(test_case.turns)
        self.threshold = 0.4
        return self.score


def test_it_is_measured_by_itself():
    metric = LengthMetric()
    assert metric.measure(CASE) == 0.6
    assert metric.is_successful()


def test_an_evaluation_measures_every_case_and_keeps_the_scores():
    cases = [LLMTestCase(input="a", actual_output="b" * size, name=f"{size}") for size in (2, 8, 20)]
    done = evaluate(cases, [LengthMetric(), ContainsMetric(text="b")])
    outcomes = [result.outcomes[0] for result in done.results]
    assert [(outcome.metric, outcome.score, outcome.passed) for outcome in outcomes] == [
        ("Length", 0.2, False),
        ("Length", 0.8, True),
        ("Length", 1.0, True),
    ]
    assert outcomes[1].reason == "8 characters"
    with Store.open() as store:
        [run] = store.runs.all()
        assert run.metrics == ("Length", "contains:b")


def test_the_object_that_was_given_stays_as_it_was():
    metric = LengthMetric()
    evaluate([CASE], [metric])
    assert metric.score is None


@pytest.mark.parametrize(("most", "passes"), [(10, True), (5, False)])
def test_a_threshold_may_be_of_something_else_than_scores(most, passes):
    [result] = evaluate([CASE], [QuickMetric(most)]).results
    assert (result.success, result.outcomes[0].threshold) == (passes, None)


def test_one_on_conversations():
    [result] = evaluate([said("a", "b")], [TurnsMetric()]).results
    assert result.outcomes[0].score == 0.5
    with pytest.raises(CaseError, match="judges whole conversations"):
        evaluate([CASE], [TurnsMetric()])


def test_it_is_asserted_like_any_other():
    assert_test(CASE, [LengthMetric()])
    with pytest.raises(AssertionError, match=r"Length.*0\.60, .*failed\. 6 characters|Length.*0\.60, below"):
        assert_test(CASE, [LengthMetric(threshold=0.9)], run_async=False)


def test_what_was_measured_before_serves_again_until_a_field_changes():
    evaluate([CASE], [LengthMetric()], use_cache=True)
    other = CASE.model_copy(update={"completion_time": 9.0})
    assert evaluate([other], [QuickMetric(8)], use_cache=True).results[0].success is False
    assert evaluate([CASE], [QuickMetric(8)], use_cache=True).results[0].success is True


class Wrong(BaseMetric):
    """Goes wrong in the way it is told to."""

    def __init__(self, way):
        self.way = way

    def measure(self, test_case):
        if self.way == "raises":
            raise KeyError("a bug")
        if self.way == "error":
            self.error = "no luck"
        return {"text": "high", "seven": 7, "nothing": None, "nan": float("nan"), "error": 1}[self.way]


class TestTrouble:
    @pytest.mark.parametrize(
        ("way", "told"),
        [
            ("raises", "KeyError: 'a bug' (Wrong, test_own_metric.py, line "),
            (
                "text",
                'Wrong left no score: "high" (a str): expected a number from 0 to 1; test_own_metric.py, ',
            ),
            ("seven", "Wrong left no score: 7 (a int)"),
            ("nothing", "Wrong left no score: nothing"),
            ("nan", "Wrong left no score: NaN (a float)"),
            ("error", "Wrong left an error: no luck"),
        ],
    )
    def test_what_it_does_wrong_is_a_failure_of_that_case(self, way, told):
        done = evaluate([CASE, said("a", "b").exchanges[0]], [Wrong(way), LengthMetric()])
        for result in done.results:
            wrong, length = result.outcomes
            assert isinstance(wrong, Failure)
            assert told in wrong.reason
            assert isinstance(length, Score)

    def test_one_without_measure_is_told(self):
        class Nothing(BaseMetric):
            pass

        with pytest.raises(SettingError, match="Nothing has no measure"):
            evaluate([CASE], [Nothing()])

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            (LengthMetric, "an object of its class"),
            (type("Duck", (), {"measure": lambda self, case: 1.0})(), "Duck is no metric of turnwise's"),
            ("contains", "str is no metric of turnwise's"),
        ],
    )
    def test_what_is_no_metric_is_told(self, given, told):
        with pytest.raises(SettingError, match=told) as caught:
            evaluate([CASE], [given])
        assert caught.value.next_step
