"""Real files that are cut or have bits turned: an error that a person can read, and nothing half kept."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from real_files import FIXTURES, suite_loaders

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.importing import ImportReport, import_file
from turnwise.conversations.store import Store
from turnwise.conversations.suites import Suite

COPIES = 500
LARGE = 100_000
"""Bytes from which a file is large; one copy in fifty is of those, as they take a while."""
SUITES = ("promptfoo", "agentv")
pytestmark = [
    pytest.mark.fixtures,
    pytest.mark.skipif(not FIXTURES.is_dir(), reason="the folder ../shared/fixtures is not here"),
]


def damaged(content: bytes, chance: random.Random, number: int) -> bytes:
    """Return every second time a cut copy, else one in which one to eight bits are turned."""
    if number % 2:
        return content[: chance.randrange(len(content))]
    copy = bytearray(content)
    for _ in range(chance.randint(1, 8)):
        copy[chance.randrange(len(copy))] ^= 1 << chance.randrange(8)
    return bytes(copy)


def copies(files: list[Path], seed: int) -> Iterator[tuple[Path, bytes]]:
    """Yield files with damaged contents, the same ones every time."""
    chance = random.Random(seed)
    small = [path for path in sorted(files) if 0 < path.stat().st_size < LARGE]
    large = [path for path in sorted(files) if path.stat().st_size >= LARGE]
    for number in range(COPIES):
        path = chance.choice(small if number % 50 or not large else large)
        yield path, damaged(path.read_bytes(), chance, number)


def counts(store: Store) -> tuple[int, ...]:
    connection = sqlite3.connect(store.path)
    found = [
        connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
        for table in ("sessions", "turns", "scores", "labels", "runs")
    ]
    connection.close()
    return tuple(found)


def come_in(store: Store, path: Path) -> tuple[ImportReport, TurnwiseError | None]:
    """Return what came in, and what was said where the whole file was refused."""
    try:
        return import_file(store, path), None
    except TurnwiseError as error:
        return ImportReport(), error


def test_an_import_is_whole_or_leaves_nothing_and_the_database_stays_intact(
    store: Store, tmp_path: Path
) -> None:
    files = [path for path in FIXTURES.rglob("*") if path.is_file()]
    for number, (path, content) in enumerate(copies(files, seed=3)):
        copy = tmp_path / f"copy {number}{path.suffix}"
        copy.write_bytes(content)
        before = counts(store)
        report, refusal = come_in(store, copy)
        assert refusal is None or (refusal.next_step and counts(store) == before), path
        assert counts(store)[0] == before[0] + report.imported, path
        assert all(one.detail and one.next_step for one in report.rejected), path
    connection = sqlite3.connect(store.path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


def cases_of(loader: Callable[[Path], Suite], path: Path) -> tuple[int, TurnwiseError | None]:
    """Return how many cases a suite holds, and what was said where it was refused."""
    try:
        return len(loader(path).cases), None
    except TurnwiseError as error:
        return 0, error


def test_a_damaged_suite_loads_or_says_what_is_wrong(tmp_path: Path) -> None:
    for name in SUITES:
        shutil.copytree(FIXTURES / name, tmp_path / name)
    files = [
        path for path in tmp_path.rglob("*") if path.suffix in (".yaml", ".yml", ".json", ".jsonl", ".csv")
    ]
    loaded = 0
    for path, content in copies(files, seed=5):
        # In the place of the original, so that what it names is there.
        original = path.read_bytes()
        path.write_bytes(content)
        for loader in suite_loaders(tmp_path).values():
            cases, refusal = cases_of(loader, path)
            assert refusal is None or refusal.next_step, path
            loaded += bool(cases)
        path.write_bytes(original)
    assert loaded
