"""Files that come in: in slices, so that no other program waits for long, and all of a file or nothing.

    imports          the one file that is coming in; sealed once all of it is in
    staged_sessions  the ids of its sessions, which nobody sees before it is sealed
    staged_findings  its labels, scores and failure modes, kept after that; chatbot roles that it gave

Whoever imports holds a file beside the database, so that a second import waits for it, and one that died is
noticed: what it left is taken away by the next opening or import, or kept to the end where it was sealed.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from turnwise.conversations.errors import StoreError
from turnwise.conversations.findings import FoundMode, Label, PastScore
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.keeping.faults import fault_of, unwritable
from turnwise.conversations.store.keeping.owners import held_file
from turnwise.conversations.store.keeping.patience import Patience
from turnwise.conversations.store.keeping.staged import is_any_import_unfinished
from turnwise.conversations.store.labels import LabelTable
from turnwise.conversations.store.modes.modes import FailureModeTable
from turnwise.conversations.store.past_scores import PastScoreTable
from turnwise.conversations.store.unfinished.brought_in import BroughtIn, note_brought_in, note_findings_in
from turnwise.conversations.store.unfinished.plain import (
    as_plain,
    of_plain,
    past_score_as_plain,
    past_score_of_plain,
)

SECONDS_A_SLICE = 0.12
"""After so long the write lock is let go, with what is written so far."""
SECONDS_BETWEEN = 0.005
SECONDS_TO_TIDY = 0.5
"""So long whoever opens the database, or broke an import off, waits for its leftovers to go."""
_FINDINGS_AT_ONCE = 50
# Numbers that follow each other stay as far from their places in the order, so each row is a span of them.
_GIVEN_ROLES = (
    "SELECT min(id), max(id) FROM (SELECT id, id - row_number() OVER (ORDER BY id) AS span FROM (SELECT "
    "DISTINCT session_id AS id FROM staged_findings WHERE json_extract(found, '$.role'))) GROUP BY span "
    "ORDER BY 1"
)


@dataclass(slots=True)
class KeptFindings:
    """How many labels, scores and failure modes of sessions came with a file and were new."""

    labels: int = 0
    scores: int = 0
    modes: int = 0


class Staging:
    """A file that is coming in. Write inside `slice()`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._writing: AbstractContextManager[sqlite3.Connection] | None = None
        self._connection: sqlite3.Connection | None = None
        self._until = 0.0
        self._new: list[int] = []
        self._last = 0
        self.there_before = 0
        """How many sessions of the file were there already."""

    @contextmanager
    def slice(self) -> Iterator[None]:
        """Write in the block; what is in by its end stays in, unseen."""
        self._begin()
        try:
            yield
        except BaseException as error:
            if self._writing is not None:
                self._writing.__exit__(type(error), error, error.__traceback__)
            raise
        self._end()

    def breathe(self) -> None:
        """Let others write for a moment, where they had to wait for long by now."""
        if time.monotonic() > self._until:
            self._end()
            time.sleep(SECONDS_BETWEEN)
            self._begin()

    def note_session(self, session_id: int) -> None:
        """Take a session in that was written just now."""
        self._new.append(session_id)

    def note_role(self, session_id: int) -> None:
        """Remember that a session which was there without a chatbot role was given one."""
        self._add(session_id, {"role": True})

    def note_findings(
        self,
        session_id: int,
        *,
        labels: Sequence[Label],
        scores: Sequence[PastScore],
        modes: Sequence[FoundMode],
    ) -> None:
        """Have findings kept as soon as all of the file is in."""
        plain = {
            "labels": [as_plain(label) for label in labels],
            "scores": [past_score_as_plain(score) for score in scores],
            "modes": [as_plain(mode) for mode in modes],
        }
        self._add(session_id, plain)

    def _add(self, session_id: int, found: object) -> None:
        assert self._connection is not None  # noqa: S101 - inside a slice
        self._connection.execute(
            "INSERT INTO staged_findings (session_id, found) VALUES (?, ?)",
            [session_id, json.dumps(found, ensure_ascii=False)],
        )

    def _begin(self) -> None:
        self._writing = self._database.writing()
        self._connection = self._writing.__enter__()
        self._until = time.monotonic() + SECONDS_A_SLICE

    def _end(self) -> None:
        assert self._writing is not None  # noqa: S101 - it was begun
        assert self._connection is not None  # noqa: S101 - it was begun
        if self._new:
            # One after the other, because nobody else writes meanwhile.
            first, last = self._new[0], self._new[-1]
            grown = self._connection.execute(
                "UPDATE staged_sessions SET last = ? WHERE last = ? AND last = ?",
                [last, self._last, first - 1],
            )
            if not grown.rowcount:
                self._connection.execute("INSERT INTO staged_sessions VALUES (?, ?)", [first, last])
            self._last, self._new = last, []
        writing, self._writing = self._writing, None
        writing.__exit__(None, None, None)


class ImportTable:
    """The file that is coming into one database."""

    def __init__(
        self, database: Database, labels: LabelTable, scores: PastScoreTable, modes: FailureModeTable
    ) -> None:
        self._database = database
        self._labels = labels
        self._scores = scores
        self._modes = modes

    @contextmanager
    def begin(
        self, *, came_from: str, at: float, read_again: bool = False
    ) -> Iterator[tuple[Staging, KeptFindings]]:
        """Take a file in: what is staged in the block is seen by all once it ends, or never.

        came_from: the file's name. at: seconds since 1970, for findings that do not say when they were made.
        read_again: whether it is read again and again; then it is no import that could be taken back.
        The counts are right after the block. Raises StoreBusyError where another import goes on for longer
        than it is waited for.
        """
        patience = self._database.usual_patience
        try:
            descriptor = patience.through(self._hold)
        except sqlite3.OperationalError as error:
            raise fault_of(error, self._database.path) or error from error
        counts = KeptFindings()
        staging = Staging(self._database)
        try:
            self._tidy(math.inf)
            with self._database.writing() as connection:
                connection.execute(
                    "INSERT INTO imports (came_from, at, sealed) VALUES (?, ?, 0)", [came_from, at]
                )
            with self._database.staging_in(staging):
                yield staging, counts
            with self._database.writing() as connection:
                if not read_again:
                    spans = connection.execute("SELECT first, last FROM staged_sessions ORDER BY first")
                    new = tuple((row["first"], row["last"]) for row in spans.fetchall())
                    named = tuple((first, last) for first, last in connection.execute(_GIVEN_ROLES))
                    before = staging.there_before
                    brought = BroughtIn(came_from, at, spans=new, there_before=before, given_roles=named)
                    note_brought_in(connection, brought)
                connection.execute("DELETE FROM staged_sessions")
                if connection.execute("SELECT 1 FROM staged_findings LIMIT 1").fetchone() is None:
                    # Nothing is left to be kept, as of most files, of which a folder may hold thousands.
                    connection.execute("DELETE FROM imports")
                else:
                    connection.execute("UPDATE imports SET sealed = 1")
            self._tidy(math.inf, counts)
            if not read_again and (counts.labels or counts.scores or counts.modes):
                with self._database.writing() as connection:
                    note_findings_in(connection)
        except BaseException:
            with suppress(StoreError, sqlite3.Error), self._database.waiting(Patience(0)):
                self._tidy(SECONDS_TO_TIDY)
            raise
        finally:
            self._let_go(descriptor)

    def tidy(self) -> None:
        """Bring what a dead import left to its end, for a moment; the rest is for the next time."""
        if not is_any_import_unfinished(self._database.connection):
            return
        with suppress(StoreError, sqlite3.Error, OSError):
            descriptor = held_file(self._owner, make=True)
            if descriptor is not None:
                try:
                    with self._database.waiting(Patience(0)):
                        self._tidy(SECONDS_TO_TIDY)
                finally:
                    self._let_go(descriptor)

    @property
    def _owner(self) -> Path:
        path = self._database.path
        return path.with_name(f"{path.name}-importing")

    def _hold(self) -> int:
        if not self._database.is_writable:
            raise unwritable(self._database.path)
        descriptor = held_file(self._owner, make=True)
        if descriptor is None:
            raise sqlite3.OperationalError("the database is locked: another file is coming in")
        return descriptor

    def _let_go(self, descriptor: int) -> None:
        if os.name != "nt":
            self._owner.unlink(missing_ok=True)
        os.close(descriptor)

    def _tidy(self, seconds: float, counts: KeptFindings | None = None) -> None:
        """Bring the file that was coming in to its end: kept where it is sealed, else taken away."""
        found = self._database.connection.execute("SELECT came_from, at, sealed FROM imports").fetchone()
        if found is None:
            return
        until = time.monotonic() + seconds
        if found["sealed"]:
            kept = counts or KeptFindings()
            done = self._in_slices(until, lambda: self._keep_findings(found["came_from"], found["at"], kept))
        else:
            done = self._in_slices(until, self._take_sessions) and self._in_slices(until, self._take_roles)
        if done:
            with self._database.writing() as connection:
                connection.execute("DELETE FROM imports")

    def _in_slices(self, until: float, work: Callable[[], bool]) -> bool:
        """Do work slice by slice until it says that none is left; False where the time was up before."""
        while True:
            with self._database.writing():
                left = work()
            if not left:
                return True
            if time.monotonic() > until:
                return False
            time.sleep(SECONDS_BETWEEN)

    def _keep_findings(self, came_from: str, at: float, counts: KeptFindings) -> bool:
        connection = self._database.connection
        until = time.monotonic() + SECONDS_A_SLICE
        for row in connection.execute(
            "SELECT id, session_id, found FROM staged_findings ORDER BY id LIMIT ?", [_FINDINGS_AT_ONCE]
        ).fetchall():
            found, session = json.loads(row["found"]), row["session_id"]
            labels = [of_plain(Label, plain) for plain in found.get("labels", ())]
            scores = [past_score_of_plain(plain) for plain in found.get("scores", ())]
            modes = [of_plain(FoundMode, plain) for plain in found.get("modes", ())]
            if labels:
                counts.labels += self._labels.add_new(session, labels, at=at, came_from=came_from)
            if scores:
                counts.scores += self._scores.add_new(session, scores, at=at, came_from=came_from)
            if modes:
                counts.modes += self._modes.add_new(session, modes, at=at)
            connection.execute("DELETE FROM staged_findings WHERE id = ?", [row["id"]])
            if time.monotonic() > until:
                return True
        return connection.execute("SELECT 1 FROM staged_findings LIMIT 1").fetchone() is not None

    def _take_sessions(self) -> bool:
        connection = self._database.connection
        until = time.monotonic() + SECONDS_A_SLICE
        while span := connection.execute("SELECT first, last FROM staged_sessions LIMIT 1").fetchone():
            for session_id in range(span["last"], span["first"] - 1, -1):
                connection.execute("DELETE FROM main.sessions WHERE id = ?", [session_id])
                if time.monotonic() > until and session_id > span["first"]:
                    connection.execute(
                        "UPDATE staged_sessions SET last = ? WHERE first = ?", [session_id - 1, span["first"]]
                    )
                    return True
            connection.execute("DELETE FROM staged_sessions WHERE first = ?", [span["first"]])
        return False

    def _take_roles(self) -> bool:
        connection = self._database.connection
        connection.execute(
            "UPDATE OR IGNORE main.sessions SET chatbot_role = '' WHERE id IN (SELECT session_id FROM "
            "staged_findings WHERE json_extract(found, '$.role'))"
        )
        connection.execute("DELETE FROM staged_findings")
        return False
