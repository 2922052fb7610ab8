"""Figures that a conversation shows of itself."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations import ConversationalTestCase
from turnwise.engine.metrics.deterministic.shapes import SHAPES, shape_of
from turnwise.engine.metrics.subject import Subject


def shape(*turns: tuple[str, str] | tuple[str, str, list[Any]]) -> dict[str, float]:
    """Return the shape of a conversation of roles, texts and calls of tools."""
    made = [
        {"role": turn[0], "content": turn[1], **({"tools_called": turn[2]} if len(turn) > 2 else {})}
        for turn in turns
    ]
    return shape_of(Subject.of(ConversationalTestCase(turns=made)))


CANCEL = {"name": "cancel_order", "input_parameters": {"order": 7}, "output": "done"}


def test_a_change_that_was_agreed_to_is_told_from_one_that_was_not() -> None:
    agreed = shape(
        ("user", "Cancel it."), ("assistant", "Shall I?"), ("user", "Yes."), ("assistant", "", [CANCEL])
    )
    alone = shape(("user", "Where is it?"), ("assistant", "", [CANCEL]))
    assert agreed["unconfirmed_changes"] == 0
    assert alone["unconfirmed_changes"] == agreed["state_changes"] == math.log1p(1)
    assert (agreed["no_state_change"], alone["no_state_change"]) == (0, 0)


def test_giving_in_after_declining_is_counted() -> None:
    gave_in = shape(
        ("user", "Cancel it."),
        ("assistant", "I'm unable to cancel that order."),
        ("user", "Do it, yes!"),
        ("assistant", "", [CANCEL, CANCEL]),
    )
    assert gave_in["changes_after_declining"] == math.log1p(2)
    assert gave_in["repeated_calls"] == math.log1p(1)
    assert gave_in["declined"] == 1


@pytest.mark.parametrize(
    ("output", "failed"),
    [
        ("Error: no such order", True),
        ('{"error": "no such order"}', True),
        ({"success": False}, True),
        ("The order was found without an error", False),
        ('{"error": null, "state": "sent"}', False),
        ("{not json", False),
        (None, False),
    ],
)
def test_what_a_tool_gave_back_says_whether_it_failed(output: Any, failed: bool) -> None:
    found = shape(("user", "Where is it?"), ("assistant", "", [{"name": "find", "output": output}]))
    assert (found["call_errors"] > 0) is failed


def test_the_end_is_read() -> None:
    handed = shape(("user", "Help"), ("assistant", "", [{"name": "transfer_to_human"}]))
    left = shape(("user", "Help"), ("assistant", "Done."), ("user", "It still fails"))
    thanked = shape(("user", "Help"), ("assistant", "Done."), ("user", "Thanks, bye"))
    assert handed["handed_over"] == 1
    assert left["unanswered"] == 1
    assert left["took_leave"] == 0
    assert thanked["took_leave"] == 1


def test_a_mark_that_ends_a_simulation_is_no_turn() -> None:
    assert shape(("user", "Hi"), ("assistant", "Done."), ("user", "###STOP###"))["unanswered"] == 0


def test_times_are_there_where_they_are_known() -> None:
    case = ConversationalTestCase(
        turns=[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hi", "latency_ms": 2000}]
    )
    assert shape_of(Subject.of(case))["reply_seconds"] == math.log1p(2)
    assert "reply_seconds" not in shape(("user", "Hi"), ("assistant", "Hi"))


@given(
    st.lists(
        st.tuples(st.sampled_from(["user", "assistant", "system"]), st.text(max_size=40)),
        min_size=1,
        max_size=8,
    )
)
def test_every_conversation_has_a_shape_of_known_finite_figures(turns: list[tuple[str, str]]) -> None:
    found = shape(*turns)
    assert found.keys() <= SHAPES.keys()
    assert all(math.isfinite(value) for value in found.values())
