"""A tool's answer is drawn with the call that asked for it; what nobody asked for is a turn of its own."""

from __future__ import annotations

from turnwise.conversations.store.rows import ToolCallRow, TurnRow
from turnwise.tui.reading.drawn_transcript import TurnGroups

CALL = ToolCallRow("find", "{}", "found")
ROWS = [
    TurnRow(0, 1, "user", "?"),
    TurnRow(1, 2, "assistant", "", tools_called=(CALL, CALL)),
    TurnRow(2, None, "tool", "found"),
    TurnRow(3, None, "tool", "found"),
    TurnRow(4, None, "tool", "a third"),
    TurnRow(5, 3, "assistant", "."),
]


def test_answers_belong_to_their_calls() -> None:
    groups = TurnGroups(ROWS)
    assert [(group.row.position, len(group.outputs)) for group in groups] == [(0, 0), (1, 2), (4, 0), (5, 0)]


def test_an_answer_nobody_kept_is_drawn() -> None:
    lost = TurnRow(0, 1, "assistant", "", tools_called=(ToolCallRow("find", "{}", None),))
    assert len(TurnGroups([lost, TurnRow(1, None, "tool", "found")])) == 2


def test_a_conversation_can_be_seen_up_to_any_message() -> None:
    groups = TurnGroups(ROWS)
    assert [groups.shown_until(count)[0] for count in range(7)] == [0, 1, 2, 2, 2, 3, 4]
    assert groups.shown_until(3) == (2, 1)


def test_what_was_grouped_already_is_drawn_message_by_message() -> None:
    assert len(TurnGroups(ROWS, each_alone=True)) == len(ROWS)
