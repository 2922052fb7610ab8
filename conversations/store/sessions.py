"""Sessions: stored conversations, added once each, listed by page, and given back as test cases."""

from __future__ import annotations

import json
import re
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, cast

from turnwise.conversations.errors import DamageError, NotFoundError
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.facts.flat import Fact, exchange_facts, facts_of
from turnwise.conversations.store.facts.index import add_facts
from turnwise.conversations.store.facts.search import metadata_keys
from turnwise.conversations.store.facts.told import facts_offered, told_of
from turnwise.conversations.store.filter_fields import LARGEST_ID, MOST_VALUES, Condition
from turnwise.conversations.store.keeping.damage import is_damage, stored_json
from turnwise.conversations.store.keeping.given_numbers import last_number
from turnwise.conversations.store.keeping.staged import reveal
from turnwise.conversations.store.mending.session_rows import (
    AT_ONCE,
    SessionPlace,
    SessionRow,
    read_rows,
    readable_ids,
)
from turnwise.conversations.store.modes.standing import mode_groups
from turnwise.conversations.store.orders import (
    MOST_RANKED_TURNS,
    UNORDERED,
    USUAL_ORDER,
    SessionOrder,
    order_sql,
)
from turnwise.conversations.store.queries import (
    FilterTerm,
    condition,
    words_of,
    wrong_term,
)
from turnwise.conversations.store.searching.said_words import full_text_of

if TYPE_CHECKING:
    from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
    from turnwise.conversations.findings import Origin
    from turnwise.conversations.store.completing.vocabulary import Vocabulary
    from turnwise.conversations.store.facts.about import SessionAbout


_TURNS_AT_ONCE = 500
_ENCODER = json.JSONEncoder(ensure_ascii=False)
_ORDER = "ORDER BY s.created_at DESC, s.id"
_COLUMNS = "id, fingerprint, chatbot_role, name, kind, source, format, data, created_at"
_NEXT = f"{last_number('sessions')} + 1"
_RECORDING = re.compile(r"recording:[0-9a-f]{32}")
"""What takes the place of a fingerprint for a recording, which never equals another."""
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
_RUNS_SEEN = 30
"""So many of the newest runs say which metrics are in use."""


def insert_session(
    connection: sqlite3.Connection,
    case: ConversationalTestCase,
    *,
    name: str,
    kind: str,
    fingerprint: str,
    source: str,
    format: str,  # noqa: A002
    at: float | None,
) -> int:
    """Write a session without its turns, and return its id. name: empty to take the name of the case. kind:
    exchange or conversation. at: seconds since 1970, now if None.
    """
    # What finds a name knows the greetings of many languages, and takes a while to load.
    from turnwise.conversations.store.facts.session_names import session_name

    data = case.model_dump(mode="json", exclude_defaults=True, exclude={"turns", "chatbot_role"})
    cursor = connection.execute(
        f"INSERT INTO main.sessions ({_COLUMNS}) VALUES ({_NEXT}, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
        [
            fingerprint,
            case.chatbot_role or "",
            name or session_name(case),
            kind,
            source,
            format,
            _as_json(data),
            time.time() if at is None else at,
        ],
    )
    session_id = cast("int", cursor.lastrowid)
    add_facts(connection, session_id, facts_of(data))
    if case.tags:
        connection.executemany(
            "INSERT OR IGNORE INTO main.session_tags VALUES (?, ?)", [(session_id, tag) for tag in case.tags]
        )
    return session_id


def insert_turns(
    connection: sqlite3.Connection,
    session_id: int,
    case: ConversationalTestCase,
    times: Sequence[float | None] = (),
    *,
    after: int = 0,
    breathe: Callable[[], None] | None = None,
) -> None:
    """Write the turns of a session. times: seconds from its start to each turn's end, where known. after: how
    many of the first are there already. breathe: called now and then between two turns, where there are many.
    """
    from turnwise.conversations.turns import number_turns

    numbers = number_turns(case.turns)
    elapsed = times if len(times) == len(case.turns) else _elapsed(case)
    rows: list[tuple[Any, ...]] = []
    facts: list[Fact] = []
    numbered = enumerate(zip(case.turns, numbers, elapsed, strict=True))
    for position, (turn, number, at) in islice(numbered, after, None):
        data = turn.model_dump(mode="json", exclude_defaults=True, exclude={"role", "content"})
        facts += exchange_facts(data)
        rows.append((session_id, position, number, turn.role, turn.content, _as_json(data), at))
    for start in range(0, len(rows), _TURNS_AT_ONCE):
        if start and breathe is not None:
            breathe()
        connection.executemany(
            "INSERT INTO turns (session_id, position, number, role, content, data, at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            rows[start : start + _TURNS_AT_ONCE],
        )
    add_facts(connection, session_id, facts)


def _as_json(data: Mapping[str, Any]) -> str:
    # Most turns have nothing beside their words, and there may be a million of them.
    return _ENCODER.encode(data) if data else "{}"


def _elapsed(case: ConversationalTestCase) -> list[float | None]:
    """Return seconds from the start to each turn's end: by how long turns took, else by their moments."""
    from turnwise.conversations.turns import elapsed_since_first, moment_told

    if not any(turn.latency_ms is not None for turn in case.turns):
        return elapsed_since_first([moment_told(turn) for turn in case.turns])
    now, elapsed = 0.0, []
    for turn in case.turns:
        now += (turn.latency_ms or 0.0) / 1000
        elapsed.append(round(now, 3))
    return list(elapsed)


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
        origin: of a session that was exported; what it says goes before the others. The fingerprint alone is
        taken of the case itself: that in a file only helps to find a session that is there already.
        """
        from turnwise.conversations.cases import LLMTestCase
        from turnwise.conversations.findings import Origin
        from turnwise.conversations.store.facts.session_names import short_name

        single = isinstance(case, LLMTestCase)
        kind = "exchange" if single else "conversation"
        whole = _as_conversation(case) if isinstance(case, LLMTestCase) else case
        role = whole.chatbot_role or ""
        was = origin or Origin()
        content = content_print(case)
        told = was.fingerprint if was.fingerprint != content else ""
        staging = self._database.staging
        with self._database.writing() as connection:
            holders = _of_print(connection, told) if told else []
            same = [row for row in holders if content_print(self._stored(row["id"])) == content]
            # Two recordings in which the same was said are two; a name that another holds is not given again.
            print_ = told if _RECORDING.fullmatch(told) and (same or not holders) else content
            if found := _known(connection, [*same, *_of_print(connection, print_)], role):
                if found.what == "updated" and staging is not None:
                    staging.note_role(found.session_id)
                if staging is None:
                    # A file that is still coming in has it too; whatever becomes of that, it is here.
                    reveal(connection, found.session_id)
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
            if staging is not None:
                staging.note_session(session_id)
            breathe = staging.breathe if staging is not None else None
            insert_turns(connection, session_id, whole, was.turn_times, breathe=breathe)
        return Added(session_id, "new")

    def of_content(self, case: ConversationalTestCase | LLMTestCase) -> int | None:
        """Return the session in which `add` would find just this case; None where there is none."""
        rows = _of_print(self._database.connection, content_print(case))
        role = getattr(case, "chatbot_role", None) or ""
        return next((row["id"] for row in rows if not role or row["chatbot_role"] in (role, "")), None)

    def begin(
        self,
        *,
        name: str,
        role: str,
        source: str,
        data: Mapping[str, Any],
        created_at: float,
        key: str = "",
    ) -> int:
        """Start a session that is recorded turn by turn, and return its id; it never equals another's.

        data: fields of the case that are known from the start, as JSON-ready values. key: tells it from all
        others; one is made where none is given.
        """
        from turnwise.conversations.store.facts.session_names import short_name

        with self._database.writing() as connection:
            cursor = connection.execute(
                f"INSERT INTO main.sessions ({_COLUMNS}) "  # noqa: S608
                f"VALUES ({_NEXT}, ?, ?, ?, 'conversation', ?, 'recording', ?, ?)",
                [
                    f"recording:{key or uuid.uuid4().hex}",
                    role,
                    short_name(name),
                    source,
                    json.dumps(dict(data), ensure_ascii=False),
                    created_at,
                ],
            )
            session_id = cast("int", cursor.lastrowid)
            add_facts(connection, session_id, facts_of(data))
        return session_id

    def of_key(self, key: str) -> int | None:
        """Return the session that was begun under a key; None where there is none."""
        row = self._database.connection.execute(
            "SELECT id FROM main.sessions WHERE fingerprint = ?", [f"recording:{key}"]
        ).fetchone()
        return None if row is None else int(row["id"])

    def __contains__(self, session_id: object) -> bool:
        sql = "SELECT 1 FROM main.sessions WHERE id = ?"
        return self._database.connection.execute(sql, [session_id]).fetchone() is not None

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
        tail = f"{_ORDER} LIMIT {int(limit)} OFFSET {int(offset)}"
        try:
            return self._rows(self._condition(query), tail)
        except DamageError:
            if query.strip():
                raise
            return self.rows(self.ids()[offset : offset + limit])

    def prints(self) -> Iterator[tuple[int, str, str]]:
        """Yield the number, the fingerprint and the chatbot role of every session."""
        return map(
            tuple, self._database.connection.execute("SELECT id, fingerprint, chatbot_role FROM sessions")
        )

    def each(self, query: str = "", order: SessionOrder = USUAL_ORDER) -> Iterator[SessionRow]:
        """Go through all sessions that match, in the order of `ids`."""
        matching = self.ids(query, order)
        for start in range(0, len(matching), AT_ONCE):
            yield from self.rows(matching[start : start + AT_ONCE])

    def count(self, query: str = "") -> int:
        """Return how many sessions match."""
        where = self._condition(query)
        sql = f"SELECT count(*) FROM sessions s WHERE {where.sql}"  # noqa: S608
        return int(self._database.connection.execute(sql, where.values).fetchone()[0])

    def place(self, session_id: int) -> SessionPlace | None:
        """Return where a session stands among all in the usual order; None where it is gone."""
        try:
            found = self._database.connection.execute(_PLACE, {"id": session_id}).fetchone()
        except DamageError:
            return SessionPlace.among(self.ids(), session_id)
        return None if found is None else SessionPlace(*found)

    def ids(
        self,
        query: str = "",
        order: SessionOrder | None = USUAL_ORDER,
        *,
        stop: Callable[[], bool] | None = None,
    ) -> list[int]:
        """Return the ids of all sessions that match, in the usual order that of `page`.

        order: None for as they are found, which takes least time. Words that very many turns hold are not
        ranked by: those sessions come in the usual order. stop: asked meanwhile, often, in this thread; where
        it says so there is no answer, and an empty list is returned.
        """
        where = self._condition(query)
        with self._database.stoppable(stop):
            try:
                if order is not None and order.by == "match" and not self._worth_ranking(query):
                    order = USUAL_ORDER
                sql = UNORDERED if order is None else order_sql(order, query)
                # As one value: between two rows the thread could have to wait for another that draws the
                # screen.
                found = self._database.connection.execute(
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
                damage = self._database.damaged(error)
                if query.strip():
                    raise damage from error
                return readable_ids(self._database.connection)

    def _worth_ranking(self, query: str) -> bool:
        words = words_of(query)
        if not words:
            return False
        sql = "SELECT count(*) FROM (SELECT 1 FROM turns_fts WHERE turns_fts MATCH ? LIMIT ?)"
        values = (full_text_of(words), MOST_RANKED_TURNS)
        count: int = self._database.connection.execute(sql, values).fetchone()[0]
        return count < MOST_RANKED_TURNS

    def wrong_term(self, query: str) -> FilterTerm | None:
        """Return the first term of a query that means nothing."""
        return wrong_term(query, self.metrics(), mode_groups(self._database.connection))

    def vocabulary(self) -> Vocabulary:
        """Return the values that a filter can name; takes a tenth of a second where sessions are many."""
        from turnwise.conversations.store.completing.vocabulary import read_vocabulary

        return read_vocabulary(self._database.connection, self.metrics())

    def rows(self, session_ids: Sequence[int]) -> list[SessionRow]:
        """Return the rows of these sessions in the order they are named; any that is missing is left out."""
        found: dict[int, SessionRow] = {}
        for start in range(0, len(session_ids), AT_ONCE):
            part = tuple(session_ids[start : start + AT_ONCE])
            places = ", ".join("?" * len(part))
            where = Condition(f"s.id IN ({places})", part)
            found |= {row.id: row for row in read_rows(self._database, where, "", part)}
        return [found[session_id] for session_id in session_ids if session_id in found]

    def case(self, session_id: int) -> ConversationalTestCase | LLMTestCase:
        """Return a session as the test case that was stored. Raises NotFoundError, and DamageError where not
        all of it can be read.
        """
        self.get(session_id)
        with self._database.reading(session_id):
            return self._stored(session_id)

    def _stored(self, session_id: int) -> ConversationalTestCase | LLMTestCase:
        """Return a session that is there as its test case, also one whose file is still coming in."""
        from turnwise.conversations.cases import ConversationalTestCase

        connection = self._database.connection
        row = connection.execute("SELECT * FROM main.sessions WHERE id = ?", [session_id]).fetchone()
        turns = [
            {"role": turn["role"], "content": turn["content"], **stored_json(turn["data"])}
            for turn in connection.execute(
                "SELECT role, content, data FROM turns WHERE session_id = ? ORDER BY position", [session_id]
            )
        ]
        data = stored_json(row["data"])
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
        """Say whether a session was recorded turn by turn, so that the times of its turns were measured."""
        sql = "SELECT format = 'recording' FROM sessions WHERE id = ?"
        return bool(self._database.connection.execute(sql, [session_id]).fetchone()[0])

    def origin(self, session_id: int) -> Origin:
        """Return where a session came from, without the times of its turns. Raises NotFoundError."""
        from turnwise.conversations.findings import Origin

        row = self.get(session_id)
        connection = self._database.connection
        with self._database.reading(session_id):
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

    def about(self, session_id: int) -> SessionAbout:
        """Return what is said about a session beside its words. Raises NotFoundError, and DamageError where
        it cannot be read.
        """
        from turnwise.conversations.store.facts.about import read_about

        row = self.get(session_id)
        with self._database.reading(session_id):
            return read_about(self._database.connection, session_id, row.tags)

    def groups(self, by: str) -> Iterator[tuple[int, str]]:
        """Yield all sessions, once with each group that they are in, "" where nothing is said of it.

        by: role, tag, source, model, scenario or a key such as meta.language. Raises SettingError.
        """
        from turnwise.conversations.store.facts.groups import pairs

        return pairs(self._database.connection, by)

    def metadata_keys(self) -> list[str]:
        """Return the keys of the metadata that there are, from A to Z, up to MOST_VALUES."""
        return metadata_keys(self._database.connection, MOST_VALUES)

    def told(self, session_ids: Sequence[int], names: Sequence[str]) -> dict[int, dict[str, str]]:
        """Return what sessions say under names such as model, scenario or meta.KEY, where they do."""
        return told_of(self._database.connection, session_ids, names)

    def facts_offered(self) -> list[str]:
        """Return under which such names some session says something."""
        return facts_offered(self._database.connection)

    def groupings(self) -> list[str]:
        """Return by what it makes sense to group the sessions there are."""
        from turnwise.conversations.store.facts.groups import groupings_offered

        return groupings_offered(self._database.connection)

    def metrics(self) -> list[str]:
        """Return the names of all metrics that have outcomes, sorted. Reads one index entry a name, not every
        score.
        """
        sql = """
            WITH RECURSIVE names(metric) AS (
                SELECT min(metric) FROM scores
                UNION ALL
                SELECT (SELECT min(metric) FROM scores WHERE metric > names.metric) FROM names
                WHERE names.metric IS NOT NULL)
            SELECT metric FROM names WHERE metric IS NOT NULL"""
        return [row[0] for row in self._database.connection.execute(sql)]

    def metrics_by_age(self) -> list[str]:
        """Return the names of all metrics that have outcomes, those of the first runs first.

        A new one comes last: what stood in an order stays in it.
        """
        known = set(self.metrics())
        first = self._database.connection.execute(
            "SELECT m.value FROM runs r, json_each(r.metrics) m WHERE json_valid(r.metrics) "
            "GROUP BY m.value ORDER BY min(r.id * 1000 + m.key)"
        )
        named = [row[0] for row in first if row[0] in known]
        return [*named, *sorted(known.difference(named))]

    def metrics_by_use(self) -> list[str]:
        """Return the names of all metrics that have outcomes, those of the newest runs first."""
        known = self.metrics()
        runs = self._database.connection.execute(
            "SELECT metrics FROM runs ORDER BY id DESC LIMIT ?", [_RUNS_SEEN]
        )
        used = dict.fromkeys(metric for run in runs for metric in stored_json(run[0]))
        return [*(metric for metric in used if metric in known), *(one for one in known if one not in used)]

    def _condition(self, query: str) -> Condition:
        if not query.strip():
            return condition("")
        modes = mode_groups(self._database.connection) if "mode:" in query.lower() else {}
        return condition(query, self.metrics(), modes)

    def _rows(self, where: Condition, tail: str) -> list[SessionRow]:
        return read_rows(self._database, where, tail)


def _of_print(connection: sqlite3.Connection, print_: str) -> list[sqlite3.Row]:
    sql = "SELECT id, chatbot_role FROM main.sessions WHERE fingerprint = ? ORDER BY id"
    return connection.execute(sql, [print_]).fetchall()


def _known(connection: sqlite3.Connection, rows: Sequence[sqlite3.Row], role: str) -> Added | None:
    for row in rows:
        if not role or row["chatbot_role"] == role:
            return Added(row["id"], "unchanged")
    for row in rows:
        if not row["chatbot_role"]:
            connection.execute("UPDATE main.sessions SET chatbot_role = ? WHERE id = ?", [role, row["id"]])
            return Added(row["id"], "updated")
    return None


def content_print(case: ConversationalTestCase | LLMTestCase) -> str:
    """Name the content of a case as it is stored, whatever role its reader gave the chatbot."""
    from turnwise.conversations.cases import LLMTestCase

    if isinstance(case, LLMTestCase):
        # An exchange is no conversation, even where both hold the same words.
        return f"exchange:{_as_conversation(case).content_fingerprint()}"
    return case.content_fingerprint()


def _tags(connection: sqlite3.Connection, session_id: int) -> list[str]:
    sql = "SELECT tag FROM main.session_tags WHERE session_id = ? ORDER BY tag"
    return [row[0] for row in connection.execute(sql, [session_id])]


def _as_conversation(case: LLMTestCase) -> ConversationalTestCase:
    from turnwise.conversations.cases import ConversationalTestCase

    return ConversationalTestCase(turns=[case], name=case.name, tags=case.tags)
