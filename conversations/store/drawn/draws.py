"""Draws: of which sessions a queue takes its next one, and with which chance each was taken.

Which sessions there are, and in which stratum each lies, stands still from the beginning: what is imported or
judged later changes nothing of it, so that the chances stay what they were.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from turnwise.conversations.store.database import Database
from turnwise.conversations.store.keeping.damage import stored_json

_DRAWN = "UPDATE queue_draws SET place = ?, chances = ? WHERE queue_id = ? AND session_id = ?"


@dataclass(frozen=True, slots=True)
class DrawnSession:
    """A session that was drawn at a place from 1. chances: of one session of each stratum, when it was."""

    place: int
    session_id: int
    stratum: int
    chances: tuple[float, ...]

    @property
    def chance(self) -> float:
        """With which chance just this session was drawn, above 0 and up to 1."""
        return self.chances[self.stratum]


class DrawTable:
    """What the queues of one database are drawn from."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, queue_id: int, strata: Mapping[int, int], first: int, chances: Sequence[float]) -> None:
        """Keep what a queue is drawn from. strata: of each session its stratum, from 0.

        first: the session that the queue began with. chances: with which it was drawn, by stratum.
        """
        with self._database.writing() as connection:
            connection.executemany(
                "INSERT INTO queue_draws (queue_id, session_id, stratum) VALUES (?, ?, ?)",
                [(queue_id, session, stratum) for session, stratum in strata.items()],
            )
            connection.execute(_DRAWN, [1, json.dumps(list(chances)), queue_id, first])

    def sizes(self, queue_id: int) -> tuple[int, ...]:
        """Return how many sessions each stratum of a queue has, drawn ones too; none if it draws none."""
        rows = self._database.connection.execute(
            "SELECT stratum, count(*) FROM queue_draws WHERE queue_id = ? GROUP BY stratum", [queue_id]
        )
        counts: dict[int, int] = dict(map(tuple, rows))
        return tuple(counts.get(stratum, 0) for stratum in range(max(counts, default=-1) + 1))

    def drawn(self, queue_id: int) -> list[DrawnSession]:
        """Return the sessions that were drawn, in order."""
        rows = self._database.connection.execute(
            "SELECT place, session_id, stratum, chances FROM queue_draws "
            "WHERE queue_id = ? AND place IS NOT NULL ORDER BY place",
            [queue_id],
        )
        return [
            DrawnSession(place, session, stratum, tuple(stored_json(chances)))
            for place, session, stratum, chances in rows
        ]

    def draw(self, queue_id: int, stratum: int, number: int, chances: Sequence[float], place: int) -> bool:
        """Give a queue the session that lies at a number from 0 among those left of a stratum.

        chances: of one session of each stratum. place: where it stands in the queue, one more than the last.
        Return whether that was done: not where another process drew for that place meanwhile, or no such
        session is left.
        """
        with self._database.writing() as connection:
            taken = connection.execute(
                "SELECT 1 FROM queue_items WHERE queue_id = ? AND place = ?", [queue_id, place]
            ).fetchone()
            row = connection.execute(
                "SELECT session_id FROM queue_draws WHERE queue_id = ? AND stratum = ? AND place IS NULL "
                "ORDER BY session_id LIMIT 1 OFFSET ?",
                [queue_id, stratum, number],
            ).fetchone()
            if row is None or taken:
                return False
            connection.execute("INSERT INTO queue_items VALUES (?, ?, ?)", [queue_id, place, row[0]])
            connection.execute(_DRAWN, [place, json.dumps(list(chances)), queue_id, row[0]])
        return True
