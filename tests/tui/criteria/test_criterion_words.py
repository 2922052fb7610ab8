"""Criteria in words."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from turnwise.conversations.store.splits import SplitUse
from turnwise.engine.criteria.criteria import Criterion, check_criterion
from turnwise.engine.criteria.criterion_sample import Sample
from turnwise.engine.criteria.criterion_trial import CriterionTrial, TrialRow
from turnwise.engine.people.agreement import Figure
from turnwise.tui.actions import ACTIONS
from turnwise.tui.criteria.criterion_form import CriterionForm
from turnwise.tui.criteria.criterion_words import (
    EXAMPLE,
    cost_words,
    expected_words,
    explained_words,
    figure_words,
    kappa_words,
    key_while_writing,
    left_out_words,
    sample_words,
    since_words,
    spent_words,
    uses_words,
    who_words,
)

CRITERION = Criterion(name="Kind", criteria="Is kind.")


@pytest.mark.parametrize(
    ("sample", "words"),
    [
        (Sample((1,), {}, {1: True}, "dev"), "1 labelled session (dev, to try on)"),
        (Sample((1, 2), {}, {1: True}), "2 sessions, 1 labelled"),
        (
            Sample((1, 2), {}, {}, None, "x", 3),
            "2 sessions, 0 labelled; 3 stay out for the test",
        ),
        (
            Sample((1, 2), {}, {1: True}, held_back=1, drawn_from=6),
            "2 sessions drawn from the 6 outside the test, 1 of them labelled",
        ),
        (
            Sample((1, 2), {}, {}, "dev", drawn_from=300),
            "2 labelled sessions (dev, to try on) drawn from 300",
        ),
    ],
)
def test_a_sample_is_told(sample: Sample, words: str) -> None:
    assert sample_words(sample) == words


def test_why_other_sessions_are_tried_next_is_told() -> None:
    tried = CriterionTrial(CRITERION, Sample((1, 2), split="dev"), began_at=10.0)
    assert since_words(tried, Sample((1, 2), split="dev")) == ""
    more = Sample((1, 2, 3), split="dev", said_at={1: 30.0, 3: 20.0})
    assert since_words(tried, more) == ", 1 of them labelled since"
    assert since_words(tried, replace(more, said_at={3: 5.0})) == ", 1 of them not tried then"
    assert since_words(tried, Sample((1,), split="dev")) == ", 1 taken back or disputed since"
    assert since_words(tried, replace(more, split="train")) == ""
    assert since_words(tried, replace(more, drawn_from=300)) == ""


def test_what_a_trial_took_tells_about_how_long_another_takes() -> None:
    rows = tuple(TrialRow(session, "talk", "score", 0.9, True, None, "") for session in range(4))
    trial = CriterionTrial(CRITERION, Sample(tuple(range(4))), rows, seconds=60.0)
    assert expected_words(trial, 16) == ", about 4 min"
    assert expected_words(replace(trial, seconds=None), 16) == ""
    assert expected_words(replace(trial, rows=()), 16) == ""


def test_whose_labels_they_are_is_told_in_a_word() -> None:
    assert who_words(Sample(authors=("ann",)), "ann") == "you"
    assert who_words(Sample(authors=("ann",)), "bob") == "ann"
    assert who_words(Sample(authors=("ann", "bob")), "ann") == "people"


def test_figures_are_told_with_their_intervals_where_there_are_any() -> None:
    assert figure_words("TPR", Figure(0.934, 0.68, 0.994), 30) == "TPR 0.93 (0.68 to 0.99)"
    assert figure_words("TPR", Figure(0.5), 4) == "TPR 0.50"
    assert figure_words("TPR", Figure(1.0, 0.2, 1.0), 2) == "TPR 1.00 (too few labels)"
    assert figure_words("TPR", Figure(None, why="none"), 0) == "TPR –"
    assert (kappa_words(0.714), kappa_words(float("nan")), kappa_words(-0.2)) == ("0.71", "–", "−0.20")


def test_what_a_trial_took_is_told_as_far_as_it_is_known() -> None:
    assert [cost_words(cost) for cost in (None, 0.0, 0.0021, 1.5)] == ["", "$0.00", "$0.0021", "$1.50"]
    trial = CriterionTrial(CRITERION, Sample(), cost=0.02, seconds=41.2)
    assert spent_words(trial) == "$0.02 · took 41 s"
    assert spent_words(CriterionTrial(CRITERION, Sample())) == ""


def test_outcomes_that_are_no_scores_are_counted() -> None:
    def row(outcome: str) -> TrialRow:
        return TrialRow(1, "", outcome, None, None, None, "")  # type: ignore[arg-type]

    trial = CriterionTrial(
        CRITERION, Sample(), (row("failure"), row("skipped"), row("skipped"), row("score"))
    )
    assert left_out_words(trial) == "1 could not be judged · 2 skipped"


def test_uses_of_a_split_are_told() -> None:
    at = time.mktime((2026, 11, 20, 9, 15, 0, 0, 0, -1))
    use = SplitUse("test", "Kind", "v", 1, 9, "ann", at)
    assert uses_words([]) == "not used yet"
    assert uses_words([use]) == "used once, on 20 Nov 2026 09:15"
    assert uses_words([use] * 3) == "used 3 times, last on 20 Nov 2026 09:15"


def test_the_example_is_a_criterion() -> None:
    assert check_criterion(EXAMPLE).threshold == float(CriterionForm().threshold)


def test_while_one_writes_only_keys_that_do_not_type_are_named():
    told = [one for one in map(key_while_writing, ACTIONS["criteria"]) if one.rank]
    assert {(one.key_text, one.title) for one in told} == {
        ("esc", "leave the text"),
        ("tab", "next field"),
        ("ctrl+t", "try"),
        ("ctrl+s", "save"),
        ("ctrl+r", "draft steps"),
    }


def test_fails_that_may_be_for_something_else_are_told_beside_the_labels() -> None:
    sample = Sample((1, 2, 3), {}, {1: True, 2: False, 3: False}, "dev", divided={"dev": 3}, whole_fails=1)
    labels, whole = explained_words(sample).split("; ")
    assert labels == (
        "3 labelled sessions: 3 to try on while you change it (dev), none for one check at the end (test), "
        "none to take examples from (train)"
    )
    assert whole == "1 of 2 fails in dev names no metric: perhaps for another reason"
    assert "; " not in explained_words(replace(sample, whole_fails=0))
    assert explained_words(sample, "+ is right, - is wrong").endswith(
        "; say which in a review, at the score: + is right, - is wrong"
    )
    # No label could be of a criterion that was never tried.
    assert explained_words(sample, is_tried=False) == labels
    assert explained_words(replace(sample, undecided=2)).startswith("3 labelled sessions (2 more disputed): ")
