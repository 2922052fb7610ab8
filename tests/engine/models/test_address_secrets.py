"""Address secrets: a server that repeats its request brings no key into a reason that is kept."""

from __future__ import annotations

import pytest
from web_server import Given, web_server

from turnwise.conversations.errors import JudgeError
from turnwise.engine.chatbots.http_requests import http_template
from turnwise.engine.chatbots.http_target import HttpTarget
from turnwise.engine.models.address_secrets import secrets_of, without_secrets
from turnwise.engine.models.faults import Fault, model_error
from turnwise.engine.models.settings import ModelSettings

ADDRESS = "http://me:pass-word@bot.example/v1?api=k%2Bey%2D123456&n=1"


def test_passwords_queries_and_headers_with_keys_are_secrets() -> None:
    found = secrets_of(ADDRESS, {"Authorization": "Bearer abcdefgh", "Accept": "text/plain"})
    assert set(found) == {"pass-word", "k%2Bey%2D123456", "k+ey-123456", "Bearer abcdefgh", "abcdefgh"}


@pytest.mark.parametrize(
    "said",
    ["no route /v1?api=k%2Bey%2D123456", "bad key k+ey-123456.", "cut in /v1?api=k%2Bey%2D1", "pass-word"],
)
def test_none_of_them_is_left_in_words(said: str) -> None:
    told = without_secrets(said, secrets_of(ADDRESS))
    assert not any(part in told for part in ("k%2Bey", "k+ey", "pass-word"))
    assert "***" in told


def test_a_judge_that_repeats_its_address_is_told_without_its_key() -> None:
    settings = ModelSettings(base_url=ADDRESS, model="m")
    error = model_error(Fault("not found: /v1?api=k%2Bey%2D123456", status=404, passing=False), settings)
    assert "not found: /v1?api=***" in error.detail
    assert "k%2Bey" not in str(error)


async def test_a_chatbot_that_repeats_its_address_is_told_without_its_key() -> None:
    with web_server(lambda asked: Given(f"no route {asked.path}", status=404)) as server:
        template = http_template({"url": f"{server.url}/chat?key=topsecret"})
        async with HttpTarget(template) as target:
            with pytest.raises(JudgeError) as caught:
                await target.answer([], {})
    assert "no route /chat?key=***" in caught.value.detail
    assert "topsecret" not in str(caught.value)
