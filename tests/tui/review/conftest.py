"""What several tests of the review share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from scored_sessions import add_outcomes, add_talk, retention

from turnwise.conversations.store import Store


@pytest.fixture
def ids(store: Store) -> list[int]:
    """Three conversations with scores."""
    found = [add_talk(store, name=name) for name in ("One", "Two", "Three")]
    for one in found:
        add_outcomes(store, one, retention(4))
    return found


@pytest.fixture
def other(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """Another program on the database, whose lock is not waited for long."""
    monkeypatch.setattr("turnwise.conversations.store.database.IMPATIENT_SECONDS", 0.05)
    connection = sqlite3.connect(store.path, isolation_level=None)
    yield connection
    connection.close()
