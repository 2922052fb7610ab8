"""Sessions: stored conversations, added once each, listed by page, and given back as test cases."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.findings import Origin
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.mode_reading import mode_groups
from turnwise.conversations.store.orders import MOST_RANKED_TURNS, USUAL, Order, order_sql
from turnwise.conversations.store.queries import (
    LARGEST_ID,
    Condition,
    Term,
    condition,
    full_text_of,
    words_of,
    wrong_term,
)
from turnwise.conversations.store.rows import SessionRow
from turnwise.conversations.store.session_reading import AT_ONCE, read_rows
from turnwise.conversations.store.session_writing import insert_session, insert_turns, short_name
from turnwise.conversations.store.vocabulary import Vocabulary, read_vocabulary

if TYPE_CHECKING:
    from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase

_ORDER = "ORDER BY s.created_at DESC, s.id"
_RUNS_SEEN = 30
"""So many of the newest runs say which metrics are in use."""


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a case that was given to the store: its session, and whether that is new.

    updated: the same conversation was there without a chatbot role, and has this one now.
    """

    session_id: int
    what: Literal["new", "unchanged", "updated"]


class SessionTable:
    """The sessions of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        case: ConversationalTestCase | LLMTestCase,
        *,
        source: str,
        format: str,  # noqa: A002
        created_at: float | None = None,
        origin: Origin | None = None,
    ) -> Added:
        """Store a case once: the same content a second time is the same session.

        source: where it came from, for people (a file's name). created_at: seconds since 1970, now if None.
        origin: of a session that was exported; what it says goes before the others.
        """
        from turnwise.conversations.cases import LLMTestCase

        single = isinstance(case, LLMTestCase)
        kind = "exchange" if single else "conversation"
        whole = _as_conversation(case) if isinstance(case, LLMTestCase) else case
        role = whole.chatbot_role or ""
        # An exchange is no conversation, even where both hold the same words.
        print_ = f"exchange:{whole.content_fingerprint()}" if single else whole.content_fingerprint()
        was = origin or Origin()
        print_ = was.fingerprint or print_
        with self._database.writing() as connection:
            if found := self._known(connection, print_, role):
                return found
            session_id = insert_session(
                connection,
                whole,
                name=short_name(was.name),
                kind=kind,
                fingerprint=print_,
                source=was.source or source,
                format=was.format or format,
                at=created_at if was.created_at is None else was.created_at,
            )
            insert_turns(connection, session_id, whole, was.turn_times)
        return Added(session_id, "new")

    def begin(self, *, name: str, role: str, source: str, data: Mapping[str, Any], created_at: float) -> int:
        """Start a session that is recorded turn by turn, and return its id; it never equals another's.

        data: fields of the case that are known from the start, as JSON-ready values.
        """
        with self._database.writing() as connection:
            cursor = connection.execute(
                "INSERT INTO sessions "
                "(fingerprint, chatbot_role, name, kind, source, format, data, created_at) "
                "VALUES (?, ?, ?, 'conversation', ?, 'recording', ?, ?)",
                [
                    f"recording:{uuid.uuid4().hex}",
                    role,
                    short_name(name),
                    source,
                    json.dumps(dict(data), ensure_ascii=False),
                    created_at,
                ],
            )
        return cast("int", cursor.lastrowid)

    def _known(self, connection: sqlite3.Connection, print_: str, role: str) -> Added | None:
        rows = connection.execute(
            "SELECT id, chatbot_role FROM sessions WHERE fingerprint = ? ORDER BY id", [print_]
        ).fetchall()
        for row in rows:
            if not role or row["chatbot_role"] == role:
                return Added(row["id"], "unchanged")
        for row in rows:
            if not row["chatbot_role"]:
                connection.execute("UPDATE sessions SET chatbot_role = ? WHERE id = ?", [role, row["id"]])
                return Added(row["id"], "updated")
        return None

    def get(self, session_id: int) -> SessionRow:
        """Return one session's row. Raises NotFoundError."""
        rows = self._rows(Condition("s.id = ?", (min(session_id, LARGEST_ID),)), "LIMIT 1")
        if not rows:
            raise NotFoundError(
                f"There is no session {session_id}",
                detail=str(self._database.path),
                next_step="`turnwise sessions` lists those there are.",
            )
        return rows[0]

    def page(self, query: str = "", offset: int = 0, limit: int = 200) -> list[SessionRow]:
        """Return a page of the sessions that match, newest import first, in file order within one.

        Raises SettingError where the query means nothing.
        """
        return self._rows(self._condition(query), f"{_ORDER} LIMIT {int(limit)} OFFSET {int(offset)}")

    def each(self, query: str = "", order: Order = USUAL) -> Iterator[SessionRow]:
        """Go through all sessions that match, in the order of `ids`."""
        matching = self.ids(query, order)
        for start in range(0, len(matching), AT_ONCE):
            yield from self.rows(matching[start : start + AT_ONCE])

    def count(self, query: str = "") -> int:
        """Return how many sessions match."""
        where = self._condition(query)
        sql = f"SELECT count(*) FROM sessions s WHERE {where.sql}"  # noqa: S608
        return int(self._database.connection.execute(sql, where.values).fetchone()[0])

    def ids(
        self, query: str = "", order: Order = USUAL, *, stop: Callable[[], bool] | None = None
    ) -> list[int]:
        """Return the ids of all sessions that match, in the usual order that of `page`.

        Words that very many turns hold are not ranked by: those sessions come in the usual order. stop: asked
        meanwhile, often, in this thread; where it says so there is no answer, and an empty list is returned.
        """
        where = self._condition(query)
        with self._database.stoppable(stop):
            try:
                if order.by == "match" and not self._worth_ranking(query):
                    order = USUAL
                sql = order_sql(order, query)
                # As one value: for every row the thread would wait to be let in again by one that draws.
                found = self._database.connection.execute(
                    f"SELECT json_group_array(id) FROM (SELECT s.id FROM sessions s {sql.join} "  # noqa: S608
                    f"WHERE {where.sql} ORDER BY {sql.order})",
                    (*sql.join_values, *where.values, *sql.values),
                )
                return cast("list[int]", json.loads(found.fetchone()[0]))
            except sqlite3.OperationalError:
                if stop is not None and stop():
                    return []
                raise

    def _worth_ranking(self, query: str) -> bool:
        words = words_of(query)
        if not words:
            return False
        sql = "SELECT count(*) FROM (SELECT 1 FROM turns_fts WHERE turns_fts MATCH ? LIMIT ?)"
        values = (full_text_of(words), MOST_RANKED_TURNS)
        count: int = self._database.connection.execute(sql, values).fetchone()[0]
        return count < MOST_RANKED_TURNS

    def wrong_term(self, query: str) -> Term | None:
        """Return the first term of a query that means nothing."""
        return wrong_term(query, self.metrics(), mode_groups(self._database.connection))

    def vocabulary(self) -> Vocabulary:
        """Return the values that a filter can name; takes a tenth of a second where sessions are many."""
        return read_vocabulary(self._database.connection, self.metrics())

    def rows(self, session_ids: Sequence[int]) -> list[SessionRow]:
        """Return the rows of these sessions in the order they are named; any that is missing is left out."""
        found: dict[int, SessionRow] = {}
        for start in range(0, len(session_ids), AT_ONCE):
            part = tuple(session_ids[start : start + AT_ONCE])
            places = ", ".join("?" * len(part))
            found |= {row.id: row for row in self._rows(Condition(f"s.id IN ({places})", part), "")}
        return [found[session_id] for session_id in session_ids if session_id in found]

    def case(self, session_id: int) -> ConversationalTestCase | LLMTestCase:
        """Return a session as the test case that was stored. Raises NotFoundError."""
        from turnwise.conversations.cases import ConversationalTestCase

        self.get(session_id)
        connection = self._database.connection
        row = connection.execute("SELECT * FROM sessions WHERE id = ?", [session_id]).fetchone()
        turns = [
            {"role": turn["role"], "content": turn["content"], **json.loads(turn["data"])}
            for turn in connection.execute(
                "SELECT role, content, data FROM turns WHERE session_id = ? ORDER BY position", [session_id]
            )
        ]
        data = json.loads(row["data"])
        tags = _tags(connection, session_id)
        if tags != sorted(set(data.get("tags") or ())):
            data["tags"] = tags
        whole = ConversationalTestCase.model_validate(
            {
                **data,
                "turns": turns,
                **({"chatbot_role": row["chatbot_role"]} if row["chatbot_role"] else {}),
            }
        )
        return whole.exchanges[0] if row["kind"] == "exchange" else whole

    def was_recorded(self, session_id: int) -> bool:
        """Say whether a session was kept turn by turn as it went on, so that its times are true ones."""
        sql = "SELECT format = 'recording' FROM sessions WHERE id = ?"
        return bool(self._database.connection.execute(sql, [session_id]).fetchone()[0])

    def origin(self, session_id: int) -> Origin:
        """Return where a session came from, without the times of its turns. Raises NotFoundError."""
        row = self.get(session_id)
        connection = self._database.connection
        stored = connection.execute(
            "SELECT name, format, fingerprint FROM sessions WHERE id = ?", [session_id]
        ).fetchone()
        return Origin(
            source=row.source,
            format=stored["format"],
            name=stored["name"],
            created_at=row.created_at,
            fingerprint=stored["fingerprint"],
        )

    def set_tags(self, session_id: int, tags: Iterable[str]) -> None:
        """Give a session these tags and no others."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM session_tags WHERE session_id = ?", [session_id])
            connection.executemany(
                "INSERT OR IGNORE INTO session_tags VALUES (?, ?)", [(session_id, tag) for tag in tags]
            )

    def metrics(self) -> list[str]:
        """Return the names of all metrics that have outcomes, sorted; a jump per name, not a scan."""
        sql = """
            WITH RECURSIVE names(metric) AS (
                SELECT min(metric) FROM scores
                UNION ALL
                SELECT (SELECT min(metric) FROM scores WHERE metric > names.metric) FROM names
                WHERE names.metric IS NOT NULL)
            SELECT metric FROM names WHERE metric IS NOT NULL"""
        return [row[0] for row in self._database.connection.execute(sql)]

    def metrics_by_use(self) -> list[str]:
        """Return the names of all metrics that have outcomes, those of the newest runs first."""
        known = self.metrics()
        runs = self._database.connection.execute(
            "SELECT metrics FROM runs ORDER BY id DESC LIMIT ?", [_RUNS_SEEN]
        )
        used = dict.fromkeys(metric for run in runs for metric in json.loads(run[0]))
        return [*(metric for metric in used if metric in known), *(one for one in known if one not in used)]

    def _condition(self, query: str) -> Condition:
        if not query.strip():
            return condition("")
        modes = mode_groups(self._database.connection) if "mode:" in query.lower() else {}
        return condition(query, self.metrics(), modes)

    def _rows(self, where: Condition, tail: str) -> list[SessionRow]:
        return read_rows(self._database.connection, where, tail)


def _tags(connection: sqlite3.Connection, session_id: int) -> list[str]:
    sql = "SELECT tag FROM session_tags WHERE session_id = ? ORDER BY tag"
    return [row[0] for row in connection.execute(sql, [session_id])]


def _as_conversation(case: LLMTestCase) -> ConversationalTestCase:
    from turnwise.conversations.cases import ConversationalTestCase

    return ConversationalTestCase(turns=[case], name=case.name, tags=case.tags)
