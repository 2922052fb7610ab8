"""Tool matching: agreements of expected calls with those that were made."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations import ToolCall
from turnwise.engine.metrics.last_turn.tool_correctness import (
    match_anywhere,
    match_in_order,
    match_in_place,
    share_equal,
)


@pytest.mark.parametrize(
    ("expected", "called", "value"),
    [
        (None, None, 1.0),
        (None, {}, 1.0),
        ({}, {"a": 1}, 0.0),
        ({"a": 1}, None, 0.0),
        ({"a": 1, "b": 2}, {"a": 1}, 0.5),
        ({"a": 1}, {"a": 1, "b": 2}, 0.5),
        ({"a": {"x": 1, "y": 2}}, {"a": {"x": 1, "y": 3}}, 0.5),
        ({"a": {"x": 1}}, {"a": 1}, 0.0),
        ({"a": [1, 2]}, {"a": [1, 2]}, 1.0),
    ],
)
def test_arguments_agree_by_their_share(expected, called, value):
    assert share_equal(expected, called) == value


def by_value(one: ToolCall, other: ToolCall) -> float:
    """Read the agreement of two calls from their names: "a:0.5" agrees by half with every a."""
    name, _, value = one.name.partition(":")
    return float(value or 1) if other.name.partition(":")[0] == name else 0.0


NAMES = st.sampled_from(["a", "a:0.5", "b", "b:0.25"])
calls = st.lists(NAMES.map(lambda name: ToolCall(name=name)), max_size=5)


def best_in_order(expected: list[ToolCall], called: list[ToolCall]) -> float:
    """Try every way to choose calls of both sides in their order."""
    sizes = range(min(len(expected), len(called)) + 1)
    return max(
        sum(by_value(one, other) for one, other in zip(ones, others, strict=True))
        for size in sizes
        for ones in itertools.combinations(expected, size)
        for others in itertools.combinations(called, size)
    )


@given(calls, calls)
def test_in_order_nothing_agrees_better_than_what_is_found(expected, called):
    found = match_in_order(expected, called, by_value)
    assert sum(found) == pytest.approx(best_in_order(expected, called))
    assert len(found) == len(expected)


@given(calls, calls)
def test_order_and_place_can_only_lower_the_agreement_of_equal_calls(expected, called):
    def same(one: ToolCall, other: ToolCall) -> float:
        return float(one.name == other.name)

    anywhere, ordered, placed = (
        sum(match(expected, called, same)) for match in (match_anywhere, match_in_order, match_in_place)
    )
    assert len(expected) >= anywhere >= ordered >= placed >= 0
