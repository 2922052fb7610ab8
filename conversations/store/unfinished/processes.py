"""Processes: which one claims, in words that another can hold it to, and whether that one is dead for sure.

A process is known by its number and the moment it began, on one start of one machine and as numbers are
counted there: in a container they are others. Whatever cannot be looked up counts as living.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from turnwise.conversations.fingerprints import fingerprint

_PROCESSES = Path("/proc")
_BOOT = _PROCESSES / "sys/kernel/random/boot_id"
_STATE, _BEGAN = 0, 19
"""Places in what Linux tells of a process, behind its name."""
_DEAD = ("Z", "X", "x")


def this_process() -> str:
    """Return the name of this process; empty where the system does not tell enough."""
    told = _told(os.getpid())
    return f"{_place()}:{os.getpid()}:{told[_BEGAN]}" if told and _place() else ""


def is_dead(name: str) -> bool:
    """Whether a process that was named so, on this machine since it was started, has ended."""
    place, _, rest = name.partition(":")
    number, _, began = rest.partition(":")
    if not place or place != _place() or not number.isdecimal():
        return False
    told = _told(int(number))
    if told:
        return told[_BEGAN] != began or told[_STATE] in _DEAD
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


@cache
def _place() -> str:
    """Return what tells where process numbers mean the same; empty where nothing does."""
    try:
        boot = _BOOT.read_text(encoding="ascii").strip()
        return fingerprint([boot, str((_PROCESSES / "self/ns/pid").readlink())])[:16]
    except (OSError, ValueError):
        return ""


def _told(number: int) -> list[str]:
    """Return what Linux tells of a process, behind its name; nothing where it tells nothing."""
    try:
        told = (_PROCESSES / str(number) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    found = told.rpartition(")")[2].split()
    return found if len(found) > _BEGAN else []
