"""Adjudicating: where people differ, one more look counts, and nobody's own opinion is changed by it."""

from __future__ import annotations

import pytest
from stored import keep, land, score

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.store import Store
from turnwise.engine.people.adjudicating import disputed_sessions, settle, unsettle
from turnwise.engine.people.agreement import agreement
from turnwise.engine.people.opinions import people_verdicts
from turnwise.engine.people.queues import QueuePlan, choose


@pytest.fixture
def disputed(store: Store) -> int:
    """A session on which two people differ, after one on which they agree."""
    agreed = keep(store, "one", "two")
    found = keep(store, "three", "four")
    for session, ben in ((agreed, "pass"), (found, "fail")):
        land(store, session, score(0.9))
        store.labels.add(session, "pass", author="ada", blind=True, note="all well")
        store.labels.add(session, ben, author="ben", blind=True, turn=2 if ben == "fail" else None)
    return found


def test_what_people_see_differently_is_told_without_names(store: Store, disputed: int) -> None:
    [one] = disputed_sessions(store)
    assert (one.session, one.metric) == (disputed, "")
    assert [(said.word, said.turn, said.note) for said in one.said] == [
        ("fail", 2, ""),
        ("pass", None, "all well"),
    ]
    assert "ada" not in repr(one)
    assert "ben" not in repr(one)


def test_what_settles_counts_before_the_majority_and_leaves_alpha_alone(store: Store, disputed: int) -> None:
    store.labels.add(disputed, "pass", author="dia", blind=True)
    before = agreement(store, "politeness")
    assert people_verdicts(store, "")[disputed]
    settle(store, disputed, "cem", "fail", turn=2, at_fault="tool", note="ben is right")
    assert not people_verdicts(store, "")[disputed]
    assert disputed_sessions(store) == []
    after = agreement(store, "politeness")
    assert after.alpha == before.alpha
    assert after.people == before.people
    assert [one.session for one in after.false_passes] == [disputed]
    newest = store.labels.of(disputed)[-1]
    assert (newest.label, newest.at_fault, newest.adjudicates) == ("fail", "tool", True)


def test_one_who_labelled_keeps_the_own_opinion_after_settling(store: Store, disputed: int) -> None:
    settle(store, disputed, "ada", "fail")
    assert people_verdicts(store, "", author="ada")[disputed]
    assert not people_verdicts(store, "")[disputed]


def test_what_settles_is_taken_back_and_it_is_open_again(store: Store, disputed: int) -> None:
    settle(store, disputed, "cem", "fail")
    unsettle(store, disputed, "cem")
    assert [one.session for one in disputed_sessions(store)] == [disputed]
    with pytest.raises(NotFoundError, match="cem settled nothing"):
        unsettle(store, disputed, "cem")


def test_a_word_about_a_metric_settles_that_metric_alone(store: Store, disputed: int) -> None:
    settle(store, disputed, "cem", "pass", metric="role_adherence")
    assert people_verdicts(store, "role_adherence")[disputed]
    assert disputed not in people_verdicts(store, "")
    assert disputed_sessions(store, "role_adherence") == []
    assert len(disputed_sessions(store)) == 1


def test_a_queue_takes_the_disputed_until_all_are_settled(store: Store, disputed: int) -> None:
    assert choose(store, QueuePlan("disputed")) == [disputed]
    settle(store, disputed, "cem", "pass")
    with pytest.raises(SettingError, match="see no session differently"):
        choose(store, QueuePlan("disputed"))


def test_who_takes_back_what_they_said_of_a_metric_is_counted_by_the_whole(
    store: Store, disputed: int
) -> None:
    for word in ("pass", None):
        store.labels.add(disputed, word, author="ada", blind=True, metric="tone")
    listed = [one for one in disputed_sessions(store, "tone") if one.session == disputed]
    assert [sorted(said.word for said in one.said) for one in listed] == [["fail", "pass"]]
