"""Neighbours: a session's place in a list, and in a queue how much of it is done."""

import pytest
from stored import keep

from turnwise.conversations.store import Store
from turnwise.tui.session_lists.stored_sessions import (
    AllSessions,
    FoundSessions,
    Neighbours,
    QueueSessions,
    neighbours_of,
)


@pytest.fixture
def three(store: Store) -> list[int]:
    return [keep(store, f"number {number}", "yes", created_at=9.0 - number) for number in range(3)]


def test_in_all_sessions_and_in_those_found(store: Store, three: list[int]) -> None:
    first, second, third = three
    assert neighbours_of(store, AllSessions(store), second) == Neighbours(1, 3, first, third)
    found = FoundSessions(store, [third, first])
    assert neighbours_of(store, found, third) == Neighbours(0, 2, None, first)
    assert neighbours_of(store, found, second) is None
    assert Neighbours(11, 1_204, None, None).words == "12 of 1,204"


def test_in_a_queue(store: Store, three: list[int]) -> None:
    first, second, third = three
    queue = store.queues.get(store.queues.add("one", [third, first], sampler="random"))
    sessions = QueueSessions(store, queue)
    store.labels.add(first, "pass", author="a", blind=True)
    found = neighbours_of(store, sessions, third)
    assert found == Neighbours(0, 2, None, first, "one", 1, None)
    assert found is not None
    assert found.words == "no. 1 · 1 of 2 done █████─────"
    assert neighbours_of(store, sessions, second) is None
    store.labels.add(third, "fail", author="a", blind=True)
    ended = neighbours_of(store, sessions, first)
    assert ended is not None
    assert ended.words == "no. 2 · all 2 done ██████████"


def test_a_label_leads_to_the_next_one_without_a_label_and_begins_anew_after_the_last(
    store: Store, three: list[int]
) -> None:
    queue = store.queues.get(store.queues.add("one", three, sampler="random"))
    sessions = QueueSessions(store, queue)

    def following(session: int) -> int | None:
        near = neighbours_of(store, sessions, session)
        assert near is not None
        return near.following

    first, second, third = three
    assert [following(one) for one in three] == [second, third, first]
    store.labels.add(second, "pass", author="a", blind=True)
    assert [following(one) for one in three] == [third, third, first]
    assert Neighbours(0, 2, None, second).following == second
