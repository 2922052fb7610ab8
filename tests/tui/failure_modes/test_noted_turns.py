"""Under a note stand the noted turn and the one before it, as they were said."""

from __future__ import annotations

from turnwise.conversations.store import TurnRow
from turnwise.conversations.store.rows import ToolCallRow
from turnwise.tui.failure_modes.noted_turns import NotedTurns, noted_turns
from turnwise.tui.failure_modes.noted_words import SAID

SYSTEM = TurnRow(0, None, "system", "Be kind.")
TURNS = [
    SYSTEM,
    *(
        TurnRow(number, number, "user" if number % 2 else "assistant", f"said {number}")
        for number in (1, 2, 3, 4)
    ),
]


def numbers(turns: list[TurnRow]) -> list[int | None]:
    return [turn.number for turn in turns]


def test_the_noted_turn_is_read_with_the_one_before_it() -> None:
    assert numbers(noted_turns(TURNS, 3)) == [2, 3]


def test_the_first_turn_stands_alone_and_what_is_not_spoken_is_left_out() -> None:
    assert numbers(noted_turns(TURNS, 1)) == [1]


def test_of_a_note_on_a_whole_session_its_end_is_read() -> None:
    assert numbers(noted_turns(TURNS, None)) == [3, 4]


def test_who_said_what_is_told_under_a_head() -> None:
    assert NotedTurns(1, TURNS[1:3]).said() == [
        ("What was said there", "section"),
        ("1 user", "muted"),
        ("said 1", SAID),
        ("2 assistant", "muted"),
        ("said 2", SAID),
    ]


def test_a_turn_without_words_tells_its_calls_or_that_it_is_empty() -> None:
    calls = TurnRow(1, 1, "assistant", "", tools_called=(ToolCallRow("book", "{}", "done"),))
    said = NotedTurns(1, [calls, TurnRow(2, 2, "assistant", " ")]).said()
    assert [text for text, tone in said if tone == SAID] == ["calls book()", "(empty)"]


def test_a_session_without_spoken_turns_has_nothing_to_show() -> None:
    assert NotedTurns(1, noted_turns([SYSTEM], None)).said() == []


def test_the_head_says_where_the_turns_are_the_end_of_the_session() -> None:
    assert NotedTurns(1, noted_turns(TURNS, None), whole=True).said()[0] == (
        "How the session ends",
        "section",
    )
