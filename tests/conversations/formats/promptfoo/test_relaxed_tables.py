"""CSV whose quotes are not as they should be."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.formats.promptfoo.tables import relaxed_lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('"abc"def,x\n', [['"abc"def', "x"]]),
        ('ab"c,"d, e"\r\nf,', [['ab"c', "d, e"], ["f", ""]]),
        ('"a""b"c\n\nlast', [['"a"b"c'], [], ["last"]]),
        ('"two\nlines",x', [["two\nlines", "x"]]),
    ],
)
def test_what_stands_there_is_taken_as_it_stands(text: str, lines: list[list[str]]) -> None:
    assert relaxed_lines(text) == lines


@given(st.lists(st.lists(st.text(alphabet='ab, "\n', min_size=1), min_size=1), min_size=1))
def test_a_table_with_right_quotes_is_read_as_ever(lines: list[list[str]]) -> None:
    written = io.StringIO()
    csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(lines)
    assert relaxed_lines(written.getvalue()) == lines
