from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.files.json_text import TOO_DEEP
from turnwise.conversations.files.yaml_text import load_yaml


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("yes", "yes"),
        ("off", "off"),
        ("True", True),
        ("~", None),
        ("", None),
        ("012", 12),
        ("0o17", 15),
        ("0x1F", 31),
        ("1_000", "1_000"),
        ("0b11", "0b11"),
        ("1e400", "1e400"),
        ("1.0", 1.0),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("-.inf", -math.inf),
        ("12:30:45", "12:30:45"),
        ("2024-01-01", "2024-01-01"),
        ("1.2.3", "1.2.3"),
        ("'1'", "1"),
        ("!!str 5", "5"),
        ("-", [None]),
    ],
)
def test_a_word_means_what_it_means_in_yaml_1_2(word: str, value: Any) -> None:
    assert load_yaml(f"- {word}") == [value]


def test_keys_are_text_and_merged_fields_give_way() -> None:
    assert load_yaml("1: a\ntrue: b\nbase: &b {x: 1, y: 2}\nown: {<<: *b, y: 3}") == {
        "1": "a",
        "true": "b",
        "base": {"x": 1, "y": 2},
        "own": {"y": 3, "x": 1},
    }


def test_an_alias_is_the_value_it_names() -> None:
    value = load_yaml("a: &x [1]\nb: *x")
    assert value["b"] == [1]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\na: 2", "the key a is given twice at line 2, column 1"),
        ("a: [1,\n", "at line 2"),
        ("a: b: c", "line 1, column 5"),
        ("a: 1\n---\nb: 2", "expected one document"),
        ("a: *nope", r"\*nope names no anchor"),
        ("a: !!python/object:os.system {}", "expected YAML|expected plain data"),
        ("a: !run 1", "expected plain data; got the tag !run at line 1"),
        ("? [1]\n: 2", "expected a key of one word"),
        ("[" * 1000, TOO_DEEP),
        ("a: \x07", "expected YAML"),
        ("a: &a [*a]", "names no anchor"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        load_yaml(text)


def test_aliases_cannot_fill_the_memory() -> None:
    lines = ["a: &a [x,x,x,x,x,x,x,x,x,x]"]
    lines += [f"{chr(98 + i)}: &{chr(98 + i)} [{','.join([f'*{chr(97 + i)}'] * 10)}]" for i in range(9)]
    with pytest.raises(ValueError, match="a million values"):
        load_yaml("\n".join(lines))


@given(st.text(alphabet=st.sampled_from("ab1.-+_:&*!<>[]{}'\"\\ \n\t#|%@,?~eEx0"), max_size=60))
def test_any_text_is_a_value_or_a_worded_error(text: str) -> None:
    with suppress(ValueError):
        load_yaml(text)


def test_aliases_count_by_the_length_of_their_texts() -> None:
    text = "x" * 1_000_000
    repeated = "".join("- *a\n" for _ in range(25))
    with pytest.raises(ValueError, match="20 million characters at line 22"):
        load_yaml(f"- &a {text}\n{repeated}")
    with pytest.raises(ValueError, match="20 million characters"):
        load_yaml(f"- &a [{text}, {{b: {text}}}]\n{repeated}")
    assert len(load_yaml("- &a " + "x" * 1000 + "\n" + "- *a\n" * 10_000)) == 10_001


def test_a_number_that_no_float_can_hold_is_infinite_as_in_javascript() -> None:
    assert load_yaml("- " + "9" * 400) == [float("inf")]
    assert load_yaml("- " + "9" * 200) == [int("9" * 200)]
