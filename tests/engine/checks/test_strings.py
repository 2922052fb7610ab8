"""Checks on words: equality, contained texts, beginnings, and lists written with commas."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.formats.promptfoo import comma_list
from turnwise.conversations.suites import Check
from turnwise.engine.suites import Answer, grade_check


def passes(kind: str, value: Any, output: Any, **rest: Any) -> bool:
    result = grade_check(Check(type=kind, value=value, **rest), Answer(output=output))
    assert result.word != "failure", result.reason
    return result.passed


@pytest.mark.parametrize(
    ("value", "output", "expected"),
    [
        ("Paris", "Paris", True),
        ("Paris", "Paris ", False),
        (42.0, "42", True),
        (True, "true", True),
        ({"a": [1, None]}, '{ "a": [1.0, null] }', True),
        ({"a": 1}, '{"a": true}', False),
        ({"a": 1}, "no data", False),
        ({"a": "ä"}, {"a": "ä"}, True),
    ],
)
def test_equality_is_of_texts_or_of_data(value: Any, output: Any, expected: bool) -> None:
    assert passes("equals", value, output) is expected
    assert passes("equals", value, output, negate=True) is not expected


def test_containing_is_by_capitals_unless_the_check_begins_with_i() -> None:
    assert not passes("contains", "Paris", "paris")
    assert passes("icontains", "PARIS", "paris")
    assert passes("contains", 0, "0 items")
    assert not passes("icontains", "straße", "STRASSE")


def test_data_is_searched_as_compact_json() -> None:
    assert passes("contains", '"a":1', {"a": 1.0})


def test_any_of_nothing_fails_and_all_of_nothing_passes() -> None:
    assert not passes("contains-any", [], "x")
    assert passes("contains-all", [], "x")


@pytest.mark.parametrize("value", ["", None, [], {}, True])
def test_a_check_with_nothing_to_look_for_is_a_failure_not_a_fail(value: Any) -> None:
    result = grade_check(Check(type="contains", value=value), Answer(output="x"))
    assert result.word == "failure"
    assert result.next_step


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("blue, green", ["blue", "green"]),
        ('"Hello, world", foo', ["Hello, world", "foo"]),
        ('"say ""hi""", x', ['say "hi"', "x"]),
        (r'"say \"hi\"", x', ['say "hi"', "x"]),
        (",, abc ,,", ["abc"]),
        (", ,", []),
        ("<b>,</span>", ["<b>", "</span>"]),
    ],
)
def test_a_list_with_commas_may_quote_its_items(text: str, items: list[str]) -> None:
    assert comma_list(text) == items


@pytest.mark.parametrize("text", ['"abc, def', '"abc" def, ghi'])
def test_a_list_that_is_quoted_wrongly_is_refused(text: str) -> None:
    result = grade_check(Check(type="contains-any", value=text), Answer(output="abc"))
    assert result.word == "failure"
    assert "contains-any" in result.reason


@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\\"), min_size=1)))
def test_every_quoted_list_reads_back(items: list[str]) -> None:
    text = ", ".join('"' + item.replace('"', '""') + '"' for item in items)
    assert comma_list(text) == items


@given(st.text(), st.text())
def test_a_negated_check_says_the_opposite(value: str, output: str) -> None:
    if value:
        plain = grade_check(Check(type="contains", value=value), Answer(output=output))
        negated = grade_check(Check(type="contains", value=value, negate=True), Answer(output=output))
        assert plain.passed is (value in output)
        assert negated.passed is not plain.passed
        assert negated.score == float(negated.passed)


@pytest.mark.parametrize(
    ("value", "output"),
    [
        (1e-5, "0.00001"),
        (12345678901234567890, "12345678901234567000"),
        ({"n": 12345678901234567890}, '{"n": 12345678901234567891}'),
    ],
)
def test_numbers_are_those_of_javascript(value: Any, output: str) -> None:
    assert passes("equals", value, output)


def test_a_value_of_null_is_told_from_none_at_all() -> None:
    assert passes("equals", None, "undefined")
    assert passes("equals", None, "null", is_null=True)


@pytest.mark.parametrize(
    ("item", "output"), [(None, "a null"), ({"a": 1}, "[object Object]"), ([1, 2], "1,2"), (1.0, "1")]
)
def test_items_of_a_list_are_texts_as_javascript_makes_them(item: Any, output: str) -> None:
    assert passes("contains-any", [item], output)
