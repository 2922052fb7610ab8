"""Sessions: stored conversations, added once each, listed by page, and given back as test cases."""

from __future__ import annotations

import re
import sqlite3
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from turnwise.conversations.errors import DamageError, NotFoundError
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.facts.search import metadata_keys
from turnwise.conversations.store.facts.told import facts_offered, told_of
from turnwise.conversations.store.filter_fields import LARGEST_ID, MOST_VALUES, Condition
from turnwise.conversations.store.keeping.damage import stored_json
from turnwise.conversations.store.keeping.staged import reveal
from turnwise.conversations.store.listing.listed_ids import matching_ids, place_of
from turnwise.conversations.store.mending.session_rows import (
    AT_ONCE,
    SessionPlace,
    SessionRow,
    read_rows,
)
from turnwise.conversations.store.modes.standing import mode_groups
from turnwise.conversations.store.orders import (
    USUAL_ORDER,
    SessionOrder,
)
from turnwise.conversations.store.queries import (
    FilterTerm,
    condition,
    wrong_term,
)
from turnwise.conversations.store.writing.written_sessions import insert_begun, insert_session, insert_turns

if TYPE_CHECKING:
    from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
    from turnwise.conversations.findings import Origin
    from turnwise.conversations.store.completing.vocabulary import Vocabulary
    from turnwise.conversations.store.facts.about import SessionAbout


_ORDER = "ORDER BY s.created_at DESC, s.id"
_RECORDING = re.compile(r"recording:[0-9a-f]{32}")
"""What takes the place of a fingerprint for a recording, which never equals another."""
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
            return insert_begun(
                connection,
                data,
                fingerprint=f"recording:{key or uuid.uuid4().hex}",
                role=role,
                name=short_name(name),
                kind="conversation",
                source=source,
                format="recording",
                at=created_at,
            )

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
            return self._rows(self.condition_of(query), tail)
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
        where = self.condition_of(query)
        sql = f"SELECT count(*) FROM sessions s WHERE {where.sql}"  # noqa: S608
        return int(self._database.connection.execute(sql, where.values).fetchone()[0])

    def place(self, session_id: int) -> SessionPlace | None:
        """Return where a session stands among all in the usual order; None where it is gone."""
        return place_of(self._database, session_id)

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
        return matching_ids(self._database, query, self.condition_of(query), order, stop)

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

    def condition_of(self, query: str) -> Condition:
        """Return what a query asks of a session, by the metrics and failure modes that are known here."""
        modes = mode_groups(self._database.connection) if "mode:" in query.lower() else {}
        return condition(query, self.metrics() if query.strip() else (), modes)

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
