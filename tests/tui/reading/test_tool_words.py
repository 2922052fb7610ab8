"""A call of a tool on one line: what went in, how much came out, and whether it says that it did not work."""

from __future__ import annotations

import json

import pytest

from turnwise.conversations.store.rows import ToolCallRow, TurnRow
from turnwise.tui.reading.tool_words import is_call_alone, is_error, short_arguments, short_output


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (json.dumps([{"id": number} for number in range(300)]), "300 items"),
        ("[]", "no items"),
        ('{"status": "lost"}', "status: lost"),
        ('{"rows": [1, 2, 3, 4], "next": null}', "rows: 4 items, next: null"),
        ('"plain"', "plain"),
        ("first line\n\nthird line", "first line … 3 lines"),
        ("", "empty"),
    ],
)
def test_what_came_out_is_summed_up(output: str, words: str) -> None:
    assert short_output(output) == words


@pytest.mark.parametrize(
    "output",
    [
        "Error: user not found",
        '"Error: user not found"',
        '{"error": "no such flight"}',
        '{"isError": true}',
        '{"status": "failed"}',
        '{"success": false}',
        "Traceback (most recent call last):",
    ],
)
def test_what_says_that_it_failed_is_an_error(output: str) -> None:
    assert is_error(ToolCallRow("find", "{}", output))


@pytest.mark.parametrize("output", [None, "", "No errors.", '{"error": null, "rows": []}', "[]", "errors"])
def test_what_does_not_say_so_is_none(output: str | None) -> None:
    assert not is_error(ToolCallRow("find", "{}", output))


def test_arguments_have_their_names_where_there_are_several() -> None:
    assert short_arguments('{"id": "3RK"}') == "3RK"
    assert short_arguments('{"from": "JFK", "stops": [1, 2, 3, 4]}') == "from: JFK, stops: 4 items"


def test_a_turn_that_says_something_too_is_no_call_alone() -> None:
    call = (ToolCallRow("find", "{}", None),)
    assert is_call_alone(TurnRow(0, 1, "assistant", "", tools_called=call))
    assert not is_call_alone(TurnRow(0, 1, "assistant", "I look.", tools_called=call))
    assert not is_call_alone(TurnRow(0, 1, "assistant", ""))
