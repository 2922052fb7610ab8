"""Word starts: what a text must have for a pattern to match, and never more than that."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.judge.word_starts import needed_starts, word_starts


def test_a_text_has_its_words_and_what_they_begin_with_in_small_letters() -> None:
    assert word_starts("Judge A fairly") == {
        *("judge", "ju", "jud", "judg"),
        "a",
        *("fairly", "fa", "fai", "fair", "fairl"),
    }


@pytest.mark.parametrize("text", ["оценка", "评分", "ſcore", "µ", "\u212aelvin"])
def test_nothing_is_told_of_a_text_with_letters_that_may_be_written_in_another_way(text: str) -> None:
    assert word_starts(text) is None


@pytest.mark.parametrize(
    ("pattern", "starts"),
    [
        (r"\bjudges?\b", {"judge", "judges"}),
        (r"\bjury\b|\breferees?", {"jury", "refer"}),
        # A word that ends is looked for as a whole, one that may go on by its first letters.
        (r"\bai\b", {"ai"}),
        (r"\bscor\w*", {"scor"}),
        # Of several words the rarest one.
        (r"\bthe (?:final )?verdict\b", {"verdict"}),
        (r"\b(?:the )?(?:judge|grader)", {"judge", "grade"}),
        # A part that may be missing, or stand more often, and one that may be anything.
        (r"\bgive (?:\w+ )?ten\b", {"give"}),
        (r"(?:\bten )+points", {"point"}),
        (r"^\W*verdict: yes", {"verdict"}),
        (r"(?<![\w.])(?:10|1\.0)(?![\w.])", {"10", "1"}),
        # What only another script has matches in no text that has none.
        (r"\bscore\b|评分", {"score"}),
    ],
)
def test_of_a_pattern_the_words_are_known_without_which_it_matches_nowhere(
    pattern: str, starts: set[str]
) -> None:
    assert needed_starts(pattern) == starts


@pytest.mark.parametrize(
    "pattern",
    ["judg|scor", r"\w+ing\b", r"<\|\w+\|>", r"\d+", r"(?:\bjudge)?", "[a-z]{3}", r"(?<![^\w])judge"],
)
def test_nothing_is_known_where_a_match_may_begin_within_a_word(pattern: str) -> None:
    assert needed_starts(pattern) is None


_PIECES = [
    "\\b",
    "judge",
    "the ",
    "s?",
    "\\w+",
    " ",
    "-",
    "(?:ten|10)",
    "(?:a )?",
    "\\W*",
    "(?!x)",
    "[sz]",
    "\\d",
]


@given(st.lists(st.sampled_from(_PIECES), min_size=1, max_size=8), st.data())
def test_whatever_a_pattern_matches_has_a_start_that_it_needs(pieces: list[str], data: st.DataObject) -> None:
    pattern = "".join(pieces)
    needs = needed_starts(pattern)
    text = data.draw(st.from_regex(re.compile(pattern, re.IGNORECASE)))
    has = word_starts(text)
    if needs is not None and has is not None and re.search(pattern, text, re.IGNORECASE):
        assert not needs.isdisjoint(has)
