"""What tests of the workbench of criteria share: a folder to save in, and sessions that people labelled."""

from __future__ import annotations

from pathlib import Path

import pytest
from criterion_sessions import labelled

from turnwise.conversations.store import Store


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def talks(store: Store) -> Store:
    """Twenty sessions, of which people passed ten."""
    labelled(store, 20)
    return store
