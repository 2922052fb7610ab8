"""Found lines: one goes from match to match within a turn, and the one gone to stands out."""

from __future__ import annotations

from rich.style import Style

from turnwise.conversations.patterns import WrittenPattern
from turnwise.conversations.store.rows import TurnRow
from turnwise.tui.drawing.palette import Palette
from turnwise.tui.reading.drawn_transcript import DrawnTranscript
from turnwise.tui.reading.found_lines import HERE, FoundLines

FOUND = Style(reverse=True)
SAID = ("A refund, please.", "For the last flight.", "The refund is late.")


def drawn() -> DrawnTranscript:
    turns = DrawnTranscript([TurnRow(0, 1, "user", "\n\n".join(SAID)), TurnRow(1, 2, "assistant", "No.")])
    turns.lay_out(40, Palette(*[Style.null()] * len(Palette.__slots__)), 20)
    return turns


def looking_for(words: str) -> FoundLines:
    found = FoundLines()
    found.look_for(WrittenPattern(words))
    return found


def test_matches_of_a_turn_are_gone_through_in_both_ways() -> None:
    turns, found = drawn(), looking_for("refund")
    first, last = found.lines_of(turns, 0)
    found.go_to(0, first)
    assert found.beside(turns, 0, 1) == last
    assert found.beside(turns, 0, -1) is None
    found.go_to(0, last)
    assert found.beside(turns, 0, 1) is None
    assert found.beside(turns, 0, -1) == first


def test_what_was_gone_to_in_another_turn_leads_nowhere_in_this_one() -> None:
    turns, found = drawn(), looking_for("refund")
    found.go_to(0, found.lines_of(turns, 0)[0])
    assert found.beside(turns, 1, 1) is None


def test_the_match_gone_to_stands_out_among_the_others() -> None:
    turns, found = drawn(), looking_for("refund")
    first, last = found.lines_of(turns, 0)
    found.go_to(0, last)
    lines = turns.draw(0).lines

    def styles(line: int) -> list[Style | None]:
        marked = found.marked(lines[line], (0, line), FOUND)
        return [style for text, style, _ in marked if text == "refund"]

    assert styles(first) == [FOUND]
    assert styles(last) == [FOUND + HERE]


def test_nothing_is_found_once_nothing_is_looked_for() -> None:
    turns, found = drawn(), looking_for("refund")
    found.look_for(None)
    assert not found.lines_of(turns, 0)
    assert not found.hides_in(SAID[0])
    line = turns.draw(0).lines[1]
    assert found.marked(line, (0, 1), FOUND) is line


def test_a_turn_is_opened_as_far_as_shows_what_hides_in_it() -> None:
    turns, found = drawn(), looking_for("refund")
    turns.add(TurnRow(2, 3, "user", "\n\n".join([*["And so on."] * 2_000, "The refund is late."])))
    assert found.lines_of(turns, 2) == []
    (line,) = found.opened_in(turns, 2, lambda: None)
    assert "refund" in "".join(piece.text for piece in turns.draw(2).lines[line])
    # Where nothing matches nothing is shown, however far it is opened.
    assert found.opened_in(turns, 1, lambda: None) == []
