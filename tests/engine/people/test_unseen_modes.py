"""Unseen failure modes: what all reviews of a store say of them."""

from __future__ import annotations

from stored import keep

from turnwise.conversations.store import Store
from turnwise.engine.people.statistics.unseen_kinds import UnseenKinds
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
    assert (
        next(unseen_words(found))
        == "1 of the last 3 sessions reviewed showed a failure mode that none before had shown."
    )


def test_what_reading_on_brings_is_told_of_a_hundred_more() -> None:
    def said(once: int, chance: float, high: float, new: int = 5) -> list[str]:
        return [*unseen_words(UnseenKinds(60, 6, once, 40, new, chance, high, 3.2))]

    assert said(5, 0.083, 0.251) == [
        "5 of the last 40 sessions reviewed showed a failure mode that none before had shown.",
        "5 of all 6 were seen but once: of 100 more, chosen by chance, about 8, and at most 25, would show "
        "another one (95 % sure).",
        "About 3 failure modes or more are still unseen.",
    ]
    assert said(0, 0.0, 0.03, new=0)[:2] == [
        "None of the last 40 sessions reviewed showed a failure mode that none before had shown.",
        "Now each was seen more than once: of 100 more, chosen by chance, at most 3 would show another one "
        "(95 % sure).",
    ]
    assert "about fewer than 1, and at most 2, would show" in said(1, 0.001, 0.02)[1]
    assert "by chance, fewer than 1 would show" in said(0, 0.0, 0.004, new=0)[1]
