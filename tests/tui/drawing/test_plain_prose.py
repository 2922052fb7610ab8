"""Plain prose is drawn without a parser, line for line as Markdown would be."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from turnwise.tui.drawing.palette import Palette
from turnwise.tui.drawing.plain_prose import plain_title, prose_lines
from turnwise.tui.reading.markdown_lines import markdown_lines

PALETTE = Palette(**{part.name: Style.null() for part in fields(Palette)})
WORDS = ("it", "Where's", "(yes)", "no!", "“card”", "é", "1.", "3)", "-", "+", "=", "--", "10:30", "a" * 11)

lines = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join)
paragraphs = st.lists(lines, min_size=1, max_size=3).map("\n".join)
texts = st.lists(paragraphs, min_size=1, max_size=3).map("\n\n".join)


@given(texts, st.integers(11, 40))
def test_its_lines_are_those_that_it_has_as_markdown(text: str, width: int) -> None:
    found = prose_lines(text, width)
    if found is not None:
        parsed = markdown_lines(text, width, PALETTE)
        assert list(found) == ["".join(piece.text for piece in line).rstrip() for line in parsed]


def test_paragraphs_stand_apart_and_line_breaks_stay() -> None:
    found = prose_lines("Your money is\non its way.\n\n\nAnything else?\n", 40)
    assert list(found or ()) == ["Your money is", "on its way.", "", "Anything else?"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Refunds",
        "- one",
        "1. one",
        "> so you said",
        "    code",
        "a *b* c",
        "snake_case",
        "`code`",
        "[a](b)",
        "a  \nb",
        "a\n---",
        "a | b",
        "1 &lt; 2",
        "back\\slash",
        "日本",
        "too-long-for-a-line",
    ],
)
def test_whatever_markdown_may_read_is_left_to_it(text: str) -> None:
    assert prose_lines(text, 12) is None


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "# Airline Agent Policy\n\nThe time is noon.\n## Fees",
            "Airline Agent Policy The time is noon. Fees",
        ),
        ("Case #3 of 4", "Case #3 of 4"),
        ("#1 is open", "#1 is open"),
        ("plain", "plain"),
    ],
)
def test_a_title_of_one_line_has_no_marks_of_headings(text: str, title: str) -> None:
    assert plain_title(text) == title
