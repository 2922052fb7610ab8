"""What goes wrong with the file is told in words, with the step that mends it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from turnwise.conversations.store import fault_of


@pytest.mark.parametrize(
    ("told", "title", "step"),
    [
        ("database is locked", "in use by another program", "try again"),
        ("database or disk is full", "disk is full", "Free some space"),
        ("attempt to write a readonly database", "cannot be written", "permissions"),
        ("unable to open database file", "cannot be opened", "still there"),
        ("database disk image is malformed", "damaged", "doctor --repair"),
        ("disk I/O error", "disk does not answer", "Check the disk"),
    ],
)
def test_a_fault_has_a_title_the_file_and_a_next_step(told: str, title: str, step: str) -> None:
    fault = fault_of(sqlite3.OperationalError(told), Path("chats.db"))
    assert fault is not None
    assert title in fault.title
    assert fault.detail == f"chats.db: {told}"
    assert step in fault.next_step


def test_an_error_that_nobody_can_mend_has_no_words() -> None:
    assert fault_of(sqlite3.OperationalError("no such column: nmae")) is None
