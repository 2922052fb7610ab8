"""Splits in the database: who is where stays, and every use of a split is known."""

import sqlite3

import pytest
from stored import keep

from turnwise.conversations.store import Store


def test_a_session_stays_in_the_split_it_was_put_in_first(store: Store) -> None:
    one, other = keep(store), keep(store, "another", "one")
    store.splits.add({one: "dev"})
    store.splits.add({one: "test", other: "train"})
    assert store.splits.members() == {one: "dev", other: "train"}
    with pytest.raises(sqlite3.IntegrityError, match="stays in its split"):
        store._database.connection.execute("UPDATE split_members SET split = 'test'")


def test_every_use_is_told_oldest_first(store: Store) -> None:
    run = store.runs.begin(judge="m", metrics=["polite"])
    for version in ("v1", "v2"):
        store.splits.note_use(
            "test", criterion="polite", version=version, run_id=run, sessions=9, author="ann"
        )
    store.splits.note_use("dev", criterion="polite", version="v1", run_id=run, sessions=8, author="ann")
    first, second = store.splits.uses("test")
    assert (first.version, second.version, first.sessions, first.author) == ("v1", "v2", 9, "ann")
    assert second.created_at >= first.created_at
    assert len(store.splits.uses("dev")) == 1
    assert store.splits.uses("train") == []


def test_a_session_that_goes_leaves_its_split(store: Store) -> None:
    session = keep(store)
    store.splits.add({session: "dev"})
    with store.writing():
        store._database.connection.execute("DELETE FROM main.sessions")
    assert store.splits.members() == {}
