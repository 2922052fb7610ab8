"""JSON text to values."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.files.json_text import DEEPEST, decode_json

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(values)
def test_reads_what_json_writes(value: object) -> None:
    assert decode_json(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": 1,}', "column [89]"),
        ('{"a"\n: 1 2}', "line 2, column 5"),
        ('{"a": "b', "ends in the middle"),
        ('{"a": [1, 2', "ends in the middle"),
        ("[" * 100_000, "nested more than"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "nested more than"),
        ("1" * 5_000, "too many digits"),
        (b'{"a": "\xff"}', "byte 0xff at byte 8"),
        (b'{"a":\n "\xff"}', "byte 0xff at line 2, byte 3"),
    ],
)
def test_says_what_is_wrong_and_where(text: str | bytes, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        decode_json(text)


def test_a_missing_number_is_null_and_an_infinite_one_its_text() -> None:
    assert decode_json("[NaN, Infinity, -Infinity, 1e999]") == [None, "Infinity", "-Infinity", "1e999"]


def test_half_an_emoji_becomes_the_replacement_character() -> None:
    value = decode_json(r'{"a\udc00": ["cut \ud83d", {"b": "whole \ud83d\ude00"}]}')
    assert value == {"a\ufffd": ["cut \ufffd", {"b": "whole \U0001f600"}]}
    json.dumps(value, ensure_ascii=False).encode()


def test_many_brackets_that_are_not_deep_are_fine() -> None:
    assert decode_json(json.dumps([[]] * 1_000)) == [[]] * 1_000
    assert decode_json("[" * DEEPEST + "]" * DEEPEST)


def test_of_a_doubled_key_the_last_value_stands() -> None:
    assert decode_json('{"a": 1, "a": 2}') == {"a": 2}
