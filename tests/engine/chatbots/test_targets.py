"""Targets answer piece by piece, and their errors speak of chatbots, with a next step."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest
from judge_server import JudgeServer, busy, drops, hangs, refuses, streams
from waiting import until

from turnwise.conversations.errors import (
    JudgeError,
    JudgeRefusedError,
    JudgeUnavailableError,
    NotFoundError,
    SettingError,
    TurnwiseError,
)
from turnwise.engine.chatbots.choose import choose_target, find_targets
from turnwise.engine.chatbots.http_requests import HttpTemplate
from turnwise.engine.chatbots.http_target import HttpTarget
from turnwise.engine.chatbots.limits import ChatbotLimits
from turnwise.engine.chatbots.targets import Target
from turnwise.engine.models import served
from turnwise.engine.models.settings import ModelSettings

HELLO = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}]


async def replied(target: Target, into: list[str] | None = None) -> list[str]:
    pieces = [] if into is None else into
    async with aclosing(target.reply(HELLO)) as reply:
        async for piece in reply:
            pieces.append(piece)
    return pieces


async def test_a_reply_comes_in_pieces_and_the_whole_conversation_was_sent(judge_server):
    judge_server.script(streams("Good ", "morning"))
    async with Target(await choose_target(judge_server.url)) as target:
        assert await replied(target) == ["Good ", "morning"]
    body = judge_server.requests[0].body
    assert body["messages"] == HELLO
    assert body["model"] == "scripted-1"
    assert {"temperature", "max_tokens"}.isdisjoint(body)


async def test_a_target_says_where_it_is_without_its_key(judge_server):
    url = judge_server.url.replace("http://", "http://me:secret@")
    target = Target(ModelSettings(base_url=url, model="m", api_key="sk-key-key"))
    assert target.title == f"{judge_server.url} m"


async def test_two_that_open_a_target_at_once_open_it_once(judge_server):
    judge_server.script(streams("a"), streams("b"))
    async with Target(await choose_target(judge_server.url)) as target:
        await asyncio.gather(target.open(), target.open())
        assert sorted([*await replied(target), *await replied(target)]) == ["a", "b"]
    assert judge_server.connections <= 2


@pytest.mark.parametrize(
    ("step", "kind", "title", "advice"),
    [
        (drops(), JudgeUnavailableError, "The chatbot cannot be reached", "server runs"),
        (hangs(), JudgeUnavailableError, "The chatbot did not answer in time", "Ask again"),
        (refuses(401, "no"), JudgeRefusedError, "The chatbot does not accept the key", "OPENAI_API_KEY"),
        (refuses(404, "no"), JudgeRefusedError, "The chatbot's server knows no such model", "name"),
        (refuses(429, "slow down"), JudgeUnavailableError, "The chatbot is overloaded", "Wait"),
        (refuses(500, "oops"), JudgeUnavailableError, "The chatbot's server has a fault", "Ask again"),
        (
            refuses(400, "this exceeds the context size", code="context_length_exceeded"),
            JudgeRefusedError,
            "The conversation is too long for the chatbot",
            "new conversation",
        ),
        (refuses(400, "no"), JudgeRefusedError, "The chatbot refuses the request", "settings"),
    ],
    ids=["dropped", "silent", "key", "model", "busy", "fault", "too long", "refused"],
)
async def test_trouble_is_worded_for_one_who_talks(judge_server, step, kind, title, advice):
    judge_server.script(step)
    settings = ModelSettings(base_url=judge_server.url, model="m", timeout=0.5, tries=1)
    async with Target(settings) as target:
        with pytest.raises(kind) as caught:
            await replied(target)
    assert caught.value.title.startswith(title)
    assert advice in caught.value.next_step
    assert "judge" not in str(caught.value).lower()
    assert judge_server.url in caught.value.detail


async def test_what_came_before_a_reply_breaks_off_has_been_given(judge_server):
    judge_server.script(streams("Well, ", "in the", whole=False))
    into: list[str] = []
    async with Target(await choose_target(judge_server.url)) as target:
        with pytest.raises(JudgeError):
            await replied(target, into)
    assert "Well, in the".startswith("".join(into))


async def test_a_target_answers_again_after_a_fault(judge_server):
    judge_server.script(drops(), streams("Here"))
    async with Target(await choose_target(judge_server.url)) as target:
        with pytest.raises(JudgeError):
            await replied(target)
        assert await replied(target) == ["Here"]


@pytest.mark.parametrize("spec", ["none", "a b", "embedded:no-such-model", "no-such-file.gguf", "http://"])
async def test_what_is_no_target_is_refused_in_words_about_chatbots(spec):
    with pytest.raises((SettingError, NotFoundError)) as caught:
        await choose_target(spec, environment={})
    assert "judge" not in caught.value.title.lower()


async def test_a_command_keeps_its_name_in_an_error(tmp_path, monkeypatch):
    monkeypatch.setenv("TURNWISE_MODELS", str(tmp_path))
    with pytest.raises(SettingError) as caught:
        await choose_target(None, environment={})
    assert "turnwise judge pull" in caught.value.next_step


async def test_a_file_that_is_no_model_is_told_when_it_is_opened(tmp_path):
    pytest.importorskip("xllamacpp")
    path = tmp_path / "poem.gguf"
    path.write_text("Roses are red")
    async with Target(await choose_target(str(path))) as target:
        with pytest.raises(SettingError, match=r"poem\.gguf is not a GGUF model"):
            await target.open()


async def test_targets_at_hand_are_those_named_served_and_pulled(judge_server, tmp_path, monkeypatch):
    (tmp_path / "mine.gguf").write_bytes(b"GGUF")
    monkeypatch.setenv("TURNWISE_MODELS", str(tmp_path))
    monkeypatch.setattr(served, "LOCAL_SERVERS", {"Some server": (judge_server.port, 4)})
    judge_server.models = [{"id": "llama"}, {"id": "qwen"}]
    environment = {"OPENAI_BASE_URL": judge_server.url, "OPENAI_MODEL": "qwen"}
    found = await find_targets(environment)
    assert [(bool(settings.model_file), settings.model) for settings in found] == [
        (False, "qwen"),
        (False, "llama"),
        (True, "mine"),
    ]


async def test_a_named_target_that_is_away_hides_no_other(tmp_path: Path, monkeypatch):
    (tmp_path / "mine.gguf").write_bytes(b"GGUF")
    monkeypatch.setenv("TURNWISE_MODELS", str(tmp_path))
    monkeypatch.setattr(served, "LOCAL_SERVERS", {})
    found = await find_targets({"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"})
    assert [settings.model for settings in found] == ["mine"]


async def test_an_error_that_is_about_no_judge_stays_as_it_is():
    with pytest.raises(TurnwiseError) as caught:
        await choose_target("embedded:qwen9", environment={})
    assert "qwen2.5-coder-1.5b" in str(caught.value)


class TestPatience:
    """How long a chatbot is waited for is the user's to say, as it is of a judge."""

    @pytest.mark.parametrize("kind", ["model", "HTTP"])
    async def test_it_is_tried_as_often_as_was_said(self, judge_server, kind):
        judge_server.default = busy(retry_after_ms="1")
        async with chatbot(judge_server, kind, ChatbotLimits(tries=2)) as target:
            with pytest.raises(JudgeUnavailableError):
                await answered(target)
        assert len(judge_server.requests) == 2

    @pytest.mark.parametrize("kind", ["model", "HTTP"])
    async def test_it_is_waited_for_no_longer_than_was_said(self, judge_server, kind):
        judge_server.default = busy(retry_after="40")
        async with chatbot(judge_server, kind, ChatbotLimits(longest_wait=30)) as target:
            with pytest.raises(JudgeUnavailableError, match="asks to wait") as caught:
                await answered(target)
        assert "--longest-wait" in caught.value.next_step
        assert len(judge_server.requests) == 1

    @pytest.mark.parametrize("kind", ["model", "HTTP"])
    async def test_an_answer_may_take_as_long_as_was_said(self, judge_server, kind):
        judge_server.default = hangs()
        async with chatbot(judge_server, kind, ChatbotLimits(timeout=0.2, tries=1)) as target:
            with pytest.raises(JudgeUnavailableError, match="in time") as caught:
                await answered(target)
        assert "no answer within 0.2 s" in caught.value.detail
        assert "--timeout" in caught.value.next_step

    @pytest.mark.parametrize("kind", ["model", "HTTP"])
    async def test_what_is_waited_for_is_told_meanwhile(self, judge_server, kind):
        judge_server.default = busy(retry_after="60")
        async with chatbot(judge_server, kind, ChatbotLimits()) as target:
            asking = asyncio.create_task(answered(target))
            await until(lambda: target.waiting)
            assert target.waiting.startswith("the chatbot asks to wait 60 s")
            asking.cancel()
            await asyncio.wait([asking])
            assert target.waiting == ""


class TestATalkWithOneThatIsBusy:
    async def test_it_goes_on_once_there_is_time(self, judge_server):
        judge_server.script(busy(retry_after_ms="1"), streams("Good ", "morning"))
        async with chatbot(judge_server, "model", ChatbotLimits()) as target:
            pieces = [piece async for piece in target.reply([{"role": "user", "content": "Hello"}])]
        assert pieces == ["Good ", "morning"]

    async def test_another_fault_is_told_at_once(self, judge_server):
        judge_server.default = drops()
        async with chatbot(judge_server, "model", ChatbotLimits()) as target:
            with pytest.raises(JudgeUnavailableError):
                [piece async for piece in target.reply([{"role": "user", "content": "Hello"}])]
        assert len(judge_server.requests) == 1


def chatbot(server: JudgeServer, kind: str, limits: ChatbotLimits) -> Target | HttpTarget:
    if kind == "HTTP":
        template = HttpTemplate(url=f"{server.url}/chat/completions", method="POST", body={"q": "{{prompt}}"})
        return HttpTarget(template, limits=limits)
    return Target(limits.of(ModelSettings(base_url=server.url, model="m", noun="chatbot")))


async def answered(target: Target | HttpTarget) -> object:
    messages = [{"role": "user", "content": "Hello"}]
    if isinstance(target, HttpTarget):
        return await target.answer(messages, {})
    return await target.complete(messages)
