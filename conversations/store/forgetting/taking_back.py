"""Taking an import back: its new sessions go, but for those that somebody did something with since.

What was done since keeps a session: nothing that a person made is lost without their word, and what has grown
is no longer what came in. Sessions that were there before stay in any case; a chatbot's role that they were
given goes again, unless they were scored since, as metrics read it.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from turnwise.conversations.store.database import Database
from turnwise.conversations.store.forgetting.forgotten import SESSIONS_AT_ONCE, ForgettingTable, Stakes
from turnwise.conversations.store.unfinished.brought_in import (
    BroughtIn,
    newest_import,
    print_of_turn,
    session_of_turn,
)

DoneSince = Literal["labelled", "given a failure mode", "tagged", "put in a queue", "scored", "grown"]
"""What keeps a session, in the order in which it is told; the first that is true of it."""

_OF_PART = "session_id IN (SELECT value FROM json_each(:part))"
_TAGS = "SELECT tag FROM main.session_tags WHERE session_id = s.id"
_TAGS_OF_CASE = "SELECT value FROM json_each(s.data, '$.tags')"
_DONE: dict[DoneSince, str] = {
    # SQLite takes other columns from the row of the max: what was taken back again stands no more.
    "labelled": (
        "SELECT session_id FROM (SELECT session_id, label, note, came_from, max(id) AS id "  # noqa: S608
        f"FROM main.labels WHERE {_OF_PART} GROUP BY session_id, author, metric, "
        "CASE WHEN metric <> '' THEN turn END) "
        "WHERE (label IS NOT NULL OR note <> '') AND (came_from = '' OR id > :label)"
    ),
    "given a failure mode": (
        "SELECT session_id FROM (SELECT session_id, assigned, change_id, max(id) "  # noqa: S608
        f"FROM main.mode_assignments WHERE {_OF_PART} GROUP BY session_id, mode_id) "
        "WHERE assigned AND change_id > :mode_change"
    ),
    "tagged": (
        "SELECT s.id FROM main.sessions s WHERE s.id IN (SELECT value FROM json_each(:part)) "  # noqa: S608
        "AND json_valid(s.data) AND (EXISTS "
        f"(SELECT * FROM ({_TAGS}) EXCEPT {_TAGS_OF_CASE}) OR EXISTS ({_TAGS_OF_CASE} EXCEPT {_TAGS}))"
    ),
    "put in a queue": (
        f"SELECT session_id FROM main.queue_items WHERE {_OF_PART} "  # noqa: S608
        f"UNION SELECT session_id FROM main.queue_draws WHERE {_OF_PART} "
        "UNION SELECT value FROM json_each(:part) WHERE EXISTS (SELECT 1 FROM main.pair_items "
        "WHERE left_session = value) OR EXISTS (SELECT 1 FROM main.pair_items WHERE right_session = value)"
    ),
    "scored": f"SELECT session_id FROM main.scores WHERE {_OF_PART} AND (came_from = '' OR id > :score)",  # noqa: S608
    "grown": f"SELECT session_id FROM main.turns WHERE {_OF_PART} AND id > :turn",  # noqa: S608
}
_WITH_ROLE = (
    "SELECT s.id, EXISTS (SELECT 1 FROM main.scores WHERE session_id = s.id AND id > :score) "
    "FROM main.sessions s WHERE s.id IN (SELECT value FROM json_each(:part)) AND s.chatbot_role <> ''"
)
_TAKE_ROLES = (
    "UPDATE OR IGNORE main.sessions SET chatbot_role = '' WHERE id IN (SELECT value FROM json_each(?))"
)


@dataclass(slots=True)
class ImportTakenBack:
    """What an import leaves when it is taken back, or would leave.

    stakes: what goes, with what came with the file. kept: how many of its new sessions stay, by what was done
    with them since. roles: how many sessions that were there have no chatbot's role again. roles_kept: how
    many keep the one that they were given.
    """

    stakes: Stakes = field(default_factory=Stakes)
    kept: Mapping[DoneSince, int] = field(default_factory=Counter)
    roles: int = 0
    roles_kept: int = 0

    @property
    def is_nothing(self) -> bool:
        """Whether nothing goes."""
        return not (self.stakes.sessions or self.roles)


class TakingBackTable:
    """Takes imports of one database back."""

    def __init__(self, database: Database, forgetting: ForgettingTable) -> None:
        self._database = database
        self._forgetting = forgetting

    def newest(self) -> BroughtIn | None:
        """Return the newest import; None where there was none."""
        return newest_import(self._database.connection)

    def look(self, brought: BroughtIn) -> ImportTakenBack:
        """Return what would go if an import were taken back, and what would stay."""
        found, kept = ImportTakenBack(), Counter[DoneSince]()
        for part in _parts(brought.sessions):
            done = self._done_since(brought, part)
            kept.update(done.values())
            found.stakes += self._forgetting.stakes(one for one in part if one not in done)
        found.kept = kept
        for part in _parts(brought.sessions_given_roles):
            free, scored = self._with_role(brought, part)
            found.roles += len(free)
            found.roles_kept += len(scored)
        return found

    def take_back(
        self,
        brought: BroughtIn,
        *,
        tell: Callable[[int], None] = lambda done: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> ImportTakenBack:
        """Forget the new sessions of an import that nobody did anything with, and take the roles off again
        that it gave. Returns what went and stays.

        tell, stop: as `forget` takes them. Raises StoreError; what was forgotten until then is gone.
        """
        taken, kept, over = ImportTakenBack(), Counter[DoneSince](), 0
        for part in _parts(brought.sessions):
            if stop():
                break
            # In one transaction: what is said of a session meanwhile keeps it.
            with self._database.writing():
                done = self._done_since(brought, part)
                taken.stakes += self._forgetting.forget(one for one in part if one not in done).stakes
            kept.update(done.values())
            over += len(part)
            tell(over)
        taken.kept = kept
        for part in _parts(brought.sessions_given_roles):
            if stop():
                break
            with self._database.writing() as connection:
                free, scored = self._with_role(brought, part)
                # The same conversation may have come in without a role since.
                taken.roles += connection.execute(_TAKE_ROLES, [json.dumps(free)]).rowcount
                taken.roles_kept += len(scored)
        return taken

    def _with_role(self, brought: BroughtIn, part: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return which of these sessions have a role that may go, and which were scored with it since."""
        values = {"part": json.dumps(part), "score": brought.last.score}
        found = self._database.connection.execute(_WITH_ROLE, values).fetchall()
        return [row[0] for row in found if not row[1]], [row[0] for row in found if row[1]]

    def _done_since(self, brought: BroughtIn, part: Sequence[int]) -> dict[int, DoneSince]:
        """Return what was done with which of these sessions since they came in."""
        connection, last = self._database.connection, brought.last
        values = {
            "part": json.dumps(part),
            "label": last.label,
            "mode_change": last.mode_change,
            "score": last.score,
            "turn": last.turn,
        }
        done: dict[int, DoneSince] = {}
        for what, sql in _DONE.items():
            for row in connection.execute(sql, values):
                done.setdefault(int(row[0]), what)
        if (regrown := _regrown(connection, brought)) in part:
            done.setdefault(regrown, "grown")
        return done


def _regrown(connection: sqlite3.Connection, brought: BroughtIn) -> int:
    """Return the session whose turn took the place, and the number, of the last one; 0 for none."""
    if print_of_turn(connection, brought.last.turn) == brought.last.turn_print:
        return 0
    return session_of_turn(connection, brought.last.turn) or 0


def _parts(session_ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(session_ids), SESSIONS_AT_ONCE):
        yield session_ids[start : start + SESSIONS_AT_ONCE]
