"""The store as a whole: closed once, and nothing in it ever taken away."""

import sqlite3

import pytest
from stored import keep, land, said, score, skipped

from turnwise.conversations.errors import StoreError

KEPT = ("sessions", "turns", "scores", "verdicts", "score_calls", "run_scores", "runs", "labels", "calls")


def rows(store) -> dict[str, set[tuple[object, ...]]]:
    connection = sqlite3.connect(store.path)
    found = {table: set(connection.execute(f"SELECT * FROM {table}")) for table in KEPT}  # noqa: S608
    connection.close()
    return found


def test_nothing_that_was_stored_is_changed_or_taken_away_by_what_comes_later(store):
    session = keep(store, chatbot_role="r")
    land(store, session, score(0.2, calls=("k",)))
    store.labels.add(session, "pass", author="ada", blind=True)
    before = rows(store)
    land(store, session, score(0.9), skipped())
    store.labels.add(session, None, author="ada", blind=True)
    store.sessions.add(said("Where is my bag?", "In Oslo."), source="again", format="f")
    store.scores.link(store.runs.begin(judge="j", metrics=[]), [1])
    after = rows(store)
    for table in KEPT:
        assert before[table] <= after[table], table


def test_a_closed_store_is_closed(store):
    store.close()
    with pytest.raises(StoreError):
        store.sessions.count()
    store.close()
