"""What a queue came to: words, failure modes, time without pauses, and what is next."""

from __future__ import annotations

import pytest
from stored import keep

from turnwise.conversations.findings import Label
from turnwise.conversations.store import Store
from turnwise.engine.people.queue_summary import LONGEST_LOOK, sum_up, time_at_work


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
    talks = [keep(store, f"talk {number}", "yes") for number in range(3)]
    queue = store.queues.add("ours", talks, sampler="random")
    began = store.queues.get(queue).created_at
    people = ("mia", "ben", "mia")
    for talk, author, after in zip(talks, people, (60.0, 300.0, 420.0), strict=True):
        store.labels.add_new(talk, [Label(word="pass", author=author, blind=True)], at=began + after)
    assert sum_up(store, queue, "mia").seconds == pytest.approx(420.0)
    assert sum_up(store, queue, "ben").seconds == pytest.approx(300.0)
    assert sum_up(store, queue, "zoe").seconds == 0.0


def test_pauses_do_not_count_as_work() -> None:
    assert time_at_work(0.0, [30.0, 90.0, 90.0 + LONGEST_LOOK + 1, 100.0 + LONGEST_LOOK + 1]) == 100.0
    assert time_at_work(0.0, []) == 0.0
