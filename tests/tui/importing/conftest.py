from __future__ import annotations

import json
from pathlib import Path

import pytest
from files_to_import import GOOD

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with files to import."""
    place = tmp_path / "work"
    (place / "more").mkdir(parents=True)
    lines = [json.dumps({**GOOD, "name": f"talk {n}"}) for n in range(3)]
    (place / "talks.jsonl").write_text("\n".join(lines))
    (place / "mixed.jsonl").write_text("\n".join([*lines, json.dumps({"turns": "none at all"})]))
    (place / "broken.json").write_text("{ not json")
    (place / "notes.txt").write_text("no conversation")
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def app(store: Store, folder: Path) -> TurnwiseApp:
    return TurnwiseApp(store)
