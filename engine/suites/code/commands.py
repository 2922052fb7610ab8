"""A command that is run once: data on its standard input, what it writes on its standard output."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

from turnwise.conversations.children import let_go
from turnwise.conversations.errors import SettingError
from turnwise.engine.models.timing import note_time
from turnwise.engine.worker import LONGEST_REPLY, end, ended_after, shortened, start


class Command:
    """A command at one place. words: the program and its arguments; no shell reads them.

    seconds: how long it ran, from its start to the end of what it wrote.
    """

    def __init__(self, words: Sequence[str], folder: Path, name: str, *, seconds: float) -> None:
        self._words = list(words)
        self._folder = folder
        self._name = name
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._cancelled = False
        self.seconds: float | None = None

    async def output(self, given: bytes) -> bytes:
        """Return what the command writes, while others run. When it is cancelled, it is ended."""
        thread = ThreadPoolExecutor(1)
        running = thread.submit(self.output_now, given)
        try:
            written = await asyncio.wrap_future(running)
            note_time(self.seconds)
            return written
        finally:
            self._cancelled = True
            if self._process is not None and not running.done():
                end(self._process)
            thread.shutdown(wait=False, cancel_futures=True)

    def output_now(self, given: bytes) -> bytes:
        """Return what the command writes, given its standard input.

        Raises SettingError where it cannot start, fails, takes too long or writes too much.
        """
        if self._cancelled:
            return b""
        process = self._process = start(self._words, self._folder)
        began = time.perf_counter()
        if self._cancelled:
            end(process)
        try:
            with ended_after(self._seconds, process) as overdue, ThreadPoolExecutor(2) as threads:
                threads.submit(_write, process.stdin, given)
                complaint = threads.submit(_read, process.stderr, process, keep=False)
                written = _read(process.stdout, process, keep=True)
                self.seconds = time.perf_counter() - began
                told = shortened(complaint.result())
                code = process.wait()
        finally:
            end(process)
            process.wait()
            let_go(process)
            for stream in (process.stdout, process.stderr):
                if stream is not None:
                    stream.close()
        if overdue.is_set():
            raise SettingError(
                f"{self._name} ran for more than {self._seconds:g} seconds",
                detail=told,
                next_step="Mend the script.",
            )
        if len(written) > LONGEST_REPLY:
            raise SettingError(
                f"{self._name} wrote more than {LONGEST_REPLY:,} bytes", next_step="Mend the script."
            )
        if code:
            raise SettingError(
                f"{self._name} ended with exit code {code}", detail=told, next_step="Mend the script."
            )
        return written


def _write(stream: IO[bytes] | None, given: bytes) -> None:
    # A command that does not read what it is given may well have ended by now.
    assert stream is not None  # noqa: S101 - start() asked for pipes
    try:
        stream.write(given)
        stream.close()
    except (OSError, ValueError):
        return


def _read(stream: IO[bytes] | None, process: subprocess.Popen[bytes], *, keep: bool) -> bytes:
    """Return what a stream brings; too much of it ends the process. keep: all of it, not its last part."""
    assert stream is not None  # noqa: S101 - start() asked for pipes
    found = b""
    pieces: list[bytes] = []
    size = 0
    while piece := stream.read1(65536):  # type: ignore[attr-defined]
        if not keep:
            found = (found + piece)[-4000:]
            continue
        pieces.append(piece)
        size += len(piece)
        if size > LONGEST_REPLY:
            end(process)
            break
    return b"".join(pieces) if keep else found
