"""Figures and names of a comparison, as both the screens and the command line write them."""

from __future__ import annotations

from math import nan

import pytest
from compared_runs import a_run, judged, one_of_ten_lost, two_targets
from stored import failure, keep

from turnwise.engine.comparing.compare import compare
from turnwise.engine.comparing.sides import Side
from turnwise.tui.compare.run_words import (
    delta_words,
    interval_words,
    left_out_words,
    named_sides,
    score_words,
    side_about,
    side_words,
    sure_words,
)


@pytest.mark.parametrize(
    ("delta", "text"),
    [(0.123, "+0.12"), (-0.05, "−0.05"), (0.0, "0.00"), (-0.001, "0.00"), (nan, "–")],
)
def test_a_change_has_a_sign_and_zero_has_none(delta, text):
    assert delta_words(delta) == text


def test_what_is_not_there_is_a_dash():
    assert (score_words(None), score_words(nan), score_words(0.5)) == ("–", "–", "0.50")


@pytest.mark.parametrize(
    ("count", "words"), [(1, "needs 5 more"), (4, "needs 2 more"), (20, "−0.75 to −0.41")]
)
def test_too_few_cases_have_no_interval_but_say_how_many_more_they_need(store, count, words):
    ids = [keep(store, f"talk {number}", "yes") for number in range(count)]
    first, second = (a_run(store, [(one, judged(value)) for one in ids]) for value in (0.9, 0.2))
    [change] = compare(store, Side(store.runs.get(first)), Side(store.runs.get(second))).metrics
    assert interval_words(change) == words


def test_what_stands_out_alone_among_many_is_said_to_be_one_of_many(store):
    ids = [keep(store, f"talk {number}", "yes") for number in range(6)]
    runs = one_of_ten_lost(store, ids)
    assert sure_words(compare(store, *(Side(store.runs.get(run)) for run in runs))) == (
        "No metric is certainly better or worse: among 10 that are compared at once, one may seem so "
        "by chance."
    )


def test_what_is_not_by_chance_is_said_the_worse_first(store):
    ids = [keep(store, f"talk {number}", "yes") for number in range(20)]
    sides = ({"tone": 0.9, "haste": 0.6, "style": 0.6}, {"tone": 0.1, "haste": 0.9, "style": 0.6})
    runs = [a_run(store, [(one, judged(v, m)) for one in ids for m, v in side.items()]) for side in sides]
    first, second = (Side(store.runs.get(run)) for run in runs)
    assert sure_words(compare(store, first, second)) == (
        "tone is worse (20 → 0 of 20 pass, −100 to −66 %), "
        "haste is better (+0.30 on average, +0.08 to +0.42): not by chance, even among 3 metrics at once."
    )
    assert sure_words(compare(store, first, first)) == (
        "No metric is certainly better or worse: what changed may be chance."
    )


def test_more_passes_by_more_than_chance_are_told_apart_from_a_mean_that_is_unsure(store):
    ids = [keep(store, f"talk {number}", "yes") for number in range(20)]
    sides = ([0.74] * 10 + [0.9] * 10, [0.76] * 10 + [0.9] * 10)
    runs = [
        a_run(store, [(one, judged(value, threshold=0.75)) for one, value in zip(ids, side, strict=True)])
        for side in sides
    ]
    comparison = compare(store, *(Side(store.runs.get(run)) for run in runs))
    [change] = comparison.metrics
    assert change.low < 0 < change.passes_low < change.passes_high
    assert sure_words(comparison) == (
        "politeness is better (10 → 20 of 20 pass, +18 to +73 %; the mean alone is unsure): not by chance."
    )


def test_what_fell_is_named_where_it_may_be_chance_too(store):
    ids = [keep(store, f"talk {number}", "yes") for number in range(20)]
    before = {one: {"tone": 0.1, "style": 0.9, "haste": 0.9} for one in ids}
    after = {one: {"tone": 0.9, "style": 0.9, "haste": 0.9} for one in ids}
    after[ids[0]]["haste"] = after[ids[1]]["haste"] = after[ids[2]]["style"] = 0.1
    first, second = (
        Side(store.runs.get(a_run(store, [(one, judged(v, m)) for one in ids for m, v in side[one].items()])))
        for side in (before, after)
    )
    assert sure_words(compare(store, first, second)) == (
        "tone is better (0 → 20 of 20 pass, +66 to +100 %): not by chance, even among 3 metrics at once. "
        "What else changed may be chance. haste fell most (20 → 18 of 20 pass)."
    )


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
    assert side_about(Side(store.runs.get(run))) == "no judge · just now, unfinished"


def test_what_is_left_out_is_said_by_side(store):
    ids = [keep(store, f"talk {number}", "yes") for number in range(3)]
    first = a_run(store, [(ids[0], judged(0.5)), (ids[1], judged(0.5))])
    second = a_run(store, [(ids[0], failure()), (ids[2], judged(0.5))])
    comparison = compare(store, Side(store.runs.get(first)), Side(store.runs.get(second)))
    assert left_out_words(comparison) == "1 session only in A, 1 only in B · 1 outcome not judged in B"
