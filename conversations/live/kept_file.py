"""KeptFile: a small database beside the other, where what comes in stands before anything is made of it.

It is nobody else's file, so whoever hands something over waits for no program that holds the other database.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from turnwise.conversations.errors import StoreError
from turnwise.conversations.private_files import make_private_file
from turnwise.conversations.store import FREE_SPACE

Survives = Literal["kill", "power cut"]
"""What leaves all in the file that was written before; the second takes longer to write."""


class KeptFile:
    """The file and its one connection; usable from every thread, closed once.

    holds: what is in it, as errors say it, such as "Calls". tables: SQL that makes them where they are not
    there. seconds_to_wait: for another program that writes to it.
    """

    def __init__(
        self, path: Path, tables: str, *, holds: str, seconds_to_wait: float = 0.0, survives: Survives
    ) -> None:
        """Raise StoreError where the file cannot be made or opened."""
        self.path = path
        self._holds = holds
        self._lock = threading.Lock()
        try:
            make_private_file(path)
            self._connection = sqlite3.connect(
                path, timeout=seconds_to_wait, isolation_level=None, check_same_thread=False
            )
        except (OSError, sqlite3.Error) as error:
            raise self._error(error) from error
        try:
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute(f"PRAGMA synchronous = {'OFF' if survives == 'kill' else 'FULL'}")
            self._connection.execute("PRAGMA foreign_keys = ON")
            self._connection.executescript(tables)
        except sqlite3.Error as error:
            self._connection.close()
            raise self._error(error) from error

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return all rows. Raises StoreError."""
        with self._lock:
            try:
                return self._connection.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise self._error(error) from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Write what is written in the block, or nothing where it fails. Raises StoreError, whose cause is
        SQLite's own error.
        """
        with self._lock:
            connection = self._connection
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException as error:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise self._error(error) from error
                raise

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _error(self, error: Exception) -> StoreError:
        full = "disk is full" in str(error)
        return StoreError(
            f"{self._holds} cannot be kept",
            detail=f"{self.path}: {error}",
            next_step=FREE_SPACE if full else "Check that the file can be written, or name another database.",
        )
