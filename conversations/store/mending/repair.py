"""Repair: what can be read of a damaged database is copied into a new file; the old one is kept beside it.

Rows are read in the order of their numbers; where a page cannot be read, the next number that can be is
looked for, so that a page costs the rows on it and no others. Text that is no text gets replacement
characters, broken JSON is made whole as far as it goes, and a session or run of which only the parts are left
gets a row that says so.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import DamageError
from turnwise.conversations.store.counted.kept_counts import recount
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.facts.index import index_all
from turnwise.conversations.store.keeping.addresses import address_of
from turnwise.conversations.store.keeping.damage import (
    TellingConnection,
    file_problems,
    forget_damage,
    is_damage,
)
from turnwise.conversations.store.keeping.faults import fault_of
from turnwise.conversations.store.schema import SCHEMA_VERSION
from turnwise.conversations.texts import mend_text

RECOVERED = "(recovered)"
"""Stands before what is said in the place of something lost."""
_JSON: Mapping[str, Mapping[str, Any]] = {
    "sessions": {"data": {}},
    "turns": {"data": {}},
    "runs": {"judge_settings": {}, "metrics": [], "parameters": {}},
    "scores": {"details": {}},
    "calls": {"request": {}, "usage": {}},
    "queues": {"settings": {}},
}
"""The columns that hold JSON, with what stands for one that cannot be made whole."""
_ROLES = ("user", "assistant", "system", "developer", "tool")
_FARTHEST = 1 << 48


@dataclass(slots=True)
class Repair:
    """What came of a repair.

    kept: where the old file is now. copied: how many rows there are of each table. mended: rows of which not
    all could be read. left_out: rows that could not stand in the new file. gaps: places where rows could not
    be read at all. recovered: sessions and runs of which only a part was left.
    """

    kept: Path
    copied: dict[str, int] = field(default_factory=dict)
    mended: int = 0
    left_out: int = 0
    gaps: int = 0
    recovered: int = 0


def repair_database(path: Path) -> Repair:
    """Put a new file with all that can be read in the place of a damaged one, which is kept beside it.

    Raises StoreError where another program uses the file, and where the new one cannot be written.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    kept = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
    found = Repair(kept)
    try:
        with closing(_opened(path)) as source:
            _hold(source, path)
            Database.open(part).close()
            with closing(_opened(part)) as target:
                _copy_all(source, target, found)
        if wrong := file_problems(part):
            raise DamageError("The repaired database is not sound", detail=f"{part}: {wrong[0]}")
        _swap(path, part, kept)
    except sqlite3.DatabaseError as error:
        raise fault_of(error, path) or error from error
    finally:
        for ending in ("", "-wal", "-shm"):
            Path(f"{part}{ending}").unlink(missing_ok=True)
    forget_damage(path)
    return found


def copy_database(path: Path, to: Path) -> None:
    """Copy a database, page by page, as it is at one moment, whoever writes meanwhile. Raises StoreError."""
    try:
        with closing(_opened(path)) as source, _copy_at(to) as target:
            source.backup(target)
            # A copy is one file: what is in it must not wait in another.
            target.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise fault_of(error, path) or error from error


def _copy_at(to: Path) -> closing[TellingConnection]:
    return closing(sqlite3.connect(to, factory=TellingConnection))


def damaged_sessions(path: Path) -> list[int]:
    """Return the numbers of the sessions in which text or JSON is damaged.

    Raises sqlite3.DatabaseError where not all of them can be read.
    """
    found: set[int] = set()
    queries = (
        "SELECT id, name, chatbot_role, source, data FROM sessions",
        "SELECT session_id, role, content, data FROM turns",
        "SELECT session_id, metric, reason, details FROM scores",
        "SELECT session_id, author, note, '{}' FROM labels",
    )
    with closing(_opened(path)) as connection:
        connection.text_factory = bytes
        for query in queries:
            found.update(row[0] for row in connection.execute(query) if not _is_whole(row[1:]))
    return sorted(number for number in found if isinstance(number, int))


def _is_whole(values: tuple[Any, ...]) -> bool:
    """Whether texts are texts, and the last of them is JSON."""
    try:
        *_, data = (value.decode() if isinstance(value, bytes) else str(value) for value in values)
        if data != "{}":
            json.loads(data)
    except ValueError:
        return False
    return True


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        address_of(path, "rw"), uri=True, timeout=5.0, isolation_level=None, factory=TellingConnection
    )
    connection.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
    return connection


def _hold(source: sqlite3.Connection, path: Path) -> None:
    """Keep other programs from writing. Raises StoreError where one does."""
    try:
        source.execute("BEGIN IMMEDIATE")
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise fault_of(error, path) or error from error


def _swap(path: Path, part: Path, kept: Path) -> None:
    """Let the new file take the old one's name in one step; what was not yet in the old one stays with it."""
    try:
        os.link(path, kept)
    except OSError:
        # A file system without links.
        path.rename(kept)
    for ending in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            Path(f"{path}{ending}").rename(f"{kept}{ending}")
    part.replace(path)


def _copy_all(source: sqlite3.Connection, target: sqlite3.Connection, found: Repair) -> None:
    _mend_schema(source, target)
    target.execute("PRAGMA foreign_keys = OFF")
    target.execute("BEGIN IMMEDIATE")
    tables = target.execute(
        "SELECT name, sql LIKE '%WITHOUT ROWID%' FROM sqlite_master WHERE type = 'table' "
        "AND name NOT LIKE 'turns_fts%' AND name NOT LIKE '%sqlite%' "
        # Made anew from what is left: what is damaged there need not be mended.
        "AND name NOT IN ('facts', 'session_facts', "
        "'outcome_counts', 'failed_turns', 'run_counts', 'run_costs') ORDER BY rowid"
    ).fetchall()
    for name, without_rowid in tables:
        found.copied[name] = _copy(source, target, name, bool(without_rowid), found)
    _stand_in(target, found)
    for name, _ in tables:
        found.left_out += _drop_orphans(target, name)
    index_all(target)
    recount(target)
    target.execute("COMMIT")


def _mend_schema(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Let the old file be read by the new one's words for its tables, where its own are damaged.

    Every file's tables are made in the same order. What is changed here is never committed.
    """
    entries = "SELECT rowid, type, name, tbl_name, sql FROM sqlite_master"
    with suppress(sqlite3.DatabaseError):
        source.execute("PRAGMA writable_schema = ON")
        if source.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION:
            ours = {row[0]: tuple(row)[1:] for row in target.execute(entries)}
            for number, *words in source.execute(entries).fetchall():
                if number in ours and tuple(words) != ours[number]:
                    source.execute(
                        "UPDATE sqlite_master SET type = ?, name = ?, tbl_name = ?, sql = ? WHERE rowid = ?",
                        [*ours[number], number],
                    )
        source.execute("PRAGMA writable_schema = RESET")


def _copy(
    source: sqlite3.Connection, target: sqlite3.Connection, table: str, without_rowid: bool, found: Repair
) -> int:
    """Copy what can be read of a table, and return how many rows that is."""
    columns = [row[1] for row in target.execute(f"PRAGMA table_info({table})")]
    keys = [row[1] for row in target.execute(f"PRAGMA table_info({table})") if row[5]]
    try:
        known = {row[1] for row in source.execute(f"PRAGMA table_info({table})")}
    except sqlite3.DatabaseError:
        known = set()
    shared = [name for name in columns if name in known]
    if not shared:
        found.gaps += 1
        return 0
    # A new file has a key of its own already.
    word = "REPLACE" if table == "secrets" else "IGNORE"
    insert = f"INSERT OR {word} INTO {table} ({', '.join(shared)}) VALUES ({', '.join('?' * len(shared))})"  # noqa: S608
    count = 0
    for row in _readable_rows(source, table, shared, keys[0] if without_rowid else "rowid", found):
        values, is_mended = _mended(table, dict(zip(shared, row, strict=True)))
        done = target.execute(insert, list(values.values())).rowcount
        count += done
        found.left_out += 1 - done
        found.mended += is_mended and done
    return count


def _readable_rows(
    source: sqlite3.Connection, table: str, columns: list[str], key: str, found: Repair
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table that can be read, in the order of a key, which should be a number."""
    select = f"SELECT {key}, {', '.join(columns)} FROM {table} NOT INDEXED"  # noqa: S608
    last: Any = None
    while True:
        where, values = ("", []) if last is None else (f"WHERE {key} >= ?", [last])
        try:
            for row in source.execute(f"{select} {where} ORDER BY {key}", values):
                last = row[0]
                yield tuple(row)[1:]
            return
        except sqlite3.DatabaseError:
            found.gaps += 1

        def can_begin(number: int) -> bool:
            try:
                source.execute(f"{select} WHERE {key} >= ? ORDER BY {key} LIMIT 1", [number]).fetchone()
            except sqlite3.DatabaseError:
                return False
            return True

        after = _next_readable(can_begin, last if isinstance(last, int) else 0)
        if after is None or not isinstance(last, int | None):
            return
        last = after


def _next_readable(can_begin: Callable[[int], bool], last: int) -> int | None:
    """Return the least number after `last` at which reading can begin again; None where there is none."""
    step = 1
    while not can_begin(last + step):
        step *= 2
        if step > _FARTHEST:
            return None
    low, high = last + step // 2, last + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if can_begin(middle) else (middle, high)
    return high


def _mended(table: str, row: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return a row as it can be stored, and whether that is less than it was."""
    mended = {name: mend_text(value) if isinstance(value, str) else value for name, value in row.items()}
    for name, nothing in _JSON.get(table, {}).items():
        if name in mended:
            mended[name] = _whole_json(mended[name], nothing)
    if table == "turns" and mended.get("role") not in _ROLES:
        mended["role"] = "assistant"
    return mended, mended != row


def _whole_json(text: Any, nothing: Any) -> str:
    try:
        if isinstance(json.loads(text), type(nothing)):
            return str(text)
    except (ValueError, TypeError):
        pass
    # Only a repair needs it.
    import json_repair

    whole = json_repair.loads(text) if isinstance(text, str) else nothing
    return json.dumps(whole if isinstance(whole, type(nothing)) else nothing, ensure_ascii=False)


def _stand_in(target: sqlite3.Connection, found: Repair) -> None:
    """Make a row for every session and run of which only the parts are left."""
    now = time.time()
    parts = ("turns", "scores", "labels", "mode_assignments")
    for number in _missing(target, parts, "session_id", "sessions"):
        target.execute(
            "INSERT INTO sessions (id, fingerprint, name, kind, source, format, created_at) "
            "VALUES (?, ?, ?, 'conversation', 'recovered', 'recording', ?)",
            [number, f"recovered:{uuid.uuid4().hex}", f"{RECOVERED} session {number}", now],
        )
        found.recovered += 1
    silent = "SELECT id FROM sessions WHERE NOT EXISTS (SELECT 1 FROM turns WHERE session_id = sessions.id)"
    for (number,) in target.execute(silent).fetchall():
        # Without any message a session could never be read again.
        target.execute(
            "INSERT INTO turns (session_id, position, role, content) VALUES (?, 0, 'system', ?)",
            [number, f"{RECOVERED} Nothing that was said is left."],
        )
        found.recovered += 1
    for number in _missing(target, ("scores", "answers", "split_uses"), "run_id", "runs"):
        target.execute(
            "INSERT INTO runs (id, created_at, judge, metrics, name) VALUES (?, ?, 'unknown', '[]', ?)",
            [number, now, f"{RECOVERED} run {number}"],
        )
        found.recovered += 1


def _missing(target: sqlite3.Connection, tables: tuple[str, ...], column: str, parent: str) -> list[int]:
    every = " UNION ".join(f"SELECT {column} AS number FROM {table}" for table in tables)  # noqa: S608
    sql = f"SELECT number FROM ({every}) WHERE number NOT IN (SELECT id FROM {parent})"  # noqa: S608
    return [row[0] for row in target.execute(sql)]


def _drop_orphans(target: sqlite3.Connection, table: str) -> int:
    """Leave out the rows that belong to something that is gone, and return how many those were."""
    count = 0
    for link in target.execute(f"PRAGMA foreign_key_list({table})").fetchall():
        parent, column, theirs = link[2], link[3], link[4]
        count += target.execute(
            f"DELETE FROM {table} WHERE {column} NOT IN (SELECT {theirs} FROM {parent})"  # noqa: S608
        ).rowcount
    return count
