"""What is typed is found in words, tools and passages, or it is told in words why it cannot be."""

from __future__ import annotations

import pytest

from turnwise.conversations.patterns import PatternTimeError
from turnwise.conversations.store.rows import ToolCallRow, TurnRow
from turnwise.tui.review import finder
from turnwise.tui.review.finder import MOST_MATCHES, found_turns, pattern_of

ROWS = [
    TurnRow(0, 1, "user", "Where is my Refund?"),
    TurnRow(1, 2, "assistant", "", tools_called=(ToolCallRow("find", '{"id": "3RK"}', '{"is": "lost"}'),)),
    TurnRow(2, 3, "assistant", "Gone.", passages=("The policy says so.",)),
]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("refund", [0]),
        ("Refund", [0]),
        ("REFUND", []),
        ("3rk|lost", [1]),
        ("policy", [2]),
        ("zzz", []),
        (r"\S\?", [0]),
        ("[[r]efund", [0]),
    ],
)
def test_a_pattern_is_looked_for_everywhere_small_letters_in_any_case(typed: str, found: list[int]) -> None:
    assert list(found_turns(ROWS, pattern_of(typed))) == found


def test_matches_are_counted_and_empty_ones_are_none() -> None:
    row = TurnRow(0, 1, "user", "a refund, refunds", passages=("refund",))
    assert found_turns([row], pattern_of("refund")) == {0: 3}
    assert found_turns([row], pattern_of("x*")) == {}
    assert found_turns([TurnRow(0, 1, "user", "a" * 5_000)], pattern_of("a")) == {0: MOST_MATCHES}


def test_a_search_that_nobody_waits_for_ends() -> None:
    assert found_turns(ROWS, pattern_of("refund"), lambda: True) == {}


@pytest.mark.parametrize("typed", ["(", "[a", "*", "a{99999999999}", "(a+)+b", "(x*)*", "(?P<a"])
def test_what_is_no_pattern_or_could_take_forever_is_told(typed: str) -> None:
    with pytest.raises(ValueError, match=r"no regular expression|forever"):
        pattern_of(typed)


def test_a_pattern_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finder, "SECONDS", 0.1)
    row = TurnRow(0, 1, "user", "a" * 60 + "b")
    with pytest.raises(PatternTimeError):
        found_turns([row], pattern_of("^(a|aa)+$"))
