"""Words that differ are found whatever lines they stand on, and no others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style

from turnwise.tui.drawing.word_diff import MOST_WORDS, Spans, emphasise, word_diff


def words(lines: list[str], spans: Spans) -> list[str]:
    return [lines[line][start:end] for line, found in sorted(spans.items()) for start, end in found]


def differing(a: list[str], b: list[str]) -> tuple[list[str], list[str]]:
    found = word_diff(a, b)
    assert found is not None
    return words(a, found[0]), words(b, found[1])


def test_what_differs_is_marked_on_both_sides() -> None:
    a, b = ["The refund takes 5 to 7 days."], ["The refund takes 2 days."]
    assert differing(a, b) == (["5 to 7"], ["2"])


def test_line_breaks_do_not_count() -> None:
    assert differing(["one two", "three"], ["one", "two three"]) == ([], [])


def test_a_word_more_is_marked_on_its_side_alone() -> None:
    assert differing(["I found it."], ["I have found it."]) == ([], ["have"])


def test_languages_without_spaces_are_compared_by_character() -> None:
    assert differing(["我想要退款"], ["我想要改签"]) == (["退款"], ["改签"])


def test_texts_that_share_next_to_nothing_are_not_compared_by_word() -> None:
    assert word_diff(["Sorry, no."], ["Two bags of 23 kg each are included in your fare."]) is None


def test_nothing_differs_from_nothing() -> None:
    assert word_diff([], []) == ({}, {})
    assert word_diff(["same"], ["same"]) == ({}, {})


def test_a_huge_text_is_not_compared_but_one_that_differs_in_a_word_is() -> None:
    first, second = ([f"{side}{n}" for n in range(MOST_WORDS + 1)] for side in "ab")
    assert word_diff(first, second) is None
    assert differing([*first, "x", *second], [*first, "y", *second]) == (["x"], ["y"])


lines = st.lists(st.text("ab .,退é", max_size=12), max_size=4)


@given(lines, lines)
def test_without_the_marked_words_both_sides_say_the_same(a: list[str], b: list[str]) -> None:
    found = word_diff(a, b)
    if found is None:
        return
    kept = []
    for side, spans in zip((a, b), found, strict=True):
        text = []
        for number, line in enumerate(side):
            place = 0
            for start, end in spans.get(number, ()):
                assert place <= start < end <= len(line)
                text.append(line[place:start])
                place = end
            text.append(line[place:])
        kept.append("".join("".join(text).split()))
    assert kept[0] == kept[1]


def test_a_line_is_drawn_in_two_styles_and_says_the_same() -> None:
    dim, bright = Style(dim=True), Style(bold=True)
    line = [Segment("the "), Segment("big red", Style(italic=True)), Segment(" bag")]
    drawn = emphasise(line, [(4, 7), (12, 15)], dim, bright)
    assert "".join(piece.text for piece in drawn) == "the big red bag"
    assert [piece.text for piece in drawn if piece.style and piece.style.bold] == ["big", "bag"]
    assert all(piece.style and bool(piece.style.bold) != bool(piece.style.dim) for piece in drawn)
