"""Runs: their counts come from the rows that belong to them."""

import pytest
from stored import failure, keep, land, score, skipped

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import AskedOfRun


def test_a_run_is_counted_from_its_outcomes(store):
    session = keep(store)
    run = store.runs.begin(judge="j", metrics=["a", "b"], judge_settings={"temperature": 0})
    land(store, session, score(0.9, "a"), score(0.1, "b"), failure("c"), skipped("d"), run=run)
    row = store.runs.get(run)
    assert (row.judge, row.metrics, row.finished_at) == ("j", ("a", "b"), None)
    assert (row.scores, row.passed, row.failures, row.skipped) == (2, 1, 1, 1)


def test_outcomes_that_were_taken_over_belong_to_both_runs(store):
    session = keep(store)
    scores = land(store, session, score(0.9), skipped("b"))
    second = store.runs.begin(judge="j", metrics=["politeness"])
    store.scores.link(second, scores)
    store.scores.link(second, scores)
    assert [(row.id, row.scores, row.skipped) for row in store.runs.all()] == [(second, 1, 1), (1, 1, 1)]
    assert len(store.scores.of(session)) == 2


def test_a_run_that_came_to_its_end_says_when(store):
    run = store.runs.begin(judge="j", metrics=[])
    store.runs.finish(run)
    row = store.runs.get(run)
    assert row.finished_at is not None
    assert row.finished_at >= row.created_at
    assert (row.scores, row.failures) == (0, 0)


def test_a_run_that_is_not_there_is_told(store):
    with pytest.raises(NotFoundError, match="There is no run 7"):
        store.runs.get(7)
    assert store.runs.all() == []


def test_runs_with_a_parameter_are_found_newest_first(store):
    first, second = (
        store.runs.begin(judge="j", metrics=[], parameters={"suite": "/a/suite.yaml"}) for _ in range(2)
    )
    store.runs.begin(judge="j", metrics=[], parameters={"suite": "/b/suite.yaml"})
    store.runs.begin(judge="j", metrics=[])
    assert store.runs.ids_with("suite", "/a/suite.yaml") == [second, first]
    assert store.runs.ids_with("suite", "/c/suite.yaml") == []


def test_the_outcomes_of_one_metric_that_a_run_added_are_given_in_order(store):
    session = keep(store)
    run = store.runs.begin(judge="j", metrics=["a", "b"])
    land(store, session, score(0.9, "a"), score(0.1, "b"), failure("a"), run=run)
    land(store, session, score(0.5, "a"))
    assert [(row.outcome, row.score) for row in store.scores.of_run(run, "a")] == [
        ("score", 0.9),
        ("failure", None),
    ]


def test_what_a_run_was_asked_to_judge_is_known_until_it_has_ended(store):
    asked = AskedOfRun((*range(1, 100_001), 100_003), each_turn=True)
    run = store.runs.begin(judge="j", metrics=["a"], asked=asked)
    assert store.runs.asked(run) == asked
    store.runs.finish(run)
    assert store.runs.asked(run) is None


def test_a_run_gets_another_name(store):
    run = store.runs.begin(judge="j", metrics=[])
    store.runs.rename(run, "  the stricter\n prompt ")
    assert store.runs.get(run).name == "the stricter prompt"
    with pytest.raises(NotFoundError, match="There is no run 9"):
        store.runs.rename(9, "x")


def test_an_outcome_that_a_newer_one_stands_for_counts_no_longer(store):
    session = keep(store)
    run = store.runs.begin(judge="j", metrics=["politeness"])
    land(store, session, failure(), score(0.2, exchange=1), run=run)
    land(store, session, score(0.9), run=run)
    store.runs.let_go_of_replaced(run)
    row = store.runs.get(run)
    assert (row.scores, row.failures) == (2, 0)
    assert len(store.scores.of(session)) == 3


def test_runs_are_listed_without_counting_them(store):
    run = store.runs.begin(judge="j", metrics=["a"], name="n")
    land(store, keep(store), score(0.9), run=run)
    assert [(row.id, row.name, row.scores) for row in store.runs.uncounted()] == [(run, "n", 0)]


def test_the_newest_runs_are_listed_by_kept_counts_that_say_what_counting_says(store):
    session = keep(store)
    runs = [store.runs.begin(judge="j", metrics=["a"], name=str(number)) for number in range(3)]
    land(store, session, score(0.9), run=runs[1])
    land(store, session, score(0.1), failure(), run=runs[2])

    def told(rows):
        return [(row.id, row.name, row.scores, row.passed) for row in rows]

    assert told(store.runs.newest(5)) == told(store.runs.all())
    assert told(store.runs.newest(2)) == [(runs[2], "2", 1, 0), (runs[1], "1", 1, 1)]
