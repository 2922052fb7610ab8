"""Addresses: how SQLite is to open a file, as it can be written or only be read."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote


def is_writable(path: Path) -> bool:
    """Whether a file can be written, and its folder too, where SQLite writes beside it."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def address_of(path: Path, mode: str = "") -> str:
    """Return the URI by which SQLite opens a file. One that cannot be written is opened read-only.

    mode: how any other is opened, such as "rw" where it must be there; empty to make it where it is not.
    """
    address = f"file:{quote(str(path.absolute()))}"
    if is_writable(path):
        return f"{address}?mode={mode}" if mode else address
    # In a folder that cannot be written, SQLite reads a file only if told that it will not change.
    beside = path.with_name(f"{path.name}-wal")
    return f"{address}?mode=ro" if beside.exists() else f"{address}?immutable=1"
