"""What comes over a connection takes no more memory than it may, and goes nowhere that nobody named."""

from __future__ import annotations

import asyncio
import socket
import ssl
import tracemalloc
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import openai
import pytest
from anthropic_server import AnthropicServer
from anthropic_server import answers as anthropic_answers
from judge_server import (
    JudgeServer,
    Step,
    bomb,
    endless,
    packs,
    refuses,
    says,
    sends_elsewhere,
    streams,
)

from turnwise.conversations.errors import JudgeUnavailableError
from turnwise.engine.chatbots.http_requests import HttpTemplate
from turnwise.engine.chatbots.http_target import HttpTarget
from turnwise.engine.chatbots.targets import Target
from turnwise.engine.models import connections
from turnwise.engine.models.connections import LARGEST_ANSWER, LARGEST_ERROR, fault_of_transport
from turnwise.engine.models.faults import Fault, kind_of, model_error
from turnwise.engine.models.provider import Means, ModelRequest, Provider
from turnwise.engine.models.providers import open_provider
from turnwise.engine.models.served import served_models
from turnwise.engine.models.settings import ModelSettings
from turnwise.engine.models.streams import LARGEST_STREAM

REQUEST = ModelRequest(messages=[{"role": "user", "content": "hi"}])
PROVIDERS = ("openai", "anthropic")


def settings_at(server: JudgeServer, provider: str, **settings: object) -> ModelSettings:
    fields = {"base_url": server.url, "model": "m", "provider": provider, "timeout": 20.0, **settings}
    if provider == "anthropic":
        fields["base_url"] = server.url.removesuffix("/v1")
    return ModelSettings(**fields)  # type: ignore[arg-type]


@asynccontextmanager
async def provider_at(server: JudgeServer, provider: str, **settings: object) -> AsyncGenerator[Provider]:
    opened = open_provider(settings_at(server, provider, **settings), Means())
    try:
        yield opened
    finally:
        await opened.close()


@pytest.fixture
async def servers(judge_server: JudgeServer) -> AsyncGenerator[dict[str, JudgeServer]]:
    """A server for each provider."""
    other = AnthropicServer()
    await other.start()
    yield {"openai": judge_server, "anthropic": other}
    await other.close()


async def test_whose_certificates_are_trusted_is_read_once_and_anew_where_others_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    read: list[object] = []

    def context(*, cafile: str) -> ssl.SSLContext:
        read.append(cafile)
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

    monkeypatch.setattr(ssl, "create_default_context", context)
    one, other = str(tmp_path / "one.pem"), str(tmp_path / "other.pem")
    for named in (one, one, other):
        monkeypatch.setenv("SSL_CERT_FILE", named)
        await connections.http_client(openai, "https://example.org/v1", 5.0).aclose()
    assert read == [one, other]


@contextmanager
def bounded_memory(megabytes: int) -> Iterator[None]:
    """Fail where more memory is taken."""
    tracemalloc.start()
    try:
        yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < megabytes << 20, f"{peak:,} bytes were taken"


@pytest.mark.parametrize("provider", PROVIDERS)
class TestSize:
    @pytest.mark.parametrize("step", [bomb(200), endless()], ids=["packed", "endless"])
    async def test_an_answer_that_is_too_large_is_a_fault_that_says_so(self, servers, provider, step):
        servers[provider].default = step
        async with provider_at(servers[provider], provider) as model:
            await model.open()
            with bounded_memory(80), pytest.raises(Fault) as caught:
                await model.complete(REQUEST)
        assert caught.value.message == f"the answer is longer than {LARGEST_ANSWER:,} bytes"
        assert not caught.value.passing
        error = model_error(caught.value, settings_at(servers[provider], provider))
        assert error.title == "The judge's answer is too large"
        assert error.kind == "refused"

    async def test_an_error_without_end_is_told_by_its_status(self, servers, provider):
        servers[provider].default = endless(500)
        async with provider_at(servers[provider], provider) as model:
            await model.open()
            with bounded_memory(40), pytest.raises(Fault) as caught:
                await model.complete(REQUEST)
        assert caught.value.status == 500
        assert caught.value.message == f"the answer is longer than {LARGEST_ERROR:,} bytes"
        assert kind_of(caught.value) == "broken"

    async def test_a_stream_that_never_ends_is_ended(self, servers, provider, monkeypatch):
        monkeypatch.setattr(connections, "LARGEST_STREAM", 2_000_000)
        event = b'data: {"choices": [{"delta": {"content": "la"}}]}\n\n'
        if provider == "anthropic":
            event = (
                b"event: content_block_delta\n"
                b'data: {"type": "content_block_delta", "index": 0, '
                b'"delta": {"type": "text_delta", "text": "la"}}\n\n'
            )
        servers[provider].default = endless(body=event * 100)
        heard: list[str] = []

        async def hear(model: Provider) -> None:
            async for piece in model.stream(REQUEST):
                heard.append(piece)

        async with provider_at(servers[provider], provider) as model:
            with pytest.raises(Fault, match="longer than 2,000,000 bytes"):
                await hear(model)
        assert 0 < len(heard) < 1_000_000

    async def test_what_is_packed_and_small_is_read_as_ever(self, servers, provider):
        answer = says("hello") if provider == "openai" else anthropic_answers("hello")
        servers[provider].default = packs(answer)
        async with provider_at(servers[provider], provider) as model:
            assert (await model.complete(REQUEST)).text == "hello"
            assert (await model.complete(REQUEST)).text == "hello"
        assert servers[provider].connections == 1


async def test_a_packed_stream_is_read_as_ever(judge_server: JudgeServer) -> None:
    whole = streams("a", "b")
    judge_server.default = Step(
        body=packs(whole).body, headers={"Content-Encoding": "gzip", "Content-Type": "text/event-stream"}
    )
    async with provider_at(judge_server, "openai") as model:
        assert [piece async for piece in model.stream(REQUEST)] == ["a", "b"]


def test_a_stream_may_be_longer_than_an_answer() -> None:
    assert LARGEST_ERROR < LARGEST_ANSWER < LARGEST_STREAM


@pytest.mark.parametrize("step", [bomb(200), endless(), endless(503)], ids=["packed", "endless", "error"])
async def test_a_chatbot_behind_http_takes_no_more_memory_either(judge_server, step):
    judge_server.default = step
    template = HttpTemplate(
        url=f"{judge_server.url}/chat/completions", method="POST", body={"q": "{{prompt}}"}
    )

    async def no_wait(seconds: float) -> None:
        await asyncio.sleep(0)

    async with HttpTarget(template, sleep=no_wait) as target:
        with bounded_memory(80), pytest.raises(Exception, match="the answer is longer than"):
            await target.answer(REQUEST.messages, {})


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed_and_says_where_it_points(servers, provider, status):
    server = servers[provider]
    elsewhere = await JudgeServer().start()
    server.default = sends_elsewhere(f"{elsewhere.url}/chat/completions?key=secret", status)
    async with provider_at(server, provider, api_key="sk-very-secret-key") as model:
        for ask in (model.complete(REQUEST), anext(model.stream(REQUEST))):
            with pytest.raises(Fault) as caught:
                await ask
            assert caught.value.message == f"it sends elsewhere, to {elsewhere.url}/chat/completions"
    assert elsewhere.connections == 0
    await elsewhere.close()
    error = model_error(caught.value, settings_at(server, provider))
    assert error.title == "The judge's server sends elsewhere"
    assert error.next_step == "If you trust that address, name it as the judge."


@pytest.mark.parametrize(
    ("location", "told"),
    [
        ("", "to nowhere"),
        ("/login", "/login"),
        ("http://[bad", "no address"),
        ("//x.example/a", "http://x.example/a"),
    ],
)
async def test_wherever_a_redirect_points_it_is_told(
    judge_server: JudgeServer, location: str, told: str
) -> None:
    judge_server.default = sends_elsewhere(location)
    async with provider_at(judge_server, "openai") as model:
        with pytest.raises(Fault, match=told):
            await model.complete(REQUEST)


async def test_a_list_of_models_that_is_elsewhere_is_told_likewise(judge_server: JudgeServer) -> None:
    judge_server.models_step = sends_elsewhere("https://elsewhere.example/v1/models", 302)
    with pytest.raises(Fault, match=r"it sends elsewhere, to https://elsewhere\.example/v1/models"):
        await served_models(judge_server.url, "none")


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_server_that_is_not_reached_in_time_is_told_in_its_own_seconds(monkeypatch, provider):
    monkeypatch.setattr(connections, "LONGEST_CONNECT", 0.2)

    ended = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # The secure connection never comes about.
        await reader.read()
        writer.close()
        await writer.wait_closed()
        ended.set()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    settings = ModelSettings(base_url=url, model="m", provider=provider, timeout=60.0)
    model = open_provider(settings, Means())
    with pytest.raises(Fault) as caught:
        await model.complete(REQUEST)
    await model.close()
    await ended.wait()
    server.close()
    await server.wait_closed()
    assert caught.value.message == "no connection within 0.2 s"
    error = model_error(caught.value, settings)
    assert error.title == "The judge cannot be reached"
    assert "120 s" not in str(error)
    assert caught.value.passing


async def test_an_answer_that_does_not_come_is_told_in_the_seconds_of_the_setting(judge_server: JudgeServer):
    judge_server.default = Step(do="hang")
    async with provider_at(judge_server, "openai", timeout=0.2) as model:
        with pytest.raises(Fault, match=r"no answer within 0\.2 s"):
            await model.complete(REQUEST)


async def test_a_refusal_is_still_a_refusal(judge_server: JudgeServer) -> None:
    judge_server.default = refuses(400, "no")
    async with provider_at(judge_server, "openai") as model:
        with pytest.raises(Fault, match="no") as caught:
            await model.complete(REQUEST)
    assert caught.value.status == 400


class TestNobodyListens:
    """On this machine a refused connection is an answer: nothing listens there, and that is told at once."""

    @pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
    @pytest.mark.parametrize("provider", PROVIDERS)
    async def test_a_model_on_this_machine_is_tried_once_more_and_quickly(self, provider, host, unused_port):
        waits: list[float] = []

        async def sleep(seconds: float) -> None:
            waits.append(seconds)

        place = f"http://{host}:{unused_port}"
        settings = ModelSettings(
            base_url=place if provider == "anthropic" else f"{place}/v1", model="m", provider=provider
        )
        async with Target(settings, sleep=sleep) as target:
            with pytest.raises(JudgeUnavailableError, match="cannot be reached"):
                await target.complete([{"role": "user", "content": "q"}])
        assert len(waits) == 1
        assert sum(waits) <= 0.5

    async def test_so_is_a_chatbot_behind_http(self, unused_port):
        waits: list[float] = []

        async def sleep(seconds: float) -> None:
            waits.append(seconds)

        template = HttpTemplate(url=f"http://127.0.0.1:{unused_port}/chat", method="GET")
        async with HttpTarget(template, sleep=sleep) as target:
            with pytest.raises(JudgeUnavailableError):
                await target.answer([], {})
        assert waits == [0.25]

    @pytest.mark.parametrize(
        ("address", "cause", "is_told"),
        [
            ("http://127.0.0.1/v1", ConnectionRefusedError(), True),
            ("http://192.0.2.1/v1", ConnectionRefusedError(), False),
            ("http://127.0.0.1/v1", ConnectionResetError(), False),
            ("http://localhost/v1", OSError("2 exceptions"), False),
        ],
    )
    async def test_a_refusal_elsewhere_and_another_fault_here_do_not_count(self, address, cause, is_told):
        async with openai.DefaultAsyncHttpxClient() as client:
            error = openai.APIConnectionError(request=client.build_request("GET", address))
        error.__cause__ = cause
        fault = fault_of_transport(error, 1.0)
        assert isinstance(fault, Fault)
        assert fault.nobody_here is is_told


@pytest.fixture
def unused_port() -> int:
    """A port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])
