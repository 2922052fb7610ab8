"""Another program that holds the write lock of a database, for as long as a test wants."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from processes import limited

_PROGRAM = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
database.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


class LockHolder:
    """A process that holds the lock until `free` is called."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdout is not None
        with limited(self._process):
            assert self._process.stdout.readline() == b"held\n"

    def free(self) -> None:
        """Let the database go."""
        self._process.communicate(timeout=30)

    def end(self) -> None:
        """End the process, whatever it holds."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


@contextmanager
def held(path: Path) -> Iterator[LockHolder]:
    """Have another process hold the write lock of a database."""
    holder = LockHolder(path)
    try:
        yield holder
    finally:
        holder.end()
