"""Found words are marked where the search found them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.tui.session_lists.found_words import folded, found_spans, split_at


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("A Refund, refunded; prefund", ["refund"], ["Refund", "refund"]),
        ("le Café est", ["cafe"], ["Café"]),
        ("lost my bag", ["my bag", "lost"], ["lost", "my bag"]),
        ("退款处理", ["退款"], ["退款"]),
        ("aaa aaa", ["aaa", "aa"], ["aaa", "aaa"]),
        ("nothing", ["zebra", ""], []),
    ],
)
def test_what_is_found(text: str, words: list[str], found: list[str]) -> None:
    assert [text[start:end] for start, end in found_spans(text, words)] == found


@given(st.text(), st.lists(st.text(max_size=4), max_size=4))
def test_a_text_in_pieces_is_the_same_text(text: str, words: list[str]) -> None:
    assert len(folded(text)) == len(text)
    assert "".join(piece for piece, _ in split_at(text, found_spans(text, words))) == text
