"""Figures and names of a comparison, as both the screens and the command line write them."""

from __future__ import annotations

from dataclasses import replace
from math import nan

import pytest
from compared_runs import a_run, judged, two_targets
from stored import failure, keep

from turnwise.engine.comparing.compare import compare
from turnwise.engine.comparing.sides import Side
from turnwise.tui.compare.run_words import (
    delta_words,
    interval_words,
    left_out_words,
    named_sides,
    prompt_words,
    score_words,
    shared_words,
    side_about,
    side_words,
)


@pytest.mark.parametrize(
    ("delta", "text"),
    [(0.123, "+0.12"), (-0.05, "−0.05"), (0.0, "0.00"), (-0.001, "0.00"), (nan, "–")],
)
def test_a_change_has_a_sign_and_zero_has_none(delta, text):
    assert delta_words(delta) == text


@pytest.mark.parametrize(
    ("a", "b", "shared"),
    [
        ("One more bag", "One more bag", "One more bag"),
        ("v4 One more bag", "v5 One more bag", "One more bag"),
        ("refund, first try", "refund, second try", "refund,"),
        ("talk 1 of two", "talk 2 of two", "of two"),
        ("alpha", "beta", "alpha / beta"),
    ],
)
def test_a_case_is_called_by_what_the_names_of_both_sides_share(a, b, shared):
    assert shared_words(a, b) == shared


def test_what_is_not_there_is_a_dash():
    assert (score_words(None), score_words(nan), score_words(0.5)) == ("–", "–", "0.50")


@pytest.mark.parametrize(
    ("count", "words"), [(1, "needs 5 more cases"), (4, "needs 2 more cases"), (20, "−0.75 to −0.41")]
)
def test_too_few_cases_have_no_interval_but_say_how_many_more_they_need(store, count, words):
    ids = [keep(store, f"talk {number}", "yes") for number in range(count)]
    first, second = (a_run(store, [(one, judged(value)) for one in ids]) for value in (0.9, 0.2))
    [change] = compare(store, Side(store.runs.get(first)), Side(store.runs.get(second))).metrics
    assert interval_words(change) == words


def test_a_side_is_named_by_run_name_and_target(store):
    first, second = two_targets(store, [(0.9, 0.2)])
    comparison = compare(store, Side(store.runs.get(first)), Side(store.runs.get(second)))
    assert [side_words(side) for side in named_sides(comparison)] == [
        "run 1 · Bookings · one",
        "run 2 · Bookings · two",
    ]
    assert side_words(comparison.a) == "run 1 · Bookings"


def test_a_run_that_did_not_come_to_its_end_says_so(store):
    run = store.runs.begin(judge="none", metrics=["length"])
    assert side_about(Side(store.runs.get(run))) == "checks only · just now, unfinished"


def test_what_is_left_out_is_said_by_side(store):
    ids = [keep(store, f"talk {number}", "yes") for number in range(3)]
    first = a_run(store, [(ids[0], judged(0.5)), (ids[1], judged(0.5))])
    second = a_run(store, [(ids[0], failure()), (ids[2], judged(0.5))])
    comparison = compare(store, Side(store.runs.get(first)), Side(store.runs.get(second)))
    assert left_out_words(comparison) == (
        "1 session only in A, 1 only in B · politeness: 1 outcome not judged in B"
    )


def test_it_is_told_in_how_many_cases_the_system_prompt_differs(store):
    first, second = two_targets(store, [(0.9, 0.2), (0.9, 0.2)])
    comparison = compare(store, Side(store.runs.get(first)), Side(store.runs.get(second)))
    words = [prompt_words(replace(comparison, prompts_apart=count)) for count in (0, 1, 2)]
    assert words == [
        "",
        "The system prompt differs in 1 of 2 cases",
        "The system prompt differs in all 2 cases",
    ]
