"""What tests of the app share: a database with conversations, and the app on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from app_at_rest import wait_for_rest
from frames_checked import check_frames
from styles_read_once import read_styles_once
from tui_driver import conversation

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp

NAMES = ("Refund for a flight", "Upgrade with a certificate", "Baggage for two")


@pytest.fixture(scope="session", autouse=True)
def _styles() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        read_styles_once(monkeypatch)
        yield


@pytest.fixture(autouse=True)
def _waits_for_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    wait_for_rest(monkeypatch)


@pytest.fixture(autouse=True)
def _frames_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    check_frames(monkeypatch)


@pytest.fixture(autouse=True)
def _no_judge_about(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without what this machine has: no named judge, no models, no local servers."""
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TURNWISE_MODELS", str(tmp_path / "models"))
    # Where crashes are written down.
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("turnwise.engine.models.served.LOCAL_SERVERS", {})


@pytest.fixture
def steps_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is made ahead but by the test: on a slow machine the app would do so as the test looks."""
    monkeypatch.setattr("turnwise.tui.shell.dialogs_ahead.SECONDS_AFTER_START", 3600.0)


@pytest.fixture
def filled(store: Store) -> Store:
    """A database with three conversations."""
    for name in NAMES:
        store.sessions.add(conversation(name), source="cases.json", format="deepeval", created_at=1.0)
    return store


@pytest.fixture
def app(filled: Store) -> TurnwiseApp:
    """The app on three conversations."""
    return TurnwiseApp(filled)
