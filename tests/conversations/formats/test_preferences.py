"""Fine-tuning files of OpenAI: examples, and pairs of a preferred and another output."""

import io
import json
from typing import Any

import pytest

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.formats import Loaded, Rejected, load

PAIR: dict[str, Any] = {
    "input": {
        "messages": [{"role": "user", "content": "hi"}],
        "tools": [{"type": "function", "function": {"name": "f"}}],
        "parallel_tool_calls": True,
    },
    "preferred_output": [{"role": "assistant", "content": "good"}],
    "non_preferred_output": [{"role": "assistant", "content": "bad"}],
}


def conversations(*records: Any) -> list[tuple[str, ConversationalTestCase]]:
    found = list(load(io.BytesIO("\n".join(map(json.dumps, records)).encode())))
    assert all(isinstance(record, Loaded) for record in found), found
    return [
        (record.format, record.case)
        for record in found
        if isinstance(record, Loaded) and isinstance(record.case, ConversationalTestCase)
    ]


def test_a_pair_is_a_conversation_with_the_preferred_reply_and_keeps_both() -> None:
    for name, case in conversations(PAIR, PAIR):
        assert name == "openai-preferences"
        assert [(turn.role, turn.content) for turn in case.turns] == [("user", "hi"), ("assistant", "good")]
        assert case.metadata == {
            "preferred_output": PAIR["preferred_output"],
            "non_preferred_output": PAIR["non_preferred_output"],
            "input": {"tools": PAIR["input"]["tools"], "parallel_tool_calls": True},
        }


def test_a_list_of_pairs_is_read_too() -> None:
    [(name, _), _] = conversations(PAIR, PAIR)
    found = list(load(io.BytesIO(json.dumps([PAIR, PAIR]).encode())))
    assert [record.format for record in found if isinstance(record, Loaded)] == [name, name]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"input": {"messages": "hi"}}, "input.messages: expected a list of messages"),
        ({"input": "hi"}, "input: expected an object with messages"),
        ({"preferred_output": None}, "preferred_output: expected a list of messages; got null"),
    ],
)
def test_what_is_no_pair_is_rejected_by_field(change: dict[str, Any], expected: str) -> None:
    content = f"{json.dumps(PAIR)}\n{json.dumps({**PAIR, **change})}"
    [good, bad] = load(io.BytesIO(content.encode()))
    assert isinstance(good, Loaded)
    assert isinstance(bad, Rejected)
    assert expected in bad.error.detail


def test_an_example_keeps_its_weights_and_tools() -> None:
    record = {
        "messages": [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": "no", "weight": 0},
            {"role": "assistant", "content": "ho", "weight": 1},
        ],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": {}}}],
        "parallel_tool_calls": False,
    }
    for name, case in conversations(record, record):
        assert name == "openai-chat"
        assert [turn.metadata for turn in case.turns] == [None, {"weight": 0}, {"weight": 1}]
        assert case.metadata == {"tools": record["tools"], "parallel_tool_calls": False}
