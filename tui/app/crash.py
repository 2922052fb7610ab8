"""What becomes of an error that nothing expected: words for the person, and its traceback in a file."""

from __future__ import annotations

import errno
import os
import sqlite3
import traceback
from datetime import UTC, datetime
from pathlib import Path

from turnwise.conversations.errors import NotFoundError, StoreError, TurnwiseError
from turnwise.conversations.private_files import data_folder, make_private_folder
from turnwise.conversations.store import FREE_SPACE, fault_of

TRACEBACK_VARIABLE = "TURNWISE_TRACEBACK"
KEPT_LOGS = 10


def wants_traceback() -> bool:
    """Say whether TURNWISE_TRACEBACK asks for tracebacks."""
    return bool(os.environ.get(TRACEBACK_VARIABLE))


def known_error(error: BaseException) -> TurnwiseError | None:
    """Return the words for an error that a person can do something about; None for any other.

    An error of ours is its own words, that of a worker those of what went wrong in it.
    """
    if isinstance(error, TurnwiseError):
        return error
    inner = getattr(error, "error", None)
    if isinstance(inner, BaseException):
        return known_error(inner)
    if isinstance(error, sqlite3.Error):
        return fault_of(error)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreError("The disk is full", detail=str(error), next_step=FREE_SPACE)
    if isinstance(error, FileNotFoundError) and not _is_somewhere():
        return NotFoundError(
            "The folder that you are in is not there any more", next_step="Go to another one, then try again."
        )
    return None


def _is_somewhere() -> bool:
    try:
        Path.cwd()
    except OSError:
        return False
    return True


def crash_error(error: BaseException, folder: Path | None = None) -> TurnwiseError:
    """Return the words for a mistake of ours, and keep its traceback in a file that they name.

    folder: where the file goes; None for the data folder.
    """
    inner = getattr(error, "error", None)
    cause = inner if isinstance(inner, BaseException) else error
    log = write_crash_log(cause, folder)
    what = traceback.format_exception_only(cause)[-1].strip()
    place = f"The particulars are in {log}" if log else "The particulars could not be kept"
    return TurnwiseError(
        "turnwise broke off by a mistake of its own",
        detail=f"{what[:500]}\n{place}",
        next_step="What was kept is kept: start again. "
        f"{TRACEBACK_VARIABLE}=1 shows the particulars here; a report of them helps.",
    )


def write_crash_log(error: BaseException, folder: Path | None = None) -> Path | None:
    """Write a traceback into a file of its own, for its owner alone; None where it cannot be written.

    The newest ten are kept. Values of variables, which may hold keys and conversations, are left out.
    """
    folder = folder or data_folder() / "crashes"
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    try:
        make_private_folder(folder)
        path = folder / f"crash-{stamp}.log"
        text = "".join(traceback.format_exception(error))
        with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
            file.write(f"{stamp}\n{text}")
        for old in sorted(folder.glob("crash-*.log"))[:-KEPT_LOGS]:
            old.unlink(missing_ok=True)
    except OSError:
        return None
    return path
