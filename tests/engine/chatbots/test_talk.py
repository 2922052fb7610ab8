"""An answer is kept however it ends: whole, cut short, broken off, or not at all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from judge_server import JudgeServer, Step, drops, hangs, says, streams
from waiting import until

from turnwise.conversations.errors import JudgeError
from turnwise.conversations.recording import Recording
from turnwise.conversations.store import Store, TurnRow
from turnwise.engine.chatbots.talk import answer
from turnwise.engine.chatbots.targets import Target
from turnwise.engine.models.settings import ModelSettings


@pytest.fixture
async def target(judge_server: JudgeServer) -> AsyncIterator[Target]:
    async with Target(ModelSettings(base_url=judge_server.url, model="m", timeout=5.0)) as opened:
        yield opened


@pytest.fixture
def recording(store: Store, target: Target) -> Recording:
    made = Recording(store, target=target.title)
    made.user_says("Hello")
    return made


def kept(store: Store, recording: Recording) -> list[tuple[str, bool | None]]:
    assert recording.session_id is not None
    turns = store.sessions.case(recording.session_id).turns
    return [(turn.content, turn.interrupted) for turn in turns if turn.role == "assistant"]


async def listen(target: Target, recording: Recording, pieces: int | None = None) -> list[str]:
    heard: list[str] = []
    async with aclosing(answer(target, recording)) as reply:
        async for piece in reply:
            heard.append(piece)
            if len(heard) == pieces:
                break
    return heard


async def test_a_whole_reply_is_kept_and_goes_into_the_next_question(judge_server, store, target, recording):
    judge_server.script(streams("Good ", "morning"), streams("Bye"))
    assert await listen(target, recording) == ["Good ", "morning"]
    recording.user_says("Goodbye")
    await listen(target, recording)
    assert kept(store, recording) == [("Good morning", None), ("Bye", None)]
    sent = [message["content"] for message in judge_server.requests[1].body["messages"]]
    assert sent == ["Hello", "Good morning", "Goodbye"]


async def test_what_came_before_it_was_stopped_is_kept(judge_server, store, target, recording):
    judge_server.script(streams("Well, ", "in ", "the ", "beginning"))
    await listen(target, recording, pieces=2)
    assert kept(store, recording) == [("Well, in ", True)]


async def test_a_cancelled_reply_is_kept_too(judge_server, store, target, recording):
    judge_server.script(streams("Well, ", "in"))
    heard = asyncio.Event()

    async def listen_slowly() -> None:
        async with aclosing(answer(target, recording)) as reply:
            async for _ in reply:
                heard.set()
                await asyncio.sleep(60)

    listening = asyncio.ensure_future(listen_slowly())
    await heard.wait()
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    assert kept(store, recording) == [("Well, ", True)]


async def test_nothing_is_kept_of_a_reply_that_never_began(judge_server, store, target, recording):
    judge_server.script(drops())
    with pytest.raises(JudgeError):
        await listen(target, recording)
    assert kept(store, recording) == []
    assert recording.turns == 1


async def test_a_reply_without_words_is_a_turn(judge_server, store, target, recording):
    judge_server.script(streams())
    assert await listen(target, recording) == []
    assert kept(store, recording) == [("", None)]


async def test_a_reply_that_keeps_one_waiting_can_be_given_up(judge_server, store, target, recording):
    judge_server.script(hangs())
    listening = asyncio.ensure_future(listen(target, recording))
    await until(lambda: judge_server.requests)
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    assert kept(store, recording) == []


def chunk(finish: object = None, **said: object) -> bytes:
    return b"data: " + json.dumps({"choices": [{"delta": said, "finish_reason": finish}]}).encode() + b"\n\n"


def last_turn(store: Store, recording: Recording) -> TurnRow:
    assert recording.session_id is not None
    assert recording.rows == store.turns.of(recording.session_id)
    return recording.rows[-1]


@pytest.mark.parametrize(
    "bad",
    [b"data: oops\n\n", b'data: {"choices": [{"delta": {"content": "\xff"}}]}\n\n'],
    ids=["no JSON", "no UTF-8"],
)
async def test_a_piece_that_cannot_be_read_is_noted_and_the_talk_goes_on(
    judge_server, store, target, recording, bad
):
    whole = chunk(content="Good ") + bad + chunk(content="morning") + chunk("stop")
    judge_server.script(Step(body=whole), streams("Bye"))
    await listen(target, recording)
    turn = last_turn(store, recording)
    assert turn.content.startswith("Good ")
    assert turn.content.endswith("morning")
    assert (turn.interrupted, turn.remark) == (False, "1 piece could not be read")
    recording.user_says("Goodbye")
    assert await listen(target, recording) == ["Bye"]


async def test_a_piece_without_choices_is_passed_over(judge_server, store, target, recording):
    null = b'data: {"choices": null}\n\n'
    judge_server.script(Step(body=chunk(content="Good ") + null + chunk(content="morning") + chunk("stop")))
    assert await listen(target, recording) == ["Good ", "morning"]
    assert last_turn(store, recording).remark == ""


async def test_tool_calls_of_a_reply_are_kept_with_its_turn(judge_server, store, target, recording):
    call = {"index": 0, "id": "c1", "function": {"name": "find", "arguments": '{"city": '}}
    rest = {"index": 0, "function": {"arguments": '"Rome"}'}}
    broken = {"index": 1, "id": "c2", "function": {"name": "book", "arguments": '{"city'}}
    sent = [chunk(tool_calls=[part]) for part in (call, rest, broken)]
    judge_server.script(Step(body=b"".join([*sent, chunk("tool_calls")])))
    assert await listen(target, recording) == []
    turn = last_turn(store, recording)
    assert [(one.name, one.arguments) for one in turn.tools_called] == [
        ("find", '{"city": "Rome"}'),
        ("book", '{"city'),
    ]
    assert recording.session_id is not None
    stored = store.sessions.case(recording.session_id).turns[-1]
    found = [(one.id, one.input_parameters) for one in stored.tools_called]
    assert found == [("c1", {"city": "Rome"}), ("c2", None)]


@pytest.mark.parametrize(
    ("finish", "words"),
    [("length", "ended at the most that it may write"), ("content_filter", "stopped by a content filter")],
)
async def test_why_a_reply_ended_early_is_noted(judge_server, store, target, recording, finish, words):
    judge_server.script(Step(body=chunk(content="Well, in") + chunk(finish)))
    await listen(target, recording)
    turn = last_turn(store, recording)
    assert (turn.content, turn.interrupted, turn.remark) == ("Well, in", False, words)


async def test_a_whole_completion_is_a_reply_though_a_stream_was_asked_for(
    judge_server, store, target, recording
):
    judge_server.script(says("Good morning", finish="length"))
    assert await listen(target, recording) == ["Good morning"]
    assert "most that it may write" in last_turn(store, recording).remark


@pytest.mark.parametrize(
    ("body", "title", "cause"),
    [
        ({"error": {"message": "out of memory"}}, "server has a fault", "out of memory"),
        ({"error": {"message": "no such key", "code": 401}}, "does not accept the key", "no such key"),
        (b"<html>Log in</html>", "no chatbot", "a web page"),
        (b"data: oops\n\n", "broke off", "1 of its pieces cannot be read"),
    ],
    ids=["an error", "an error with a code", "a web page", "nothing that can be read"],
)
async def test_an_answer_that_is_no_reply_is_told_as_what_it_is(
    judge_server, store, target, recording, body, title, cause
):
    judge_server.script(Step(body=body))
    with pytest.raises(JudgeError) as caught:
        await listen(target, recording)
    assert title in caught.value.title
    assert cause in caught.value.detail
    assert kept(store, recording) == []


async def test_a_reply_that_breaks_off_says_why(judge_server, store, target, recording):
    error = b'data: {"error": {"message": "out of memory"}}\n\n'
    judge_server.script(Step(body=chunk(content="Well, ") + error))
    with pytest.raises(JudgeError):
        await listen(target, recording)
    turn = last_turn(store, recording)
    assert (turn.content, turn.interrupted) == ("Well, ", True)
    assert turn.remark == "The chatbot's server has a fault: out of memory"
