"""Commands of turnwise in processes of their own, for tests that kill, interrupt or race them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager


@contextmanager
def running(words: Sequence[object]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command line in a process of its own, and end it whatever happens."""
    command = [sys.executable, "-c", "from turnwise.tui.cli.main import main; main()", *map(str, words)]
    environment = {**os.environ, "OPENAI_API_KEY": "none"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def until(condition: Callable[[], bool], *, seconds: float = 60.0) -> None:
    """Wait until something is so. Raises AssertionError where it does not come about."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited for {seconds:.0f} seconds"
        time.sleep(0.02)
