"""Ctrl+c, pressed at a command in a process of its own."""

from __future__ import annotations

import signal
import subprocess


def press_until_heard(process: subprocess.Popen[bytes]) -> bytes:
    """Press ctrl+c once, and return what stood on standard error once the command has said that it heard."""
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    told = b""
    while b"ctrl+c again drops it" not in told:
        line = process.stderr.readline()
        assert line, told
        told += line
    return told


def press_twice(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Press ctrl+c, and once more as soon as it was heard; return what was printed and told in all."""
    told = press_until_heard(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    return out, told + err
