from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.formats.promptfoo import comma_list, parse_assertion


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("contains: Paris", {"type": "contains", "value": "Paris"}),
        ("not-contains:Paris", {"type": "not-contains", "value": "Paris"}),
        ("Paris", {"type": "equals", "value": "Paris"}),
        ("Contains: x", {"type": "equals", "value": "Contains: x"}),
        ("contains", {"type": "contains"}),
        ("similar-ish: x", {"type": "equals", "value": "similar-ish: x"}),
        ("levenshtein: sitting", {"type": "levenshtein", "value": "sitting", "threshold": 0.75}),
        ("levenshtein(3): sitting", {"type": "levenshtein", "value": "sitting", "threshold": 3}),
        ("similar: a", {"type": "similar", "value": "a", "threshold": 0.8}),
        ("bleu(0.1): a", {"type": "bleu", "value": "a"}),
        ("latency(60000)", {"type": "latency", "threshold": 60000}),
        ("fn: output.length", {"type": "javascript", "value": "output.length"}),
        ("eval: 1", {"type": "javascript", "value": "1"}),
        ("file://check.js", {"type": "javascript", "value": "file://check.js"}),
        ("file://check.py:score", {"type": "python", "value": "check.py:score"}),
        ("python: len(output)", {"type": "python", "value": "len(output)"}),
        ("grade: is kind", {"type": "llm-rubric", "value": " is kind"}),
        (" contains: x ", {"type": "contains", "value": "x"}),
        (" just words ", {"type": "equals", "value": "just words"}),
        ("levenshtein(0): a", {"type": "levenshtein", "value": "a", "threshold": 0}),
        ("is-json: {}", {"type": "is-json", "value": " {}"}),
        ("contains-any:", {"type": "contains-any", "value": ""}),
        ("contains-all:a,b,,c", {"type": "contains-all", "value": ["a", "b", "c"]}),
        ("contains-any: <b> </span>", {"type": "contains-any", "value": ["<b> </span>"]}),
        ("select-best: x", {"type": "equals", "value": "select-best: x"}),
        ("contains: multi\nline", {"type": "contains", "value": "multi\nline"}),
    ],
)
def test_a_cell_is_the_assertion_it_says(line: str, expected: dict[str, Any]) -> None:
    assert parse_assertion(line) == expected


def test_an_item_in_quotes_may_hold_commas_and_quotes() -> None:
    assert comma_list('"Hello, world", zzz,"say ""hi""","a \\"b\\""') == [
        "Hello, world",
        "zzz",
        'say "hi"',
        'a "b"',
    ]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        (r'"a\\b"', ["a\\b"]),
        (", ,a,, b ,", ["a", "b"]),
        ('"", x', ["", "x"]),
        ("\ufeffa,\x1cb", ["a", "\x1cb"]),
        ('a "b, c"', ['a "b', 'c"']),
    ],
)
def test_blank_items_count_only_in_quotes(text: str, items: list[str]) -> None:
    assert comma_list(text) == items


@pytest.mark.parametrize("text", ['"open', '"a" b, c', 'a, "b'])
def test_quotes_that_do_not_match_are_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="quote"):
        comma_list(text)


@given(st.lists(st.text(alphabet='ab, "', min_size=1).filter(str.strip)))
def test_a_quoted_list_is_read_back(items: list[str]) -> None:
    text = ",".join('"' + item.replace('"', '""') + '"' for item in items)
    assert comma_list(text) == items


@given(st.text())
def test_any_cell_is_an_assertion_or_a_worded_error(line: str) -> None:
    with suppress(ValueError):
        assert parse_assertion(line)["type"]
