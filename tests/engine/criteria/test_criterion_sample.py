"""What a criterion is tried on: labelled sessions of a split, the same ones every time."""

from __future__ import annotations

from criterion_sessions import labelled

from turnwise.conversations.store import Store
from turnwise.engine.criteria.criterion_sample import draw_sample


def test_dev_is_what_is_tried_on_and_the_test_split_is_held_back(store: Store) -> None:
    ids = labelled(store, 20)
    dev = draw_sample(store, "Polite")
    members = store.splits.members()
    assert dev.session_ids == tuple(one for one in ids if members[one] == "dev")
    assert dev.labelled == len(dev.session_ids) == 8
    assert sum(dev.people.values()) == 4
    some = draw_sample(store, "Polite", split=None, among=ids[:10], query="tag:x")
    assert not {members[one] for one in some.session_ids} & {"test"}
    assert some.held_back == 10 - len(some.session_ids) > 0
    assert draw_sample(store, "Polite", among=ids[:10]).session_ids == tuple(
        one for one in dev.session_ids if one in ids[:10]
    )


def test_a_smaller_sample_is_the_same_every_time(store: Store) -> None:
    labelled(store, 40)
    first = draw_sample(store, "Polite", most=5)
    assert len(first.session_ids) == 5
    assert draw_sample(store, "Polite", most=5) == first
    assert set(first.session_ids) < set(draw_sample(store, "Polite", most=6).session_ids)
    assert first.drawn_from == len(draw_sample(store, "Polite").session_ids)
    assert draw_sample(store, "Polite").drawn_from == 0


def test_fails_of_whole_sessions_are_told_apart_from_those_by_the_criterion(store: Store) -> None:
    labelled(store, 40)
    sample = draw_sample(store, "Polite")
    failed = [session for session in sample.session_ids if not sample.people[session]]
    assert sample.whole_fails == len(failed) > 1
    store.labels.add(failed[0], "fail", author="ann", blind=True, metric="Polite")
    assert draw_sample(store, "Polite").whole_fails == len(failed) - 1


def test_sessions_that_pass_as_to_the_criterion_alone_are_counted(store: Store) -> None:
    ids = labelled(store, 8)
    assert draw_sample(store, "Polite", split=None).passed_otherwise == 0
    among = set(draw_sample(store, "Polite", split=None).session_ids)
    failed = [session for place, session in enumerate(ids) if place % 2 and session in among]
    store.labels.add(failed[0], "pass", author="ann", blind=True, metric="Polite")
    sample = draw_sample(store, "Polite", split=None)
    assert sample.people[failed[0]]
    assert sample.passed_otherwise == 1
    assert sample.said_at.keys() == set(sample.people)
