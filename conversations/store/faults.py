"""Faults: what goes wrong with the database's file, in words for the person whose file it is."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from turnwise.conversations.errors import StoreError

FREE_SPACE = "Free some space, then go on: what was kept before is kept."
_WORDS = (
    (
        "locked",
        "The database is in use by another program",
        "Wait for it or close it, then try again.",
    ),
    ("disk is full", "The disk is full", FREE_SPACE),
    (
        "readonly",
        "The database cannot be written",
        "Check its permissions and those of its folder.",
    ),
    (
        "unable to open",
        "The database cannot be opened any more",
        "Check that its file and folder are still there.",
    ),
    ("disk I/O", "The database's disk does not answer as it should", "Check the disk, then try again."),
    (
        "malformed",
        "The database is damaged",
        "Go back to a copy, or save what can be read: sqlite3 FILE .recover",
    ),
)


def fault_of(error: sqlite3.Error, path: Path | None = None) -> StoreError | None:
    """Return the words for an error that a person can do something about; None for any other."""
    told = str(error)
    for part, title, step in _WORDS:
        if part in told:
            return StoreError(title, detail=f"{path}: {told}" if path else told, next_step=step)
    return None
