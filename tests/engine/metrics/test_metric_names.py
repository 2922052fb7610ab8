"""Metric names: what people type, however they spell it, is the metric that they mean."""

from __future__ import annotations

import pytest
from stored import keep, land, score

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import Store
from turnwise.engine.metrics.metric_names import meant_metric, metric_to_label, near_name, same_name

NAMES = ["role_adherence", "role_violation", "Stays in policy"]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("role_adherence", "role_adherence"),
        ("Role-Adherence", "role_adherence"),
        (" role  adherence ", "role_adherence"),
        ("stays-in-policy", "Stays in policy"),
        ("role", None),
        ("", None),
    ],
)
def test_case_hyphens_and_spaces_do_not_matter(typed: str, name: str | None) -> None:
    assert same_name(typed, NAMES) == name


def test_what_is_written_exactly_so_goes_before_what_is_spelled_alike() -> None:
    assert same_name("Tone", ["tone", "Tone"]) == "Tone"


def test_a_part_means_all_that_hold_it_and_a_whole_name_only_itself() -> None:
    assert meant_metric("role", NAMES) == ["role_adherence", "role_violation"]
    assert meant_metric("policy", NAMES) == ["Stays in policy"]
    assert meant_metric("bias", ["bias_2", "bias"]) == ["bias"]
    assert meant_metric(" ", NAMES) == []


def test_the_nearest_name_is_given_as_it_is_written() -> None:
    assert near_name("stay in policy", NAMES) == "Stays in policy"
    assert near_name("zebra", NAMES) is None


@pytest.mark.parametrize(
    ("typed", "about"),
    [
        ("Role-Adherence", ("role_adherence", True)),
        ("my METRIC", ("My metric", True)),
        ("turn-relevancy:window_size=5", ("turn_relevancy", True)),
        ("contains:refund", ("contains:refund", True)),
        ("Tone of voice", ("Tone of voice", False)),
    ],
)
def test_a_label_is_about_what_a_score_is_named(store: Store, typed: str, about: tuple[str, bool]) -> None:
    land(store, keep(store), score(0.5, "My metric"))
    assert metric_to_label(store, typed) == about


def test_a_slip_is_told_with_the_nearest_name(store: Store) -> None:
    with pytest.raises(NotFoundError) as told:
        metric_to_label(store, "role_adherance")
    assert told.value.next_step == "Did you mean role_adherence?"
