"""The command line as tests use it: in this process, on a database of its own, away from this machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from turnwise.engine.models.providers import PROVIDERS
from turnwise.tui.cli.main import run


@dataclass(frozen=True)
class Ran:
    """What a command line did: its exit code, and what it wrote to standard output and standard error."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Standard output as JSON, one object a line."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def row(self) -> dict[str, Any]:
        """The only object on standard output."""
        [row] = self.rows
        return row


Run = Callable[..., Ran]


@pytest.fixture(autouse=True)
def nothing_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hide keys, models and servers of whoever runs the tests."""
    of_providers = [name for entry in PROVIDERS.values() for name in (entry.key, entry.address) if name]
    for name in (*of_providers, "OPENAI_BASE_URL", "OPENAI_MODEL", "TURNWISE_TRACEBACK", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TURNWISE_DB", str(tmp_path / "turnwise.db"))
    monkeypatch.setenv("TURNWISE_MODELS", str(tmp_path / "models"))
    monkeypatch.setattr("turnwise.engine.models.served.LOCAL_SERVERS", {})


@pytest.fixture
def turnwise(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process."""

    def command(*arguments: object) -> Ran:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        return Ran(code, *capsys.readouterr())

    return command
