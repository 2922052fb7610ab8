"""Faults: what goes wrong with the file, in words, with the step that mends it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from turnwise.conversations.errors import StoreBusyError, StoreError
from turnwise.conversations.store.keeping.damage import damage_error, is_damage

_UNWRITABLE = "The database cannot be written"
_READ_ONLY = "it or its folder can be read only"
MAKE_WRITABLE = (
    "Take permission to write the file and its folder, or copy the file and open the copy: turnwise --db COPY"
)
FREE_SPACE = "Free some space, then go on: what was kept before is kept."
_FULL = "The disk is full"
_WORDS = (
    ("disk is full", _FULL, FREE_SPACE),
    ("readonly", _UNWRITABLE, MAKE_WRITABLE),
    (
        "unable to open",
        "The database cannot be opened any more",
        "Check that its file and folder are still there.",
    ),
    ("disk I/O", "The disk could not read or write the database", "Check the disk, then try again."),
)
_TIGHT = 64 * 1024
"""Bytes: SQLite needs a little more than half of this beside the file, even to read it."""


def fault_of(error: sqlite3.Error, path: Path | None = None) -> StoreError | None:
    """Return the words for an error that a person can do something about; None for any other."""
    if isinstance(error, sqlite3.IntegrityError) and "FOREIGN KEY" in str(error):
        return StoreError(
            "What this belongs to is not there any more, so it was not kept",
            next_step="It was forgotten meanwhile, here or by another program: go on with another.",
        )
    if is_damage(error):
        return damage_error(error, path)
    told = str(error)
    detail = f"{path}: {told}" if path else told
    if is_busy(error):
        return StoreBusyError(
            "The database is in use by another program",
            detail=detail,
            next_step="Wait for it or close it, then try again.",
        )
    if path is not None and _lacks_space(told, path.parent):
        return StoreError(_FULL, detail=detail, next_step=FREE_SPACE)
    if path is not None and "disk is full" in told and not _is_tight(path.parent):
        import tempfile  # with all that it loads, it takes longer than to open a database

        folder = tempfile.gettempdir()
        if _is_tight(Path(folder)):
            return StoreError(
                "The disk of temporary files is full",
                detail=f"{folder}: {told}",
                next_step="Free some space there, or name another folder with TMPDIR. "
                "What was kept before is kept.",
            )
    if path is not None and (most := _size_limit(told, path)):
        return StoreError(
            "The database may not grow any further",
            detail=f"{path}: this system lets programs write files of {most:,} bytes at most",
            next_step="Raise the limit (`ulimit -f unlimited`), or take another database with --db.",
        )
    for part, title, step in _WORDS:
        if part in told:
            return StoreError(title, detail=detail, next_step=step)
    return None


def unwritable(path: Path) -> StoreError:
    """Return the words for a database that can be read only, where nothing was tried yet."""
    return StoreError(_UNWRITABLE, detail=f"{path}: {_READ_ONLY}", next_step=MAKE_WRITABLE)


def not_upgradable(path: Path) -> StoreError:
    """Return the words for a database of an earlier version that can be read only, and so not made ready."""
    return StoreError(
        "This database was made by an earlier turnwise, and cannot be made ready where it is",
        detail=f"{path}: {_READ_ONLY}",
        next_step=MAKE_WRITABLE,
    )


def missing_row(path: Path, what: str) -> StoreError:
    """Return the words for a row that every database has, and this one has not."""
    return damage_error(LookupError(f"{what} is missing"), path)


def is_busy(error: BaseException) -> bool:
    """Whether SQLite says that another program holds the file."""
    return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)


def _lacks_space(told: str, folder: Path) -> bool:
    """Whether an error that speaks of something else comes from a disk that is full.

    What SQLite cannot make beside the file, such as its shared memory, it calls an error of the disk.
    """
    return ("disk I/O" in told or "unable to open" in told) and _is_tight(folder)


def _size_limit(told: str, path: Path) -> int:
    """Return the limit on the size of files that a database has come to, in bytes; 0 where it has not."""
    if "disk I/O" not in told and "disk is full" not in told:
        return 0
    try:
        import resource  # for what went wrong alone; Windows has none
    except ImportError:
        return 0
    most = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    if most == resource.RLIM_INFINITY:
        return 0
    beside = (path, path.with_name(f"{path.name}-wal"))
    largest = max((file.stat().st_size for file in beside if file.exists()), default=0)
    return most if largest + _TIGHT >= most else 0


def _is_tight(folder: Path) -> bool:
    try:
        import shutil  # for a full disk alone

        return shutil.disk_usage(folder).free < _TIGHT
    except OSError:
        return False
