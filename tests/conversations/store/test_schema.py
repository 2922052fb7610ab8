"""The data model: what the database itself keeps from being overwritten or made inconsistent."""

import sqlite3

import pytest
from sqlite_utils import Database
from stored import keep, land, score

from turnwise.conversations.store import RunTally, Store, TurnTally
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


def test_a_database_from_before_scores_were_counted_is_counted_once(tmp_path):
    path = tmp_path / "old.db"
    old = sqlite3.connect(path)
    tables = Database(old)
    migrations().apply(tables, stop_before="counted_as_written")
    about = {"name": "n", "kind": "conversation", "source": "s", "format": "f", "created_at": 0}
    tables["sessions"].insert_all({"fingerprint": str(number), **about} for number in (1, 2))
    tables["turns"].insert_all(
        {"session_id": session, "position": 0, "number": 1, "role": "assistant", "content": "Hm."}
        for session in (1, 2)
    )
    tables["runs"].insert({"created_at": 0, "judge": "j", "metrics": "[]"})
    plain = {name: value.strip("'") if isinstance(value, str) else value for name, value in SCORE.items()}
    tables["scores"].insert_all(
        {**plain, "session_id": session, "score": found, "threshold": 0.5, "cost": 0.25}
        for session, found in ((1, 0.9), (2, 0.9), (2, 0.1))
    )
    tables["verdicts"].insert({"score_id": 3, "place": 0, "turn": 1, "passed": 0, "word": "no", "reason": ""})
    tables["run_scores"].insert_all({"run_id": 1, "score_id": score} for score in (1, 2, 3))
    old.execute("PRAGMA user_version = 22")
    old.commit()
    old.close()
    with Store.open(path) as store:
        [tally] = store.tallies.scores()
        assert (tally.scores, tally.passed) == (2, 1)
        assert store.tallies.turns() == [TurnTally(1, 2, 1)]
        assert store.tallies.runs(1) == [RunTally(1, "m", 3, 2)]
        assert [(one.scores, one.cost) for one in store.tallies.spending()] == [(3, 0.75)]
