"""Draws: what a queue is drawn from stands still, and each draw keeps its chances."""

from __future__ import annotations

from stored import keep

from turnwise.conversations.store import Store


def test_what_was_drawn_keeps_its_place_and_its_chance(store: Store) -> None:
    ids = [keep(store, f"question {number}", "yes") for number in range(5)]
    queue = store.queues.add("rate", ids[:1], sampler="next")
    store.draws.begin(queue, dict(zip(ids, (1, 0, 0, 1, 1), strict=True)), ids[0], (0.2, 0.2))
    assert store.draws.sizes(queue) == (2, 3)
    assert store.draws.draw(queue, 1, 1, (0.1, 0.3), 2)
    assert [item.session_id for item in store.queues.items(queue)] == [ids[0], ids[4]]
    assert [(one.place, one.session_id, one.chance) for one in store.draws.drawn(queue)] == [
        (1, ids[0], 0.2),
        (2, ids[4], 0.3),
    ]
    assert not store.draws.draw(queue, 0, 0, (0.1, 0.3), 2)
    assert not store.draws.draw(queue, 1, 1, (0.1, 0.3), 3)
    assert len(store.draws.drawn(queue)) == 2


def test_a_queue_that_draws_none_has_no_strata_and_a_forgotten_one_leaves_none(store: Store) -> None:
    session = keep(store, "question", "yes")
    queue = store.queues.add("rate", [session], sampler="next")
    assert store.draws.sizes(queue) == ()
    store.draws.begin(queue, {session: 0}, session, (1.0,))
    store.queues.remove(queue)
    assert store.draws.drawn(queue) == []
