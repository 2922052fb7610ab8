"""An answer is kept however it ends: whole, cut short, broken off, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from judge_server import JudgeServer, drops, hangs, streams

from turnwise.conversations.errors import JudgeError
from turnwise.conversations.recording import Recording
from turnwise.conversations.store import Store
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
    while not judge_server.requests:
        await asyncio.sleep(0.01)
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    assert kept(store, recording) == []
