"""Public addresses: what a file names reaches no server of this machine, by whatever name."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from judge_server import JudgeServer, says

from turnwise.conversations.errors import SettingError
from turnwise.engine.chatbots.http_requests import http_template
from turnwise.engine.chatbots.http_target import HttpTarget
from turnwise.engine.models import public_addresses
from turnwise.engine.models.faults import Fault
from turnwise.engine.models.public_addresses import refuse_private
from turnwise.engine.models.wire import Wire

BODY = {"model": "m", "messages": [{"role": "user", "content": "x"}]}


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Names and the addresses that they have; a name that is not there has none."""
    known: dict[str, str] = {}

    def look_up(host: str, port: int) -> list[str]:
        if host not in known:
            raise socket.gaierror("Name or service not known")
        return [known[host]]

    monkeypatch.setattr(public_addresses, "addresses_of", look_up)
    return known


async def ask(url: str) -> Any:
    wire = await Wire.open(url, "none", seconds=10, public_only=True)
    try:
        return await wire.complete(BODY)
    finally:
        await wire.close()


async def test_a_name_that_means_this_machine_is_not_asked(
    names: dict[str, str], judge_server: JudgeServer
) -> None:
    judge_server.default = says("yes")
    names["bot.example"] = "127.0.0.1"
    url = judge_server.url.replace("127.0.0.1", "bot.example")
    with pytest.raises(SettingError, match=r"bot\.example is this machine"):
        await ask(url)
    target = HttpTarget(http_template({"url": url}), public_only=True)
    async with target:
        with pytest.raises(SettingError, match=r"bot\.example is this machine"):
            await target.answer([], {})
    assert judge_server.requests == []


async def test_the_connection_goes_to_the_address_that_was_checked(
    names: dict[str, str], judge_server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge_server.default = says("yes")
    # As if the address of this machine were a public one; nobody else could look the name up.
    monkeypatch.setattr(public_addresses, "is_public", lambda address: address == "127.0.0.1")
    names["bot.example"] = "127.0.0.1"
    assert (await ask(judge_server.url.replace("127.0.0.1", "bot.example"))).text == "yes"
    assert judge_server.requests[0].headers["host"].startswith("bot.example:")


async def test_a_name_without_an_address_is_told(names: dict[str, str]) -> None:
    with pytest.raises(Fault, match=r"nowhere\.example is not found"):
        await ask("http://nowhere.example/v1")


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "10.0.0.7", "[::1]", "printer.local", "x.localhost."]
)
def test_what_is_plainly_here_is_refused_before_it_is_looked_up(host: str) -> None:
    with pytest.raises(SettingError):
        refuse_private(f"http://{host}/v1")
    refuse_private("https://api.openai.com/v1")
