"""Databases that something else than a database has changed: single bytes, whole pages, and by chance."""

from __future__ import annotations

import random
from pathlib import Path

from stored import keep, land, score

from turnwise.conversations.store import Store
from turnwise.conversations.turns import Turn

SESSIONS = 40
PAGE = 4096


def fill(path: Path) -> None:
    """Make a database of numbered sessions, each with a tool call, a score and a label."""
    with Store.open(path) as store:
        for number in range(1, SESSIONS + 1):
            asked = f"Question {number:03} " + "of somebody who says a lot " * 8
            session = keep(
                store, asked, f"Answer {number:03}", name=f"Talk {number:03}", tags=[f"tag{number:03}"]
            )
            call = {"name": f"tool{number:03}", "input_parameters": {"n": number}}
            turn = Turn(role="assistant", content=f"Called {number:03}", tools_called=[call])
            store.turns.append(session, turn, at=None)
            land(store, session, score(0.75, reason=f"Reason {number:03}"))
            store.labels.add(session, "pass", author="ann", blind=False, note=f"Note {number:03}")
    assert not path.with_name(f"{path.name}-wal").exists()


def spoil(path: Path, text: str, *, by: bytes = b"\xff", everywhere: bool = True) -> None:
    """Put other bytes over the beginning of a text, wherever it stands in the file."""
    content = bytearray(path.read_bytes())
    start, count = content.find(text.encode()), 0
    while start >= 0 and (everywhere or not count):
        content[start : start + len(by)] = by
        start, count = content.find(text.encode(), start + 1), count + 1
    assert count, f"{text!r} does not stand in the file"
    path.write_bytes(content)


def spoil_page(path: Path, text: str) -> None:
    """Put zeros over the head of the first page that holds a text, so that none of its rows can be read."""
    content = bytearray(path.read_bytes())
    start = content.index(text.encode()) // PAGE * PAGE
    content[start : start + 200] = bytes([0xEE]) * 200
    path.write_bytes(content)


def spoil_by_chance(path: Path, seed: int, *, count: int = 12) -> None:
    """Flip bits at places that a number decides; the head of the file stays, so that it is a database."""
    chance = random.Random(seed)
    content = bytearray(path.read_bytes())
    for _ in range(count):
        content[chance.randrange(100, len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)
