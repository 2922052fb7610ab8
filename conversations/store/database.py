"""Opening the database: one SQLite file in WAL mode, private to its owner, one connection a thread."""

from __future__ import annotations

import errno
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from turnwise.conversations.errors import DamageError, StoreError
from turnwise.conversations.private_files import close_data_folder, data_folder, make_private_file
from turnwise.conversations.store.facts.index import Told
from turnwise.conversations.store.keeping.addresses import address_of, is_writable
from turnwise.conversations.store.keeping.damage import (
    SESSION_FAULTS,
    TellingConnection,
    damage_error,
    is_damage,
    note_damage,
    require_sound,
    session_damage,
)
from turnwise.conversations.store.keeping.faults import FREE_SPACE, fault_of, is_busy, not_upgradable
from turnwise.conversations.store.keeping.patience import SECONDS_AT_A_STRETCH, Patience, held_for
from turnwise.conversations.store.keeping.staged import IncomingFile, hide_staged
from turnwise.conversations.store.schema import SCHEMA_VERSION
from turnwise.conversations.texts import mend_text

T = TypeVar("T")
BUSY_SECONDS = 30.0
IMPATIENT_SECONDS = 1.0
"""How long a write waits for another program's: where nobody says otherwise, and where a person waits."""
_STEPS_BETWEEN_ASKING = 50_000
"""Of SQLite's own steps: about a millisecond's worth."""


def default_path() -> Path:
    """Return where the database is kept: TURNWISE_DB, or the user's data folder."""
    if named := os.environ.get("TURNWISE_DB"):
        return Path(named).expanduser()
    return data_folder() / "turnwise.db"


class _Connection(TellingConnection):
    """A connection that waits for other programs, and stores damaged text mended.

    SQLite takes no half characters, whoever sends them. patience: how long to wait, asked anew each time.
    """

    patience: Callable[[], Patience] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._executing = threading.RLock()
        self._closing = False

    def close_behind(self) -> None:
        """Close it once no other thread executes anything: the interpreter would crash in that one."""
        self._closing = True
        with self._executing:
            self.close()

    def _check_open(self) -> None:
        # Whoever executes one statement after the other would never let it be closed.
        if self._closing:
            raise sqlite3.ProgrammingError("Cannot operate on a closed database.")

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        try:
            return self._patiently(sql, parameters)
        except UnicodeEncodeError:
            return self._patiently(sql, _mended(parameters))

    def _patiently(self, sql: str, parameters: Any) -> sqlite3.Cursor:
        try:
            return self._run(sql, parameters)
        except sqlite3.OperationalError as error:
            # Within a transaction only its end can be tried again by itself.
            alone = not self.in_transaction or sql == "COMMIT"
            if self.patience is None or not alone or not is_busy(error):
                raise
        return self.patience().through(lambda: self._run(sql, parameters))

    def _run(self, sql: str, parameters: Any) -> sqlite3.Cursor:
        with self._executing:
            self._check_open()
            return super().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        """Execute a statement for each row; `rowcount` counts from the last row on that had to be mended."""
        rows = iter(parameters)
        taken: Any = ()

        def given() -> Iterator[Any]:
            nonlocal taken
            for taken in rows:  # noqa: UP028 - the row that fails is wanted
                yield taken

        while True:
            try:
                with self._executing:
                    self._check_open()
                    return super().executemany(sql, given())
            except UnicodeEncodeError:
                # Those before it are written, and those behind it are still to come.
                self._run(sql, _mended(taken))


def _mended(values: Any) -> Any:
    if isinstance(values, Mapping):
        return {name: _mended([value])[0] for name, value in values.items()}
    return [mend_text(value) if isinstance(value, str) else value for value in values]


class Database:
    """One SQLite file. Every thread gets a connection of its own; all are closed together.

    patience: how long it is waited for other programs; None for half a minute, without a word.
    """

    def __init__(self, path: Path, patience: Patience | None = None) -> None:
        self.path = path
        self.patience = patience
        self._local = threading.local()
        self._connections: list[_Connection] = []
        self._lock = threading.Lock()
        self._closed = False
        self._ready = False
        self._checked = False

    @classmethod
    def open(cls, path: Path, patience: Patience | None = None, tell: Told = lambda share: None) -> Database:
        """Open a file, making it (mode 0600, in a folder made as needed) and migrating it where needed.

        tell: is given how much of a migration is done, from 0 to 1, where that may take a while. Raises
        StoreError where the file cannot be opened, is no database, is damaged, or is newer than this program.
        """
        database = cls(path, patience)
        try:
            make_private_file(path)
            close_data_folder(path.parent)
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
            if 0 < version < SCHEMA_VERSION and not database.is_writable:
                raise not_upgradable(path)
            if version < SCHEMA_VERSION:
                database._migrate(tell)
            hide_staged(database.connection)
            database._ready = True
        except (OSError, sqlite3.Error) as error:
            database.close()
            if is_damage(error):
                raise database.damaged(error) from error
            raise _opening_fault(error, path) from error
        except BaseException:
            database.close()
            raise
        return database

    @property
    def is_writable(self) -> bool:
        """Whether anything can be kept in the file."""
        return is_writable(self.path)

    def _is_ours(self) -> bool:
        """Whether the file holds nothing yet, or tables of turnwise."""
        tables, ours = self.connection.execute(
            "SELECT count(*), sum(name = 'secrets') FROM sqlite_master WHERE type = 'table'"
        ).fetchone()
        return not tables or bool(ours)

    def _migrate(self, tell: Told) -> None:
        from sqlite_utils import Database as Tables

        from turnwise.conversations.store.schema import migrations

        self.connection.execute("PRAGMA journal_mode = WAL")
        tables = Tables(self.connection)
        # The write lock makes two programs that open a new file at once migrate it one after the other.
        with self.writing() as connection:
            migrations(tell).apply(tables)
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
                address_of(self.path),
                uri=True,
                timeout=SECONDS_AT_A_STRETCH,
                isolation_level=None,
                check_same_thread=False,
                factory=_Connection,
            )
            # Before anything can fail, so that it is closed all the same.
            with self._lock:
                self._connections.append(connection)
                is_late = self._closed
            if is_late:
                connection.close()
                raise StoreError("The database is closed already")
            connection.patience = self._patience
            connection.row_factory = sqlite3.Row
            # SQLite's own lower() knows only A to Z.
            connection.create_function("fold", 1, str.casefold, deterministic=True)
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = NORMAL")
            if self._ready:
                hide_staged(connection)
            self._local.connection = connection
        return connection

    def in_threads(self, readings: Sequence[Callable[[], T]]) -> list[T]:
        """Call each in a thread of its own, with a connection that is closed behind it; wait for all.

        SQLite lets other threads go on while it reads, so that several read at once.
        """
        if len(readings) < 2:
            return [read() for read in readings]
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(len(readings)) as threads:
            return list(threads.map(self._aside, readings))

    def _aside(self, read: Callable[[], T]) -> T:
        try:
            return read()
        finally:
            connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
            if connection is not None:
                with self._lock:
                    if connection in self._connections:
                        self._connections.remove(connection)
                connection.close()
                del self._local.connection

    def damaged(self, error: BaseException, session_id: int | None = None) -> DamageError:
        """Return the words for damage: of a session, or of the whole file, which is checked once for it."""
        if is_damage(error) and not self._checked:
            self._checked = True
            note_damage(self.path)
        if session_id is None:
            return damage_error(error, self.path)
        return session_damage(session_id, error)

    @contextmanager
    def reading(self, session_id: int) -> Iterator[None]:
        """Tell of what cannot be read in the block as damage to a session. Raises DamageError."""
        try:
            yield
        except DamageError as error:
            if error.session is not None:
                raise
            raise session_damage(session_id, LookupError(error.detail)) from error
        except SESSION_FAULTS as error:
            if isinstance(error, sqlite3.DatabaseError) and not is_damage(error):
                raise
            raise self.damaged(error, session_id) from error

    @contextmanager
    def mending(self) -> Iterator[sqlite3.Connection]:
        """Give the connection with text that may be damaged: a byte that is no text is a half character."""
        connection = self.connection
        before = connection.text_factory
        connection.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        try:
            yield connection
        finally:
            connection.text_factory = before

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

    @property
    def usual_patience(self) -> Patience:
        """How long threads wait for other programs that say nothing else."""
        return self.patience or Patience(BUSY_SECONDS)

    @property
    def staging(self) -> IncomingFile | None:
        """The file that this thread brings in; None outside an import."""
        staging: IncomingFile | None = getattr(self._local, "staging", None)
        return staging

    @contextmanager
    def staging_in(self, staging: IncomingFile) -> Iterator[None]:
        """Let sessions that this thread adds in the block be part of a file that is coming in."""
        with held_for(self._local, "staging", staging):
            yield

    def _patience(self) -> Patience:
        """How long this thread waits for other programs."""
        usual = self.usual_patience
        own: Patience | None = getattr(self._local, "patience", None)
        return replace(own, seconds=min(own.seconds, usual.seconds)) if own else usual

    @contextmanager
    def waiting(self, patience: Patience | None) -> Iterator[None]:
        """Let this thread wait otherwise for other programs, in the block; None for as usual."""
        with held_for(self._local, "patience", patience):
            yield

    @contextmanager
    def impatient(self) -> Iterator[None]:
        """Let this thread wait for a second at most, in the block, while another program writes."""
        with self.waiting(Patience(IMPATIENT_SECONDS)):
            yield

    @contextmanager
    def writing(self, *, durable: bool = False) -> Iterator[sqlite3.Connection]:
        """Run a block in one transaction: all of it is kept, or nothing.

        durable: it survives a power cut too. Raises StoreBusyError where the file is locked for longer than
        it is waited for, StoreError where it is full or read-only.
        """
        connection = self.connection
        if connection.in_transaction:
            yield connection
            return
        require_sound(self.path)
        try:
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        except sqlite3.DatabaseError as error:
            if is_damage(error):
                raise self.damaged(error) from error
            fault = fault_of(error, self.path)
            if fault is None and not isinstance(error, sqlite3.OperationalError):
                raise
            raise fault or StoreError(
                "The database cannot be written",
                detail=f"{self.path}: {error}",
                next_step="Close other programs that use it, and try again.",
            ) from error

    def close(self) -> None:
        """Close every connection; the database cannot be used afterwards."""
        with self._lock:
            self._closed = True
            for connection in self._connections:
                connection.close_behind()
            self._connections.clear()
        self._local = threading.local()


def _opening_fault(error: OSError | sqlite3.Error, path: Path) -> StoreError:
    """Return the words for a file that cannot be opened."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreError("The disk is full", detail=f"{path}: {error.strerror}", next_step=FREE_SPACE)
    fault = fault_of(error, path) if isinstance(error, sqlite3.Error) else None
    if fault is not None and "unable to open" not in fault.detail and "readonly" not in fault.detail:
        return fault
    return StoreError(
        "The database cannot be opened",
        detail=f"{path}: {error}",
        next_step="Check that the file is a turnwise database and can be written, "
        "or name another with --db or TURNWISE_DB.",
    )
