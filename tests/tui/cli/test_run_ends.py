"""A long run on the command line tells its end as the settings say, and nothing else does."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from turnwise.conversations.errors import JudgeError
from turnwise.tui.cli import run_ends
from turnwise.tui.cli.interrupts import INTERRUPTED
from turnwise.tui.cli.run_ends import telling_end


class Screen(io.StringIO):
    """What a person sees, where that is a terminal."""

    is_terminal = True

    def isatty(self) -> bool:
        return self.is_terminal


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Screen:
    """The terminal of somebody who wants the bell."""
    (tmp_path / "settings.toml").write_text('notify = "bell"\n')
    monkeypatch.setenv("TURNWISE_CONFIG", str(tmp_path))
    return Screen()


@pytest.fixture
def lasting(monkeypatch: pytest.MonkeyPatch, screen: Screen) -> Callable[[float], None]:
    """Let what is done next take so many seconds."""

    def take(seconds: float) -> None:
        clock = iter((100.0, 100.0 + seconds))
        # Not before: what captures the output puts its own in its place between setup and test.
        monkeypatch.setattr(sys, "stderr", screen)
        monkeypatch.setattr(run_ends.time, "monotonic", lambda: next(clock))

    return take


@pytest.mark.parametrize(("seconds", "rings"), [(9.9, ""), (10.0, "\a")])
def test_the_end_of_a_long_run_is_told(
    screen: Screen, lasting: Callable[[float], None], seconds: float, rings: str
) -> None:
    lasting(seconds)
    assert telling_end("turnwise score", lambda: 1) == 1
    assert screen.getvalue() == rings


def test_so_is_that_it_could_not_finish(screen: Screen, lasting: Callable[[float], None]) -> None:
    lasting(60)

    def fail() -> int:
        raise JudgeError("The judge does not answer")

    with pytest.raises(JudgeError):
        telling_end("turnwise run", fail)
    assert screen.getvalue() == "\a"


def test_who_stopped_it_need_not_be_told(screen: Screen, lasting: Callable[[float], None]) -> None:
    lasting(60)
    assert telling_end("turnwise score", lambda: INTERRUPTED) == INTERRUPTED
    assert screen.getvalue() == ""


def test_a_mistake_in_the_settings_ends_no_run_that_is_done(
    screen: Screen, lasting: Callable[[float], None], tmp_path: Path
) -> None:
    (tmp_path / "settings.toml").write_text('notify = "shout"\n')
    lasting(60)
    assert telling_end("turnwise score", lambda: 0) == 0
    assert screen.getvalue() == ""


def test_what_is_no_terminal_gets_nothing(screen: Screen, lasting: Callable[[float], None]) -> None:
    screen.is_terminal = False
    lasting(60)
    assert telling_end("turnwise score", lambda: 0) == 0
    assert screen.getvalue() == ""
