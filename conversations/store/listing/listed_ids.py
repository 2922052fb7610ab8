"""Which sessions match, by their ids and in order, and where one stands among all of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import cast

from turnwise.conversations.errors import DamageError
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.filter_fields import Condition
from turnwise.conversations.store.keeping.damage import is_damage, stored_json
from turnwise.conversations.store.mending.session_rows import SessionPlace, readable_ids
from turnwise.conversations.store.orders import (
    MOST_RANKED_TURNS,
    UNORDERED,
    USUAL_ORDER,
    SessionOrder,
    order_sql,
)
from turnwise.conversations.store.queries import condition, words_of
from turnwise.conversations.store.searching.said_words import full_text_of

_BEFORE = "FROM sessions o WHERE o.created_at = s.created_at AND o.id < s.id"
_AFTER = "FROM sessions o WHERE o.created_at = s.created_at AND o.id > s.id"
# Each part looks at one stretch of the index by time, and no id but two comes out of the database.
_PLACE = f"""
    SELECT (SELECT count(*) {_BEFORE}) + (SELECT count(*) FROM sessions o WHERE o.created_at > s.created_at),
        (SELECT count(*) FROM sessions),
        coalesce((SELECT o.id {_BEFORE} ORDER BY o.id DESC LIMIT 1), (SELECT o.id FROM sessions o
            WHERE o.created_at > s.created_at ORDER BY o.created_at, o.id DESC LIMIT 1)),
        coalesce((SELECT o.id {_AFTER} ORDER BY o.id LIMIT 1), (SELECT o.id FROM sessions o
            WHERE o.created_at < s.created_at ORDER BY o.created_at DESC, o.id LIMIT 1))
    FROM sessions s WHERE s.id = :id
"""  # noqa: S608


def place_of(database: Database, session_id: int) -> SessionPlace | None:
    """Return where a session stands among all in the usual order; None where it is gone."""
    try:
        found = database.connection.execute(_PLACE, {"id": session_id}).fetchone()
    except DamageError:
        return SessionPlace.among(matching_ids(database, "", condition(""), USUAL_ORDER, None), session_id)
    return None if found is None else SessionPlace(*found)


def matching_ids(
    database: Database,
    query: str,
    where: Condition,
    order: SessionOrder | None,
    stop: Callable[[], bool] | None,
) -> list[int]:
    """Return the ids of the sessions that match, as `SessionTable.ids` says. where: what the query means."""
    with database.stoppable(stop):
        try:
            if order is not None and order.by == "match" and not _worth_ranking(database, query):
                order = USUAL_ORDER
            sql = UNORDERED if order is None else order_sql(order, query)
            # As one value: between two rows the thread could have to wait for another that draws the screen.
            found = database.connection.execute(
                f"SELECT json_group_array(id) FROM (SELECT s.id FROM sessions s {sql.join} "  # noqa: S608
                f"WHERE {where.sql} {f'ORDER BY {sql.order}' if sql.order else ''})",
                (*sql.join_values, *where.values, *sql.values),
            )
            return cast("list[int]", stored_json(found.fetchone()[0]))
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if stop is not None and stop():
                return []
            if not is_damage(error):
                raise
            damage = database.damaged(error)
            if query.strip():
                raise damage from error
            return readable_ids(database.connection)


def _worth_ranking(database: Database, query: str) -> bool:
    words = words_of(query)
    if not words:
        return False
    sql = "SELECT count(*) FROM (SELECT 1 FROM turns_fts WHERE turns_fts MATCH ? LIMIT ?)"
    values = (full_text_of(words), MOST_RANKED_TURNS)
    count: int = database.connection.execute(sql, values).fetchone()[0]
    return count < MOST_RANKED_TURNS
