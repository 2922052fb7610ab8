"""A reply streamed over the wire comes piece by piece, and trouble comes as a Fault."""

from __future__ import annotations

from contextlib import aclosing

import pytest
from judge_server import JudgeServer, Step, drops, hangs, refuses, streams

from turnwise.engine.models.faults import Fault
from turnwise.engine.models.wire import Wire

BODY = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


async def streamed(server: JudgeServer, into: list[str], seconds: float = 5.0) -> None:
    wire = await Wire.open(server.url, "sk-very-secret-key", seconds=seconds)
    try:
        async with aclosing(wire.stream(BODY)) as pieces:
            async for piece in pieces:
                into.append(piece)
    finally:
        await wire.close()


async def test_pieces_come_in_order(judge_server):
    judge_server.script(streams("Hel", "lo ", "🙂"))
    into: list[str] = []
    await streamed(judge_server, into)
    assert into == ["Hel", "lo ", "🙂"]
    assert judge_server.requests[0].body["stream"] is True


@pytest.mark.parametrize(
    ("step", "status"),
    [
        (streams("Hel", whole=False), None),
        (drops(), None),
        (hangs(), None),
        (refuses(401, "wrong key sk-very-secret-key"), 401),
        (Step(body=b'data: {"error": {"message": "out of memory"}}\n\n'), None),
    ],
    ids=["broken off", "dropped", "hanging", "refused", "error event"],
)
async def test_trouble_is_a_fault_after_what_came_before_it(judge_server, step, status):
    judge_server.script(step)
    into: list[str] = []
    with pytest.raises(Fault) as caught:
        await streamed(judge_server, into, seconds=0.3)
    assert caught.value.status == status
    assert "very-secret" not in caught.value.message
    assert "".join(into) in ("", "Hel")


async def test_one_who_has_heard_enough_stops_the_reply(judge_server):
    judge_server.script(streams("a", "b", "c"))
    wire = await Wire.open(judge_server.url, "none", seconds=5.0)
    async with aclosing(wire.stream(BODY)) as pieces:
        assert await anext(pieces) == "a"
    await wire.close()
