"""Regular expressions as JavaScript reads them, within a time limit."""

from __future__ import annotations

import contextlib
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.suites import Check
from turnwise.engine.checks import patterns
from turnwise.engine.suites import Answer, grade_check


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"\d{5}", "order 12345", True),
        (r"^foo$", "a\nfoo", False),
        (r"^foo$", "foo\n", False),
        (r"(?<year>\d{4})-\k<year>", "2024-2024", True),
        (r"(a)(b)\2\1", "abba", True),
        (r"a{,3}", "a{,3}", True),
        (r"a{,3}", "aaa", False),
        (r"[^]", "\n", True),
        (r"[]", "x", False),
        (r"[[a]", "[", True),
        (r"\d", "٣", False),
        (r"\w", "é", False),
        (r"\s", "\u00a0", True),
        (r"[\s]", "\ufeff", True),
        (r"a.b", "a\nb", False),
        (r"\/x\-y", "/x-y", True),
        (r"\u0041\x42", "AB", True),
        (r"(?<=\$)\d+(?!\d)", "$12", True),
        (r"x{2,}?", "xxx", True),
        (r"\p{L}", "p{L}", True),
    ],
)
def test_it_means_what_it_means_in_javascript(pattern: str, text: str, found: bool) -> None:
    assert patterns.search(pattern, text) is found


@pytest.mark.parametrize("pattern", ["(?i)x", "[x", "(", ")", "a++", "*", "(?P<x>a)", "a|*", "\\", "(?#x)"])
@pytest.mark.parametrize("negate", [False, True])
def test_what_javascript_cannot_read_fails_even_when_negated(pattern: str, negate: bool) -> None:
    result = grade_check(Check(type="regex", value=pattern, negate=negate), Answer(output="x"))
    assert not result.passed
    assert result.word != "failure"
    assert "no regular expression" in result.reason


def test_an_expression_that_never_ends_is_stopped_and_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "SECONDS", 0.1)
    began = time.monotonic()
    result = grade_check(Check(type="regex", value=r"^(a|a?)+$"), Answer(output="a" * 60 + "b"))
    assert result.word == "failure" or not result.passed
    assert time.monotonic() - began < 60
    slow = grade_check(Check(type="regex", value=r"(?:(x+x+)+y|(\w+\s?)*!)$"), Answer(output="x" * 5000))
    assert slow.word == "failure"
    assert "longer than" in slow.reason


@given(st.text(alphabet="ab01(){}[]|*+?^$.\\dws,-<>=!:k"), st.text(alphabet="ab01 ", max_size=8))
def test_any_text_is_read_or_refused(pattern: str, text: str) -> None:
    with contextlib.suppress(re.error):
        patterns.search(pattern, text)


@given(st.text(max_size=20))
def test_letters_that_are_escaped_mean_themselves(text: str) -> None:
    assert patterns.search(re.sub(r"([\\^$.|?*+()\[\]{}])", r"\\\1", text), f"<{text}>")


@pytest.mark.parametrize(
    ("pattern", "flags", "found"), [("^..$", "", True), ("^.$", "", False), ("^.$", "u", True)]
)
def test_a_character_beyond_the_first_plane_is_two_units_without_a_flag(
    pattern: str, flags: str, found: bool
) -> None:
    assert patterns.search(pattern, "\U0001f600", flags=flags) == found
