"""Review queues: sessions to be reviewed in an order; what is done follows from the labels."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.marks import LabelWord
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.keeping.damage import stored_json
from turnwise.conversations.store.keeping.queue_items import (
    DONE,
    DONE_BY_THE_ASSIGNED,
    PUT_OFF,
    PUT_OFF_BY_THE_ASSIGNED,
)
from turnwise.conversations.store.queries import ONLY_SCORES
from turnwise.conversations.texts import mend_text
from turnwise.conversations.words import did_you_mean

_QUEUES = f"""
SELECT q.id, q.name, q.sampler, q.settings, q.created_at, count(i.session_id) AS count,
    total({DONE}) AS done, total({PUT_OFF}) AS put_off
FROM queues q LEFT JOIN queue_items i ON i.queue_id = q.id
"""  # noqa: S608
_DECIDING: tuple[LabelWord, ...] = ("pass", "fail")


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One queue. sampler: how its sessions were chosen; settings: by what, such as query, size and seed.

    count: how many sessions are in it; done: how many of them were passed or failed since the queue was made;
    put_off: how many were put off instead.
    """

    id: int
    name: str
    sampler: str
    created_at: float
    count: int
    done: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    put_off: int = 0

    @property
    def is_begun(self) -> bool:
        """Whether any of its sessions was passed, failed or put off."""
        return bool(self.done or self.put_off)

    @property
    def times_kept_as(self) -> str:
        """Begins the names under which is remembered how long each person was at it."""
        return _times_kept_as(self.id, self.created_at)


@dataclass(frozen=True, slots=True)
class QueueItem:
    """One session of a queue, at a place from 1.

    done: whether it was passed or failed since the queue was made, by each who was named for it if anybody
    was. put_off: whether it was put off instead. Where the items of one person were asked for, both are about
    that person.
    """

    place: int
    session_id: int
    done: bool
    put_off: bool = False


@dataclass(frozen=True, slots=True)
class QueueProgress:
    """What came of a queue so far. labels: how many of its sessions stand at each label that was given since
    it was made. authors: who gave them, who gave most first. newest: when the last was given; newest_by: by
    whom.
    """

    labels: Mapping[LabelWord, int] = field(default_factory=dict)
    authors: Sequence[str] = ()
    newest: float | None = None
    newest_by: str = ""


@dataclass(frozen=True, slots=True)
class AssignedShare:
    """How many sessions of a queue one person is to label, and how many of them they did."""

    author: str
    count: int
    done: int


@dataclass(frozen=True, slots=True)
class StandingScore:
    """The newest score of a metric on a session.

    threshold: None where the check itself states whether it passes. by_check: no judge was asked.
    """

    session_id: int
    metric: str
    score: float
    threshold: float | None
    passed: bool
    by_check: bool


@dataclass(frozen=True, slots=True)
class QueueLabel:
    """A label of the whole that a session of a queue got since the queue was made. created_at: in seconds."""

    session_id: int
    word: LabelWord | None
    author: str
    blind: bool
    created_at: float


class QueueTable:
    """The review queues of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        name: str,
        session_ids: Iterable[int],
        *,
        sampler: str,
        settings: Mapping[str, Any] | None = None,
        assigned: Mapping[int, Iterable[str]] | None = None,
        at: float | None = None,
    ) -> int:
        """Keep a queue and return its number. settings: what JSON can hold.

        assigned: who is to label each session; a session without anybody is done with any label. at: when it
        was made, in seconds since 1970; now for None.

        Raises SettingError where there is no name, where the name is taken, or without a session.
        """
        name = " ".join(mend_text(name).split())
        items = list(dict.fromkeys(session_ids))
        if not name or name.isdecimal():
            raise SettingError("A queue needs a name", next_step="Give it a word or two, not a number.")
        if not items:
            raise SettingError("There is no session for the queue")
        with self._database.writing() as connection:
            if connection.execute("SELECT 1 FROM queues WHERE name = ?", [name]).fetchone():
                raise SettingError(
                    f"There is a queue {name} already", next_step="Give another name, or go on with that one."
                )
            cursor = connection.execute(
                "INSERT INTO queues (name, sampler, settings, newest_label, created_at) "
                "VALUES (?, ?, ?, (SELECT coalesce(max(id), 0) FROM labels), ?)",
                [
                    name,
                    sampler,
                    json.dumps(dict(settings or {}), ensure_ascii=False),
                    time.time() if at is None else at,
                ],
            )
            queue_id = cast("int", cursor.lastrowid)
            connection.executemany(
                "INSERT INTO queue_items VALUES (?, ?, ?)",
                [(queue_id, place, session) for place, session in enumerate(items, 1)],
            )
            connection.executemany(
                "INSERT OR IGNORE INTO queue_assignments VALUES (?, ?, ?)",
                [(queue_id, one, who) for one in items for who in (assigned or {}).get(one, ())],
            )
        return queue_id

    def all(self) -> list[QueueRow]:
        """Return all queues, the newest first."""
        rows = self._database.connection.execute(f"{_QUEUES} GROUP BY q.id ORDER BY q.id DESC")
        return [_queue_row(row) for row in rows]

    def get(self, named: int | str) -> QueueRow:
        """Return a queue by its number or its name. Raises NotFoundError."""
        column = "q.id" if isinstance(named, int) else "q.name"
        rows = self._database.connection.execute(
            f"{_QUEUES} WHERE {column} = ? GROUP BY q.id", [named]
        ).fetchall()
        if not rows:
            raise NotFoundError(
                f"There is no queue {named}",
                next_step=did_you_mean(str(named), [queue.name for queue in self.all()])
                or "`turnwise queue list` lists those there are.",
            )
        return _queue_row(rows[0])

    def items(self, queue_id: int, author: str = "") -> list[QueueItem]:
        """Return the sessions of a queue in order.

        author: whose; all of them where that person was named for none, or without a name.
        """
        connection = self._database.connection
        own = connection.execute(
            f"SELECT i.place, i.session_id, coalesce({DONE_BY_THE_ASSIGNED}, 0), "  # noqa: S608
            f"coalesce({PUT_OFF_BY_THE_ASSIGNED}, 0) FROM queue_items i "
            "JOIN queues q ON q.id = i.queue_id JOIN queue_assignments a ON a.queue_id = i.queue_id "
            "AND a.session_id = i.session_id AND a.author = ? WHERE i.queue_id = ? ORDER BY i.place",
            [author, queue_id],
        ).fetchall()
        rows = own or connection.execute(
            f"SELECT i.place, i.session_id, coalesce({DONE}, 0), coalesce({PUT_OFF}, 0) "  # noqa: S608
            "FROM queue_items i "
            "JOIN queues q ON q.id = i.queue_id WHERE i.queue_id = ? ORDER BY i.place",
            [queue_id],
        )
        return [QueueItem(place, session, bool(done), bool(off)) for place, session, done, off in rows]

    def shares(self, queue_id: int) -> list[AssignedShare]:
        """Return who is to label sessions of a queue, and how far they are, by name; none if anybody is."""
        rows = self._database.connection.execute(
            f"SELECT a.author, count(*), total({DONE_BY_THE_ASSIGNED}) FROM queue_assignments a "  # noqa: S608
            "JOIN queue_items i ON i.queue_id = a.queue_id AND i.session_id = a.session_id "
            "JOIN queues q ON q.id = i.queue_id WHERE q.id = ? GROUP BY a.author ORDER BY a.author",
            [queue_id],
        )
        return [AssignedShare(author, count, int(done)) for author, count, done in rows]

    def progress(self, queue_id: int) -> QueueProgress:
        """Return who labelled the sessions of a queue since it was made, and how."""
        counting = self.counting_labels(queue_id).values()
        authors = Counter(label.author for label in counting)
        by_number = tuple(author for author, _ in authors.most_common())
        newest, by = max(((label.created_at, label.author) for label in counting), default=(None, ""))
        words = Counter(label.word for label in counting if label.word is not None)
        return QueueProgress(words, by_number, newest, by)

    def waiting(self) -> set[int]:
        """Return the sessions that wait for a label in any queue."""
        rows = self._database.connection.execute(
            "SELECT i.session_id FROM queue_items i JOIN queues q ON q.id = i.queue_id "  # noqa: S608
            f"WHERE NOT coalesce({DONE}, 0)"
        )
        return {row[0] for row in rows}

    def next(self, queue_id: int, author: str = "") -> QueueItem | None:
        """Return the first session of a queue that is not done, None where all are; what was put off last.

        author: as in `items`.
        """
        left = (item for item in self.items(queue_id, author) if not item.done)
        return min(left, key=lambda item: (item.put_off, item.place), default=None)

    def labels(self, queue_id: int) -> list[QueueLabel]:
        """Return the labels that the sessions of a queue got since it was made, oldest first."""
        rows = self._database.connection.execute(
            "SELECT l.session_id, l.label, l.author, l.blind, l.created_at FROM queues q "
            "JOIN queue_items i ON i.queue_id = q.id "
            "JOIN labels l ON l.session_id = i.session_id AND l.metric = '' AND l.id > q.newest_label "
            "WHERE q.id = ? ORDER BY l.id",
            [queue_id],
        )
        return [QueueLabel(one, word, author, bool(blind), at) for one, word, author, blind, at in rows]

    def counting_labels(self, queue_id: int) -> dict[int, QueueLabel]:
        """Return the label that counts of each session of a queue that got one since it was made.

        Of each person what was said last stands. The newest pass or fail of them counts, as another who
        defers does not open again what somebody has done; without any the newest defer.
        """
        standing: dict[tuple[int, str], QueueLabel] = {}
        for label in self.labels(queue_id):
            # What stands is in the order in which it was said.
            standing.pop((label.session_id, label.author), None)
            standing[label.session_id, label.author] = label
        counting: dict[int, QueueLabel] = {}
        for label in standing.values():
            before = counting.get(label.session_id)
            if label.word in _DECIDING or (label.word and (before is None or before.word not in _DECIDING)):
                counting[label.session_id] = label
        return counting

    def scores(self, metrics: Iterable[str]) -> Iterator[StandingScore]:
        """Yield the newest score of these metrics on every session, metric by metric."""
        connection = self._database.connection
        for metric in metrics:
            judged = connection.execute(
                "SELECT max(judge_fingerprint) FROM scores WHERE metric = ?", [metric]
            ).fetchone()[0]
            for row in connection.execute(
                f"SELECT session_id, score, threshold, passed FROM {ONLY_SCORES}",  # noqa: S608
                [metric],
            ):
                yield StandingScore(
                    row["session_id"],
                    metric,
                    row["score"],
                    row["threshold"],
                    passed=bool(row["passed"]),
                    by_check=not judged,
                )

    def tags(self) -> Iterator[tuple[int, str]]:
        """Yield all sessions that have tags, once with each."""
        return map(tuple, self._database.connection.execute("SELECT session_id, tag FROM session_tags"))

    def remove(self, queue_id: int) -> None:
        """Forget a queue, and how long people were at it; the labels that were given in it stay."""
        with self._database.writing() as connection:
            made = connection.execute("SELECT id, created_at FROM queues WHERE id = ?", [queue_id]).fetchall()
            connection.executemany(
                "DELETE FROM remembered WHERE substr(name, 1, length(?1)) = ?1",
                [[_times_kept_as(*row)] for row in made],
            )
            connection.execute("DELETE FROM queues WHERE id = ?", [queue_id])


def _times_kept_as(queue_id: int, created_at: float) -> str:
    # With when it was made, as a queue that is forgotten may leave its number to the next one.
    return f"time at queue {queue_id} of {created_at}: "


def _queue_row(row: Any) -> QueueRow:
    return QueueRow(
        id=row["id"],
        name=row["name"],
        sampler=row["sampler"],
        created_at=row["created_at"],
        count=row["count"],
        done=int(row["done"]),
        settings=stored_json(row["settings"]),
        put_off=int(row["put_off"]),
    )
