"""Opening the database: made private, migrated once, refused where it is something else."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from stored import keep, said

from turnwise.conversations.errors import StoreError
from turnwise.conversations.importing import import_file
from turnwise.conversations.store import (
    Store,
    copy_database,
    damaged_sessions,
    default_path,
    file_problems,
)
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.schema import SCHEMA_VERSION


def pragma(path: Path, name: str) -> object:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]
    finally:
        connection.close()


COUNTED = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT count(*) FROM n"
)
"""What takes a while to read."""


class TestOpening:
    def test_a_new_file_is_made_in_a_new_folder_for_its_owner_alone(self, tmp_path):
        path = tmp_path / "deep" / "folder" / "turnwise.db"
        with Store.open(path) as store:
            assert store.path == path
            assert store.sessions.count() == 0
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        # Whoever could list or enter the folder would find what stands beside the database.
        for folder in (path.parent, path.parent.parent):
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700

    def test_a_folder_that_is_there_is_left_as_it_is_but_for_the_data_folder(self, tmp_path, monkeypatch):
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        shared, own = tmp_path / "shared", tmp_path / "turnwise"
        for folder in (shared, own):
            folder.mkdir()
            folder.chmod(0o755)
            Store.open(folder / "turnwise.db").close()
        assert stat.S_IMODE(shared.stat().st_mode) == 0o755
        assert stat.S_IMODE(own.stat().st_mode) == 0o700

    def test_it_is_migrated_and_journalled_in_wal(self, store):
        assert pragma(store.path, "journal_mode") == "wal"
        assert pragma(store.path, "user_version") == SCHEMA_VERSION
        wal = store.path.with_name(f"{store.path.name}-wal")
        assert stat.S_IMODE(wal.stat().st_mode) == 0o600

    def test_what_is_stored_is_there_again(self, tmp_path):
        path = tmp_path / "a.db"
        with Store.open(path) as store:
            keep(store)
            secret = store.secret
        with Store.open(path) as again:
            assert again.sessions.count() == 1
            assert again.secret == secret

    def test_an_empty_file_becomes_a_database(self, tmp_path):
        path = tmp_path / "empty.db"
        path.touch()
        path.chmod(0o644)
        with Store.open(path) as store:
            assert store.sessions.count() == 0
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_every_database_has_a_secret_of_its_own(self, tmp_path):
        with Store.open(tmp_path / "a.db") as one, Store.open(tmp_path / "b.db") as other:
            assert len(one.secret) == 32
            assert one.secret != other.secret

    def test_two_programs_may_open_a_new_file_at_once(self, tmp_path):
        path = tmp_path / "new.db"
        program = (
            "import sys; from pathlib import Path; from turnwise.conversations.store import Store\n"
            "with Store.open(Path(sys.argv[1])) as store: print(store.secret, store.sessions.count())"
        )
        running = [
            subprocess.Popen(
                [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            for _ in range(3)
        ]
        told = [process.communicate(timeout=60) for process in running]
        assert [process.returncode for process in running] == [0, 0, 0], told
        assert len({out for out, _ in told}) == 1

    def test_the_path_is_named_by_the_environment_or_lies_in_the_users_data(self, monkeypatch):
        monkeypatch.setenv("TURNWISE_DB", "~/mine.db")
        assert default_path() == Path("~/mine.db").expanduser()
        monkeypatch.delenv("TURNWISE_DB")
        assert default_path().name == "turnwise.db"


class TestReadOnly:
    """A file that cannot be written, or that lies in such a folder, can be read."""

    @pytest.fixture
    def path(self, store, monkeypatch):
        keep(store)
        store.close()
        # Whoever runs the tests may be allowed to write everything.
        monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK)
        return store.path

    def test_it_is_read_and_says_that_nothing_is_kept(self, path):
        with Store.open(path) as store:
            assert not store.is_writable
            assert store.sessions.count() == 1
            with pytest.raises(StoreError, match="cannot be written") as caught:
                store.labels.add(1, "pass", author="ann", blind=True)
            assert "turnwise --db COPY" in caught.value.next_step

    def test_an_import_into_it_is_refused_in_the_same_words(self, path, tmp_path):
        file = tmp_path / "talk.txt"
        file.write_text("User: Hello\nAssistant: Hi\n")
        with Store.open(path) as store:
            with pytest.raises(StoreError, match="cannot be written") as caught:
                import_file(store, file)
            assert "turnwise --db COPY" in caught.value.next_step

    def test_one_of_an_earlier_version_says_that_it_cannot_be_made_ready(self, path):
        connection = sqlite3.connect(path)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION - 1}")
        connection.close()
        with pytest.raises(StoreError, match="made by an earlier turnwise") as caught:
            Store.open(path)
        assert str(path) in caught.value.detail
        assert "turnwise --db COPY" in caught.value.next_step

    def test_it_is_found_sound_and_can_be_copied(self, path, tmp_path):
        assert file_problems(path) == []
        assert damaged_sessions(path) == []
        copy_database(path, tmp_path / "copy.db")
        copied = sqlite3.connect(tmp_path / "copy.db")
        assert copied.execute("SELECT count(*) FROM sessions").fetchone() == (1,)
        copied.close()

    def test_any_other_says_that_it_can_be_written(self, store):
        assert store.is_writable


class TestRefusals:
    def test_a_newer_database_is_left_alone(self, tmp_path):
        path = tmp_path / "newer.db"
        Store.open(path).close()
        connection = sqlite3.connect(path)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        connection.close()
        with pytest.raises(StoreError, match="made by a newer turnwise") as caught:
            Store.open(path)
        assert str(path) in caught.value.detail
        assert caught.value.next_step

    def test_a_file_that_is_no_database_is_refused_and_kept(self, tmp_path):
        path = tmp_path / "letter.txt"
        path.write_text("Dear Sir or Madam, " * 100)
        with pytest.raises(StoreError, match="cannot be opened") as caught:
            Store.open(path)
        assert "not a database" in caught.value.detail
        assert path.read_text().startswith("Dear Sir")

    @pytest.mark.parametrize("version", [0, SCHEMA_VERSION])
    def test_a_database_of_another_program_is_refused_and_kept(self, tmp_path, version):
        path = tmp_path / "other.db"
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE places (url)")
        connection.execute(f"PRAGMA user_version = {version}")
        connection.commit()
        connection.close()
        with pytest.raises(StoreError, match="another program"):
            Store.open(path)
        connection = sqlite3.connect(path)
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("places",)]
        connection.close()

    def test_a_folder_is_no_database(self, tmp_path):
        with pytest.raises(StoreError, match="cannot be opened"):
            Store.open(tmp_path)

    def test_a_path_that_leads_through_a_file_is_told(self, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(StoreError, match="cannot be opened"):
            Store.open(tmp_path / "file" / "turnwise.db")


class TestWriting:
    def test_a_block_is_kept_whole_or_not_at_all(self, store):
        def write_and_fail() -> None:
            with store.writing():
                keep(store, "a")
                raise RuntimeError

        with pytest.raises(RuntimeError):
            write_and_fail()
        assert store.sessions.count() == 0
        with store.writing():
            keep(store, "a")
            with store.writing():
                keep(store, "b")
        assert store.sessions.count() == 2

    def test_a_file_that_stays_locked_is_told(self, store, monkeypatch):
        monkeypatch.setattr("turnwise.conversations.store.database.BUSY_SECONDS", 0.05)
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with (
            Store.open(store.path) as impatient,
            pytest.raises(StoreError, match="in use by another program") as caught,
        ):
            keep(impatient)
        assert "locked" in caught.value.detail
        other.close()

    def test_a_thread_may_be_impatient_for_as_long_as_a_person_waits(self, store, monkeypatch):
        monkeypatch.setattr("turnwise.conversations.store.database.IMPATIENT_SECONDS", 0.05)
        other = sqlite3.connect(store.path, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        with store.impatient(), pytest.raises(StoreError, match="in use by another program"):
            keep(store)
        free = threading.Timer(0.3, other.close)
        free.start()
        keep(store)
        free.join()
        assert store.sessions.count() == 1

    def test_every_thread_may_read_and_write(self, store):
        def work(name: str) -> None:
            for number in range(10):
                keep(store, f"{name} {number}")

        threads = [threading.Thread(target=work, args=(f"thread {number}",)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.sessions.count() == 40

    def test_damaged_text_is_stored_mended_wherever_it_comes_from(self, store):
        case = said("half an emoji \ud83d here", chatbot_role="\udcff clerk")
        added = store.sessions.add(case, source="caf\udce9.json", format="test")
        row = store.sessions.get(added.session_id)
        assert (row.chatbot_role, row.source) == ("� clerk", "caf�.json")
        assert store.turns.of(added.session_id)[0].content == "half an emoji � here"

    def test_a_database_is_closed_while_other_threads_read_it(self, tmp_path):
        """As where one quits while something is counted. Python's sqlite3 would crash, about once in ten."""
        for number in range(30):
            database = Database.open(tmp_path / f"{number}.db")
            reading = threading.Event()

            def read_on(database=database, reading=reading):
                connection = database.connection
                while True:
                    reading.set()
                    connection.execute(COUNTED).fetchone()

            def read(read_on=read_on):
                with pytest.raises((sqlite3.ProgrammingError, StoreError), match="closed"):
                    read_on()

            threads = [threading.Thread(target=read) for _ in range(3)]
            for thread in threads:
                thread.start()
            assert reading.wait(60)
            database.close()
            for thread in threads:
                thread.join()

    def test_a_closed_database_says_so(self, tmp_path):
        database = Database.open(tmp_path / "a.db")
        database.close()
        with pytest.raises(StoreError, match="closed already"):
            database.connection.execute("SELECT 1")
        database.close()


def test_a_file_that_cannot_be_written_is_read_all_the_same(tmp_path, monkeypatch):
    path = tmp_path / "archive.db"
    with Store.open(path) as store:
        keep(store, "hello")
        store._database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    # Root may write everything, so that the answer is given here in its place.
    monkeypatch.setattr(os, "access", lambda *_: False)
    with Store.open(path) as store:
        assert store.sessions.count() == 1
        with pytest.raises(StoreError, match="cannot be written"):
            keep(store, "more")
