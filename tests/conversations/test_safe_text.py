"""Safe text shows what a terminal would obey or hide, and leaves ordinary writing alone."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.safe_text import make_safe, make_safe_json, make_safe_line

anything = st.text(st.characters(exclude_categories=()))
tricky = st.text(
    st.sampled_from(
        "a1#\t\r\n\x1b\x07\x9b\u202e\u200b\u200c\u200d\ufe0e\ufe0f👩🏽💻🏴\U000e0067\U000e007f字ی\u034f\u20e3"
    )
)


@given(anything | tricky)
def test_no_control_character_is_left_but_the_newline(text: str) -> None:
    assert not [c for c in make_safe(text) if unicodedata.category(c) in {"Cc", "Cs"} and c != "\n"]


@given(anything | tricky)
def test_what_is_safe_stays_as_it_is(text: str) -> None:
    safe = make_safe(text)
    assert make_safe(safe) == safe


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_printable_ascii_is_unchanged(text: str) -> None:
    assert make_safe(text) == text


@given(anything | tricky)
def test_no_direction_is_overridden(text: str) -> None:
    assert not set(make_safe(text)) & set(
        "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
    )


@given(anything | tricky)
def test_safe_text_can_be_written_as_utf8(text: str) -> None:
    make_safe(text).encode("utf-8")


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[31mred\x07", "␛[31mred␇"),
        ("\x7f", "␡"),
        ("\x9b2J", "‹U+009B›2J"),
        ("a\u202eb", "a‹U+202E›b"),
        ("in\u200bvisible", "in‹U+200B›visible"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("a\tb", "a   b"),
        ("\ud800", "‹U+D800›"),
        ("hid\U000e0068\U000e0069", "hid‹U+E0068›‹U+E0069›"),
        ("👩\u200d\u200d👩", "👩‹U+200D›‹U+200D›👩"),
        ("a\u200db", "a‹U+200D›b"),
        ("😀\ufe0f\ufe0f", "😀\ufe0f‹U+FE0F›"),
    ],
)
def test_what_a_terminal_obeys_or_hides_is_shown(raw: str, shown: str) -> None:
    assert make_safe(raw) == shown


@pytest.mark.parametrize(
    "text",
    [
        "👩🏽\u200d💻 👨\u200d👩\u200d👧\u200d👦 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3 🇩🇪",
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "e\u0301 n\u0303 Zürich",
        "退款 まだですか 환불 葛\U000e0100",
        "مرحبا שלום می\u200cخواهم क्\u200dष",
        "“quotes” – dashes … ✓ ✗ □ │",
    ],
)
def test_ordinary_writing_stays_readable(text: str) -> None:
    assert make_safe(text) == text


def test_a_line_of_a_list_holds_no_newline() -> None:
    assert make_safe_line(" a\r\n b\t\tc \x1b") == "a b c ␛"


@given(st.text())
def test_safe_json_says_the_same_and_is_shown_as_it_is(text):
    written = make_safe_json(json.dumps(text, ensure_ascii=False))
    assert json.loads(written) == text
    assert make_safe(written) == written


def test_only_what_is_unsafe_is_escaped():
    assert make_safe_json('"é 退 \u202e \x7f \U000e0041"') == '"é 退 \\u202e \\u007f \\udb40\\udc41"'
    assert make_safe_json('[\n  "a"\n]') == '[\n  "a"\n]'
