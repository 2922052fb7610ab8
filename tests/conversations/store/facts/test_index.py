"""The index of facts: an old database gets it once, wholly or not at all."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from stored import keep

from turnwise.conversations import ConversationalTestCase, LLMTestCase
from turnwise.conversations.store import Store, repair_database
from turnwise.conversations.store.facts import index
from turnwise.conversations.store.facts.index import index_all

EARLIER = """
DROP TABLE session_facts; DROP TABLE facts; PRAGMA user_version = 12;
DELETE FROM _sqlite_migrations WHERE name = 'facts';
"""
KILLED = """
import os, signal, sys
from pathlib import Path
from turnwise.conversations.store import Store
from turnwise.conversations.store.facts import index
index._STEPS_BETWEEN_TELLING = 1
Store.open(Path(sys.argv[1]), tell=lambda share: os.kill(os.getpid(), signal.SIGKILL))
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A database as the version before left it, with twenty sessions that say something."""
    path = tmp_path / "old.db"
    with Store.open(path) as store:
        for number in range(20):
            keep(store, f"q{number}", "a", metadata={"language": "es", "n": number}, scenario=f"No. {number}")
        store.sessions.add(
            ConversationalTestCase(
                turns=[LLMTestCase(input="x", actual_output="y", metadata={"topic": "bags"})] * 2
            ),
            source="s",
            format="f",
        )
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(EARLIER)
    return path


def is_old(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute(
            "SELECT count(*) FROM sqlite_master WHERE name LIKE '%facts%'"
        ).fetchone()[0]
        return (tables, connection.execute("PRAGMA user_version").fetchone()[0]) == (0, 12)


def test_an_old_database_finds_the_same_as_a_new_one(old: Path) -> None:
    assert is_old(old)
    with Store.open(old) as store:
        assert store.sessions.count("meta.language:es") == 20
        assert store.sessions.count("meta.n>=15") == 5
        assert store.sessions.count("meta.topic:bags") == 1
        assert store.sessions.count('scenario:"No. 7"') == 1


def test_it_is_told_how_far_that_is(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "_STEPS_BETWEEN_TELLING", 10)
    monkeypatch.setattr(index, "_FACTS_AT_ONCE", 8)
    told: list[float] = []
    Store.open(old, tell=told.append).close()
    assert told == sorted(told)
    assert told[0] == 0.0
    assert 0.4 < told[-1] <= 1.0
    told.clear()
    Store.open(old, tell=told.append).close()
    assert told == []


def test_ctrl_c_leaves_it_as_it_was(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "_STEPS_BETWEEN_TELLING", 10)

    def press(share: float) -> None:
        if share > 0.3:
            raise KeyboardInterrupt

    monkeypatch.setattr(index, "_FACTS_AT_ONCE", 8)
    with pytest.raises(KeyboardInterrupt):
        Store.open(old, tell=press)
    assert is_old(old)
    with Store.open(old) as store:
        assert store.sessions.count("meta.language:es") == 20


def test_a_kill_in_the_midst_leaves_it_as_it_was(old: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, old], env=os.environ, check=False)
    assert done.returncode == -signal.SIGKILL
    assert is_old(old)
    with Store.open(old) as store:
        assert store.sessions.count("meta.language:es") == 20


def test_a_session_that_is_damaged_says_nothing_and_the_others_all(old: Path) -> None:
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("UPDATE sessions SET data = '{broken' WHERE id = 3")
        connection.execute("UPDATE sessions SET data = '[1]' WHERE id = 4")
        connection.commit()
    with Store.open(old) as store:
        assert store.sessions.count("meta.language:es") == 18


def test_a_repair_makes_it_anew_of_what_is_left(old: Path) -> None:
    Store.open(old).close()
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("DELETE FROM facts WHERE value = 'es'")
        connection.commit()
    repair_database(old)
    with Store.open(old) as store:
        assert store.sessions.count("meta.language:es") == 20


def test_to_index_twice_changes_nothing(old: Path) -> None:
    with Store.open(old) as store:
        connection = store._database.connection
        counts = "SELECT (SELECT count(*) FROM facts), (SELECT count(*) FROM session_facts)"
        before = tuple(connection.execute(counts).fetchone())
        with store.writing():
            index_all(connection)
        assert tuple(connection.execute(counts).fetchone()) == before
