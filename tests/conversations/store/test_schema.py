"""The data model: what the database itself keeps from being overwritten or made inconsistent."""

import sqlite3

import pytest
from sqlite_utils import Database
from stored import keep, land, score

from turnwise.conversations.store import Store
from turnwise.conversations.store.schema import migrations


@pytest.fixture
def connection(store):
    session = keep(store)
    land(store, session, score(0.7))
    store.labels.add(session, "pass", author="ada", blind=True)
    opened = sqlite3.connect(store.path)
    opened.execute("PRAGMA foreign_keys = ON")
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("table", "change"), [("scores", "score = 1"), ("labels", "label = 'fail'"), ("labels", "note = 'x'")]
)
def test_scores_and_labels_are_append_only(connection, table, change):
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(f"UPDATE {table} SET {change}")  # noqa: S608


SCORE = {
    "session_id": 1,
    "run_id": 1,
    "metric": "'m'",
    "version": 1,
    "metric_fingerprint": "'a'",
    "case_fingerprint": "'b'",
    "judge_fingerprint": "'c'",
    "judge": "'j'",
    "outcome": "'score'",
    "score": 0.5,
    "reason": "''",
    "created_at": 0,
}


@pytest.mark.parametrize(
    "wrong",
    [{"session_id": 99}, {"run_id": 99}, {"score": 1.5}, {"score": "NULL"}, {"outcome": "'failure'"}],
    ids=["no such session", "no such run", "a score above 1", "a score without one", "a failure with one"],
)
def test_an_outcome_that_cannot_be_is_refused(connection, wrong):
    fields = {**SCORE, **wrong}
    values = ", ".join(str(value) for value in fields.values())
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(f"INSERT INTO scores ({', '.join(fields)}) VALUES ({values})")  # noqa: S608


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO labels SELECT NULL, 1, 'great', 1, note, author, 0, 0, '', 1, '', NULL, 0 FROM labels",
        "INSERT INTO labels SELECT NULL, 1, 'pass', turn, note, author, 0, 0, '', 2, '', NULL, 0 FROM labels",
        "INSERT INTO run_scores VALUES (1, 99)",
        "INSERT INTO turns (session_id, position, role, content) VALUES (1, 0, 'user', 'twice in one place')",
    ],
)
def test_what_else_cannot_be_is_refused(connection, statement):
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)


def test_the_search_index_follows_the_turns(connection):
    found = "SELECT count(*) FROM turns_fts WHERE turns_fts MATCH 'oslo'"
    assert connection.execute(found).fetchone()[0] == 1
    connection.execute("DELETE FROM sessions")
    assert connection.execute(found).fetchone()[0] == 0
    assert connection.execute("SELECT count(*) FROM scores").fetchone()[0] == 0


def test_a_database_of_the_first_version_keeps_its_labels(tmp_path):
    path = tmp_path / "old.db"
    old = sqlite3.connect(path)
    tables = Database(old)
    migrations().apply(tables, stop_before="labels_of_metrics")
    tables["sessions"].insert(
        {
            "fingerprint": "f",
            "name": "n",
            "kind": "conversation",
            "source": "s",
            "format": "f",
            "created_at": 0,
        }
    )
    tables["labels"].insert(
        {"session_id": 1, "label": "pass", "author": "ada", "blind": 1, "created_at": 5.0}
    )
    old.execute("PRAGMA user_version = 1")
    old.commit()
    old.close()
    with Store.open(path) as store:
        [label] = store.labels.of(1)
        assert (label.label, label.metric, label.value, label.created_at) == ("pass", "", None, 5.0)
