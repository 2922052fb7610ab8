"""What is marked in a drawn line changes how it looks and never what it says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style

from turnwise.conversations.patterns import WrittenPattern
from turnwise.tui.drawing.lines import (
    joined,
    line_text,
    mark_matches,
    mark_selected,
    on_own_ground,
    with_marks,
)


@given(st.lists(st.text("abc ", min_size=1), max_size=6), st.sampled_from(["a", "b+", "a b", "c*", "^a"]))
def test_marking_changes_styles_and_never_text(pieces: list[str], typed: str) -> None:
    line = [Segment(piece, Style(bold=True)) for piece in pieces]
    marked = mark_matches(line, WrittenPattern(typed), Style(reverse=True))
    assert line_text(marked) == "".join(pieces)
    for piece in marked:
        if piece.style and piece.style.reverse:
            assert set(piece.text) <= set("abc ")


def test_blanks_around_a_reversed_sign_are_not_reversed() -> None:
    reverse, plain = Style(bold=True, reverse=True), Style(bold=True)
    assert on_own_ground(" ✗  ", plain) == [Segment(" ✗  ", plain)]
    drawn = on_own_ground(" ✗  ", reverse)
    assert line_text(drawn) == " ✗  "
    assert [piece.text for piece in drawn if piece.style and piece.style.reverse] == ["✗"]
    assert on_own_ground("    ", reverse) == [Segment("    ", reverse)]


def test_marks_of_a_key_are_drawn_in_their_own_styles() -> None:
    bold, dim = Style(bold=True), Style(dim=True)
    assert with_marks([Segment("✗ fails ✓", dim)], {"✗": bold}) == [
        Segment("✗", bold),
        Segment(" fails ✓", dim),
    ]


def test_a_selection_covers_its_characters_whatever_their_styles() -> None:
    line = [Segment("an ", Style(bold=True)), Segment("otter")]
    marked = mark_selected(line, 1, 5, Style(reverse=True))
    assert [(piece.text, bool(piece.style and piece.style.reverse)) for piece in marked] == [
        ("a", False),
        ("n ", True),
        ("ot", True),
        ("ter", False),
    ]
    assert line_text(mark_selected(line, 1, -1, Style(reverse=True))) == "an otter"


def test_a_line_is_joined_to_as_few_pieces_as_look_the_same() -> None:
    red, ground, under = Style(color="red"), Style(bgcolor="blue"), Style(underline=True)
    line = [
        Segment("a", red),
        Segment("b", Style(color="red")),
        Segment("  "),
        Segment("c"),
        Segment(" ", red),
    ]
    assert joined(line) == [Segment("ab  ", red), Segment("c ")]
    apart = [Segment("a", red), Segment(" ", ground), Segment("b", ground), Segment(" ", under), Segment(" ")]
    assert joined(apart) == [
        Segment("a", red),
        Segment(" b", ground),
        Segment(" ", under),
        Segment(" "),
    ]
    assert joined([Segment(""), Segment("", red)]) == []
