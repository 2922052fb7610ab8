"""Tags of sessions: all there are, and giving them to many sessions or taking them away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from turnwise.conversations.store.database import Database
from turnwise.conversations.texts import mend_text

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class TagChange:
    """What a change did: pairs of session and tag that it gave, and that it took away."""

    given: tuple[tuple[int, str], ...]
    taken: tuple[tuple[int, str], ...]

    @property
    def sessions(self) -> int:
        """How many sessions it changed."""
        return len({session for session, _ in (*self.given, *self.taken)})


class TagTable:
    """The tags of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def counts(self, session_ids: Sequence[int] | None = None) -> dict[str, int]:
        """Return how many sessions have each tag, of all or of these, by tag in alphabetical order."""
        connection = self._database.connection
        if session_ids is None:
            rows = connection.execute("SELECT tag, count(*) FROM session_tags GROUP BY tag ORDER BY tag")
            return dict(map(tuple, rows))
        counts: dict[str, int] = {}
        for start in range(0, len(session_ids), _AT_ONCE):
            part = session_ids[start : start + _AT_ONCE]
            places = ", ".join("?" * len(part))
            sql = f"SELECT tag, count(*) FROM session_tags WHERE session_id IN ({places}) GROUP BY tag"  # noqa: S608
            for tag, count in connection.execute(sql, part):
                counts[tag] = counts.get(tag, 0) + count
        return dict(sorted(counts.items()))

    def change(
        self, session_ids: Iterable[int], *, give: Iterable[str] = (), take: Iterable[str] = ()
    ) -> TagChange:
        """Give these sessions some tags and take others from them; return what that changed."""
        sessions = list(session_ids)
        given = [(session, tag) for tag in sorted(map(mend_text, give)) for session in sessions]
        taken = [(session, tag) for tag in sorted(map(mend_text, take)) for session in sessions]
        return self._apply(given, taken)

    def undo(self, change: TagChange) -> TagChange:
        """Take a change back; return what that changed. Sessions that were deleted meanwhile stay out."""
        return self._apply(change.taken, change.given)

    def _apply(self, give: Sequence[tuple[int, str]], take: Sequence[tuple[int, str]]) -> TagChange:
        given: list[tuple[int, str]] = []
        taken: list[tuple[int, str]] = []
        with self._database.writing() as connection:
            for pair in take:
                if connection.execute(
                    "DELETE FROM main.session_tags WHERE session_id = ? AND tag = ?", pair
                ).rowcount:
                    taken.append(pair)
            for session, tag in give:
                done = connection.execute(
                    "INSERT OR IGNORE INTO main.session_tags SELECT id, ? FROM sessions WHERE id = ?",
                    (tag, session),
                )
                if done.rowcount:
                    given.append((session, tag))
        return TagChange(tuple(given), tuple(taken))
