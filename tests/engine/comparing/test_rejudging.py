"""One outcome beside the one that stood before it."""

from __future__ import annotations

import time

from scored_sessions import add_outcomes, add_talk, failure, retention, skipped

from turnwise.conversations.results import Outcome
from turnwise.conversations.store import Store
from turnwise.engine.comparing.rejudging import Rejudged, Rejudging
from turnwise.engine.metrics.registry import make_metric


def beside(store: Store, before: Outcome, after: Outcome) -> Rejudged:
    session = add_talk(store)
    add_outcomes(store, session, before)
    later = time.time() + 60
    rejudging = Rejudging(store, [make_metric("knowledge_retention")], "judge-1", began=later)
    return rejudging.beside(session, after)


def test_the_same_score_is_as_before(store: Store) -> None:
    assert not beside(store, retention(4), retention(4)).is_changed


def test_a_score_that_turned_into_none_is_changed_though_nothing_flipped(store: Store) -> None:
    for after in (failure("knowledge_retention"), skipped("knowledge_retention")):
        found = beside(store, retention(), after)
        assert (found.flip, found.delta, found.turns, found.is_changed) == (None, None, (), True)


def test_a_score_where_the_judge_was_away_before_is_changed(store: Store) -> None:
    assert beside(store, failure("knowledge_retention"), retention()).is_changed


def test_a_metric_with_a_judge_of_its_own_is_told_with_that_judge(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    metrics, own = [make_metric("knowledge_retention")], {"knowledge_retention": "judge-2"}
    rejudging = Rejudging(store, metrics, "judge-1", judges=own, began=time.time() + 60)
    changed = rejudging.beside(session, retention(4)).changed
    assert ("judge", "judge-1", "judge-2") in [(one.name, one.a, one.b) for one in changed]
