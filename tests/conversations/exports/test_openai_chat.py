"""OpenAI's messages: whatever a transcript is like, the API takes what is written."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations import ToolCall, Turn
from turnwise.conversations.exports.openai_chat import messages_of
from turnwise.conversations.formats.messages.chat_messages import turns_of

USER = Turn(role="user", content="Where is my bag?")


def call(name="find", **fields):
    return ToolCall.model_validate({"name": name, **fields})


def asked(*calls, content=""):
    return Turn(role="assistant", content=content, tools_called=list(calls))


def answer(content, **fields):
    return Turn(role="tool", content=content, **fields)


def check(messages):
    """Assert the rules of the API: calls are answered by the messages after them, and nothing else is."""
    open_calls: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] in open_calls
            open_calls.remove(message["tool_call_id"])
            assert isinstance(message["content"], str)
            continue
        assert open_calls == []
        assert message["role"] in ("user", "assistant", "system", "developer")
        open_calls = [one["id"] for one in message.get("tool_calls", ())]
        assert len(set(open_calls)) == len(open_calls)
        assert all(open_calls)
        assert message["content"] is not None or open_calls
        for one in message.get("tool_calls", ()):
            assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", one["function"]["name"])
            assert isinstance(one["function"]["arguments"], str)
    return open_calls


def test_messages_with_calls_and_answers_come_back_as_they_were():
    messages = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Where?", "name": "ana"},
        {
            "role": "assistant",
            "content": "One moment.",
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"a": 1}'}},
                {"id": "c2", "type": "function", "function": {"name": "find", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "tool_call_id": "c2", "content": "Bergen"},
        {"role": "tool", "tool_call_id": "c1", "content": "Oslo"},
        {"role": "assistant", "content": "In Oslo."},
    ]
    turns = [Turn.model_validate(turn) for turn in turns_of(messages, "messages")]
    assert messages_of(turns) == messages


def test_an_output_that_only_the_call_knows_becomes_a_message_before_the_words():
    written = messages_of([USER, asked(call(output={"city": "Oslo"}), content="In Oslo.")])
    assert [message["role"] for message in written] == ["user", "assistant", "tool", "assistant"]
    assert written[1]["content"] is None
    assert json.loads(written[2]["content"]) == {"city": "Oslo"}
    assert written[3] == {"role": "assistant", "content": "In Oslo."}
    check(written)


def test_calls_without_an_id_get_one_and_answers_find_them_by_name_or_order():
    turns = [USER, asked(call("a"), call("b")), answer("of b", name="b"), answer("of a")]
    written = messages_of(turns)
    ids = [one["id"] for one in written[1]["tool_calls"]]
    assert [(m["tool_call_id"], m["content"]) for m in written[2:]] == [(ids[1], "of b"), (ids[0], "of a")]


def test_an_answer_to_no_call_is_left_out():
    assert messages_of([USER, answer("lost"), USER]) == messages_of([USER, USER])


def test_a_call_that_was_never_answered_is_answered_with_nothing_unless_it_ends_the_transcript():
    written = messages_of([USER, asked(call(id="c")), USER])
    assert written[2] == {"role": "tool", "tool_call_id": "c", "content": ""}
    assert check(messages_of([USER, asked(call(id="c"))])) == ["c"]


def test_images_of_a_user_go_out_as_parts():
    image = {"type": "image_url", "image_url": {"url": "https://example.org/bag.png"}}
    turn = Turn(role="user", content="This one", metadata={"parts": [image, {"type": "odd"}]})
    assert messages_of([turn])[0]["content"] == [{"type": "text", "text": "This one"}, image]


def test_names_are_made_such_as_the_api_takes():
    written = messages_of([Turn(role="user", content="a", name="Ana Lee"), asked(call("a.b c"), content="x")])
    assert "name" not in written[0]
    assert written[1]["tool_calls"][0]["function"]["name"] == "a_b_c"


def test_a_line_is_a_conversation(exported, judged):
    assert [json.loads(line) for line in exported("openai").splitlines()] == [
        {
            "messages": [
                {"role": "user", "content": "Where is my bag?"},
                {"role": "assistant", "content": "In Oslo."},
            ]
        }
    ]


ids = st.none() | st.sampled_from(["c1", "c2", "", "call_1"])
calls = st.builds(
    ToolCall,
    name=st.text(max_size=3),
    id=ids,
    output=st.none() | st.text(max_size=3) | st.lists(st.integers(), max_size=1),
    raw_arguments=st.none() | st.text(max_size=3),
)
turns = st.builds(
    Turn,
    role=st.sampled_from(["user", "assistant", "system", "tool", "developer"]),
    content=st.sampled_from(["", "words"]),
    name=st.none() | st.text(max_size=3),
    tools_called=st.none() | st.lists(calls, max_size=3),
    tool_call_id=ids,
)


@given(st.lists(turns, max_size=8))
def test_the_api_takes_every_transcript(transcript):
    check(messages_of(transcript))
