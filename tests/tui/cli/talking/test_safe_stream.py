"""Text made safe piece by piece is the text made safe as a whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.safe_text import make_safe
from turnwise.tui.cli.talking.record import SafeStream

TRICKY = st.sampled_from(
    [
        "Hi there. ",
        "\r",
        "\n",
        "👩\u200d🚀",
        "\u202e",
        "\x1b[31m",
        "نوش\u200cته",
        "1\ufe0f\u20e3",
        "日本\ufe00語",
    ]
)


@given(words=st.lists(TRICKY, max_size=12), size=st.integers(1, 5))
def test_pieces_of_any_size_come_out_as_the_whole(words: list[str], size: int) -> None:
    text = "".join(words)
    stream = SafeStream()
    shown = "".join(stream.feed(text[start : start + size]) for start in range(0, len(text), size))
    assert shown + stream.end() == make_safe(text)


@given(pieces=st.lists(st.text(max_size=10), max_size=10))
def test_nothing_that_a_terminal_obeys_comes_out(pieces: list[str]) -> None:
    stream = SafeStream()
    shown = "".join(map(stream.feed, pieces)) + stream.end()
    assert make_safe(shown) == shown


def test_plain_words_do_not_wait() -> None:
    assert SafeStream().feed("Good morning") == "Good morning"


def test_a_long_run_that_could_go_on_does_not_wait_for_ever() -> None:
    stream = SafeStream()
    assert "".join(stream.feed("ن") for _ in range(100)) != ""
