"""Opening the database: one SQLite file in WAL mode, private to its owner, one connection a thread."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from turnwise.conversations.errors import StoreError
from turnwise.conversations.store.schema import SCHEMA_VERSION
from turnwise.conversations.texts import mend_text

FREE_SPACE = "Free some space, then go on: what was kept before is kept."
_WORDS = (
    (
        "locked",
        "The database is in use by another program",
        "Wait for it or close it, then try again.",
    ),
    ("disk is full", "The disk is full", FREE_SPACE),
    (
        "readonly",
        "The database cannot be written",
        "Check its permissions and those of its folder.",
    ),
    (
        "unable to open",
        "The database cannot be opened any more",
        "Check that its file and folder are still there.",
    ),
    ("disk I/O", "The database's disk does not answer as it should", "Check the disk, then try again."),
    (
        "malformed",
        "The database is damaged",
        "Go back to a copy, or save what can be read: sqlite3 FILE .recover",
    ),
)
BUSY_SECONDS = 30.0
IMPATIENT_SECONDS = 1.0
"""How long a write waits for another program's: usually, and where a person waits for it."""
_STEPS_BETWEEN_ASKING = 50_000
"""Of SQLite's own steps: about a millisecond's worth."""


def fault_of(error: sqlite3.Error, path: Path | None = None) -> StoreError | None:
    """Return the words for an error that a person can do something about; None for any other."""
    told = str(error)
    for part, title, step in _WORDS:
        if part in told:
            return StoreError(title, detail=f"{path}: {told}" if path else told, next_step=step)
    return None


def default_path() -> Path:
    """Return where the database is kept: TURNWISE_DB, or the user's data folder."""
    if named := os.environ.get("TURNWISE_DB"):
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("turnwise") / "turnwise.db"


class _Connection(sqlite3.Connection):
    """A connection that stores damaged text mended: SQLite takes no half characters, whoever sends them."""

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        return super().execute(sql, _mended(parameters))

    def executemany(self, sql: str, parameters: Any, /) -> sqlite3.Cursor:
        return super().executemany(sql, [_mended(row) for row in parameters])


def _mended(values: Any) -> Any:
    if isinstance(values, Mapping):
        return {name: _mended([value])[0] for name, value in values.items()}
    # Nearly all text is plain, and is looked at here for every row that is kept.
    return [mend_text(value) if isinstance(value, str) and not value.isascii() else value for value in values]


class Database:
    """One SQLite file. Every thread gets a connection of its own; all are closed together."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._closed = False

    @classmethod
    def open(cls, path: Path) -> Database:
        """Open a file, making it (mode 0600, in a folder made as needed) and migrating it where needed.

        Raises StoreError where the file cannot be opened, is no database, or is newer than this program.
        """
        database = cls(path)
        try:
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            version = database.connection.execute("PRAGMA user_version").fetchone()[0]
            if version > SCHEMA_VERSION:
                raise StoreError(
                    "This database was made by a newer turnwise",
                    detail=str(path),
                    next_step="Upgrade turnwise, or name another database with --db.",
                )
            if not database._is_ours():
                raise StoreError(
                    "This is a database of another program",
                    detail=str(path),
                    next_step="Name another file with --db or TURNWISE_DB; one that is not there is made.",
                )
            if version < SCHEMA_VERSION:
                database._migrate()
        except (OSError, sqlite3.Error) as error:
            database.close()
            raise StoreError(
                "The database cannot be opened",
                detail=f"{path}: {error}",
                next_step="Check that the file is a turnwise database and can be written, "
                "or name another with --db or TURNWISE_DB.",
            ) from error
        except StoreError:
            database.close()
            raise
        return database

    def _address(self) -> str:
        """Return the URI by which SQLite opens the file; a file that cannot be written is opened
        read-only.
        """
        address = f"file:{quote(str(self.path.absolute()))}"
        if os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK):
            return address
        # In a folder that cannot be written, SQLite reads a file only if told that it will not change.
        beside = self.path.with_name(f"{self.path.name}-wal")
        return f"{address}?mode=ro" if beside.exists() else f"{address}?immutable=1"

    def _is_ours(self) -> bool:
        """Whether the file holds nothing yet, or tables of turnwise."""
        tables, ours = self.connection.execute(
            "SELECT count(*), sum(name = 'secrets') FROM sqlite_master WHERE type = 'table'"
        ).fetchone()
        return not tables or bool(ours)

    def _migrate(self) -> None:
        from sqlite_utils import Database as Tables

        from turnwise.conversations.store.schema import migrations

        self.connection.execute("PRAGMA journal_mode = WAL")
        tables = Tables(self.connection)
        # The write lock makes two programs that open a new file at once migrate it one after the other.
        with self.writing() as connection:
            migrations().apply(tables)
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    @property
    def connection(self) -> sqlite3.Connection:
        """This thread's connection, in autocommit mode; write inside `writing()`."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            if self._closed:
                raise StoreError("The database is closed already")
            # The connections are only ever closed from another thread, never used by two.
            connection = sqlite3.connect(
                self._address(),
                uri=True,
                timeout=BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                factory=_Connection,
            )
            connection.row_factory = sqlite3.Row
            # SQLite's own lower() knows only A to Z.
            connection.create_function("fold", 1, str.casefold, deterministic=True)
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = NORMAL")
            self._local.connection = connection
            with self._lock:
                self._connections.append(connection)
        return connection

    @contextmanager
    def stoppable(self, stop: Callable[[], bool] | None) -> Iterator[None]:
        """Interrupt this thread's queries in the block with OperationalError as soon as `stop` returns
        True.
        """
        if stop is None:
            yield
            return
        connection = self.connection
        connection.set_progress_handler(stop, _STEPS_BETWEEN_ASKING)
        try:
            yield
        finally:
            connection.set_progress_handler(None, 0)

    @contextmanager
    def writing(self, *, durable: bool = False) -> Iterator[sqlite3.Connection]:
        """Run a block in one transaction: all of it is kept, or nothing.

        durable: it survives a power cut too, and waits half a minute for a locked file even where the thread
        is `impatient`. Raises StoreError where the file is locked for longer than half a minute (a second
        where the thread is `impatient`), full or read-only.
        """
        connection = self.connection
        if connection.in_transaction:
            yield connection
            return
        patience = (
            BUSY_SECONDS if durable else min(BUSY_SECONDS, getattr(self._local, "patience", BUSY_SECONDS))
        )
        try:
            connection.execute(f"PRAGMA busy_timeout = {round(patience * 1000)}")
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        except sqlite3.DatabaseError as error:
            fault = fault_of(error, self.path)
            if fault is None and not isinstance(error, sqlite3.OperationalError):
                raise
            raise fault or StoreError(
                "The database cannot be written",
                detail=f"{self.path}: {error}",
                next_step="Close other programs that use it, and try again.",
            ) from error

    @contextmanager
    def impatient(self) -> Iterator[None]:
        """Let this thread wait for a second at most, in the block, while another program writes."""
        before = getattr(self._local, "patience", BUSY_SECONDS)
        self._local.patience = IMPATIENT_SECONDS
        try:
            yield
        finally:
            self._local.patience = before

    def close(self) -> None:
        """Close every connection; the database cannot be used afterwards."""
        with self._lock:
            self._closed = True
            for connection in self._connections:
                connection.close()
            self._connections.clear()
        self._local = threading.local()
