"""Content words: what is compared is folded, what means nothing is left out."""

from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.metrics.deterministic.content_words import content_words


def folded(text: str) -> list[str]:
    return [word for word, _ in content_words(text)]


def test_function_words_are_left_out_also_when_contracted():
    assert folded("It's what you don't have and we're here for.") == []


def test_words_are_compared_without_capitals_endings_and_possessives():
    assert folded("Boston's libraries") == ["boston", "librar"]
    assert folded("visiting visits visited") == ["visit", "visit", "visit"]


def test_numbers_keep_their_points_and_lose_their_thousands_commas():
    assert folded("6.16.0, 1,000 and 10-20%") == ["6.16.0", "1000", "10", "20"]


def test_scripts_without_spaces_count_by_pairs():
    assert folded("東京都") == ["東京", "京都"]


def test_the_written_form_is_kept_beside():
    assert content_words("Lisbon's trams") == [("lisbon", "Lisbon's"), ("tram", "trams")]


@given(st.text())
def test_any_text_has_words_or_none_and_each_stands_in_it(text: str) -> None:
    assert all(written in text and word for word, written in content_words(text))
