"""Agreement in words: who labelled, what each figure says here, and what is left out."""

from __future__ import annotations

from math import nan

import pytest

from turnwise.engine.people.agreement import Agreement, Figure, alpha_between, kappa_between, measure
from turnwise.engine.people.labelled_scores import MetricAgreement, measured_in_short
from turnwise.engine.people.opinions import Person
from turnwise.engine.people.statistics.rater_agreement import Confusion
from turnwise.tui.agreement.agreement_words import (
    FigureLine,
    doubt_words,
    failed_words,
    figure_lines,
    interval_words,
    kappa_told,
    labels_words,
    lacking_words,
    left_out_words,
    number_words,
    otherwise_words,
    passed_words,
    rests_on_few,
    same_words,
    who_labelled,
    whole_words,
)


def found(matrix: Confusion, *authors: str, author: str | None = None, **counts: int) -> Agreement:
    return Agreement(
        metric="politeness",
        query="",
        split=None,
        run=None,
        author=author,
        blind_only=False,
        measures=measure(matrix, 33, 50),
        people=tuple(Person(name, matrix.total) for name in authors),
        alpha=alpha_between([(2, 0), (0, 2)]),
        **{"failures": 0, "skipped": 0, "unscored": 0, "undecided": 0, **counts},
        false_passes=(),
        false_fails=(),
    )


SKETCH = Confusion(true_pass=14, false_pass=2, false_fail=1, true_fail=7)


@pytest.mark.parametrize(
    ("authors", "author", "who"),
    [
        (["mia"], None, "you"),
        (["ann"], None, "ann"),
        (["ann", "mia"], None, "people"),
        ([], None, "people"),
        (["ann", "mia"], "mia", "you"),
        (["ann", "mia"], "ann", "ann"),
    ],
)
def test_whose_labels_they_are(authors: list[str], author: str | None, who: str) -> None:
    assert who_labelled(found(SKETCH, *authors, author=author), "mia") == who


def test_each_figure_says_what_it_means_here() -> None:
    lines = {line.name: line for line in figure_lines(found(SKETCH, "mia"), "you")}
    assert lines["TPR"].value == "93 %"
    assert lines["TPR"].interval == "68 to 100 %"
    assert lines["TPR"].words == "passed 14 of 15 that you passed"
    assert lines["TNR"].words == "caught 7 of 9 that you failed"
    assert lines["precision"].words == "you passed 14 of 16 it passed"
    assert lines["kappa"].words == "agreed on 21 of 24, beyond chance"
    assert lines["pass rate"].words == "passed 33 of all 50 that are scored"
    assert "alpha" not in lines
    assert figure_lines(found(SKETCH, "mia", "ann"), "people")[-1].name == "alpha"


def test_what_cannot_be_told_says_why_instead() -> None:
    line = figure_lines(found(Confusion(true_pass=3), "mia"), "you")[0]
    assert line == FigureLine("people failed none of them", "", "TNR", "–")


def test_of_too_few_labels_that_is_said_instead_of_an_interval() -> None:
    few = {line.name: line for line in figure_lines(found(Confusion(5, 1, 1, 2), "mia"), "you")}
    assert (few["TNR"].words, few["TNR"].interval) == (
        "caught 2 of 3 that you failed",
        "too few labels",
    )
    assert few["TPR"].interval == "36 to 100 %"
    assert few["kappa"].interval == "too few labels"


def test_what_labels_it_takes_to_know_how_sure_is_said_by_their_kind() -> None:
    assert lacking_words(Confusion(5, 1, 1, 2)) == "too few labels for an interval: it takes 1 more fail"
    assert lacking_words(Confusion(1, 0, 1, 1)) == (
        "too few labels for an interval: it takes 3 more fails and 2 more passes"
    )
    assert lacking_words(Confusion(5, 2, 1, 2)) == ""
    assert lacking_words(Confusion(5, 0, 1, 0)) == ""


def test_a_kappa_of_fewer_than_four_labels_of_a_kind_is_marked_in_a_list() -> None:
    assert kappa_told(1.0, Confusion(45, 0, 0, 3)) == "1.00?"
    assert kappa_told(1.0, Confusion(45, 0, 0, 4)) == "1.00"
    assert kappa_told(-0.12, Confusion(1, 1, 2, 9)) == "−0.12?"
    assert kappa_told(nan, Confusion(45)) == "–"
    assert not rests_on_few(nan, Confusion(45))


def test_fails_of_the_session_alone_and_passes_of_sessions_that_failed_are_counted() -> None:
    some = found(SKETCH, "mia", "ann", whole_fails=2, failed_otherwise=4, disputed_otherwise=1)
    assert whole_words(some) == "9 failed: 7 name this metric, 2 name none: perhaps for another reason"
    assert otherwise_words(some) == (
        "15 not failed for this: 10 passed, 4 failed for something else, 1 of the disputed"
    )
    every = found(SKETCH, "mia", whole_fails=9)
    assert whole_words(every) == "all 9 fails name no metric: perhaps for another reason"
    assert otherwise_words(every) == ""


def test_sessions_that_failed_otherwise_are_not_said_to_be_passed() -> None:
    some = found(SKETCH, "mia", "ann", failed_otherwise=4)
    words = {line.name: line.words for line in figure_lines(some, "people")}
    assert words["TPR"] == "passed 14 of 15 not failed for this"
    assert words["precision"] == "14 of 16 it passed not failed for this"


def test_no_rate_is_corrected_by_a_handful_of_labels() -> None:
    few = {line.name: line for line in figure_lines(found(SKETCH, "mia"), "you")}["corrected"]
    assert (few.value, few.interval) == ("–", "")
    assert few.words == "needs 10 passes and 10 fails"
    many = {line.name: line for line in figure_lines(found(Confusion(28, 4, 2, 14), "mia"), "you")}[
        "corrected"
    ]
    assert many.words == "you would pass about 62 %"
    assert many.interval.endswith(" %")


def test_what_moved_stands_before_and_after_an_arrow() -> None:
    was, now = Confusion(5, 4, 4, 2), Confusion(5, 2, 4, 4)
    assert failed_words(now, "you", was) == "caught 2 → 4 of 6 that you failed"
    assert passed_words(now, "ann", was) == "passed 5 → 5 of 9 that ann passed"
    assert same_words(now, kappa_between(now, "")) == "agreed on 9 of 15, little beyond chance"


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        (Confusion(300, 10, 10, 100), ", far beyond chance"),
        (Confusion(30, 0, 0, 10), ", well beyond chance"),
        (Confusion(14, 2, 1, 7), ", beyond chance"),
        (Confusion(4, 1, 1, 4), ", perhaps by chance"),
        # Of one fail nothing is known, however often both said pass.
        (Confusion(45, 0, 0, 1), ""),
    ],
)
def test_no_more_is_said_of_chance_than_the_low_end_of_the_interval_holds(
    matrix: Confusion, words: str
) -> None:
    same = matrix.true_pass + matrix.true_fail
    told = same_words(matrix, kappa_between(matrix, ""))
    assert told == f"agreed on {same} of {matrix.total}{words}"


def test_labels_and_what_is_left_out() -> None:
    assert labels_words(found(SKETCH, "mia"), "you") == "24 labels of yours"
    assert labels_words(found(Confusion(1), "ann"), "ann") == "1 label by ann"
    assert (
        labels_words(found(SKETCH, "ann", "mia", "li"), "people") == "24 sessions, the majority of 3 people"
    )
    assert labels_words(found(Confusion()), "people") == "0 labels"
    assert left_out_words(found(SKETCH, "mia")) == ""
    left = left_out_words(found(SKETCH, "mia", unscored=3, failures=1))
    assert left == "3 labelled but not scored · 1 the judge failed on"


def test_of_two_people_there_is_no_majority_and_where_they_differ_is_left_out() -> None:
    two, three = (found(SKETCH, *authors, undecided=2) for authors in (("ann", "mia"), ("ann", "mia", "li")))
    assert labels_words(two, "people") == "24 sessions labelled by 2 people"
    assert left_out_words(two) == "2 on which people differ"
    assert left_out_words(three) == "2 that as many people pass as fail"


def test_numbers_are_short_and_only_a_full_one_is_full() -> None:
    assert [number_words(value) for value in (1.0, 0.999, 0.5, -0.25)] == ["1.00", "0.99", "0.50", "−0.25"]
    assert interval_words(Figure(0.5)) == ""


@pytest.mark.parametrize(
    ("matrix", "whole_misses", "words"),
    [
        (Confusion(10, 1, 9, 2), 0, "it agreed with people little beyond chance (kappa 0.09)"),
        (Confusion(9, 2, 5, 0), 2, "it failed 5 of 14 that people passed"),
        (Confusion(0, 6, 0, 6), 1, "it passed 5 of 11 that people failed as to it"),
        (Confusion(44, 3, 0, 1), 3, ""),
    ],
)
def test_why_a_metric_is_doubted_rests_on_no_fail_of_a_whole_session(
    matrix: Confusion, whole_misses: int, words: str
) -> None:
    assert doubt_words(measured_in_short(MetricAgreement("memory", matrix, 0.0, whole_misses))) == words
