"""A lock on a file that the operating system lifts when its holder ends, however it ends."""

from __future__ import annotations

import sys
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self


class FileLock:
    """A lock that one holder at a time has, in this process or another.

    Use it as a context manager and call `try_acquire` inside; leaving gives the lock back. The empty
    file stays, since removing it could hand the lock to two.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        self._file = self._path.open("ab")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def try_acquire(self) -> bool:
        """Return whether the lock is ours now; never waits."""
        if self._file is None:
            raise RuntimeError("a FileLock is acquired inside its with block")
        try:
            _lock(self._file)
        except (BlockingIOError, PermissionError):
            return False
        return True


def _lock(file: BinaryIO) -> None:
    if sys.platform == "win32":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
