"""What is said while an old database is brought up to date: nothing within a second, then how far it is."""

import sys
import time

import pytest

from turnwise.tui.cli.upgrading import UpgradeWords


class Clock:
    """Time that goes by when it is told to."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(time, "monotonic", made.monotonic)
    return made


def test_a_short_upgrade_says_nothing(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with UpgradeWords() as tell:
        for share in (0.0, 0.5, 1.0):
            clock.now += 0.3
            tell(share)
    assert capsys.readouterr() == ("", "")


def test_a_long_one_is_told_once_where_nobody_looks(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with UpgradeWords() as tell:
        for share in (0.0, 0.2, 0.4, 0.9):
            clock.now += 0.9
            tell(share)
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == "Bringing the database up to date, once: filters by metadata need it. ctrl+c stops.\n"


def test_at_a_terminal_it_is_a_line_that_goes_away(
    clock: Clock, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with UpgradeWords() as tell:
        for share in (0.0, 0.2, 0.456):
            clock.now += 0.9
            tell(share)
    told = capsys.readouterr().err
    assert "20 % · ctrl+c stops" in told
    assert "46 % · ctrl+c stops" in told
    assert told.endswith("\r\x1b[K")
