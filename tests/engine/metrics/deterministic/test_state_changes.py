"""Which uses of a tool change something, by words alone."""

from __future__ import annotations

from typing import Any

import pytest

from turnwise.conversations.tools import ToolCall
from turnwise.engine.metrics.deterministic.state_changes import changes_state


@pytest.mark.parametrize(
    "name",
    [
        "update_reservation",
        "cancelOrder",
        "send-email",
        "orders.create",
        "BookFlight",
        "refund",
        "deleteUserById",
    ],
)
def test_a_name_that_begins_to_write_changes_something(name: str) -> None:
    assert changes_state(ToolCall(name=name))


@pytest.mark.parametrize(
    "name",
    [
        "get_order",
        "searchFlights",
        "list_updates",
        "calculate",
        "find_user_to_update",
        "lookupBooking",
        "think",
    ],
)
def test_a_name_that_reads_first_changes_nothing(name: str) -> None:
    assert not changes_state(ToolCall(name=name))


@pytest.mark.parametrize("name", ["transfer_to_human_agents", "escalate", "hand_over"])
def test_handing_over_changes_nothing(name: str) -> None:
    assert not changes_state(ToolCall(name=name))


@pytest.mark.parametrize(
    ("arguments", "changes"),
    [
        ({"method": "POST", "url": "/orders"}, True),
        ({"method": "GET", "url": "/orders"}, False),
        ({"sql": "UPDATE orders SET state = 'paid'"}, True),
        ({"sql": "SELECT * FROM orders"}, False),
        ({"text": "update it"}, False),
        (None, False),
    ],
)
def test_a_name_that_says_nothing_is_told_by_its_arguments(
    arguments: dict[str, Any] | None, changes: bool
) -> None:
    assert changes_state(ToolCall(name="api", input_parameters=arguments)) is changes


def test_then_by_its_description() -> None:
    assert changes_state(ToolCall(name="process_7", description="Cancels and refunds: cancel an order."))
    assert not changes_state(ToolCall(name="process_7", description="Show what an order costs."))
    assert not changes_state(ToolCall(name="process_7"))
