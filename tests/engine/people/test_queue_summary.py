"""What a queue came to: words, failure modes, time, and what is next."""

from __future__ import annotations

from stored import keep

from turnwise.conversations.store import Store
from turnwise.engine.people.queue_summary import add_time, sum_up, time_at_work


def test_it_counts_what_was_said_in_the_queue_and_nothing_else(store: Store) -> None:
    one, two, three, other = [keep(store, f"talk {number}", "yes") for number in range(4)]
    store.labels.add(one, "fail", author="mia", blind=False)
    queue = store.queues.add("mine", [three, two, one], sampler="random")
    store.queues.add("next", [other], sampler="random")
    mode = store.modes.add("asks again", "", "mia")
    store.modes.assign([two, other], mode, "mia")
    store.labels.add(two, "fail", author="mia", blind=True)
    store.labels.add(three, "pass", author="mia", blind=False)
    store.labels.add(three, "defer", author="mia", blind=False)
    found = sum_up(store, queue, "mia")
    assert (found.queue.done, found.queue.put_off, found.queue.count, found.is_done) == (1, 1, 3, False)
    assert dict(found.said) == {"fail": 1, "defer": 1}
    assert (found.blind, found.put_off) == (1, (three,))
    assert [(one.name, one.sessions) for one in found.modes] == [("asks again", 1)]
    assert found.following is not None
    assert found.following.name == "next"
    store.labels.add(one, "pass", author="mia", blind=False)
    assert not sum_up(store, queue, "mia").is_done
    store.labels.add(three, "pass", author="mia", blind=False)
    assert sum_up(store, queue, "mia").is_done


def test_the_time_is_of_the_one_who_asks_and_of_nobody_else(store: Store) -> None:
    ours = store.queues.get(store.queues.add("ours", [keep(store, "talk", "yes")], sampler="random"))
    for author, seconds in (("mia", 60.0), ("ben", 300.0), ("mia", 42.5)):
        add_time(store, ours, author, seconds)
    assert sum_up(store, ours.id, "mia").seconds == 102.5
    assert sum_up(store, ours.id, "ben").seconds == 300.0
    assert sum_up(store, ours.id, "zoe").seconds == 0.0


def test_a_queue_with_the_number_of_a_forgotten_one_begins_with_no_time(store: Store) -> None:
    session = keep(store, "talk", "yes")
    first = store.queues.get(store.queues.add("first", [session], sampler="random"))
    add_time(store, first, "mia", 60.0)
    store.queues.remove(first.id)
    again = store.queues.get(store.queues.add("again", [session], sampler="random"))
    assert again.id == first.id
    assert sum_up(store, again.id, "mia").seconds == 0.0


def test_a_queue_that_is_forgotten_takes_its_times_along_and_no_other_queues(store: Store) -> None:
    session = keep(store, "talk", "yes")
    first, other = (
        store.queues.get(store.queues.add(name, [session], sampler="random")) for name in ("first", "other")
    )
    for author in ("mia", "ben"):
        add_time(store, first, author, 60.0)
    add_time(store, other, "mia", 30.0)
    store.queues.remove(first.id)
    assert [time_at_work(store, first, author) for author in ("mia", "ben")] == [0.0, 0.0]
    assert time_at_work(store, other, "mia") == 30.0
