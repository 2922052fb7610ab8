"""How metrics are made and defined: settings in their order, and what is told where one is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest
from judged import found
from stored import said

from turnwise.conversations import Failure, Score
from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics import (
    AnswerRelevancyMetric,
    ContainsMetric,
    DAGMetric,
    FaithfulnessMetric,
    JsonCorrectnessMetric,
    Metric,
    TopicAdherenceMetric,
)
from turnwise.engine.metrics.metric import Finding

CASE = said("a", "b")


class TestSettings:
    def test_the_first_need_no_names(self):
        metric = AnswerRelevancyMetric(0.7, "gpt-4.1", False, False)
        assert (metric.threshold, metric.model) == (0.7, "gpt-4.1")
        assert (metric.include_reason, metric.async_mode) == (False, False)

    def test_what_a_metric_is_about_comes_first(self):
        assert TopicAdherenceMetric(["ferries"], 0.8).threshold == 0.8
        assert JsonCorrectnessMetric({"type": "object"}).expected_schema == {"type": "object"}
        nodes = {"polite": {"ask": "Is it polite?", "answers": {"yes": 10, "no": 0}}}
        assert DAGMetric("politeness", nodes).name == "politeness"

    @pytest.mark.parametrize(
        ("made", "told"),
        [
            (lambda: AnswerRelevancyMetric(treshold=0.7), "has no setting treshold\nDid you mean threshold?"),
            (lambda: AnswerRelevancyMetric(0.7, threshold=0.8), "threshold is given twice"),
            (lambda: AnswerRelevancyMetric(1, 2, 3, 4, 5, 6, 7), "takes 6 settings without their names"),
            (lambda: AnswerRelevancyMetric(threshold=None), "a threshold lies between 0 and 1"),
            (lambda: AnswerRelevancyMetric("gpt-4.1"), "a threshold lies between 0 and 1"),
            (lambda: FaithfulnessMetric(truths_extraction_limit=5), "no truths are extracted here"),
            (lambda: FaithfulnessMetric(evaluation_template=object), "asks its judge in its own words"),
            (lambda: FaithfulnessMetric(flaky=True), "has no flaky"),
        ],
    )
    def test_what_means_nothing_is_told(self, made, told):
        with pytest.raises(SettingError) as caught:
            made()
        assert told in str(caught.value)

    def test_what_changes_nothing_is_taken(self):
        FaithfulnessMetric(truths_extraction_limit=None, evaluation_template=None, flaky=False)

    def test_a_metric_with_an_init_of_its_own_is_left_alone(self):
        class Loud(ContainsMetric):
            def __init__(self, mark):
                super().__init__(text=mark)

        assert Loud("!").text == "!"


class TestDefining:
    def test_a_missing_key_is_told_where_the_class_is_defined(self):
        with pytest.raises(SettingError, match="Keyless has no key") as caught:

            @dataclass(kw_only=True, eq=False)
            class Keyless(Metric):
                scope: ClassVar[str] = "exchange"

                async def assess(self, subject, asking):
                    return Finding(score=1)

        assert "key: ClassVar[str]" in caught.value.next_step

    def test_and_a_missing_scope(self):
        with pytest.raises(SettingError, match="Scopeless has no scope"):

            class Scopeless(Metric):
                key = "scopeless"

                async def assess(self, subject, asking):
                    return Finding(score=1)

    def test_measure_in_place_of_assess_leads_to_the_base_for_it(self):
        with pytest.raises(SettingError, match="has measure where a Metric has assess") as caught:

            class Measuring(Metric):
                key = "measuring"
                scope = "exchange"

                def measure(self, case):
                    return 1.0

        assert "BaseMetric" in caught.value.next_step


class Returning(Metric):
    key = "returning"
    scope = "exchange"
    uses_judge = False
    given: ClassVar[object] = None

    async def assess(self, subject, asking):
        return self.given


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (0.5, "Returning.assess returned 0.5 (a float): expected Finding(score=..., reason=...)"),
        (None, "Returning.assess returned nothing"),
        (Finding(score=float("nan")), "a Finding with the score NaN (a float)"),
        (Finding(score="high"), 'a Finding with the score "high" (a str)'),
    ],
)
async def test_what_assess_returns_wrongly_is_a_failure_with_class_and_line(monkeypatch, given, told):
    monkeypatch.setattr(Returning, "given", given)
    outcome = await found(Returning(), CASE, None)
    assert isinstance(outcome, Failure)
    assert told in outcome.reason
    assert "test_definitions.py, line " in outcome.reason


async def test_a_setting_error_of_somebody_elses_metric_is_a_failure_too():
    class Refusing(Returning):
        async def assess(self, subject, asking):
            raise SettingError("not so")

    assert isinstance(await found(Refusing(), CASE, None), Failure)


class TestAfterMeasuring:
    def test_a_metric_tells_what_deepeval_asks_it_for(self):
        metric = ContainsMetric(text="b")
        assert (metric.error, metric.evaluation_cost, metric.score_breakdown, metric.verbose_logs) == (
            None,
        ) * 4
        metric.measure(CASE, _show_indicator=False)
        assert metric.__name__ == metric.name == "contains:b"
        assert metric.score_breakdown == {}
        assert metric.verbose_logs.startswith("contains:b: 1.00, passes at 1.")
        assert isinstance(metric.outcome, Score)

    def test_an_error_is_kept(self):
        metric = AnswerRelevancyMetric(model="none")
        with pytest.raises(Exception, match="could not be judged"):
            metric.measure(CASE)
        assert metric.error == "no judge"

    def test_progress_is_shown_where_it_is_asked_for(self, capfd):
        ContainsMetric(text="b").measure(CASE, _show_indicator=True)
        assert capfd.readouterr().out == ""
