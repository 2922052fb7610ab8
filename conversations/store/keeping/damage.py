"""Damage: what shows that a database was changed by something that is no database, and what follows from it.

At the first sign the file is checked once. Where the check finds fault, a small file beside the database says
so, `NAME.damaged`, and nothing is written to the database as long as a check still finds fault: what is
written into a damaged file may spoil what can still be read.
"""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import DamageError
from turnwise.conversations.store.keeping.addresses import address_of

REPAIR_STEP = (
    "`turnwise doctor` says more; `turnwise doctor --repair` copies what can be read into a new file."
)
SESSION_FAULTS = (sqlite3.DatabaseError, ValueError, LookupError, TypeError, AttributeError)
"""What reading a session raises where its rows hold something that was never written there."""
_MOST_PROBLEMS = 20
_CORRUPT = 11
_SIGNS = ("malformed", "Could not decode", "no such table", "tokenizer", "vtable constructor", "fts5:")


class TellingConnection(sqlite3.Connection):
    """A connection whose errors can be told: SQLite quotes damaged names of tables, and they are no text."""

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Execute a statement."""
        try:
            return super().execute(sql, parameters)
        except UnicodeDecodeError:
            raise sqlite3.DatabaseError("malformed database schema") from None


def is_damage(error: BaseException) -> bool:
    """Whether an error of SQLite's tells of damage, and not of a lock, a full disk or a mistake of ours."""
    if isinstance(error, UnicodeDecodeError):
        # SQLite quotes what is damaged, and its words are then no text either.
        return True
    if not isinstance(error, sqlite3.DatabaseError):
        return False
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code == _CORRUPT or any(sign in str(error) for sign in _SIGNS)


def stored_json(text: str) -> Any:
    """Return what a column holds as JSON. Raises DamageError where it is none."""
    try:
        return json.loads(text)
    except (ValueError, TypeError) as error:
        raise DamageError(
            "What is stored is damaged", detail=f"No JSON: {text!r:.100} ({error})", next_step=REPAIR_STEP
        ) from None


def damage_error(error: BaseException, path: Path | None = None) -> DamageError:
    """Return the words for damage that keeps a whole command from its work."""
    told = "its own words cannot be read" if isinstance(error, UnicodeDecodeError) else str(error)
    detail = f"{path}: {told}" if path else told
    return DamageError("The database is damaged", detail=detail, next_step=REPAIR_STEP)


def session_damage(session_id: int, error: BaseException) -> DamageError:
    """Return the words for a session that cannot be read."""
    first = next(iter(str(error).splitlines()), "")[:200]
    found = DamageError(
        f"Session {session_id:,} is damaged",
        detail=f"It cannot be read: {first or type(error).__name__}",
        next_step=REPAIR_STEP,
    )
    found.session = session_id
    return found


def file_problems(path: Path) -> list[str]:
    """Return what SQLite finds wrong with a file, empty where it is sound. It reads all of the file."""
    try:
        with closing(
            sqlite3.connect(address_of(path, "ro"), uri=True, factory=TellingConnection)
        ) as connection:
            # What cannot be written in UTF-8 is to be told too.
            connection.text_factory = lambda told: told.decode("utf-8", "replace")
            found = [row[0] for row in connection.execute(f"PRAGMA quick_check({_MOST_PROBLEMS})")]
            made = connection.execute("PRAGMA user_version").fetchone()[0]
            if made and connection.execute("SELECT value FROM secrets").fetchone() is None:
                found.append("the row of its secret is missing")
    except sqlite3.DatabaseError as error:
        return [str(error)] if is_damage(error) or "not a database" in str(error) else []
    return [line for told in found for line in str(told).splitlines() if line != "ok"]


def note_damage(path: Path) -> bool:
    """Check a file that showed a sign of damage, and mark it where it is damaged; say whether it is."""
    if not (found := file_problems(path)):
        return False
    with suppress(OSError):
        handle = os.open(_mark(path), os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write("\n".join(found) + "\n")
    return True


def forget_damage(path: Path) -> None:
    """Take the mark away."""
    with suppress(OSError):
        _mark(path).unlink(missing_ok=True)


def require_sound(path: Path) -> None:
    """Raise DamageError where a file is marked as damaged and still is; one that was put right is free."""
    if not _mark(path).exists():
        return
    if found := file_problems(path):
        raise DamageError(
            "The database is damaged, and nothing is written to it",
            detail=f"{path}: {found[0]}",
            next_step=REPAIR_STEP,
        )
    forget_damage(path)


def _mark(path: Path) -> Path:
    return path.with_name(f"{path.name}.damaged")
