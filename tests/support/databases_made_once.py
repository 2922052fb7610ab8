"""New databases as copies of an empty one: to make its tables takes fifteen times as long as to open it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path

import pytest

from turnwise.conversations.store import Store, database


def an_empty_database(folder: Path) -> Callable[[Path], None]:
    """Make a database as users do; return what writes such a one to a new file, with a secret of its own."""
    with Store.open(folder / "empty.db") as store:
        secret = store.secret.encode()
    empty = store.path.read_bytes()
    assert empty.count(secret) == 1
    return lambda path: path.write_bytes(empty.replace(secret, secrets.token_hex(16).encode())) and None


def copy_new_databases(monkeypatch: pytest.MonkeyPatch, write: Callable[[Path], None]) -> None:
    """Let each database that was not there be written by this, in the moment in which its file is made."""
    usual = database.make_private_file

    def make(path: Path) -> None:
        is_new = not path.exists()
        usual(path)
        if is_new:
            write(path)

    monkeypatch.setattr(database, "make_private_file", make)
