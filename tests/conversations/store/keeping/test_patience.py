"""A file that another program holds is waited for: with a word after a second, and never deaf."""

from __future__ import annotations

import math
import threading
from pathlib import Path

import pytest
from lock_holder import held
from stored import keep

from turnwise.conversations.errors import StoreBusyError
from turnwise.conversations.store import Patience, Store


def test_a_write_waits_for_as_long_as_it_is_told_and_says_so_once(tmp_path: Path) -> None:
    told: list[str] = []
    patience = Patience(math.inf, on_wait=lambda: told.append("waits"), on_end=lambda: told.append("over"))
    with Store.open(tmp_path / "chats.db", patience=patience) as store, held(store.path) as holder:
        freeing = threading.Timer(1.5, holder.free)
        freeing.start()
        keep(store)
        freeing.join()
        assert store.sessions.count() == 1
    assert told == ["waits", "over"]


def test_a_short_wait_needs_no_word(tmp_path: Path) -> None:
    told: list[str] = []
    patience = Patience(math.inf, on_wait=lambda: told.append("waits"))
    with Store.open(tmp_path / "chats.db", patience=patience) as store, held(store.path) as holder:
        freeing = threading.Timer(0.2, holder.free)
        freeing.start()
        keep(store)
        freeing.join()
    assert told == []


def test_whoever_waits_may_be_asked_to_stop(tmp_path: Path) -> None:
    patience = Patience(math.inf, stop=lambda: True)
    with Store.open(tmp_path / "chats.db", patience=patience) as store, held(store.path):  # noqa: SIM117
        with pytest.raises(StoreBusyError, match="in use by another program"):
            keep(store)
