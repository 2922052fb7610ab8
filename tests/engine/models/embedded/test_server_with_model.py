"""The server with a real model: what is asked of it over the wire, and what its end does to requests."""

from __future__ import annotations

import asyncio
import json
import math
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import openai
import pytest

from turnwise.engine.models.embedded.server import EmbeddedServer
from turnwise.engine.models.faults import Fault
from turnwise.engine.models.wire import Wire

pytestmark = pytest.mark.model

SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["verdicts"],
    "properties": {
        "verdicts": {
            "type": "array",
            "minItems": 2,
            "maxItems": 2,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["turn", "verdict"],
                "properties": {
                    "turn": {"type": "integer", "minimum": 1, "maximum": 4},
                    "verdict": {"type": "string", "enum": ["yes", "no"]},
                },
            },
        }
    },
}


def settings(**others: object) -> dict[str, object]:
    # One thread: two that compete with the other tests for two cores are many times slower.
    return {"context": 1024, "parallel": 2, "threads": 1, **others}


@pytest.fixture
async def server(small_model: Path) -> AsyncIterator[EmbeddedServer]:
    async with EmbeddedServer(small_model, **settings()) as running:
        yield running


@pytest.fixture
async def client(server: EmbeddedServer) -> AsyncIterator[openai.AsyncOpenAI]:
    async with openai.AsyncOpenAI(base_url=server.base_url, api_key=server.api_key) as made:
        yield made


async def ask(client: openai.AsyncOpenAI, text: str, **options):
    options = {"temperature": 0, "max_tokens": 12, **options}
    messages = [{"role": "user", "content": text}]
    return await client.chat.completions.create(model="embedded", messages=messages, **options)


async def test_it_answers_the_same_each_time_alone_and_beside_others(client) -> None:
    alone = await ask(client, "Name a colour.")
    beside = await asyncio.gather(*[ask(client, text) for text in ("Name a colour.", "Count.", "Sing.")])
    assert alone.choices[0].message.content
    assert alone.usage.completion_tokens > 0
    assert beside[0].choices[0].message.content == alone.choices[0].message.content


async def test_it_streams_with_usage(client) -> None:
    stream = await ask(client, "Count to five.", stream=True, stream_options={"include_usage": True})
    chunks = [chunk async for chunk in stream]
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text
    assert chunks[-1].usage.total_tokens > 0


async def test_it_keeps_to_a_nested_schema(client) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "verdicts", "schema": SCHEMA, "strict": True}}
    reply = await ask(client, "Judge turns 2 and 4.", response_format=form, max_tokens=200)
    verdicts = json.loads(reply.choices[0].message.content)["verdicts"]
    assert len(verdicts) == 2
    assert all(set(verdict) == {"turn", "verdict"} for verdict in verdicts)
    assert all(1 <= verdict["turn"] <= 4 and verdict["verdict"] in ("yes", "no") for verdict in verdicts)


async def test_it_gives_the_probabilities_of_twenty_tokens(client) -> None:
    reply = await ask(client, "Is the sky blue? Yes or No.", logprobs=True, top_logprobs=20, max_tokens=1)
    top = reply.choices[0].logprobs.content[0].top_logprobs
    assert len(top) == 20
    assert 0.1 < sum(math.exp(token.logprob) for token in top) <= 1.001


async def test_a_prompt_that_is_too_long_is_refused_with_both_sizes(client) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        await ask(client, "word " * 2000)
    assert caught.value.body["type"] == "exceed_context_size_error"
    assert caught.value.body["n_ctx"] == 1024
    assert caught.value.body["n_prompt_tokens"] > 2000


async def test_another_program_without_the_key_gets_nothing(server: EmbeddedServer) -> None:
    async with openai.AsyncOpenAI(base_url=server.base_url, api_key="a guess", max_retries=0) as stranger:
        with pytest.raises(openai.AuthenticationError):
            await ask(stranger, "Hello")
    assert server.base_url.startswith("http://127.0.0.1:")


async def test_close_returns_during_a_request_and_ends_it(server: EmbeddedServer) -> None:
    wire = await Wire.open(server.base_url, server.api_key, seconds=60)
    body = {"model": "m", "messages": [{"role": "user", "content": "Tell a long story."}], "max_tokens": 900}
    pieces = wire.stream(body)
    await anext(pieces)
    await asyncio.wait_for(server.close(), 60)
    with pytest.raises(Fault):
        async for _ in pieces:
            pass
    assert server.base_url == ""
    await wire.close()


async def test_a_model_whose_process_died_is_started_again(server: EmbeddedServer) -> None:
    key = server.api_key
    async with openai.AsyncOpenAI(base_url=server.base_url, api_key=key, max_retries=0) as client:
        assert server._process is not None
        server._process.kill()
        with pytest.raises(openai.APIConnectionError):
            await ask(client, "Hello")
    await server.start()
    assert server.api_key != key
    async with openai.AsyncOpenAI(base_url=server.base_url, api_key=server.api_key) as client:
        assert (await ask(client, "Hello")).choices[0].message.content


def test_one_event_loop_may_start_it_another_use_it_and_a_third_close_it(small_model: Path) -> None:
    server = EmbeddedServer(small_model, **settings())
    asyncio.run(server.start())

    async def use() -> str:
        await server.start()
        async with openai.AsyncOpenAI(base_url=server.base_url, api_key=server.api_key) as client:
            return (await ask(client, "Hello")).choices[0].message.content

    assert asyncio.run(use()) == asyncio.run(use())
    asyncio.run(server.close())
    assert server.base_url == ""


def test_nothing_reaches_the_terminal_and_an_exit_without_close_is_clean(small_model: Path) -> None:
    code = f"""
import asyncio, sys
from pathlib import Path
from turnwise.engine.models.embedded.server import EmbeddedServer
import openai
async def main():
    server = await EmbeddedServer(Path(sys.argv[1]), context=512, parallel=1, threads=1).start()
    client = openai.AsyncOpenAI(base_url=server.base_url, api_key=server.api_key, max_retries=0)
    async def ask(text, **options):
        messages = [{{"role": "user", "content": text}}]
        return await client.chat.completions.create(model="m", messages=messages, max_tokens=8, **options)
    form = {{"type": "json_schema", "json_schema": {{"name": "v", "schema": {SCHEMA!r}, "strict": True}}}}
    await ask("Hello", response_format=form, logprobs=True, top_logprobs=5)
    def form_of(schema):
        form = {{"type": "json_schema", "json_schema": {{"name": "v", "schema": schema}}}}
        return {{"response_format": form}}
    await ask("A date?", **form_of({{"type": "string", "pattern": "^[0-9]{{4}}-[0-9]{{2}}$"}}))
    for text, options in (("word " * 2000, {{}}), ("x", form_of({{"type": "?"}})),
                          ("x", form_of({{"type": "string", "pattern": "^(?<!a)[$"}}))):
        try:
            await ask(text, **options)
        except openai.APIStatusError:
            pass
    story = asyncio.create_task(ask("Tell a story."))
    await asyncio.sleep(0.1)
    story.cancel()
asyncio.run(main())
"""
    ended = subprocess.run([sys.executable, "-c", code, str(small_model)], capture_output=True, timeout=300)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
