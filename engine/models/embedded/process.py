"""The process that a model runs in, seen from the program that started it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from turnwise.engine.models.embedded.child import ModelOrder

_GRACE_SECONDS = 2.0
_LINES_KEPT = 6
_LONGEST_WORDS = 1000
_STAMP = re.compile(r"^\d+(\.\d+)+ [A-Z] ")
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class ModelProcess:
    """A started child.py. It belongs to no event loop; `wait_for_answer` and `end` block.

    It ends by itself when this program does, since its stdin ends then.
    """

    def __init__(self, order: ModelOrder) -> None:
        """Start the process. Raises OSError where that is not possible."""
        # A pipe would have to be read all the time, lest a talkative library stops in it.
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed by end()
        try:
            self._popen = subprocess.Popen(
                # -P keeps a file of the current folder from being imported in a library's place.
                [sys.executable, "-P", "-m", "turnwise.engine.models.embedded.child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                bufsize=0,
                env=_environment(),
                **_apart(),
            )
        except OSError:
            self._complaints.close()
            raise
        self.pid = self._popen.pid
        self._api_key = order.api_key
        assert self._popen.stdin is not None  # noqa: S101 - asked for above
        # Where it is dead already, wait_for_answer tells.
        with suppress(OSError):
            self._popen.stdin.write(json.dumps(asdict(order)).encode() + b"\n")

    def is_running(self) -> bool:
        """Whether the process has not ended. One that was killed a moment ago may still seem to run."""
        return self._popen.poll() is None

    def wait_for_answer(self) -> dict[str, str] | None:
        """Return the one answer that child.py gives; None where it died before it gave one.

        Blocks until then; `kill` makes it return. To be called once.
        """
        assert self._popen.stdout is not None  # noqa: S101 - asked for above
        with self._popen.stdout as stdout:
            for line in stdout:
                # A Python may be set up to print a line of its own when it starts.
                answer = _object_of(line)
                if "address" in answer or "error" in answer:
                    return answer
        return None

    def kill(self) -> None:
        """End the process at once; `end` has to follow."""
        self._popen.kill()

    def let_go(self) -> None:
        """Tell the process to end, without waiting for it; `end` has to follow."""
        if self._popen.stdin is not None:
            self._popen.stdin.close()

    def end(self) -> None:
        """End the process, after two seconds by force. Blocks until it is gone."""
        self.let_go()
        try:
            self._popen.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
        self._complaints.close()

    def death(self) -> str:
        """Say how the process ended: by which signal or with which exit code. Blocks until it has."""
        code = self._popen.wait()
        if code >= 0:
            return f"exit code {code}"
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"

    def last_words(self) -> str:
        """Return the last lines that the process wrote to stderr, fit for a screen; empty after `end`."""
        if self._complaints.closed:
            return ""
        size = os.fstat(self._complaints.fileno()).st_size
        self._complaints.seek(max(0, size - _LONGEST_WORDS * 4))
        return _fit_to_show(self._complaints.read().decode("utf-8", "replace"), self._api_key)


def _fit_to_show(said: str, api_key: str) -> str:
    lines = [_STAMP.sub("", _ESCAPES.sub("", line)).strip() for line in said.splitlines()]
    # llama.cpp says the same once in every layer it passes through.
    kept = list(dict.fromkeys(line for line in lines if line))[-_LINES_KEPT:]
    return "\n".join(kept).replace(api_key, "***")[-_LONGEST_WORDS:]


def _object_of(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _environment() -> dict[str, str]:
    # The child finds turnwise and xllamacpp where this program does, however its path was made.
    return {**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}


def _apart() -> dict[str, Any]:
    """Return the settings that keep a terminal's ctrl+c, and a console window, from the process.

    Its own group, and not its own session: Linux shares the processors out among sessions first, so that
    in another one the child's lower priority would count for nothing.
    """
    if sys.platform == "win32":
        group, window = subprocess.CREATE_NEW_PROCESS_GROUP, subprocess.CREATE_NO_WINDOW
        return {"creationflags": group | window | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    return {"process_group": 0}
