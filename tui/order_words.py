"""Orders of a list of sessions, in words."""

from __future__ import annotations

from dataclasses import replace

from turnwise.conversations.store.orders import Order, OrderWord

WORDS: dict[OrderWord, tuple[str, str, str]] = {
    "when": ("when", "newest first", "oldest first"),
    "match": ("match", "best match first", "least match first"),
    "label": ("label", "failed first", "passed first"),
    "name": ("conversation", "from A to Z", "from Z to A"),
    "role": ("role", "from A to Z", "from Z to A"),
    "turns": ("turns", "longest first", "shortest first"),
    "tags": ("tags", "from A to Z", "from Z to A"),
    "source": ("source", "from A to Z", "from Z to A"),
    "metric": ("", "lowest score first", "highest score first"),
}
"""What orders are called, and the two ways round."""


def order_words(order: Order) -> str:
    """Return an order in words: "lowest score first"."""
    return WORDS[order.by][2 if order.reverse else 1]


def order_name(order: Order) -> str:
    """Return what an order is by, as people say it."""
    return order.metric.replace("_", " ") or WORDS[order.by][0]


def sorted_words(order: Order) -> str:
    """Return by what and which way round a list is sorted: "turns, longest first"."""
    return order_words(order) if order.by == "match" else f"{order_name(order)}, {order_words(order)}"


def turned(current: Order, chosen: Order) -> Order:
    """Return the order that was chosen: turned round where the list is sorted by it already."""
    same = replace(current, reverse=False) == replace(chosen, reverse=False)
    return replace(chosen, reverse=not current.reverse) if same else chosen
