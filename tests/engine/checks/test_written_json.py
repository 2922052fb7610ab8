"""JSON that a model writes into its text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.checks.json_checks import json_on_lines


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('so\n{"a": 1}', [{"a": 1}]),
        ('  [1]  \nand\n{"b":\n 2}', [[1], {"b": 2}]),
        ('so {"a": 1}', []),
        ('{"a": 1} so', []),
        ('```json\n{"a": 1}\n```', []),
        ('{odd\n{"a": 1}', [{"a": 1}]),
        ('[not\n{"a": 1}\n]', [{"a": 1}]),
        ('he said "{"\n{"a": "}"}', [{"a": "}"}]),
        ('{"a": 1}{"b": 2}', []),
    ],
)
def test_what_begins_and_ends_a_line_counts(text: str, found: list[Any]) -> None:
    assert list(json_on_lines(text)) == found


@given(st.text(alphabet='{}[]"\\`~ \na1,:', max_size=80))
def test_any_text_has_an_end(text: str) -> None:
    for value in json_on_lines(text):
        assert isinstance(value, (dict, list))
