"""The registry: every metric by its name, with settings as they are typed."""

import inspect
from dataclasses import dataclass

import pytest

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.engine.metrics import ContainsMetric, TurnRelevancyMetric, registry
from turnwise.engine.metrics.metric import Asking, Finding, Metric
from turnwise.engine.metrics.registry import make_metric, metric_class, metric_keys, needs_criterion
from turnwise.engine.metrics.subject import Subject


@pytest.mark.parametrize("key", metric_keys())
def test_every_metric_says_what_it_is(key):
    kind = metric_class(key)
    assert kind.key == key
    assert kind.scope in ("conversation", "exchange")
    told = inspect.getdoc(kind) or ""
    for part in ("Formula:", "Needs:", "Direction: higher is better", "Empty:", "Judge calls:"):
        assert part in told or (key == "geval" and part == "Formula:"), part


def test_names_are_taken_in_any_case_and_with_hyphens():
    assert metric_class(" Turn-Relevancy ") is TurnRelevancyMetric
    assert needs_criterion("Conversational-GEval")
    assert not needs_criterion("contains")


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("turn_relevancy", {"window_size": 10, "threshold": 0.5}),
        ("turn_relevancy:window_size=5, threshold=0.7", {"window_size": 5, "threshold": 0.7}),
        ("turn_relevancy:strict_mode=yes", {"strict_mode": True, "threshold": 1.0}),
        ("contains:refund", {"text": "refund"}),
        ("contains:a, b=c", {"text": "a, b=c"}),
        ("contains:text=refund,ignore_case=true", {"text": "refund", "ignore_case": True}),
        (r"regex:[A-Z]{2}:\d", {"pattern": r"[A-Z]{2}:\d"}),
        ("geval:The answer is short.", {"criteria": "The answer is short."}),
    ],
)
def test_settings_follow_a_colon(text, settings):
    metric = make_metric(text)
    assert {name: getattr(metric, name) for name in settings} == settings


@pytest.mark.parametrize(
    ("text", "kind", "told"),
    [
        ("contain:x", NotFoundError, "Did you mean contains?"),
        ("nonsense", NotFoundError, "turnwise metrics"),
        ("turn_relevancy:window=5", SettingError, "Did you mean window_size?"),
        ("turn_relevancy:window_size=five", SettingError, "window_size takes a whole number"),
        ("turn_relevancy:threshold=high", SettingError, "threshold takes a number"),
        ("turn_relevancy:strict_mode=perhaps", SettingError, "strict_mode takes yes or no"),
        ("turn_relevancy:threshold=nan", SettingError, "threshold takes a number"),
        ("turn_relevancy:threshold=2", SettingError, "between 0 and 1"),
        ("contains", SettingError, "For example: --metric 'contains:refund'"),
        ("tool_use", SettingError, "For example: --metric 'tool_use:search, book'"),
    ],
)
def test_what_means_nothing_is_told(text, kind, told):
    with pytest.raises(kind) as caught:
        make_metric(text)
    assert told in str(caught.value)


@pytest.mark.parametrize("key", sorted(key for key in metric_keys() if metric_class(key).main_sample))
def test_a_metric_without_its_main_setting_is_completed_as_where_it_was_named(key):
    kind = metric_class(key)
    with pytest.raises(SettingError, match="needs") as caught:
        kind()
    assert caught.value.next_step == f"For example: {kind.__name__}({kind.main_setting}={kind.main_sample!r})"
    with pytest.raises(SettingError) as caught:
        make_metric(key)
    assert caught.value.next_step == f"For example: --metric '{key}:{kind.main_sample}'"


def test_the_packages_names_are_the_registrys_classes():
    import turnwise.engine.metrics as package

    assert package.ContainsMetric is metric_class("contains") is ContainsMetric
    with pytest.raises(AttributeError, match="NoSuchMetric"):
        package.NoSuchMetric  # noqa: B018
    assert {getattr(package, name) for name in package.__all__} >= {
        metric_class(key) for key in metric_keys()
    }


@dataclass
class Brevity(Metric):
    """Whether replies are short."""

    key = "brevity"
    scope = "conversation"
    uses_judge = False
    main_setting = "most_words"

    most_words: int | None = None

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        raise NotImplementedError


@pytest.mark.parametrize("text", ["brevity:5", "brevity:most_words=5"])
def test_a_number_that_must_be_given_is_read_as_one_and_names_the_metric(text, monkeypatch):
    monkeypatch.setattr(registry, "metric_class", lambda key: Brevity)
    metric = make_metric(text)
    assert (metric.most_words, metric.name) == (5, "brevity:5")
    with pytest.raises(SettingError, match="most_words takes a whole number"):
        make_metric("brevity:five")
    with pytest.raises(SettingError, match="brevity has no setting words"):
        make_metric("brevity:words=5")
