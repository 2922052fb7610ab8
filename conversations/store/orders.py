"""Orders: by what a list of sessions is sorted, as SQL and in words.

`ORDERS` is the one list: `turnwise sessions --sort`, the app's dialog and the heads of its columns go by it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store.facts.flat import META, SCENARIO
from turnwise.conversations.store.facts.search import MODEL_KEYS
from turnwise.conversations.store.filter_fields import keyed_field, written_key
from turnwise.conversations.store.keeping.standing_labels import DISPUTED, NEWEST_LABELS
from turnwise.conversations.store.queries import ONLY_SCORES, scopes_of, words_of
from turnwise.conversations.store.searching.said_words import full_text_of, ranked_sessions
from turnwise.conversations.words import did_you_mean

MOST_RANKED_TURNS = 20_000
"""Words that so many turns hold say too little to rank by, and it would take a second."""
_USUAL = "s.created_at DESC, s.id"


@dataclass(frozen=True, slots=True)
class SessionOrder:
    """By what sessions are sorted: a name in ORDERS, and the name of the metric where that is what counts.

    key: of the metadata that are sorted by, as in `meta.language`.

    Each order begins with what a person most likely looks for: the newest, the longest, the lowest score, the
    failed label,
    the best match; texts from A to Z. reverse: the other way round. What has no value comes last either way.
    """

    by: str = "when"
    metric: str = ""
    reverse: bool = False
    key: str = ""

    @property
    def falling(self) -> bool:
        """Whether the larger values come first."""
        return ORDERS[self.by].is_falling != self.reverse

    @property
    def text(self) -> str:
        """The order as `order_of` reads it."""
        key = written_key(self.by, self.key) if self.key else ""
        return ("-" if self.reverse else "") + (self.metric or key or self.by)


USUAL_ORDER = SessionOrder()
"""The newest import first, in file order within one."""
BEST_MATCH = SessionOrder("match")


@dataclass(frozen=True, slots=True)
class OrderSql:
    """What follows `FROM sessions s`, and what follows ORDER BY, with the values of each.

    order: empty for no order.
    """

    join: str
    order: str
    join_values: tuple[object, ...] = ()
    values: tuple[object, ...] = ()


UNORDERED = OrderSql("", "")
"""Sessions as SQLite finds them."""


@dataclass(frozen=True, slots=True)
class OrderKind:
    """One thing that sessions can be sorted by.

    title: what it is called. usual, reverse: the two ways round, in words. place: where the app offers it,
    from 1; 0 for nowhere. sql: makes the SQL of an order and a query. is_falling: whether the larger values
    come first as a rule.
    """

    title: str
    usual: str
    reverse: str
    place: int
    sql: Callable[[SessionOrder, str], OrderSql]
    is_falling: bool = False


def order_of(text: str, metrics: Sequence[str]) -> SessionOrder:
    """Read an order: the name of a column or metric, with a - before it for the other way round.

    Raises SettingError for a name that there is not.
    """
    reverse, name = text.startswith("-"), text.removeprefix("-").strip()
    if name in orders_named():
        return SessionOrder(name, reverse=reverse)
    if name in metrics:
        return SessionOrder("metric", name, reverse)
    if (keyed := keyed_field(name.replace('"', ""))) and keyed[0].name in ORDERS:
        return SessionOrder(keyed[0].name, reverse=reverse, key=keyed[1])
    known = [*orders_named(), "meta.KEY", *metrics]
    raise SettingError(
        f"Sessions are not sorted by {name or 'nothing'}",
        detail=f"Known: {', '.join(known)}",
        next_step=did_you_mean(name, known) or "Give one of these names.",
    )


def orders_named() -> list[str]:
    """Return the names of the orders that need nothing beside them, such as a metric or a key."""
    return [by for by in ORDERS if by not in ("metric", "meta")]


def order_sql(order: SessionOrder, query: str) -> OrderSql:
    """Return an order as SQL. query: the filter, whose words are ranked by."""
    return ORDERS[order.by].sql(order, query)


def _way(order: SessionOrder) -> str:
    return "DESC" if order.falling else "ASC"


def _by_time(order: SessionOrder, query: str) -> OrderSql:
    return OrderSql("", "s.created_at DESC, s.id" if order.falling else "s.created_at, s.id DESC")


def _by_name(order: SessionOrder, query: str) -> OrderSql:
    return OrderSql("", f"lower(s.name) {_way(order)}, {_USUAL}")


def _by_text(column: str) -> Callable[[SessionOrder, str], OrderSql]:
    """Return what sorts by a column of `sessions s`, those without a text last."""
    return lambda order, query: OrderSql("", f"{column} = '', lower({column}) {_way(order)}, {_USUAL}")


def _by_turns(order: SessionOrder, query: str) -> OrderSql:
    spoken = "(SELECT coalesce(max(t.number), 0) FROM turns t WHERE t.session_id = s.id)"
    return OrderSql("", f"{spoken} {_way(order)}, {_USUAL}")


def _by_tags(order: SessionOrder, query: str) -> OrderSql:
    first = "(SELECT min(g.tag) FROM session_tags g WHERE g.session_id = s.id)"
    return OrderSql("", f"{first} IS NULL, {first} {_way(order)}, {_USUAL}")


def _by_label(order: SessionOrder, query: str) -> OrderSql:
    weight = (
        f"CASE WHEN o.label IN ('pass', 'fail') AND {DISPUTED} THEN 1 "
        "WHEN o.label = 'fail' THEN 0 WHEN o.label = 'defer' THEN 2 ELSE 3 END"
    )
    return OrderSql(
        f"LEFT JOIN {NEWEST_LABELS} o ON o.session_id = s.id",
        f"o.label IS NULL, {weight} {_way(order)}, {_USUAL}",
    )


def _by_score(order: SessionOrder, query: str) -> OrderSql:
    return OrderSql(
        f"LEFT JOIN {ONLY_SCORES} o ON o.session_id = s.id",
        f"o.score IS NULL, o.score {_way(order)}, {_USUAL}",
        (order.metric,),
    )


def _by_match(order: SessionOrder, query: str) -> OrderSql:
    words, way = words_of(query), _way(order)
    if not words:
        return OrderSql("", _USUAL)
    named = " + ".join(["(instr(lower(s.name), ?) > 0)"] * len(words))
    other = "DESC" if way == "ASC" else "ASC"
    return OrderSql(
        f"LEFT JOIN {ranked_sessions(scopes_of(query))} o ON o.session_id = s.id",
        # A word in the name counts for more than one in a turn.
        f"{named} {other}, o.rank IS NULL, o.rank {way}, {_USUAL}",
        (full_text_of(words),),
        tuple(word.lower() for word in words),
    )


def _by_fact(*keys: str) -> Callable[[SessionOrder, str], OrderSql]:
    """Return what sorts by what sessions say under one of these keys, or under that of the order."""

    def sql(order: SessionOrder, query: str) -> OrderSql:
        wanted = keys or (META + order.key,)
        way, places = _way(order), ", ".join("?" * len(wanted))
        # Numbers before texts. What is equal is sorted once, however many sessions say it.
        ranked = (
            f"(SELECT id, row_number() OVER (ORDER BY number IS NULL, number {way}, value {way}) AS place "  # noqa: S608
            f"FROM facts WHERE key IN ({places}))"
        )
        told = (
            f"(SELECT m.session_id, min(f.place) AS place FROM {ranked} f "  # noqa: S608
            "CROSS JOIN session_facts m ON m.fact_id = f.id GROUP BY m.session_id)"
        )
        return OrderSql(
            f"LEFT JOIN {told} o ON o.session_id = s.id",
            f"o.place IS NULL, o.place, {_USUAL}",
            wanted,
        )

    return sql


_A_TO_Z = ("from A to Z", "from Z to A")
ORDERS: dict[str, OrderKind] = {
    "when": OrderKind("when", "newest first", "oldest first", 1, _by_time, is_falling=True),
    "name": OrderKind("session", *_A_TO_Z, 4, _by_name),
    "role": OrderKind("role", *_A_TO_Z, 5, _by_text("s.chatbot_role")),
    "turns": OrderKind("turns", "longest first", "shortest first", 6, _by_turns, is_falling=True),
    "tags": OrderKind("tags", *_A_TO_Z, 7, _by_tags),
    "label": OrderKind("label", "failed first", "passed first", 3, _by_label),
    "source": OrderKind("source", *_A_TO_Z, 8, _by_text("s.source")),
    "match": OrderKind("match", "best match first", "least match first", 2, _by_match),
    "model": OrderKind("model", *_A_TO_Z, 9, _by_fact(*(META + key for key in MODEL_KEYS))),
    "scenario": OrderKind("scenario", *_A_TO_Z, 10, _by_fact(SCENARIO)),
    "meta": OrderKind("", "lowest first, A to Z", "highest first, Z to A", 0, _by_fact()),
    "metric": OrderKind("", "lowest score first", "highest score first", 0, _by_score),
}
"""All that sessions can be sorted by, by the name that is typed."""
