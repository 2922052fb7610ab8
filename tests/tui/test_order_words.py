"""Orders in words."""

import pytest

from turnwise.conversations.store.orders import BEST_MATCH, Order
from turnwise.tui.order_words import sorted_words, turned


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (BEST_MATCH, "best match first"),
        (Order("turns"), "turns, longest first"),
        (Order("turns", reverse=True), "turns, shortest first"),
        (Order("metric", "role_adherence"), "role adherence, lowest score first"),
        (Order("name"), "conversation, from A to Z"),
    ],
)
def test_what_a_list_is_sorted_by(order: Order, words: str) -> None:
    assert sorted_words(order) == words


def test_the_same_again_is_the_other_way_round() -> None:
    assert turned(Order("name"), Order("name")) == Order("name", reverse=True)
    assert turned(Order("name", reverse=True), Order("name")) == Order("name")
    assert turned(Order("name"), Order("metric", "m")) == Order("metric", "m")
    assert turned(Order("metric", "n"), Order("metric", "m")) == Order("metric", "m")
