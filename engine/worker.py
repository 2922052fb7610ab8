"""Worker: a process of its own that answers calls into one script, one after another, and can be stopped.

A call is a line of JSON on its standard input. A reply is a line on its standard output that begins with the
call's number, which nobody else knows: what the script prints is never taken for one.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from turnwise.conversations.children import let_go, watch_over
from turnwise.conversations.errors import SettingError
from turnwise.engine.models.timing import note_time

SECONDS = 60.0
"""How long one call may take."""
LONGEST_REPLY = 20_000_000
"""Bytes of one reply, and of all that is printed between two."""
_TAIL = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """What a script gave back: plain data, or nothing (missing).

    error: what it threw; is_lost: it could not even be loaded, so that nothing of it has run. seconds: how
    long it ran, as its process says, or else until its reply was there.
    """

    value: Any = None
    missing: bool = False
    error: str = ""
    is_lost: bool = False
    seconds: float | None = None


class Worker:
    """A process that answers calls, started when it is first asked, and anew after it ended.

    command: what is started. folder: where. name: of the script, for messages. ending: what it means when
    the process ends by itself. greeting: a first call to every new process, which may take SECONDS: what it
    loads is not part of the time of a call. Calls wait for one another.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        name: str,
        *,
        seconds: float = SECONDS,
        ending: str = "ended before it answered",
        greeting: Mapping[str, Any] | None = None,
    ) -> None:
        self._command = list(command)
        self._folder = folder
        self._name = name
        self._seconds = seconds
        self._ending = ending
        self._greeting = greeting
        self._calls = ThreadPoolExecutor(1)
        self._process: subprocess.Popen[bytes] | None = None
        self._printed = b""
        self._closed = False

    def ask(self, call: Mapping[str, Any], *, seconds: float | None = None) -> Returned:
        """Return what a call gave back. seconds: how long it may take, where not as long as all others.

        Raises SettingError where it does not end, or the process does.
        """
        asked = self._calls.submit(self._ask, call, seconds)
        try:
            return asked.result()
        except KeyboardInterrupt:
            # Whoever does not wait any longer needs no answer.
            if not asked.cancel():
                self.stop()
            raise

    async def ask_soon(self, call: Mapping[str, Any]) -> Returned:
        """Return what a call gave back, while others run. A call that is cancelled is stopped."""
        asked = self._calls.submit(self._ask, call)
        try:
            returned = await asyncio.wrap_future(asked)
        except asyncio.CancelledError:
            if not asked.cancel():
                self.stop()
            raise
        note_time(returned.seconds)
        return returned

    def stop(self) -> None:
        """End the process and all that it started."""
        if self._process is not None and self._process.returncode is None:
            end(self._process)

    def close(self) -> None:
        """Stop, and take no more calls."""
        self._closed = True
        self._calls.shutdown(wait=False, cancel_futures=True)
        self.stop()
        self._calls.shutdown(wait=True)
        if self._process is not None:
            _forget(self._process)

    def _ask(self, call: Mapping[str, Any], seconds: float | None = None) -> Returned:
        if self._closed:
            raise SettingError(f"{self._name} was stopped", next_step="Run it again.")
        process = self._process
        if process is None or process.poll() is not None:
            process = self._started()
            if self._greeting is not None:
                self._answer(process, self._greeting, SECONDS)
        return self._answer(process, call, self._seconds if seconds is None else seconds)

    def _answer(self, process: subprocess.Popen[bytes], call: Mapping[str, Any], seconds: float) -> Returned:
        mark = secrets.token_hex(16)
        began = time.perf_counter()
        with ended_after(seconds, process) as overdue:
            reply = _exchanged(process, mark, call)
        if reply is not None:
            return _returned(reply, time.perf_counter() - began)
        end(process)
        # Until it is gone, it would be taken for one that can answer the next call.
        process.wait()
        if overdue.is_set():
            raise SettingError(
                f"{self._name} ran for more than {seconds:g} seconds", next_step="Mend the script."
            )
        raise SettingError(f"{self._name} {self._ending}", detail=self._tail(), next_step="Mend the script.")

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None:
            _forget(self._process)
        self._printed = b""
        self._process = process = start(self._command, self._folder)
        threading.Thread(target=self._listen, args=(process.stderr,), daemon=True).start()
        return process

    def _listen(self, stream: IO[bytes]) -> None:
        # A full pipe would stop the script in the middle of a print.
        with stream, suppress(OSError, ValueError):
            while piece := stream.read1(65536):  # type: ignore[attr-defined]
                self._printed = (self._printed + piece)[-_TAIL:]

    def _tail(self) -> str:
        return shortened(self._printed)


def start(command: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    """Start a command with pipes, in a group of its own that ends with this program; `let_go` has to follow.

    Raises SettingError where it cannot be started.
    """
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SettingError(
            f"{command[0]} cannot be started", detail=told, next_step="Check that it is installed."
        ) from None
    watch_over(process)
    return process


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and all of its group, at once; the children of one that ended just now too."""
    with suppress(OSError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


@contextmanager
def ended_after(seconds: float, process: subprocess.Popen[bytes]) -> Iterator[threading.Event]:
    """End a process that is not done with something in time. Gives what is set when that has happened."""
    overdue = threading.Event()

    def stop_late() -> None:
        overdue.set()
        end(process)

    timer = threading.Timer(seconds, stop_late)
    timer.daemon = True
    timer.start()
    try:
        yield overdue
    finally:
        timer.cancel()


def shortened(printed: bytes) -> str:
    """Return the last lines of what was printed on standard error."""
    lines = printed[-_TAIL:].decode("utf-8", "replace").strip().splitlines()
    return "\n".join(lines[-4:])


def _exchanged(process: subprocess.Popen[bytes], mark: str, call: Mapping[str, Any]) -> Any:
    """Return the reply to a call; None where the process ended, or wrote too much."""
    assert process.stdin is not None  # noqa: S101 - start() asked for pipes
    assert process.stdout is not None  # noqa: S101
    opening, left = mark.encode() + b" ", LONGEST_REPLY
    try:
        process.stdin.write(json.dumps({"mark": mark, **call}, default=str).encode() + b"\n")
        process.stdin.flush()
        while left > 0 and (line := process.stdout.readline(left)):
            left -= len(line)
            if line.startswith(opening) and line.endswith(b"\n"):
                return json.loads(line[len(opening) :])
    except (OSError, ValueError, RecursionError):
        return None
    return None


def _returned(reply: Any, seconds: float) -> Returned:
    if not isinstance(reply, dict):
        return Returned(error="it gave no reply that can be read")
    if reply.get("error"):
        return Returned(error=str(reply["error"])[:2000], is_lost=reply.get("lost") is True)
    told = reply.get("seconds")
    own = told if isinstance(told, int | float) and 0 <= told <= seconds else seconds
    return Returned(value=reply.get("value"), missing=reply.get("missing") is True, seconds=own)


def _forget(process: subprocess.Popen[bytes]) -> None:
    # Long after its end, a process's number may be another's.
    if process.returncode is None:
        end(process)
        process.wait()
    let_go(process)
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()
