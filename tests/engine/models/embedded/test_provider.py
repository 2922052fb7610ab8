"""The embedded provider: a model is loaded by its first call, and anew where its process has ended."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from judge_server import drops, says, streams

from turnwise.engine.models.embedded.provider import EmbeddedModel
from turnwise.engine.models.faults import Fault
from turnwise.engine.models.provider import Means, ModelRequest
from turnwise.engine.models.settings import ModelSettings

REQUEST = ModelRequest(messages=[{"role": "user", "content": "hi"}], options={"cache_prompt": True})


class Servers:
    """Stands for the processes that models run in: each start is served at the next of some addresses."""

    def __init__(self, *addresses: str) -> None:
        self._addresses = list(addresses)
        self.base_url, self.api_key = "", "k"
        self.told: list[str] = []

    async def start(self) -> None:
        self.told.append("start")
        self.base_url = self._addresses.pop(0)

    @asynccontextmanager
    async def use(self, path: Path, **settings: Any):
        self.told.append("use")
        await self.start()
        yield self
        self.told.append("stop")


def model(servers: Servers) -> EmbeddedModel:
    settings = ModelSettings(base_url="", model="tiny", model_file=Path("tiny.gguf"), concurrency=1)
    return EmbeddedModel(settings, Means(servers=servers))


async def test_it_is_loaded_by_the_first_call_and_stops_when_it_is_closed(judge_server):
    judge_server.default = says("hello")
    servers = Servers(judge_server.url)
    provider = model(servers)
    assert servers.told == []
    assert (await provider.complete(REQUEST)).text == "hello"
    await provider.leave()
    assert (await provider.complete(REQUEST)).text == "hello"
    assert servers.told == ["use", "start"]
    await provider.close()
    assert servers.told == ["use", "start", "stop"]
    assert judge_server.requests[0].body["cache_prompt"] is True


async def test_what_has_a_seed_is_read_anew_as_what_is_held_differs_from_time_to_time(judge_server):
    judge_server.script(says("hello"), streams("a", "b"))
    provider = model(Servers(judge_server.url))
    seeded = replace(REQUEST, seed=7)
    await provider.complete(seeded)
    assert [piece async for piece in provider.stream(seeded)] == ["a", "b"]
    assert [request.body["cache_prompt"] for request in judge_server.requests] == [False, False]
    await provider.close()


async def test_one_whose_process_ended_is_loaded_for_the_next_try(judge_server):
    judge_server.script(drops(), says("hello"))
    servers = Servers(judge_server.url, judge_server.url.replace("/v1", "/again/v1"))
    provider = model(servers)
    with pytest.raises(Fault):
        await provider.complete(REQUEST)
    assert (await provider.complete(REQUEST)).text == "hello"
    assert [request.path for request in judge_server.requests] == [
        "/v1/chat/completions",
        "/again/v1/chat/completions",
    ]
    await provider.close()


async def test_after_a_stream_the_connection_is_not_used_again(judge_server):
    judge_server.script(streams("a", "b"))
    provider = model(Servers(judge_server.url))
    assert [piece async for piece in provider.stream(REQUEST)] == ["a", "b"]
    [request] = judge_server.requests
    assert request.headers["connection"] == "close"
    assert request.body["cache_prompt"] is True
    await provider.close()
