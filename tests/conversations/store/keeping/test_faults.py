"""What goes wrong with the file is told in words, with the step that mends it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from stored import keep

from turnwise.conversations.errors import StoreError
from turnwise.conversations.store import FREE_SPACE, Store, fault_of


@pytest.mark.parametrize(
    ("told", "title", "step"),
    [
        ("database is locked", "in use by another program", "try again"),
        ("database or disk is full", "disk is full", "Free some space"),
        ("attempt to write a readonly database", "cannot be written", "permission"),
        ("unable to open database file", "cannot be opened", "still there"),
        ("database disk image is malformed", "damaged", "doctor --repair"),
        ("disk I/O error", "could not read or write", "Check the disk"),
    ],
)
def test_a_fault_has_a_title_the_file_and_a_next_step(told: str, title: str, step: str) -> None:
    fault = fault_of(sqlite3.OperationalError(told), Path("chats.db"))
    assert fault is not None
    assert title in fault.title
    assert fault.detail == f"chats.db: {told}"
    assert step in fault.next_step


def test_a_limit_on_the_size_of_files_is_named_and_not_the_disk(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    resource = pytest.importorskip("resource")
    path = tmp_path / "chats.db"
    path.write_bytes(bytes(4096))
    error = sqlite3.OperationalError("disk I/O error")
    monkeypatch.setattr(resource, "getrlimit", lambda which: (4096, 4096))
    fault = fault_of(error, path)
    assert fault is not None
    assert fault.title == "The database may not grow any further"
    assert "4,096 bytes" in fault.detail
    monkeypatch.setattr(resource, "getrlimit", lambda which: (10**9, 10**9))
    fault = fault_of(error, path)
    assert fault is not None
    assert "could not read or write" in fault.title


def test_an_error_that_nobody_can_mend_has_no_words() -> None:
    assert fault_of(sqlite3.OperationalError("no such column: nmae")) is None


def usage(free: dict[str, int]) -> Callable[[Path], tuple[int, int, int]]:
    return lambda folder: _Usage(1, 1, free[str(folder)])


class _Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.mark.parametrize("told", ["disk I/O error", "unable to open database file"])
def test_a_disk_without_room_for_the_files_beside_is_full(
    told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", usage({str(tmp_path): 4096}))
    fault = fault_of(sqlite3.OperationalError(told), tmp_path / "chats.db")
    assert fault is not None
    assert (fault.title, fault.next_step) == ("The disk is full", FREE_SPACE)


def test_a_full_disk_of_temporary_files_is_told_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/scratch")
    monkeypatch.setattr("shutil.disk_usage", usage({str(tmp_path): 10**9, "/scratch": 0}))
    fault = fault_of(sqlite3.OperationalError("database or disk is full"), tmp_path / "chats.db")
    assert fault is not None
    assert fault.title == "The disk of temporary files is full"
    assert "/scratch" in fault.detail
    assert "TMPDIR" in fault.next_step


class TestDamage:
    """A database that lacks a part of itself is told as damaged, with a way out."""

    @pytest.fixture
    def damaged(self, store: Store) -> Path:
        keep(store)
        store.close()
        return store.path

    def told(self, path: Path) -> StoreError:
        with pytest.raises(StoreError, match="The database is damaged") as caught:
            used(path)
        assert "--repair" in caught.value.next_step
        return caught.value

    def test_without_its_secret(self, damaged: Path) -> None:
        with closing(sqlite3.connect(damaged)) as file, file:
            file.execute("DELETE FROM secrets")
        assert "secret is missing" in self.told(damaged).detail

    def test_without_a_table(self, damaged: Path) -> None:
        with closing(sqlite3.connect(damaged)) as file, file:
            file.execute("DROP TABLE imports")
        assert "no such table" in self.told(damaged).detail

    def test_cut_off(self, damaged: Path) -> None:
        damaged.write_bytes(damaged.read_bytes()[: 3 * 4096])
        assert "malformed" in self.told(damaged).detail


def used(path: Path) -> None:
    """Open a database, and look for all that every one has."""
    with Store.open(path) as opened:
        try:
            assert opened.secret
            opened.sessions.ids()
        except sqlite3.Error as error:
            raise fault_of(error, path) or error from error


def test_what_belongs_to_something_forgotten_is_told_and_not_kept(store: Store) -> None:
    session = keep(store, "a")
    store.forgetting.forget([session])
    with pytest.raises(StoreError, match="not there any more"):
        store.labels.add(session, "pass", author="ann", blind=True)
