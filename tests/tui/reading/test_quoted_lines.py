"""The words that verdicts rest on are underlined where they stand, however the turn is drawn."""

from __future__ import annotations

from rich.style import Style

from turnwise.conversations.results import Quote
from turnwise.conversations.store.rows import TurnRow
from turnwise.tui.drawing.palette import Palette
from turnwise.tui.reading.drawn_transcript import DrawnTranscript
from turnwise.tui.reading.turn_lines import REST, DrawnTurn, TurnDrawer

PLAIN = Palette(*[Style.null()] * len(Palette.__slots__))


def quote(content: str, words: str, turn: int = 1) -> Quote:
    start = content.index(words)
    return Quote(turn=turn, start=start, end=start + len(words), text=words)


def drawn(content: str, *words: str, width: int = 40, role: str = "assistant") -> DrawnTurn:
    transcript = DrawnTranscript([TurnRow(0, 1, role, content)])
    transcript.take_drawer(TurnDrawer(width, PLAIN))
    transcript.set_quotes({1: [("r", quote(content, one)) for one in words]})
    return transcript.draw(0)


def underlined(turn: DrawnTurn) -> list[str]:
    return [
        "".join(piece.text for piece in line if piece.style and piece.style.underline)
        for number, line in enumerate(turn.lines)
        if number in turn.quoted
    ]


def test_a_sentence_is_underlined_to_its_full_stop():
    assert underlined(drawn("Hello. I am Pi! And you?", "I am Pi!")) == ["I am Pi!"]


def test_one_that_is_wrapped_is_underlined_on_all_its_lines():
    content = "Hello. " + "Put ten coins on the grey horse, it always wins. " * 2
    turn = drawn(content, "Put ten coins on the grey horse, it always wins.", width=24)
    assert " ".join(underlined(turn)) == "Put ten coins on the grey horse, it always wins."


def test_marks_of_markdown_do_not_hide_it():
    content = "# Now\n\nSee **the** [page](https://a.example/x) for `more`. Bye.\n\n- one *thing*\n- two"
    assert underlined(drawn(content, "See **the** [page](https://a.example/x) for `more`.", width=60)) == [
        "See the page (https://a.example/x) for more."
    ]
    assert underlined(drawn(content, "one *thing*", width=60)) == ["one thing"]


def test_of_words_said_twice_those_are_underlined_that_are_meant():
    content = "No. Yes. No."
    transcript = DrawnTranscript([TurnRow(0, 1, "user", content)])
    transcript.take_drawer(TurnDrawer(40, PLAIN))
    transcript.set_quotes({1: [("r", Quote(turn=1, start=9, end=12, text="No."))]})
    line = transcript.draw(0).lines[1]
    assert [piece.text for piece in line if piece.style and piece.style.underline] == ["No."]
    assert line[-1].style is not None
    assert line[-1].style.underline


def test_what_was_changed_since_is_not_underlined():
    transcript = DrawnTranscript([TurnRow(0, 1, "user", "Something else.")])
    transcript.take_drawer(TurnDrawer(40, PLAIN))
    transcript.set_quotes({1: [("r", Quote(turn=1, start=0, end=8, text="I am Pi."))]})
    assert transcript.draw(0).quoted == {}


def test_what_is_folded_opens_for_its_quote():
    content = "\n\n".join(f"Line {number} ends." for number in range(90))
    transcript = DrawnTranscript([TurnRow(0, 1, "user", content)])
    transcript.take_drawer(TurnDrawer(40, PLAIN))
    transcript.set_quotes({1: [("r", quote(content, "Line 88 ends."))]})
    assert REST in transcript.draw(0).folds.values()
    [line] = transcript.quoted_lines(0)
    assert "Line 88 ends." in "".join(piece.text for piece in transcript.draw(0).lines[line])
