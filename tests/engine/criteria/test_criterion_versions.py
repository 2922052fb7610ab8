"""Versions side by side: the same sessions, the newest scores, and never those of the test."""

from math import isnan

import pytest
from criterion_sessions import labelled
from stored import identity, score

from turnwise.conversations.store import Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_versions import compare_versions, criterion_of, keep_version
from turnwise.engine.criteria.past_trials import standing

FIRST = Criterion(name="Polite", criteria="Stays polite.", threshold=0.7)
SECOND = FIRST.model_copy(update={"criteria": "Never blames."})


def scored(store: Store, criterion: Criterion, scores: dict[int, float]) -> None:
    run = store.runs.begin(judge="j", metrics=[criterion.name])
    print_ = criterion.metric().fingerprint
    found = [
        (identity(session, criterion.name, metric_fingerprint=print_), score(value, criterion.name))
        for session, value in scores.items()
    ]
    store.scores.add_all(run, found)


def test_a_version_says_what_the_criterion_said(store: Store) -> None:
    kept = keep_version(store, FIRST, author="ann")
    assert criterion_of(kept) == FIRST
    assert keep_version(store, FIRST, author="bob") == kept


def test_versions_are_compared_on_what_both_scored_and_people_labelled(store: Store) -> None:
    ids = labelled(store, 6)
    scored(store, FIRST, dict.fromkeys(ids[:5], 0.9))
    scored(store, SECOND, {session: 0.9 if session % 2 else 0.1 for session in ids[1:]})
    first, second = compare_versions(store, FIRST, SECOND)
    assert first.measures.matrix.total == second.measures.matrix.total == 4
    assert (first.scored, second.scored) == (5, 5)
    assert first.measures.tnr.value == 0
    assert second.measures.kappa.value == 1


def test_versions_that_differ_in_the_threshold_alone_share_their_scores(store: Store) -> None:
    ids = labelled(store, 4)
    scored(store, FIRST, {session: 0.8 if session % 2 else 0.6 for session in ids})
    low = FIRST.model_copy(update={"threshold": 0.5})
    first, second = compare_versions(store, FIRST, low)
    assert (first.measures.tnr.value, second.measures.tnr.value) == (1, 0)


def test_sessions_of_the_test_are_left_out(store: Store) -> None:
    ids = labelled(store, 6)
    scored(store, FIRST, dict.fromkeys(ids, 0.9))
    assert standing(store, FIRST).sessions == 6
    store.splits.add({ids[0]: "test", ids[1]: "dev"})
    assert standing(store, FIRST).sessions == 5
    assert compare_versions(store, FIRST, FIRST)[0].measures.matrix.total == 5


def test_what_was_never_tried_has_no_figures(store: Store) -> None:
    assert standing(store, FIRST).sessions == 0
    assert isnan(standing(store, FIRST).kappa)


def test_a_strict_version_passes_only_what_is_perfect() -> None:
    strict = FIRST.model_copy(update={"strict": True})
    assert [strict.passes(value) for value in (0.99, 1.0)] == [False, True]
    assert FIRST.passes(pytest.approx(0.7).expected)
