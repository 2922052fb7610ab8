"""Commands of turnwise in processes of their own, for tests that kill, interrupt or race them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

LONGEST = 240.0
"""Seconds after which a program of a test is ended, so that whoever reads from it reads an end."""


@contextmanager
def running(words: Sequence[object]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command line in a process of its own, and end it whatever happens."""
    command = [sys.executable, "-c", "from turnwise.tui.cli.main import main; main()", *map(str, words)]
    environment = {**os.environ, "OPENAI_API_KEY": "none"}
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process,
        limited(process),
    ):
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def limited(process: subprocess.Popen[Any], *, seconds: float = LONGEST) -> Iterator[None]:
    """End a process that is there for so long: nobody waits for its words, or for its end, any longer."""
    limit = threading.Timer(seconds, process.kill)
    limit.daemon = True
    limit.start()
    try:
        yield
    finally:
        limit.cancel()


def read_until(told: IO[bytes] | None, words: bytes) -> None:
    """Read lines up to the one that holds some words. Raises AssertionError where there is none."""
    assert told is not None
    read = b""
    while words not in (line := told.readline()):
        read += line
        assert line, f"{words!r} never came; there is: {read!r}"


def until(condition: Callable[[], bool], *, seconds: float = 60.0) -> None:
    """Wait until something is so. Raises AssertionError where it does not come about."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited for {seconds:.0f} seconds"
        time.sleep(0.02)
