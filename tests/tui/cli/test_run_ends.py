"""A long run on the command line tells its end as the settings say, and nothing else does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from turnwise.conversations.errors import JudgeError
from turnwise.tui.cli import run_ends
from turnwise.tui.cli.interrupts import INTERRUPTED
from turnwise.tui.cli.run_ends import telling_end

Lasting = Callable[[float], None]


@pytest.fixture
def lasting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Lasting:
    """Let what is done next take so many seconds, at a terminal whose user wants the bell."""
    (tmp_path / "settings.toml").write_text('notify = "bell"\n')
    monkeypatch.setenv("TURNWISE_CONFIG", str(tmp_path))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)

    def take(seconds: float) -> None:
        clock = iter((100.0, 100.0 + seconds))
        monkeypatch.setattr(run_ends.time, "monotonic", lambda: next(clock))

    return take


@pytest.mark.parametrize(("seconds", "rings"), [(9.9, ""), (10.0, "\a")])
def test_the_end_of_a_long_run_is_told(
    lasting: Lasting, capsys: pytest.CaptureFixture[str], seconds: float, rings: str
) -> None:
    lasting(seconds)
    assert telling_end("turnwise score", lambda: 1) == 1
    assert capsys.readouterr().err == rings


def test_so_is_that_it_could_not_finish(lasting: Lasting, capsys: pytest.CaptureFixture[str]) -> None:
    lasting(60)

    def fail() -> int:
        raise JudgeError("The judge does not answer")

    with pytest.raises(JudgeError):
        telling_end("turnwise run", fail)
    assert capsys.readouterr().err == "\a"


def test_who_stopped_it_need_not_be_told(lasting: Lasting, capsys: pytest.CaptureFixture[str]) -> None:
    lasting(60)
    assert telling_end("turnwise score", lambda: INTERRUPTED) == INTERRUPTED
    assert capsys.readouterr().err == ""


def test_a_mistake_in_the_settings_ends_no_run_that_is_done(
    lasting: Lasting, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "settings.toml").write_text('notify = "shout"\n')
    lasting(60)
    assert telling_end("turnwise score", lambda: 0) == 0
    assert capsys.readouterr().err == ""


def test_what_is_no_terminal_gets_nothing(
    lasting: Lasting, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    lasting(60)
    assert telling_end("turnwise score", lambda: 0) == 0
    assert capsys.readouterr().err == ""
