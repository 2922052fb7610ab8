"""The provider `anthropic`, against a stand-in that is held to the types of Anthropic's own SDK."""

from __future__ import annotations

import asyncio
import sys
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest
from anthropic.types import Message
from anthropic_server import AnthropicServer, answers, checked_request, stops, talks, thinks
from judge_server import Step, drops, hangs

from turnwise.conversations.errors import JudgeError, JudgeRefusedError, JudgeUnavailableError, SettingError
from turnwise.engine.chatbots.choose import choose_target, find_chatbot
from turnwise.engine.chatbots.targets import Target
from turnwise.engine.judge.judge import Judge
from turnwise.engine.judge.pictures import Picture
from turnwise.engine.judge.questions import NO_PROBABILITIES, Question
from turnwise.engine.models import providers
from turnwise.engine.models.anthropic_messages import LEAST_CACHED, MAX_TOKENS, enforced_schema, request_body
from turnwise.engine.models.choose import choose_model, spec_of
from turnwise.engine.models.faults import Fault
from turnwise.engine.models.prices import cost_of
from turnwise.engine.models.provider import ModelRequest, schema_in_words
from turnwise.engine.models.settings import ModelSettings

KEY = "sk-ant-very-secret-key"
SCHEMA = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "integer", "minimum": 0, "maximum": 10}},
    "required": ["reason", "score"],
    "additionalProperties": False,
}
GOOD = {"reason": "fine", "score": 8}
QUESTION = Question(
    rules="Judge.",
    transcript="1 user: hi",
    ask="How good?",
    schema=SCHEMA,
    name="score",
    examples=(("An example", '{"score": 1}'),),
)
ALONE = replace(QUESTION, transcript="", examples=())
HELLO = [{"role": "user", "content": "hello"}]


async def no_wait(seconds: float) -> None:
    await asyncio.sleep(0)


@pytest.fixture
async def server():
    server = AnthropicServer()
    await server.start()
    yield server
    await server.close()


@pytest.fixture
async def settings(server) -> ModelSettings:
    environment = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": server.url}
    found = await choose_model("anthropic:claude-x", environment=environment)
    assert found is not None
    return found


@pytest.fixture
async def judge(settings):
    async with Judge(settings, sleep=no_wait) as judge:
        yield judge


@pytest.fixture
async def target(settings):
    async with Target(replace(settings, noun="chatbot"), sleep=no_wait) as target:
        yield target


class TestJudging:
    async def test_rules_stand_apart_and_what_is_shared_is_kept_in_the_cache(self, server, judge):
        server.script(answers(GOOD))
        answer = await judge.ask(QUESTION)
        assert answer.value == GOOD
        [request] = server.requests
        cached = {"cache_control": {"type": "ephemeral"}}
        assert request.path == "/v1/messages"
        assert request.body == {
            "model": "claude-x",
            "max_tokens": MAX_TOKENS,
            "system": [{"type": "text", "text": "Judge.", **cached}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "An example"}]},
                {"role": "assistant", "content": [{"type": "text", "text": '{"score": 1}'}]},
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "1 user: hi", **cached},
                        {"type": "text", "text": f"How good?\n\n{schema_in_words(SCHEMA)}"},
                    ],
                },
            ],
        }

    async def test_where_nothing_is_shared_the_schema_is_enforced(self, server, judge):
        server.script(answers(GOOD))
        await judge.ask(ALONE)
        body = server.requests[0].body
        assert body["messages"][-1]["content"] == [{"type": "text", "text": "How good?"}]
        assert body["output_config"]["format"] == {
            "type": "json_schema",
            "schema": enforced_schema(SCHEMA),
        }

    async def test_what_was_not_what_was_asked_for_is_asked_for_again_with_the_schema_enforced(
        self, server, judge
    ):
        server.script(answers("I would rather not say."), answers(GOOD))
        answer = await judge.ask(QUESTION)
        assert answer.value == GOOD
        assert ["output_config" in request.body for request in server.requests] == [False, True]

    async def test_who_wants_it_has_the_schema_enforced_at_any_price(self, server, settings):
        server.script(answers(GOOD))
        async with Judge(replace(settings, style="schema")) as judge:
            await judge.ask(QUESTION)
        assert "output_config" in server.requests[0].body

    async def test_of_questions_about_one_long_transcript_the_first_goes_ahead(self, server, judge):
        first = asyncio.Event()
        long = replace(QUESTION, transcript="1 user: " + "word " * LEAST_CACHED)
        server.script(replace(answers(GOOD), wait=first))
        asked = [asyncio.create_task(judge.ask(replace(long, ask=f"{number}?"))) for number in range(4)]
        other = asyncio.create_task(judge.ask(replace(long, transcript=f"{long.transcript} 2 user: hi")))
        assert (await other).value
        assert len(server.requests) == 2
        first.set()
        assert len(await asyncio.gather(*asked)) == 4
        assert len(server.requests) == 5

    async def test_where_the_first_fails_another_goes_ahead(self, server, judge):
        long = replace(QUESTION, transcript="1 user: " + "word " * LEAST_CACHED)
        server.script(stops("invalid_request_error", 400))
        asked = [judge.ask(replace(long, ask=f"{number}?")) for number in range(3)]
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert sorted(isinstance(one, JudgeRefusedError) for one in found) == [False, False, True]

    async def test_the_call_is_kept_as_it_was_sent_without_the_key(self, server, judge):
        server.script(answers(GOOD))
        call = (await judge.ask(QUESTION)).call
        assert call.request == server.requests[0].body
        assert call.model == "claude-scripted-1"
        assert call.finish_reason == "stop"
        assert KEY in server.requests[0].headers["authorization"]
        assert KEY not in str(call)
        again = await judge.ask(QUESTION)
        assert again.call.cached
        assert len(server.requests) == 1

    async def test_tokens_that_were_read_from_and_written_to_the_cache_are_counted(self, server, judge):
        server.script(answers(GOOD))
        call = (await judge.ask(QUESTION)).call
        assert call.usage == {
            "prompt_tokens": 100,
            "completion_tokens": 5,
            "cached_tokens": 70,
            "cache_write_tokens": 10,
        }

    async def test_what_it_thinks_is_never_read_as_the_answer(self, server, judge):
        server.script(answers(thinks('{"reason": "a draft", "score": 1}'), GOOD))
        answer = await judge.ask(QUESTION)
        assert answer.value == GOOD
        assert "draft" not in answer.call.reply

    async def test_it_gives_no_token_probabilities_and_that_is_said(self, server, judge):
        server.script(answers(GOOD))
        answer = await judge.ask(replace(QUESTION, token_probabilities=True))
        assert answer.weighted is None
        assert answer.note == NO_PROBABILITIES

    async def test_a_model_that_enforces_no_schema_is_asked_in_words_from_then_on(self, server, judge):
        refusal = "output_config.format: this model does not support structured outputs"
        server.script(stops("invalid_request_error", 400, refusal), answers(GOOD), answers(GOOD))
        await judge.ask(ALONE)
        await judge.ask(replace(ALONE, ask="How kind?"))
        first, second, third = (request.body for request in server.requests)
        assert "output_config" in first
        assert "output_config" not in second
        assert "JSON schema" in second["messages"][-1]["content"][-1]["text"]
        assert "output_config" not in third

    async def test_a_model_that_writes_less_is_asked_for_less(self, server, judge):
        refusal = "max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens"
        server.script(stops("invalid_request_error", 400, refusal), answers(GOOD))
        await judge.ask(QUESTION)
        assert [request.body["max_tokens"] for request in server.requests] == [8192, 4096]

    async def test_pictures_are_sent_as_the_api_has_them_and_kept_as_a_digest(self, server, judge):
        server.script(answers(GOOD))
        pictures = (
            Picture("One:", "data:image/png;base64,aGVsbG8="),
            Picture("Two:", "https://example.org/a.png"),
        )
        call = (await judge.ask(replace(QUESTION, pictures=pictures, examples=()))).call
        [message] = server.requests[0].body["messages"]
        one, two = (block["source"] for block in message["content"] if block["type"] == "image")
        assert one == {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}
        assert two == {"type": "url", "url": "https://example.org/a.png"}
        assert "aGVsbG8=" not in str(call.request)
        assert "sha256:" in str(call.request)

    async def test_a_refusal_of_the_model_is_told_as_such(self, server, judge):
        details = {"type": "refusal", "category": "cyber", "explanation": "This is not for me."}
        server.script(answers(stop="refusal", stop_details=details))
        with pytest.raises(JudgeRefusedError, match="declines to judge") as caught:
            await judge.ask(QUESTION)
        assert "This is not for me." in caught.value.detail

    async def test_a_reply_that_is_cut_off_is_asked_for_again(self, server, judge):
        server.script(answers('{"reason": "and so', stop="max_tokens"), answers(GOOD))
        answer = await judge.ask(QUESTION)
        assert answer.rejected[0].finish_reason == "length"
        assert "cut off" in server.requests[1].body["messages"][-1]["content"][-1]["text"]

    async def test_it_looks_nothing_up(self, judge):
        from turnwise.engine.judge.embeddings import Embedder

        with pytest.raises(JudgeRefusedError, match="gives no embeddings"):
            await Embedder(judge, "e").embed(["a cat"])


class TestTrouble:
    @pytest.mark.parametrize(
        ("step", "error", "title"),
        [
            (stops("authentication_error", 401), JudgeRefusedError, "The judge does not accept the key"),
            (stops("not_found_error", 404), JudgeRefusedError, "The judge's server knows no such model"),
            (
                stops("invalid_request_error", 400, "Your credit balance is too low"),
                JudgeRefusedError,
                "The judge's account has no credit left",
            ),
            (stops("billing_error", 402), JudgeRefusedError, "The judge's account has no credit left"),
            (
                stops("invalid_request_error", 400, "prompt is too long: 210000 tokens > 200000 maximum"),
                JudgeRefusedError,
                "The conversation is too long for the judge",
            ),
            (stops("request_too_large", 413), JudgeRefusedError, "The conversation is too long"),
            (stops("invalid_request_error", 400), JudgeRefusedError, "The judge refuses the request"),
            (stops("rate_limit_error", 429), JudgeUnavailableError, "The judge is overloaded"),
            (stops("overloaded_error", 529), JudgeUnavailableError, "The judge is overloaded"),
            (stops("api_error", 500), JudgeUnavailableError, "The judge's server has a fault"),
            (drops(), JudgeUnavailableError, "The judge cannot be reached"),
            (Step(body=b"<html>Sign in</html>"), JudgeRefusedError, "What answers there is no judge"),
            (Step(body={"answer": 42}), JudgeRefusedError, "What answers there is no judge"),
            (Step(body=b'{"cut'), JudgeUnavailableError, "The judge cannot be reached"),
        ],
        ids=lambda value: None if isinstance(value, Step) else str(value)[:30],
    )
    async def test_errors_are_those_of_any_judge(self, server, judge, step, error, title):
        server.default = step
        with pytest.raises(error, match=title) as caught:
            await judge.ask(QUESTION)
        assert "very-secret" not in str(caught.value.detail)

    async def test_the_key_that_is_meant_is_named(self, server, judge):
        server.default = stops("authentication_error", 401, f"invalid key {KEY}")
        with pytest.raises(JudgeRefusedError) as caught:
            await judge.ask(QUESTION)
        assert "Check ANTHROPIC_API_KEY" in caught.value.next_step
        assert "very-secret" not in caught.value.detail

    async def test_it_is_tried_again_when_it_asks_to_be_and_the_sdk_tries_nothing_itself(
        self, server, settings
    ):
        waits: list[float] = []

        async def waited(seconds: float) -> None:
            waits.append(seconds)

        server.script(stops("rate_limit_error", 429, retry_after="0.4"), answers(GOOD))
        async with Judge(settings, sleep=waited) as judge:
            assert (await judge.ask(QUESTION)).value == GOOD
        assert len(server.requests) == 2
        assert 0.4 <= waits[0] <= 0.6

    async def test_it_may_take_only_so_long(self, server, settings):
        waits: list[float] = []

        async def waited(seconds: float) -> None:
            waits.append(seconds)

        server.default = hangs()
        async with Judge(replace(settings, timeout=0.05), sleep=waited) as judge:
            with pytest.raises(JudgeUnavailableError, match="did not answer in time"):
                await judge.ask(QUESTION)
        # On a busy machine one of the three tries may end before it is sent.
        assert len(waits) == 2

    async def test_without_the_sdk_it_says_how_to_get_it(self, monkeypatch, settings):
        monkeypatch.setitem(sys.modules, "anthropic", None)
        monkeypatch.delitem(sys.modules, "anthropic")
        monkeypatch.setattr("builtins.__import__", _without_anthropic(__import__))
        async with Judge(settings) as judge:
            with pytest.raises(SettingError) as caught:
                await judge.ask(QUESTION)
        assert "pip install 'turnwise[anthropic]'" in caught.value.next_step


def _without_anthropic(real: Any) -> Any:
    def imported(name: str, *given: Any) -> Any:
        if name == "anthropic":
            raise ImportError(name)
        return real(name, *given)

    return imported


class TestTalking:
    async def test_a_reply_comes_piece_by_piece_without_what_was_thought(self, server, target):
        server.script(talks(thinks("hmm"), "Good ", "morning"))
        assert [piece async for piece in target.reply(HELLO)] == ["Good ", "morning"]
        [request] = server.requests
        assert request.body["stream"] is True
        assert "system" not in request.body

    async def test_in_a_talk_all_that_was_said_is_kept_in_the_cache(self, server, target):
        server.script(talks("Bye"))
        said = [
            {"role": "system", "content": "You are a clinic."},
            *HELLO,
            {"role": "assistant", "content": "Hi"},
            {"role": "user", "content": "bye"},
        ]
        assert [piece async for piece in target.reply(said)] == ["Bye"]
        body = server.requests[0].body
        assert body["system"][0]["text"] == "You are a clinic."
        assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
        assert "cache_control" in body["messages"][-1]["content"][-1]

    @pytest.mark.parametrize("step", [talks("Hel", whole=False), talks("Hel", error="overloaded_error")])
    async def test_a_reply_that_breaks_off_is_told_after_what_came(self, server, target, step):
        server.script(step)
        pieces: list[str] = []

        async def listen() -> None:
            async with aclosing(target.reply(HELLO)) as reply:
                async for piece in reply:
                    pieces.append(piece)

        with pytest.raises(JudgeError, match="The chatbot"):
            await listen()
        assert pieces == ["Hel"]

    async def test_options_of_a_test_file_are_translated(self, server, target):
        arguments = {"city": "Oslo"}
        tool = {"type": "tool_use", "id": "t1", "name": "weather", "input": arguments}
        server.script(answers("Let me see.", tool, stop="tool_use"))
        function = {"name": "weather", "parameters": {"type": "object", "properties": {}}}
        options = {
            "max_tokens": 50,
            "stop": "END",
            "tools": [{"type": "function", "function": function}],
            "tool_choice": "required",
        }
        reply = await target.complete(HELLO, options)
        body = server.requests[0].body
        assert (body["max_tokens"], body["stop_sequences"]) == (50, ["END"])
        assert body["tools"][0]["input_schema"] == function["parameters"]
        assert body["tool_choice"] == {"type": "any"}
        assert reply.finish_reason == "tool_calls"
        assert reply.message["tool_calls"][0]["function"] == {
            "name": "weather",
            "arguments": '{"city": "Oslo"}',
        }

    @pytest.mark.parametrize("option", ["temperature", "top_p", "seed", "logprobs"])
    async def test_an_option_that_the_api_has_not_is_refused_unsent(self, server, target, option):
        with pytest.raises(JudgeRefusedError) as caught:
            await target.complete(HELLO, {option: 1})
        assert caught.value.next_step == f"Leave {option} out."
        assert server.requests == []

    async def test_a_message_of_a_tool_is_refused(self, target):
        with pytest.raises(JudgeRefusedError) as caught:
            await target.complete([*HELLO, {"role": "tool", "content": "12"}])
        assert "role 'tool'" in caught.value.detail


class TestChoosing:
    async def test_it_is_named_with_its_key_and_address_in_the_environment(self):
        settings = await choose_model("anthropic:claude-x", environment={"ANTHROPIC_API_KEY": KEY})
        assert settings is not None
        assert (settings.base_url, settings.model) == ("https://api.anthropic.com", "claude-x")
        assert settings.identity == "api.anthropic.com claude-x"
        assert KEY not in repr(settings)
        assert spec_of(settings) == "anthropic:claude-x"

    async def test_without_a_key_it_says_which(self):
        with pytest.raises(SettingError, match="The judge claude-x needs a key") as caught:
            await choose_model("anthropic:claude-x", environment={"OPENAI_API_KEY": "k"})
        assert caught.value.next_step.startswith("Set ANTHROPIC_API_KEY")
        with pytest.raises(SettingError, match="The chatbot claude-x needs a key"):
            await choose_target("anthropic:claude-x", environment={})

    @pytest.mark.parametrize("name", ["", "two words"])
    async def test_what_is_no_name_is_refused(self, name):
        with pytest.raises(SettingError, match="That names no judge"):
            await choose_model(f"anthropic:{name}", environment={"ANTHROPIC_API_KEY": KEY})

    @pytest.mark.parametrize("address", ["https://proxy.example/", "https://proxy.example/v1/messages"])
    async def test_an_address_may_be_given_in_any_of_its_forms(self, address):
        environment = {"ANTHROPIC_BASE_URL": address}
        settings = await choose_model("anthropic:claude-x", environment=environment)
        assert settings is not None
        assert settings.base_url == "https://proxy.example"

    async def test_without_the_extra_it_says_how_to_get_it(self, monkeypatch):
        monkeypatch.setattr(providers, "find_spec", lambda name: None)
        with pytest.raises(SettingError) as caught:
            await choose_model("anthropic:claude-x", environment={"ANTHROPIC_API_KEY": KEY})
        assert caught.value.next_step == "Install it with: pip install 'turnwise[anthropic]'"

    async def test_a_key_alone_chooses_nobody(self, monkeypatch, tmp_path):
        monkeypatch.setenv("TURNWISE_MODELS", str(tmp_path))
        assert await choose_model(None, environment={"ANTHROPIC_API_KEY": KEY}) is None

    async def test_a_chatbot_is_found_by_the_same_name(self):
        found = await find_chatbot("anthropic:claude-x", environment={"ANTHROPIC_API_KEY": KEY})
        assert isinstance(found, Target)
        assert found.title == "https://api.anthropic.com claude-x"

    async def test_its_kept_replies_answer_offline(self, server, settings, judge):
        server.script(answers(GOOD))
        await judge.ask(QUESTION)
        environment = {"ANTHROPIC_BASE_URL": server.url}
        offline = await choose_model("offline:anthropic:claude-x", environment=environment)
        assert offline is not None
        assert offline.fingerprint == settings.fingerprint
        assert (await Judge(offline, judge.book).ask(QUESTION)).value == GOOD
        with pytest.raises(JudgeRefusedError) as caught:
            await Judge(offline, judge.book).ask(replace(QUESTION, ask="How kind?"))
        assert "asked: 'How kind?'\nkept: 'How good?'" in caught.value.detail


class TestSchema:
    def test_what_cannot_be_enforced_is_said_in_words(self):
        assert enforced_schema(SCHEMA)["properties"]["score"] == {
            "type": "integer",
            "description": "{minimum: 0, maximum: 10}",
        }

    def test_every_object_is_closed_and_a_list_of_types_is_a_choice(self):
        schema = {
            "type": "object",
            "properties": {
                "a": {"type": ["integer", "null"], "minimum": 1},
                "b": {"type": "array", "items": {"type": "object", "properties": {}}, "minItems": 1},
            },
        }
        assert enforced_schema(schema) == {
            "type": "object",
            "properties": {
                "a": {
                    "anyOf": [
                        {"type": "integer", "description": "{minimum: 1}"},
                        {"type": "null", "description": "{minimum: 1}"},
                    ]
                },
                "b": {
                    "type": "array",
                    "items": {"type": "object", "properties": {}, "additionalProperties": False},
                    "description": "{minItems: 1}",
                },
            },
            "additionalProperties": False,
        }


def test_the_price_counts_what_the_cache_saved():
    settings = ModelSettings(
        provider="anthropic", base_url="https://api.anthropic.com", model="claude-haiku-4-5"
    )
    usage = {"prompt_tokens": 1000, "cached_tokens": 600, "cache_write_tokens": 300, "completion_tokens": 10}
    # $1, $0.10, $1.25 and $5 for a million of input, cache read, cache write and output.
    expected = (100 * 1 + 600 * 0.1 + 300 * 1.25 + 10 * 5) / 1_000_000
    assert cost_of(usage, settings) == pytest.approx(expected)


def test_the_stand_in_takes_only_what_the_api_takes():
    body = request_body("m", ModelRequest(messages=HELLO), structured=True, max_tokens=5)
    checked_request(body)
    for wrong in ({"temperature": 0.0}, {"messages": [{"role": "user", "content": [{"type": "words"}]}]}):
        with pytest.raises(Exception, match=r".+"):
            checked_request({**body, **wrong})
    with pytest.raises(Exception, match="stop_reason"):
        Message.model_validate({**answers("x").body, "stop_reason": "tired"})


def test_a_request_that_the_api_cannot_hold_is_a_fault_of_ours():
    with pytest.raises(Fault) as caught:
        request_body("m", ModelRequest(messages=HELLO, options={"n_probs": 3}), structured=True, max_tokens=5)
    assert not caught.value.passing


def test_loading_the_provider_loads_no_sdk():
    import subprocess

    code = "import sys, turnwise.engine.models.anthropic_messages; print('anthropic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
