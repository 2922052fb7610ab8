"""Ratings of people on a scale, as labels per metric."""

from typing import Any

import pytest

from turnwise.conversations.findings import Label
from turnwise.conversations.formats.mt_rag import labels_of, scales_of

FOUR = [
    {"value": str(number), "display_value": word, "numeric_value": number}
    for number, word in enumerate(["No", "Mostly No", "Mostly Yes", "Yes"], start=1)
]
METRICS: list[Any] = [
    {"name": "faithfulness", "author": "human", "type": "categorical", "values": FOUR},
    {"name": "win-rate", "author": "human", "type": "numerical", "range": [0, 100, 10]},
    {"name": "topic", "author": "human", "values": [{"value": "A"}, {"value": "B"}]},
    {"name": "RougeL", "author": "algorithm", "values": FOUR},
    "no metric",
]


def rated(annotations: Any) -> tuple[Label, ...]:
    return labels_of(annotations, scales_of(METRICS), turn=4)


def test_only_scales_with_numbers_that_people_rate_on_are_scales():
    assert list(scales_of(METRICS)) == ["faithfulness"]
    assert scales_of(None) == {}


@pytest.mark.parametrize(
    ("given", "value", "word", "note"),
    [
        ("1", 0.0, "fail", "No"),
        ("2", 1 / 3, "fail", "Mostly No"),
        (3, 2 / 3, "pass", "Mostly Yes"),
        ("4", 1.0, "pass", "Yes"),
    ],
)
def test_a_rating_is_its_place_on_the_scale_and_its_word(given, value, word, note):
    [label] = rated({"faithfulness": {"anna": {"value": given, "timestamp": 12.0}}})
    assert label == Label(
        word=word,
        author="anna",
        metric="faithfulness",
        value=pytest.approx(value),
        turn=4,
        note=note,
        blind=True,
        at=12.0,
    )


def test_a_time_that_is_no_date_is_left_out():
    [label] = rated({"faithfulness": {"anna": {"value": "4", "timestamp": 1e15}}})
    assert label.at is None


@pytest.mark.parametrize(
    "annotations",
    [
        None,
        {"faithfulness": "4"},
        {"faithfulness": {"anna": {"value": "9"}}},
        {"faithfulness": {"anna": {"value": "good"}}},
        {"faithfulness": {"anna": {}}},
        {"faithfulness": {"anna": {"value": True}}},
        {"faithfulness": {"anna": {"value": 10**400}}},
        {"faithfulness": {"system": {"value": "4"}}},
        {"win-rate": {"anna": {"value": 100.0}}},
        {"RougeL": {"anna": {"value": 1}}},
    ],
)
def test_what_is_no_rating_on_a_scale_is_no_label(annotations):
    assert rated(annotations) == ()
