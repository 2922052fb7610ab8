"""Unseen failure modes: what all reviews of a store say of them."""

from __future__ import annotations

from stored import keep

from turnwise.conversations.store import Store
from turnwise.engine.people.unseen_modes import unseen_modes, unseen_words


def test_reviews_count_in_their_order_and_modes_that_were_merged_as_one(store: Store) -> None:
    first, second, third, unread = (keep(store, name, "Yes.") for name in ("one", "two", "three", "four"))
    assert unseen_modes(store) is None
    loops = store.modes.add("loops", "", "me")
    circles = store.modes.add("circles", "", "me")
    store.modes.assign([second], loops, "me")
    store.modes.assign([third], circles, "me")
    store.labels.add(first, "pass", author="me", blind=True)
    assert store.modes.of_reviewed() == [{loops}, {circles}, set()]
    store.modes.merge(circles, loops, "me")
    assert store.modes.of_reviewed() == [{loops}, {loops}, set()]
    found = unseen_modes(store)
    assert found is not None
    assert (found.items, found.kinds, found.once, found.new_lately) == (3, 1, 0, 1)
    assert unread not in (first, second, third)
    assert next(unseen_words(found)) == "Of the last 3 reviews 1 showed a failure mode not seen before."
