"""Concepts find what their patterns match, however quickly they are ruled out elsewhere."""

from __future__ import annotations

import re

import pytest
from doubtful_instructions import BENIGN, BENIGN_HELD_BACK, HELD_AGAIN, HELD_BACK, NEW, SLY
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from planted_instructions import FURTHER, FURTHER_HARMLESS, HARMLESS, PLANTED, UNSEEN

from turnwise.engine.judge import (
    addressed_sentences,
    addressed_words,
    addressed_words_abroad,
    doubtful_words,
)
from turnwise.engine.judge.concepts import Concept, any_of

CONCEPTS = {
    f"{module.__name__.rpartition('.')[2]} {name}": value
    for module in (addressed_sentences, addressed_words, addressed_words_abroad, doubtful_words)
    for name, value in vars(module).items()
    if isinstance(value, Concept)
}
TEXTS = [
    *(text for texts in (*PLANTED.values(), *NEW.values()) for text in texts),
    *(*UNSEEN, *FURTHER, *HARMLESS, *FURTHER_HARMLESS),
    *(*SLY, *HELD_BACK, *HELD_AGAIN, *BENIGN, *BENIGN_HELD_BACK),
]
JUDGE = any_of(r"\bjudges?\b", r"\breviewers?\b")


def test_a_concept_is_met_in_any_of_its_words_whatever_the_case() -> None:
    met = JUDGE.search("Dear REVIEWER and dear judge")
    assert met is not None
    assert met[0] == "REVIEWER"
    assert [one[0] for one in JUDGE.finditer("Dear REVIEWER and dear judge")] == ["REVIEWER", "judge"]
    assert JUDGE.match("Judges, please") is not None


def test_it_is_not_met_in_other_words() -> None:
    assert JUDGE.search("Prejudged by nobody") is None
    assert JUDGE.match("Dear judge") is None
    assert list(JUDGE.finditer("Nobody")) == []


@pytest.mark.parametrize("name", CONCEPTS)
def test_it_is_found_in_every_known_order_and_harmless_text_in_which_its_pattern_matches(name: str) -> None:
    concept = CONCEPTS[name]
    pattern = re.compile(concept.pattern, re.IGNORECASE)
    for text in TEXTS:
        plain, found = pattern.search(text), concept.search(text)
        assert (found and found.span()) == (plain and plain.span()), text


@pytest.mark.parametrize("name", CONCEPTS)
@settings(
    max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)
@given(st.data())
def test_it_is_found_in_whatever_its_pattern_may_match(name: str, data: st.DataObject) -> None:
    concept = CONCEPTS[name]
    text = data.draw(st.from_regex(re.compile(concept.pattern, re.IGNORECASE)))
    assert concept.search(text) is not None
