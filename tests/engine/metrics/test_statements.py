"""Statements of a reply: numbered from 1, each tied to its turn."""

from stored import said
from turnwise.engine.metrics.numbered import Item
from turnwise.engine.metrics.statements import reply_statements
from turnwise.engine.metrics.subject import Subject


def test_the_statements_are_those_of_the_judged_reply():
    whole = Subject.of(said("a", "One. Two.", "c", "Three.\n- Four"))
    first, second = (whole.at(exchange) for exchange in whole.exchanges)
    assert reply_statements(first) == [Item(1, 2, "One."), Item(2, 2, "Two.")]
    assert reply_statements(second) == [Item(1, 4, "Three."), Item(2, 4, "Four")]
    assert reply_statements(whole) == []
