"""Telling: which metadata, filters and orders say how a session came out, and so not to blind readers."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from turnwise.conversations.store.counting.frequencies import FOUND_COLUMNS
from turnwise.conversations.store.filter_fields import field_named, keyed_field
from turnwise.conversations.store.orders import SessionOrder
from turnwise.conversations.store.queries import name_and_value, terms_of

_TELLING = frozenset(
    "score scores reward rewards rating ratings thumb thumbs vote votes feedback label labels labelled "  # noqa: SIM905
    "verdict verdicts grade grades graded pass passed fail failed success succeeded correct correctness "
    "annotation annotations assessment assessments evaluation evaluations eval metric metrics judgement "
    "judgment stars satisfaction csat nps outcome relevancy relevance faithfulness".split()
)
"""Words of keys under which tools keep what somebody or something found of a conversation."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_KEY = re.compile(r'"?([^\W\d][\w.-]*)"?\s*:')
_FIELDS = ("mode", "breaks")
_UNDECIDED = frozenset(("none", "deferred", "defer"))
"""Labels that say of a session only that it is still to be decided how it came out."""


@lru_cache(maxsize=4_096)
def tells_outcome(key: str) -> bool:
    """Return whether a key of metadata stands for how a session came out: `reward`, `userRating`."""
    return any(word.lower() in _TELLING for word in _WORD.findall(key.removeprefix("meta.")))


def text_tells_outcome(text: str) -> bool:
    """Return whether a text of keys and values, such as JSON, has such a key."""
    return any(tells_outcome(key) for key in _KEY.findall(text))


def query_tells_outcome(query: str) -> bool:
    """Return whether a filter asks how sessions came out: by a metric, label, mode or such metadata."""
    return any(_term_tells(term.text.removeprefix("-")) for term in terms_of(query))


def column_tells_outcome(by: str, metrics: Collection[str]) -> bool:
    """Return whether the values of a column say how sessions came out. metrics: all there are."""
    return by in FOUND_COLUMNS or by in metrics or tells_outcome(by)


def order_tells_outcome(order: SessionOrder) -> bool:
    """Return whether sessions in an order stand as they came out."""
    return order.by in ("metric", "label") or (order.by == "meta" and tells_outcome(order.key))


def _term_tells(term: str) -> bool:
    name, sign, value = name_and_value(term)
    if not sign or not name:
        return False
    if keyed := keyed_field(name):
        return tells_outcome(keyed[1])
    if name.lower() == "label":
        return value not in _UNDECIDED
    # What is no field is a metric.
    return field_named(name.lower()) is None or name.lower() in _FIELDS
