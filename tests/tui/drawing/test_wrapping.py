"""Wrapping keeps every letter, never overruns the width, and does no work that is not asked for."""

from __future__ import annotations

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from turnwise.conversations.safe_text import make_safe
from turnwise.tui.drawing.wrapping import (
    cut_apart,
    cut_in_the_middle,
    estimate_lines,
    fit,
    shared_start,
    whole_words,
    wrap,
    wrap_items,
)

safe = st.text(st.characters(exclude_categories=("Cs",)) | st.sampled_from("ab \n字👩")).map(make_safe)


@given(safe, st.integers(2, 40))
def test_no_line_is_wider_than_asked(text: str, width: int) -> None:
    assert all(cell_len(line) <= width for line in wrap(text, width))


@given(safe, st.integers(1, 40))
def test_nothing_but_spaces_at_breaks_is_lost(text: str, width: int) -> None:
    assert "".join(wrap(text, width)).replace(" ", "") == text.replace("\n", "").replace(" ", "")


@given(st.text("ab ", max_size=30))
def test_a_text_that_fits_is_one_line(text: str) -> None:
    assert list(wrap(text, 40)) == [text]


def test_lines_break_between_words_and_long_words_anywhere() -> None:
    assert list(wrap("one two three", 8)) == ["one two", "three"]
    assert list(wrap("abcdefghij", 4)) == ["abcd", "efgh", "ij"]
    assert list(wrap("a\n\nb", 4)) == ["a", "", "b"]
    assert list(wrap("退款退款", 5)) == ["退款", "退款"]


def test_a_number_and_its_percent_sign_stay_on_one_line() -> None:
    assert list(wrap("its 95 % interval", 6)) == ["its", "95 %", "interv", "al"]
    assert list(wrap("the share is 95 %", 15)) == ["the share is", "95 %"]
    assert list(wrap("6 to 44 % of 20", 8)) == ["6 to", "44 % of", "20"]
    # Where no line has room for both they are parted after all.
    assert list(wrap("12345 %", 5)) == ["12345", "%"]


def test_an_emoji_is_not_torn_apart() -> None:
    family = "👨\u200d👩\u200d👧"
    assert list(wrap(family * 3, 4)) == [family * 2, family]


def test_a_huge_line_is_wrapped_only_as_far_as_it_is_read() -> None:
    assert list(islice(wrap("x" * 50_000_000, 10), 2)) == ["x" * 10] * 2


@given(safe, st.integers(2, 60))
def test_an_estimate_stays_in_its_bounds(text: str, width: int) -> None:
    assert 1 <= estimate_lines(text, width, 20) <= 20


def test_wide_characters_count_in_an_estimate() -> None:
    assert estimate_lines("字" * 40, 40, 99) == 2
    assert estimate_lines("x" * 40, 40, 99) == 1


@given(safe.map(lambda text: text.replace("\n", "")), st.integers(1, 30), st.booleans())
def test_a_cell_is_exactly_as_wide_as_asked(text: str, width: int, right: bool) -> None:
    assert cell_len(fit(text, width, right=right)) == width


def test_what_does_not_fit_is_cut_visibly() -> None:
    assert fit("reservation", 5) == "rese…"
    assert fit("12", 4, right=True) == "  12"


def test_what_texts_begin_with_in_common_ends_where_the_first_of_them_differs() -> None:
    assert shared_start(["the desk", "the bank", "the deck"]) == "the "
    assert shared_start(["the desk"]) == "the desk"
    assert shared_start(["a", "b"]) == ""


def test_of_texts_that_would_be_cut_alike_the_words_go_that_they_begin_with() -> None:
    long = "Keeps to the fare rules of the airline"
    texts = [f"{long} v1", "nightly", f"{long} v2", "Keeps quiet"]
    # As many of the words stay as there is room for, so that the rest is still known by them.
    assert cut_apart(texts, 20) == ["…of the airline v1", "nightly", "…of the airline v2", "Keeps quiet"]
    assert cut_apart(texts[:3], 5) == ["…v1", "nightly", "…v2"]
    assert cut_apart([f"{one} is too long for it" for one in texts[::2]], 20) == [
        "…v1 is too long for it",
        "…v2 is too long for it",
    ]
    assert cut_apart(texts, 60) == texts
    assert cut_apart([long, long, ""], 20) == [long, long, ""]
    assert cut_apart([], 20) == []


def test_items_of_a_legend_stay_whole_where_a_line_has_room_for_one() -> None:
    legend = "Bar:  █ at least  ▓ found  ░ at most, 95 % sure"
    assert list(wrap_items(legend, 80)) == [legend]
    assert list(wrap_items(legend, 30)) == ["Bar:  █ at least  ▓ found", "░ at most, 95 % sure"]
    assert list(wrap_items(legend, 12)) == ["Bar:", "█ at least", "▓ found", "░ at most,", "95 % sure"]


@given(safe, st.integers(1, 40))
def test_a_text_cut_in_the_middle_is_never_wider_than_asked(text: str, width: int) -> None:
    assert cell_len(cut_in_the_middle(text, width)) <= width


def test_a_text_cut_in_the_middle_keeps_its_end() -> None:
    names = [cut_in_the_middle(f"Keeps to the fare rules, v{version}", 22) for version in (1, 2)]
    assert names == ["Keeps to th… rules, v1", "Keeps to th… rules, v2"]
    assert cut_in_the_middle("short", 22) == "short"


def test_the_end_of_a_text_cut_in_the_middle_begins_with_a_whole_word() -> None:
    name = "Keeps to the fare rules: where it fails"
    assert [cut_in_the_middle(name, width) for width in (31, 30, 24)] == [
        "Keeps to the fa… where it fails",
        "Keeps to the f… where it fails",
        "Keeps to the f… it fails",
    ]
    assert cut_in_the_middle("a" * 20 + "-v1", 12) == "aaaaa…aaa-v1"


@given(safe, st.integers(0, 40))
def test_whole_words_are_never_wider_than_asked(text: str, width: int) -> None:
    assert cell_len(whole_words(text, width)) <= width


def test_no_word_is_cut_but_the_first() -> None:
    told = "gives up at this and leaves"
    assert [whole_words(told, width) for width in (24, 20, 16, 3, 0)] == [
        "gives up at this and",
        "gives up at this and",
        "gives up at this",
        "giv",
        "",
    ]
    assert whole_words(told, 27) == told
    assert whole_words("    indented words", 14) == "    indented"
