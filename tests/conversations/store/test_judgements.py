"""Judgements: the newest outcome of a metric and the newest label of each person, of many sessions."""

from __future__ import annotations

import pytest
from stored import failure, keep, land, score, skipped

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store
from turnwise.conversations.store.judgements import OutcomeCounts

Found = list[tuple[int, bool | None]]


def outcomes(
    store: Store, metric: str | None = "politeness", query: str = "", run: int | None = None
) -> Found:
    rows = store.judgements.outcomes(metric, query=query, run=run)
    return sorted((row.session_id, row.passed) for row in rows)


def test_the_newest_outcome_of_a_labelled_session_counts(store: Store) -> None:
    first, second, third = keep(store, "one"), keep(store, "two"), keep(store, "three")
    land(store, first, score(0.2))
    land(store, first, score(0.9))
    land(store, second, score(0.9))
    land(store, second, failure())
    land(store, third, score(0.9))
    for session in (first, second):
        store.labels.add(session, "pass", author="ann", blind=True)
    assert outcomes(store) == [(first, True), (second, None)]
    assert store.judgements.count("politeness") == OutcomeCounts(scores=2, passed=2, failures=1)


def test_a_query_asks_for_failure_modes_as_elsewhere(store: Store) -> None:
    first, second = keep(store, "one"), keep(store, "two")
    for session in (first, second):
        land(store, session, score(0.2))
        store.labels.add(session, "fail", author="ann", blind=True)
    store.modes.assign([first], store.modes.add("is rude", "", author="ann"), author="ann")
    assert outcomes(store, query='mode:"is rude"') == [(first, False)]


def test_of_a_last_turn_metric_the_last_exchange_counts(store: Store) -> None:
    session = keep(store, "one", "two", "three", "four")
    land(store, session, score(0.1, exchange=2), score(0.9, exchange=1))
    store.labels.add(session, "pass", author="ann", blind=True)
    assert outcomes(store) == [(session, False)]
    assert store.judgements.count("politeness") == OutcomeCounts(scores=1)


def test_outcomes_can_be_those_of_a_run_or_of_a_query(store: Store) -> None:
    first, second = keep(store, "one"), keep(store, "two", tags=["billing"])
    run = store.runs.begin(judge="scripted-1", metrics=["politeness"])
    land(store, first, score(0.1), run=run)
    land(store, first, score(0.9))
    land(store, second, skipped(), score(0.9, "warmth"))
    store.scores.link(run, land(store, second, score(0.1)))
    for session in (first, second):
        store.labels.add(session, "fail", author="ann", blind=True)
    assert outcomes(store) == [(first, True), (second, False)]
    [only] = store.judgements.outcomes("politeness", run=run, query="id:1")
    assert (only.session_id, only.score, only.threshold, only.outcome) == (first, 0.1, 0.5, "score")
    assert outcomes(store, query="tag:billing") == [(second, False)]
    assert outcomes(store, None, query="tag:billing") == [(second, False), (second, True)]
    assert store.judgements.count("politeness", run=run).scores == 2
    assert store.judgements.count("politeness", query="tag:billing") == OutcomeCounts(scores=1)


def test_of_each_person_the_newest_label_of_the_whole_and_of_the_metric_count(store: Store) -> None:
    session = keep(store)
    store.labels.add(session, "pass", author="ann", blind=True)
    store.labels.add(session, "fail", author="ann", blind=False, turn=2, note="rude")
    store.labels.add(session, "pass", author="ann", blind=True, metric="politeness")
    store.labels.add(session, "fail", author="ann", blind=True, metric="warmth")
    store.labels.add(session, "pass", author="ben", blind=True)
    store.labels.add(session, None, author="ben", blind=True)
    found = {
        (row.author, row.metric): (row.word, row.blind, row.note)
        for row in store.judgements.opinions("politeness")
    }
    assert found == {
        ("ann", ""): ("fail", False, "rude"),
        ("ann", "politeness"): ("pass", True, ""),
        ("ben", ""): (None, True, ""),
    }
    assert len(store.judgements.opinions(None)) == 4
    assert store.judgements.opinions("politeness", query="id:99") == []


def test_a_query_that_means_nothing_is_refused(store: Store) -> None:
    with pytest.raises(SettingError):
        store.judgements.count("politeness", query="label:maybe")


def test_reasons_and_names_are_found_by_id(store: Store) -> None:
    session = keep(store, name="Lost bag")
    [landed] = land(store, session, score(0.9, reason="Kind."))
    assert store.judgements.reasons([landed, 99]) == {landed: "Kind."}
    assert store.judgements.names([session] * 600) == {session: "Lost bag"}


def test_of_a_metric_each_turn_has_a_label_of_its_own(store: Store) -> None:
    session = keep(store, "one", "two", "three", "four")
    for turn, word in ((4, "fail"), (2, "pass"), (4, None)):
        store.labels.add(session, word, author="ann", blind=True, metric="politeness", turn=turn)  # type: ignore[arg-type]
    store.labels.add(session, "fail", author="ann", blind=True, turn=2)
    store.labels.add(session, "defer", author="ann", blind=True, turn=4)
    found = [(row.metric, row.word) for row in store.judgements.opinions("politeness")]
    assert found == [("politeness", "pass"), ("politeness", None), ("", "defer")]


def test_a_split_narrows_it(store: Store) -> None:
    first, second = keep(store, "one"), keep(store, "two")
    for session in (first, second):
        land(store, session, score(0.9))
        store.labels.add(session, "pass", author="ann", blind=True)
    store.splits.add({first: "dev"})
    assert store.judgements.count("politeness", split="dev").scores == 1
    assert [row.session_id for row in store.judgements.outcomes(None, split="dev")] == [first]
    assert [row.session_id for row in store.judgements.opinions(None, split="dev", query="one")] == [first]
    assert store.judgements.opinions(None, split="test") == []


def test_of_labelled_sessions_it_is_told_which_metric_passes_them(store: Store) -> None:
    first, second, third = keep(store, "one"), keep(store, "two"), keep(store, "three")
    land(store, first, score(0.9), score(0.1, "warmth"))
    land(store, second, score(0.2), failure("warmth"))
    land(store, third, score(0.2))
    for session in (first, second):
        store.labels.add(session, "pass", author="ann", blind=True)
    assert store.judgements.passes() == {
        "politeness": {first: True, second: False},
        "warmth": {first: False},
    }
    assert store.judgements.passes("politeness:fail") == {"politeness": {second: False}}


def test_reasons_are_read_by_the_ids_of_outcomes(store: Store) -> None:
    session = keep(store)
    tone, facts = land(
        store, session, score(0.5, "tone", reason="Kind."), score(0.2, "facts", reason="Wrong.")
    )
    assert store.judgements.reasons([facts, tone, 99]) == {tone: "Kind.", facts: "Wrong."}
