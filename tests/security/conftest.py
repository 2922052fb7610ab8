"""A hostile file's surroundings: nothing of this machine, and a network that notes who asks."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attacks import SECRET, Attack, Ran

from turnwise.tui.cli.main import run


@pytest.fixture(autouse=True)
def nothing_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hide keys, servers, databases and trust of whoever runs the tests."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "TURNWISE_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TURNWISE_DB", str(tmp_path / "kept" / "turnwise.db"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "kept"))
    monkeypatch.setenv("TURNWISE_MODELS", str(tmp_path / "kept" / "models"))
    monkeypatch.setattr("turnwise.engine.models.served.LOCAL_SERVERS", {})


@pytest.fixture
def attack(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Attack:
    """A folder for a hostile suite, and the command line to open it with."""

    def command(*arguments: object) -> Ran:
        capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        return Ran(code, "".join(capfd.readouterr()))

    folder = tmp_path / "suite"
    folder.mkdir()
    made = Attack(folder, tmp_path / "canary", command)
    made.secret.write_text(SECRET)
    return made


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Every address that is looked up or connected to; none is reached. Nothing is expected to be."""
    asked: list[Any] = []

    def refuse(*arguments: Any, **_: Any) -> Any:
        asked.append([argument for argument in arguments if not isinstance(argument, socket.socket)])
        raise OSError("no network here")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    for name in ("getaddrinfo", "gethostbyname", "create_connection"):
        monkeypatch.setattr(socket, name, refuse)
    yield asked
    assert asked == []
