"""Criteria in the database: versions are kept once each, and their scores are found by what they carry."""

import sqlite3

import pytest
from stored import failure, identity, keep, score

from turnwise.conversations.results import Outcome
from turnwise.conversations.store import Store
from turnwise.conversations.store.criteria import CriterionVersion


def version(store: Store, fingerprint: str, name: str = "politeness") -> CriterionVersion:
    return store.criteria.keep(
        name=name, fingerprint=fingerprint, metric_fingerprint="m", text="name: x", author="ann"
    )


def scored(
    store: Store, session: int, outcome: Outcome, print_: str = "a", exchange: int | None = None
) -> int:
    run = store.runs.begin(judge="j", metrics=["politeness"])
    store.scores.add_all(run, [(identity(session, metric_fingerprint=print_, exchange=exchange), outcome)])
    return run


def test_versions_are_numbered_by_name_in_the_order_they_came(store: Store) -> None:
    first = version(store, "1")
    version(store, "1", name="other")
    second = version(store, "2")
    assert version(store, "1") == first
    assert [one.number for one in store.criteria.versions("politeness")] == [1, 2]
    assert (first.number, second.number, first.author) == (1, 2, "ann")
    assert store.criteria.names() == ["politeness", "other"]
    assert store.criteria.versions("nobody") == []


def test_a_version_is_never_overwritten(store: Store) -> None:
    version(store, "1")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        store._database.connection.execute("UPDATE criterion_versions SET text = 'y'")


def test_the_newest_outcome_of_a_session_counts_and_of_its_exchanges_the_last(store: Store) -> None:
    one, other = keep(store, name="first"), keep(store, "another", "one", name="second")
    scored(store, one, score(0.1))
    scored(store, one, score(0.9))
    scored(store, one, score(0.3), print_="b")
    scored(store, other, score(0.7), exchange=2)
    scored(store, other, score(0.2), exchange=1)
    found = store.criteria.outcomes("politeness", "a")
    assert [(row.session_id, row.name, row.score) for row in found] == [
        (one, "first", 0.9),
        (other, "second", 0.7),
    ]
    assert [row.score for row in store.criteria.outcomes("politeness", "b")] == [0.3]


def test_outcomes_of_a_run_are_those_it_brought_and_those_it_took_over(store: Store) -> None:
    one, other = keep(store), keep(store, "another", "one")
    scored(store, one, score(0.1))
    run = scored(store, other, failure())
    store.scores.link(run, [1])
    found = store.criteria.outcomes_of_run(run, "politeness")
    assert [(row.session_id, row.outcome, row.score) for row in found] == [
        (one, "score", 0.1),
        (other, "failure", None),
    ]


def test_fingerprints_of_contents_are_told_by_session(store: Store) -> None:
    one, other = keep(store), keep(store, "another", "one")
    found = store.criteria.fingerprints([one, other, 99])
    assert found.keys() == {one, other}
    assert found[one] != found[other]
