"""A kept file: what was written in a block is there, all of it or nothing, and errors say what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from turnwise.conversations.errors import StoreError
from turnwise.conversations.live import KeptFile

TABLES = "CREATE TABLE IF NOT EXISTS words (word TEXT PRIMARY KEY);"


@pytest.fixture
def file(tmp_path: Path) -> Iterator[KeptFile]:
    kept = KeptFile(tmp_path / "t.db-words", TABLES, holds="Words", survives="kill")
    yield kept
    kept.close()


def words(file: KeptFile) -> list[str]:
    return [row[0] for row in file.read("SELECT word FROM words ORDER BY word")]


def test_what_is_written_is_there_for_whoever_opens_it_next(file: KeptFile) -> None:
    with file.writing() as connection:
        connection.execute("INSERT INTO words VALUES ('bread')")
    # The first is not closed: as after kill -9.
    other = KeptFile(file.path, TABLES, holds="Words", survives="power cut")
    assert words(other) == ["bread"]
    other.close()
    assert file.path.stat().st_mode & 0o077 == 0


def test_a_block_that_fails_writes_nothing(file: KeptFile) -> None:
    with suppress(ZeroDivisionError), file.writing() as connection:
        connection.execute("INSERT INTO words VALUES ('bread')")
        raise ZeroDivisionError
    with pytest.raises(StoreError, match="Words cannot be kept") as raised, file.writing() as connection:
        connection.executemany("INSERT INTO words VALUES (?)", [["rye"], ["rye"]])
    assert isinstance(raised.value.__cause__, sqlite3.IntegrityError)
    assert words(file) == []
    with file.writing() as connection:
        connection.execute("INSERT INTO words VALUES ('rye')")
    assert words(file) == ["rye"]


def test_while_another_program_writes_it_says_so_and_goes_on_afterwards(file: KeptFile) -> None:
    with closing(sqlite3.connect(file.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked") as raised, file.writing():
            pass
        assert raised.value.next_step
        other.execute("ROLLBACK")
    with file.writing() as connection:
        connection.execute("INSERT INTO words VALUES ('rye')")
    assert words(file) == ["rye"]


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.db-words"
    path.write_text("words " * 1000)
    with pytest.raises(StoreError, match=r"t\.db-words"):
        KeptFile(path, TABLES, holds="Words", survives="kill")


def test_what_cannot_be_read_is_an_error_of_ours(file: KeptFile) -> None:
    with pytest.raises(StoreError, match="no such table"):
        file.read("SELECT * FROM sentences")
