"""Completion of filters: first the fields, then their values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stored import keep, land, score

from turnwise.conversations.store.completing.vocabulary import Vocabulary, completions, filter_hints
from turnwise.conversations.store.filter_fields import FILTER_FIELDS

OTHERS = set(FILTER_FIELDS) - {"role", "name", "source", "tag", "id", "run", "label", "mode", "turns"}
WORDS = Vocabulary(
    metrics=["role_adherence", "odd name"],
    found={
        "role": ["airline agent", "bank"],
        "tag": ["vip", "very vip"],
        "source": ["tau.json"],
        "run": ["2", "1"],
        "mode": ["asks again", "none"],
    },
)


@pytest.mark.parametrize(
    ("query", "start", "texts"),
    [
        ("ro", 0, ["role:", "role_adherence<"]),
        ("x tu", 2, ["turns>"]),
        ("-ta", 0, ["-tag:"]),
        ("tag:v", 0, ["tag:vip", 'tag:"very vip"']),
        ("role:", 0, ['role:"airline agent"', "role:bank"]),
        ('role:"air', 0, ['role:"airline agent"']),
        ("label:", 0, ["label:pass", "label:fail", "label:deferred", "label:none", "label:disputed"]),
        ("run:", 0, ["run:2", "run:1"]),
        ("mode:", 0, ['mode:"asks again"', "mode:none"]),
        ("role_adherence:sk", 0, ["role_adherence:skipped"]),
        ("odd", 0, ['"odd name"<']),
        ("role_adherence", 0, [f"role_adherence{sign}" for sign in ("<", "<=", ">", ">=", ":")]),
        ('"quoted', 0, []),
        ("", 0, []),
        ("zzz", 0, []),
        ("zzz:", 0, []),
    ],
)
def test_what_the_term_before_the_cursor_may_become(query: str, start: int, texts: list[str]) -> None:
    at, found = completions(query, len(query), WORDS)
    # Of what stands here, in this order, whatever other fields there are.
    known = [one.text for one in found if one.text.lstrip("-").rstrip(":>") not in OTHERS]
    assert (at, known) == (start, texts)


@given(st.text(max_size=30), st.integers(0, 30))
def test_nothing_that_is_typed_breaks_it(query: str, cursor: int) -> None:
    at, _ = completions(query, min(cursor, len(query)), WORDS)
    assert 0 <= at <= len(query)


def test_a_store_knows_its_words(store) -> None:
    keep(store, "a", "b", chatbot_role="bank", tags=["t"], source="f.json")
    land(store, keep(store, "c", "d", chatbot_role="bank"), score(0.5))
    words = store.sessions.vocabulary()
    assert words.metrics == ["politeness"]
    assert [words.values(name) for name in ("role", "tag", "run")] == [["bank"], ["t"], ["1"]]
    assert set(words.values("source")) == {"f.json", "test"}


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("tag:vipp", ["There is no tag vipp. Did you mean vip?"]),
        ("tag:vip role:bank word", []),
        ("role:banc", ["There is no role banc. Did you mean bank?"]),
        ("tag:very", ["There is no tag very. Did you mean very vip?"]),
        ("source:zzzzzz", ["There is no source zzzzzz."]),
    ],
)
def test_what_is_odd_about_a_filter_that_finds_nothing(query: str, told: list[str]) -> None:
    assert filter_hints(query, WORDS) == told


def test_what_a_terminal_would_obey_completes_nothing(store) -> None:
    keep(store, "a", "b", chatbot_role="\x1b[31mred", tags=["\u202eevil", "two\nlines", "fine"], source="s")
    words = store.sessions.vocabulary()
    assert (words.values("role"), words.values("tag")) == ([], ["fine"])
