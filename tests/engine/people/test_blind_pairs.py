"""What is read of a pair says what was said, and not by whom."""

from __future__ import annotations

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.store import Store
from turnwise.engine.people.blind_pairs import blind_turns


def test_nothing_that_tells_the_group_is_read(store: Store) -> None:
    turns = [
        {"role": "system", "content": "You are version 5."},
        {"role": "user", "content": "Where is my bag?"},
        {
            "role": "assistant",
            "name": "secret-bot",
            "content": "On its way.",
            "tools_called": [{"name": "find_bag", "input_parameters": {"id": 7}, "output": "on its way"}],
            "metadata": {"model": "secret-model"},
        },
    ]
    case = ConversationalTestCase.model_validate({"turns": turns})
    session = store.sessions.add(case, source="test", format="test").session_id
    read = blind_turns(store, session)
    assert [turn.content for turn in read] == ["Where is my bag?", "On its way."]
    assert [call.name for call in read[1].tools_called] == ["find_bag"]
    assert "secret" not in repr(read)
