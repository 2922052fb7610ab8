"""What a queue came to: words, failure modes, time without pauses, and what is next."""

from __future__ import annotations

from stored import keep

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
    found = sum_up(store, queue)
    assert (found.queue.done, found.queue.put_off, found.queue.count, found.is_done) == (1, 1, 3, False)
    assert dict(found.said) == {"fail": 1, "defer": 1}
    assert (found.blind, found.put_off) == (1, (three,))
    assert [(one.name, one.sessions) for one in found.modes] == [("asks again", 1)]
    assert found.following is not None
    assert found.following.name == "next"
    store.labels.add(one, "pass", author="mia", blind=False)
    assert not sum_up(store, queue).is_done
    store.labels.add(three, "pass", author="mia", blind=False)
    assert sum_up(store, queue).is_done


def test_pauses_do_not_count_as_work() -> None:
    assert time_at_work(0.0, [30.0, 90.0, 90.0 + LONGEST_LOOK + 1, 100.0 + LONGEST_LOOK + 1]) == 100.0
    assert time_at_work(0.0, []) == 0.0
