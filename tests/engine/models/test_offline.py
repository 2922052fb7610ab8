"""Offline, a judge answers from kept calls alone: nothing is connected to, and what is missing is named."""

from __future__ import annotations

import socket

import pytest
from judge_server import embeds, says

from turnwise.conversations.errors import JudgeRefusedError, SettingError
from turnwise.engine.judge.calls import MemoryCallBook
from turnwise.engine.judge.embeddings import open_embedder
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.engine.judge.judge import Judge
from turnwise.engine.judge.questions import Question
from turnwise.engine.models.choose import choose_model, spec_of
from turnwise.engine.models.offline import KeptQuestion, difference_in_words, nearest, unreached
from turnwise.engine.models.provider import Means, ModelRequest
from turnwise.engine.models.providers import open_provider
from turnwise.engine.models.settings import ModelSettings

SCHEMA = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}


def question(transcript: str, ask: str = "How polite is it?") -> Question:
    return Question(rules="Judge.", transcript=transcript, ask=ask, schema=SCHEMA, name="score")


@pytest.fixture
def no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every connection fail loudly."""

    def refuse(*given: object) -> None:
        raise AssertionError(f"a connection was opened: {given}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)


@pytest.fixture
async def book(judge_server) -> MemoryCallBook:
    """A book with the answers of a judge about two conversations, and the vector of a text."""
    judge_server.script(says({"score": 7}), says({"score": 3}))
    judge_server.others["embeddings"] = embeds({"a cat": [1.0, 0.0]})
    async with Judge(ModelSettings(base_url=judge_server.url, model="m")) as judge:
        await judge.ask(question("user: Where is my bag?"))
        await judge.ask(question("user: I want a refund.\nassistant: No."))
        async with open_embedder("e", judge) as embedder:
            await embedder.embed(["a cat"])
    return judge.book


@pytest.fixture
async def judge(judge_server, book, no_connection) -> Judge:
    settings = await choose_model(f"offline:{judge_server.url}#m", environment={})
    return Judge(settings, book)


async def test_what_was_asked_before_is_answered_as_it_was_then(judge, no_connection):
    answer = await judge.ask(question("user: Where is my bag?"))
    assert answer.value == {"score": 7}
    assert answer.call.cached
    assert (judge.calls_made, judge.spent) == (0, 0.0)


async def test_kept_calls_serve_where_everything_is_judged_anew(judge_server, book, store, no_connection):
    kept = StoredCallBook(store)
    for call in book.calls.values():
        kept.add(call)
    kept.write()
    settings = await choose_model(f"offline:{judge_server.url}#m", environment={})
    judge = Judge(settings, StoredCallBook(store, anew=True))
    assert (await judge.ask(question("user: Where is my bag?"))).value == {"score": 7}
    async with open_embedder("e", judge) as embedder:
        assert (await embedder.embed(["a cat"]))[0].vector == (1.0, 0.0)


async def test_it_is_the_same_judge_as_the_one_it_stands_for(judge_server, judge):
    online = ModelSettings(base_url=judge_server.url, model="m")
    assert judge.fingerprint == online.fingerprint
    assert judge.settings.identity == online.identity
    assert unreached(online) == unreached(unreached(online)) == judge.settings


async def test_a_miss_names_the_nearest_kept_question_and_what_to_do(judge):
    with pytest.raises(JudgeRefusedError) as caught:
        await judge.ask(question("user: I want a refund.\nassistant: Never."))
    error = caught.value
    assert error.title == "The judge is offline, and no reply to this question is kept"
    assert "the nearest kept question is" in error.detail
    assert "asked: 'assistant: Never.'\nkept: 'assistant: No.'" in error.detail
    assert error.next_step == (
        "Ask the judge itself once, without --offline; its replies are kept from then on."
    )
    assert not error.stops_run


async def test_a_judge_of_whom_nothing_is_kept_says_so(judge_server, book, no_connection):
    settings = await choose_model(f"offline:{judge_server.url}#other", environment={})
    with pytest.raises(JudgeRefusedError, match="no reply") as caught:
        await Judge(settings, book).ask(question("user: Where is my bag?"))
    assert "no question to this judge is kept" in caught.value.detail


async def test_vectors_come_from_kept_calls_too(judge):
    async with open_embedder("e", judge) as embedder:
        [found] = await embedder.embed(["a cat"])
        assert found.vector == (1.0, 0.0)
        with pytest.raises(JudgeRefusedError, match="offline"):
            await embedder.embed(["a dog"])


async def test_vectors_of_another_server_stay_offline_with_the_judge(judge_server, judge):
    async with open_embedder(f"{judge_server.url}#e", judge, judge.book) as embedder:
        assert embedder.judge.settings.is_offline


async def test_a_stream_is_a_miss_too(no_connection):
    provider = open_provider(unreached(ModelSettings(base_url="http://127.0.0.1:9/v1", model="m")), Means())
    await provider.open()
    with pytest.raises(Exception, match="no question to this judge is kept"):
        [piece async for piece in provider.stream(ModelRequest(messages=[{"role": "user", "content": "x"}]))]
    await provider.close()


class TestChoosing:
    @pytest.mark.parametrize(
        ("spec", "behind"),
        [
            ("offline:openai:gpt-4.1-mini", "openai"),
            ("offline:gpt-4.1-mini", "openai"),
            ("offline:http://127.0.0.1:11434/v1#llama3", "openai"),
            ("offline:embedded:qwen2.5-coder-1.5b", "embedded"),
        ],
    )
    async def test_a_judge_is_named_without_a_key_a_server_or_its_file(
        self, no_connection, tmp_path, monkeypatch, spec, behind
    ):
        monkeypatch.setenv("TURNWISE_MODELS", str(tmp_path / "none"))
        settings = await choose_model(spec, environment={})
        assert settings is not None
        assert settings.is_offline
        assert settings.provider == f"offline:{behind}"

    async def test_it_can_be_kept_in_settings(self, no_connection):
        settings = await choose_model("offline:gpt-4.1-mini", environment={})
        assert spec_of(settings) == "offline:openai:gpt-4.1-mini"

    async def test_without_a_name_it_is_the_judge_that_the_environment_names(self, no_connection):
        settings = await choose_model(
            "offline:", environment={"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_MODEL": "m"}
        )
        assert settings is not None
        assert (settings.base_url, settings.model) == ("http://127.0.0.1:9/v1", "m")

    async def test_a_server_is_not_asked_for_its_model(self, no_connection):
        with pytest.raises(SettingError) as caught:
            await choose_model("offline:http://127.0.0.1:9/v1", environment={})
        assert caught.value.next_step == "Name the model, as in offline:http://127.0.0.1:9/v1#MODEL."

    async def test_somebody_must_be_meant(self, no_connection, tmp_path, monkeypatch):
        monkeypatch.setenv("TURNWISE_MODELS", str(tmp_path / "none"))
        with pytest.raises(SettingError, match="which judge's replies"):
            await choose_model("offline:", environment={})

    async def test_a_chatbot_cannot_be_offline(self):
        with pytest.raises(SettingError, match="A chatbot cannot be offline"):
            await choose_model("offline:gpt-4.1", environment={}, noun="chatbot")


class TestNearest:
    def kept(self, *texts: str) -> dict[str, frozenset[str]]:
        return {text: frozenset(text.splitlines()) for text in texts}

    def test_it_is_the_one_with_most_of_the_same_words(self):
        found = nearest("a b c\nd", self.kept("x y z", "a b\nd", "a b c\nd e"))
        assert found is not None
        assert found.text == "a b c\nd e"
        assert 0.8 < found.alike < 1

    def test_where_nothing_is_kept_there_is_none(self):
        assert nearest("a", {}) is None

    def test_marks_of_fences_are_no_difference(self):
        near = KeptQuestion("[12ab34cd turn 1, user]\nhello", 0.9)
        assert "asked: 'hallo'" in difference_in_words("[99ff00aa turn 1, user]\nhallo", near)

    def test_the_same_words_in_another_form_are_told_apart(self):
        assert "same words" in difference_in_words("a\nb", KeptQuestion("a\nb", 1.0))
