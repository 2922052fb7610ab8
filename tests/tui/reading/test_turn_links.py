"""A reason's "turn 10" is a link."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style

from turnwise.tui.reading.turn_links import keep_together, link_turns, links_in, turn_at, turns_named

UNDERLINED = Style(underline=True)


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("Turn 10 asks for what turn 3 had given.", [10, 3]),
        ("broken in turns 2, 4 and 6 (twice in turn 4)", [2, 4, 6]),
        ("turns 3-5", [3, 5]),
        ("nocturn 4, turn, turned 7, 12 turns", []),
        ("turn 99999999999999999999", []),
        ("turn\xa08", [8]),
    ],
)
def test_turns_that_a_text_names(text: str, turns: list[int]) -> None:
    assert turns_named(text) == turns


def test_a_link_is_where_its_words_are_drawn_also_after_wide_characters() -> None:
    line = [Segment("退款 in "), Segment("turn 3 and 12")]
    assert links_in(line, 20) == [(8, 14, 3), (19, 21, 12)]
    assert [turn_at(line, cell, 20) for cell in (7, 8, 13, 14, 20)] == [None, 3, 3, None, 12]


def test_a_turn_that_is_not_there_is_no_link() -> None:
    line = [Segment("turn 3 and 12")]
    assert turn_at(line, 12, last=6) is None
    assert [piece.text for piece in link_turns(line, UNDERLINED, 6) if piece.style] == ["turn 3"]


def test_a_number_stays_with_its_word() -> None:
    assert keep_together("at turn 4 and turns 5") == "at turn\xa04 and turns\xa05"


@given(st.text(alphabet="turns 0123456789,-and\xa0退\u202e", max_size=80))
def test_any_text_keeps_its_characters(text: str) -> None:
    drawn = link_turns([Segment(text)], UNDERLINED, 10**6)
    assert "".join(piece.text for piece in drawn) == text
