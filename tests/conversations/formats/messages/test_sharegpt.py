"""ShareGPT's form: conversations of from and value."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations import ConversationalTestCase, ToolCall
from turnwise.conversations.formats import Loaded, Rejected, load

SAID = [{"from": "human", "value": "hi"}, {"from": "gpt", "value": "ho"}]


def read(content: str) -> list[Loaded | Rejected]:
    return list(load(io.BytesIO(content.encode())))


def conversation(record: Any) -> ConversationalTestCase:
    [found] = read(json.dumps(record))
    assert isinstance(found, Loaded), found
    assert found.format == "sharegpt"
    assert isinstance(found.case, ConversationalTestCase)
    return found.case


@pytest.mark.parametrize(
    "content",
    [
        json.dumps([{"conversations": SAID}, {"conversations": SAID}]),
        json.dumps([{"conversations": SAID}, {"conversations": SAID}], indent=2),
        json.dumps({"data": [{"conversations": SAID}, {"conversations": SAID}]}),
        "\n".join([json.dumps({"id": "a", "conversations": SAID})] * 2),
        "\n".join([json.dumps({"conversation": SAID})] * 2),
        "\n".join([json.dumps(SAID)] * 2),
    ],
)
def test_it_is_told_by_its_content_in_every_kind_of_file(content: str) -> None:
    found = read(content)
    assert [type(record) for record in found] == [Loaded, Loaded]
    for record in found:
        assert isinstance(record, Loaded)
        assert record.format == "sharegpt"
        assert isinstance(record.case, ConversationalTestCase)
        assert [(turn.role, turn.content) for turn in record.case.turns] == [
            ("user", "hi"),
            ("assistant", "ho"),
        ]


def test_the_words_for_speakers_become_roles_and_uncommon_ones_are_kept() -> None:
    words = ["system", "human", "gpt", "user", "assistant", "chatgpt", "tool", "observation", "Bing"]
    case = conversation({"conversations": [{"from": word, "value": word} for word in words]})
    assert [turn.role for turn in case.turns] == [
        *("system", "user", "assistant", "user", "assistant", "assistant", "tool", "tool", "assistant")
    ]
    assert case.turns[1].metadata is None
    assert case.turns[7].metadata == {"from": "observation"}


def test_messages_of_role_and_content_may_stand_among_the_others() -> None:
    case = conversation({"conversations": [SAID[0], {"role": "assistant", "content": "ho"}]})
    assert [(turn.role, turn.content) for turn in case.turns] == [("user", "hi"), ("assistant", "ho")]


def test_a_system_text_beside_the_list_is_the_first_turn_and_the_rest_is_metadata() -> None:
    case = conversation(
        {"id": "x1", "system": "Be kind.", "conversations": SAID, "tools": "[]", "source": "s"}
    )
    assert (case.turns[0].role, case.turns[0].content) == ("system", "Be kind.")
    assert case.name == "x1"
    assert case.metadata == {"id": "x1", "tools": "[]", "source": "s"}


def test_a_function_call_gets_the_observation_that_follows_it() -> None:
    call = json.dumps({"name": "find", "arguments": {"what": "it"}})
    case = conversation(
        {
            "conversations": [
                SAID[0],
                {"from": "function_call", "value": call},
                {"from": "observation", "value": "here"},
                SAID[1],
            ]
        }
    )
    assert case.turns[1].tools_called == [
        ToolCall(name="find", input_parameters={"what": "it"}, output="here")
    ]
    assert case.turns[1].metadata == {"from": "function_call", "value": call}


def test_a_function_call_that_is_no_json_stays_what_was_said() -> None:
    case = conversation({"conversations": [SAID[0], {"from": "function_call", "value": "find it"}]})
    assert case.turns[1].content == "find it"


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([SAID[0], {"from": "waiter", "value": "a"}], "conversations[1].from: expected human, gpt"),
        ([SAID[0], {"from": "gpt", "value": 3}], "conversations[1].value: expected a string; got 3"),
        ([SAID[0], {"from": "gpt"}], "conversations[1].value: required, and not given"),
        ([SAID[0], 3], "conversations[1]: expected an object with from and value; got 3"),
        ([{"from": "system", "value": "a"}], "expected a message of a user or an assistant"),
    ],
)
def test_what_is_no_message_is_rejected_by_place(messages: list[Any], expected: str) -> None:
    [good, bad] = read(json.dumps([{"conversations": SAID}, {"conversations": messages}]))
    assert isinstance(good, Loaded)
    assert isinstance(bad, Rejected)
    assert expected in bad.error.detail


_texts = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(st.tuples(st.sampled_from(["human", "gpt", "system", "tool"]), _texts), min_size=1))
def test_nothing_said_is_lost(said: list[tuple[str, str]]) -> None:
    said = [*said, ("human", "end")]
    case = conversation({"conversations": [{"from": word, "value": text} for word, text in said]})
    assert [turn.content for turn in case.turns] == [text for _, text in said]
