"""Orders: by what a list of sessions is sorted, as SQL."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store.queries import (
    NEWEST_LABELS,
    ONLY_SCORES,
    RANKED_SESSIONS,
    full_text_of,
    words_of,
)

OrderWord = Literal["when", "name", "role", "turns", "tags", "label", "source", "match", "metric"]
ORDERS: tuple[OrderWord, ...] = get_args(OrderWord)
MOST_RANKED_TURNS = 20_000
"""Words that so many turns hold say too little to rank by, and it would take a second."""
_FALLING: frozenset[OrderWord] = frozenset(("when", "turns"))
_USUAL = "s.created_at DESC, s.id"


@dataclass(frozen=True, slots=True)
class Order:
    """By what sessions are sorted. metric: the name of the metric where that is what counts.

    Each order begins with what one looks for: the newest, the longest, the lowest score, the failed label,
    the best match; texts from A to Z. reverse: the other way round. What has no value comes last either way.
    """

    by: OrderWord = "when"
    metric: str = ""
    reverse: bool = False

    @property
    def falling(self) -> bool:
        """Whether the larger values come first."""
        return (self.by in _FALLING) != self.reverse

    @property
    def text(self) -> str:
        """The order as `order_of` reads it."""
        return ("-" if self.reverse else "") + (self.metric or self.by)


USUAL = Order()
"""The newest import first, in file order within one."""
BEST_MATCH = Order("match")


@dataclass(frozen=True, slots=True)
class OrderSql:
    """What follows `FROM sessions s`, and what follows ORDER BY, with the values of each."""

    join: str
    order: str
    join_values: tuple[object, ...] = ()
    values: tuple[object, ...] = ()


def order_of(text: str, metrics: Sequence[str]) -> Order:
    """Read an order: the name of a column or metric, with a - before it for the other way round.

    Raises SettingError for a name that there is not.
    """
    reverse, name = text.startswith("-"), text.removeprefix("-").strip()
    for by in ORDERS:
        if by == name and by != "metric":
            return Order(by, reverse=reverse)
    if name in metrics:
        return Order("metric", name, reverse)
    known = [*(by for by in ORDERS if by != "metric"), *metrics]
    near = difflib.get_close_matches(name, known, n=1)
    raise SettingError(
        f"Sessions are not sorted by {name or 'nothing'}",
        detail=f"Known: {', '.join(known)}",
        next_step=f"Did you mean {near[0]}?" if near else "Give one of these names.",
    )


def order_sql(order: Order, query: str) -> OrderSql:
    """Return an order as SQL. query: the filter, whose words are ranked by."""
    way = "DESC" if order.falling else "ASC"
    match order.by:
        case "when":
            return OrderSql("", "s.created_at DESC, s.id" if order.falling else "s.created_at, s.id DESC")
        case "name":
            return OrderSql("", f"lower(s.name) {way}, {_USUAL}")
        case "role" | "source":
            column = {"role": "s.chatbot_role", "source": "s.source"}[order.by]
            return OrderSql("", f"{column} = '', lower({column}) {way}, {_USUAL}")
        case "turns":
            spoken = "(SELECT coalesce(max(t.number), 0) FROM turns t WHERE t.session_id = s.id)"
            return OrderSql("", f"{spoken} {way}, {_USUAL}")
        case "tags":
            first = "(SELECT min(g.tag) FROM session_tags g WHERE g.session_id = s.id)"
            return OrderSql("", f"{first} IS NULL, {first} {way}, {_USUAL}")
        case "label":
            weight = "CASE o.label WHEN 'fail' THEN 0 WHEN 'defer' THEN 1 ELSE 2 END"
            return OrderSql(
                f"LEFT JOIN {NEWEST_LABELS} o ON o.session_id = s.id",
                f"o.label IS NULL, {weight} {way}, {_USUAL}",
            )
        case "metric":
            return OrderSql(
                f"LEFT JOIN {ONLY_SCORES} o ON o.session_id = s.id",
                f"o.score IS NULL, o.score {way}, {_USUAL}",
                (order.metric,),
            )
        case "match":
            return _by_match(words_of(query), way)


def _by_match(words: Sequence[str], way: str) -> OrderSql:
    if not words:
        return OrderSql("", _USUAL)
    named = " + ".join(["(instr(lower(s.name), ?) > 0)"] * len(words))
    other = "DESC" if way == "ASC" else "ASC"
    return OrderSql(
        f"LEFT JOIN {RANKED_SESSIONS} o ON o.session_id = s.id",
        # A name says more than a turn.
        f"{named} {other}, o.rank IS NULL, o.rank {way}, {_USUAL}",
        (full_text_of(words),),
        tuple(word.lower() for word in words),
    )
