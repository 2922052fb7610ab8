"""A pattern that somebody wrote means what Python says, and ends."""

from __future__ import annotations

import re

import pytest

from turnwise.conversations import patterns
from turnwise.conversations.patterns import PatternTimeError, WrittenPattern

HOPELESS = "a" * 60 + "b"


@pytest.fixture(autouse=True)
def little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "SECONDS", 0.1)


@pytest.mark.parametrize("pattern", ["(a|aa)+$", "(a*)*(a|aa)+$"])
def test_a_search_that_does_not_end_is_stopped(pattern: str) -> None:
    with pytest.raises(PatternTimeError):
        WrittenPattern(f"^{pattern}").search(HOPELESS)
    with pytest.raises(PatternTimeError):
        WrittenPattern(pattern).matches_all(HOPELESS)
    with pytest.raises(PatternTimeError):
        list(WrittenPattern(f"^{pattern}").finditer(HOPELESS, seconds=0.1))


@pytest.mark.parametrize("pattern", ["(", "[a", "*", "a{99999999999}", "(?P<a", "a**"])
def test_what_is_none_to_python_is_none(pattern: str) -> None:
    with pytest.raises(re.error):
        WrittenPattern(pattern)


def test_it_searches_matches_all_and_finds_each() -> None:
    pattern = WrittenPattern(r"[A-Z]{2}\d", ignore_case=True)
    assert pattern.search("see ab1")
    assert not pattern.matches_all("see ab1")
    assert pattern.matches_all("AB1")
    assert [found[0] for found in pattern.finditer("ab1 cd2")] == ["ab1", "cd2"]
    assert not WrittenPattern("a").search("A")
