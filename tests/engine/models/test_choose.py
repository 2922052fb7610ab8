"""From what a user wrote to the judge that is meant."""

from __future__ import annotations

from dataclasses import replace

import pytest
from judge_server import Step, refuses

from turnwise.conversations.errors import (
    JudgeRefusedError,
    JudgeUnavailableError,
    NotFoundError,
    SettingError,
)
from turnwise.engine.judge.judge import Judge, open_judge
from turnwise.engine.judge.questions import Question
from turnwise.engine.models import served
from turnwise.engine.models.choose import choose_model, spec_of
from turnwise.engine.models.openai_compatible import OPENAI_URL
from turnwise.engine.models.served import local_models
from turnwise.engine.models.settings import ModelSettings, Noun

KEY = {"OPENAI_API_KEY": "sk-secret-of-mine"}
QUESTION = Question(rules="r", transcript="t", ask="a", name="n", schema={"type": "object", "properties": {}})
OTHER_QUESTION = replace(QUESTION, ask="b")


@pytest.fixture(autouse=True)
def nothing_on_this_machine(monkeypatch, tmp_path):
    """Neither servers nor models of the machine that runs the tests are found."""
    monkeypatch.setattr(served, "LOCAL_SERVERS", {})
    monkeypatch.setenv("TURNWISE_MODELS", str(tmp_path / "models"))


async def test_none_is_no_judge():
    assert await choose_model("none", environment=KEY) is None


async def test_an_address_is_asked_for_its_only_model(judge_server):
    judge_server.models = [{"id": "local-7b", "max_model_len": 4096}]
    settings = await choose_model(judge_server.url, environment={})
    assert settings is not None
    assert (settings.base_url, settings.model, settings.api_key) == (judge_server.url, "local-7b", "none")
    assert settings.context_tokens == 4096


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/", "/v1/chat/completions"])
async def test_an_address_may_be_written_in_several_ways(judge_server, ending):
    settings = await choose_model(judge_server.url.removesuffix("/v1") + ending, environment={})
    assert settings is not None
    assert settings.base_url == judge_server.url


@pytest.mark.parametrize("spec", ["{url}#big/model", "big/model@{url}"])
async def test_a_model_named_with_its_address_is_not_asked_for(judge_server, spec):
    judge_server.models_step = refuses(404, "none here")
    settings = await choose_model(spec.format(url=judge_server.url), environment=KEY)
    assert settings is not None
    assert (settings.base_url, settings.model) == (judge_server.url, "big/model")
    assert settings.api_key == KEY["OPENAI_API_KEY"]


async def test_several_models_at_an_address_are_named_for_the_user_to_choose(judge_server):
    judge_server.models = [{"id": "a"}, {"id": "b"}]
    with pytest.raises(SettingError) as caught:
        await choose_model(judge_server.url, environment={})
    assert "a, b" in caught.value.detail
    assert f"{judge_server.url}#a" in caught.value.next_step


@pytest.mark.parametrize(
    ("step", "error"),
    [
        (Step(body={"object": "list", "data": []}), NotFoundError),
        (Step(body=b"<html>"), JudgeRefusedError),
        (Step(body=[1]), JudgeRefusedError),
        (refuses(401, "who are you"), JudgeRefusedError),
        (refuses(500, "ouch"), JudgeUnavailableError),
    ],
)
async def test_an_address_that_tells_no_model_says_how_to_name_one(judge_server, step, error):
    judge_server.models_step = step
    with pytest.raises(error) as caught:
        await choose_model(judge_server.url, environment={})
    assert "#MODEL" in caught.value.next_step


async def test_nobody_at_an_address_is_said(judge_server):
    url = judge_server.url
    await judge_server.close()
    with pytest.raises(JudgeUnavailableError, match="cannot be reached"):
        await choose_model(url, environment={})
    await judge_server.start()


@pytest.mark.parametrize("spec", ["openai:gpt-x", "gpt-x"])
async def test_a_model_by_name_means_the_openai_api_and_needs_a_key(spec):
    settings = await choose_model(spec, environment=KEY)
    assert settings is not None
    assert (settings.base_url, settings.model, settings.api_key) == (
        OPENAI_URL,
        "gpt-x",
        KEY["OPENAI_API_KEY"],
    )
    with pytest.raises(SettingError, match="needs a key"):
        await choose_model(spec, environment={})


async def test_a_model_by_name_means_the_server_of_the_environment_where_one_is_named():
    settings = await choose_model("gpt-m", environment={"OPENAI_BASE_URL": "https://gateway.example/api/"})
    assert settings is not None
    assert (settings.base_url, settings.api_key) == ("https://gateway.example/api", "none")


@pytest.mark.parametrize(
    ("spec", "step"),
    [
        ("embeded", "Did you mean embedded?"),
        ("nones", "Did you mean none?"),
        ("127.0.0.1:8831", "Did you mean http://127.0.0.1:8831?"),
        ("banana", "openai:banana"),
        ("opnai:gpt-x", "Did you mean openai?"),
        ("foo:bar:baz", "Write it in one of these forms."),
    ],
)
async def test_a_slip_never_sends_a_conversation_anywhere(spec, step):
    with pytest.raises(SettingError) as caught:
        await choose_model(spec, environment=KEY)
    assert step in caught.value.next_step


@pytest.mark.parametrize("spec", ["gpt 4", "openai:", "http://"])
async def test_what_names_no_judge_is_refused(spec):
    with pytest.raises(SettingError):
        await choose_model(spec, environment=KEY)


async def test_a_model_file_runs_in_this_process(tmp_path):
    path = tmp_path / "own.gguf"
    path.write_bytes(b"GGUF")
    settings = await choose_model(str(path))
    assert settings is not None
    assert settings.model_file == path
    assert settings.items_per_question == 1
    with pytest.raises(NotFoundError):
        await choose_model(str(tmp_path / "missing.gguf"))
    with pytest.raises(NotFoundError):
        await choose_model("embedded:qwen2.5-coder-1.5b")


class TestNothingNamed:
    async def test_the_environment_comes_first(self, judge_server):
        settings = await choose_model(None, environment={"OPENAI_BASE_URL": judge_server.url, **KEY})
        assert settings is not None
        assert (settings.base_url, settings.model) == (judge_server.url, "scripted-1")
        settings = await choose_model(None, environment=KEY)
        assert settings is not None
        assert settings.base_url == OPENAI_URL

    async def test_a_local_server_is_taken_only_when_the_user_agrees_and_gets_no_key(
        self, judge_server, monkeypatch
    ):
        monkeypatch.setattr(served, "LOCAL_SERVERS", {"nobody": (9, 1), "somebody": (judge_server.port, 3)})
        monkeypatch.setenv("OPENAI_API_KEY", KEY["OPENAI_API_KEY"])
        asked = []

        async def confirm(settings: ModelSettings) -> bool:
            asked.append(settings.model)
            return len(asked) > 1

        assert [settings.model for settings in await local_models()] == ["scripted-1"]
        assert KEY["OPENAI_API_KEY"] not in str(judge_server.requests_for_models)
        assert await choose_model(None, environment={}) is None
        assert await choose_model(None, confirm=confirm, environment={}) is None
        found = await choose_model(None, confirm=confirm, environment={})
        assert found is not None
        assert (found.model, found.concurrency, found.api_key) == ("scripted-1", 3, "none")

    async def test_without_anything_there_is_no_judge(self):
        assert await choose_model(None, environment={}) is None
        with pytest.raises(NotFoundError) as caught:
            await choose_model("embedded", environment={})
        assert "turnwise judge pull" in caught.value.next_step


class TestOpening:
    async def test_a_judge_made_here_is_closed_here(self, judge_server):
        async with open_judge(f"{judge_server.url}#m") as judge:
            assert judge is not None
            await judge.ask(QUESTION)
            assert judge_server.connections == 1
        await judge.ask(OTHER_QUESTION)
        assert judge_server.connections == 2
        await judge.close()

    async def test_a_judge_of_somebody_else_stays_open_while_they_use_it(self, judge_server):
        async with Judge(ModelSettings(base_url=judge_server.url, model="m")) as judge:
            async with open_judge(judge) as same:
                assert same is judge
                await judge.ask(QUESTION)
            await judge.ask(OTHER_QUESTION)
            assert judge_server.connections == 1

    async def test_without_need_or_without_a_judge_there_is_none(self):
        async with open_judge("gpt-x", needed=False) as judge:
            assert judge is None
        async with open_judge("none") as judge:
            assert judge is None


class TestSettings:
    def test_the_fingerprint_is_about_the_model_not_about_keys_ports_or_limits(self):
        first = ModelSettings(base_url="http://127.0.0.1:1111/v1", model="m", api_key="a", concurrency=1)
        second = ModelSettings(base_url="http://127.0.0.1:2222/v1", model="m", api_key="b", timeout=1.0)
        assert first.fingerprint == second.fingerprint
        other = [
            ModelSettings(base_url="http://127.0.0.1:1111/v1", model="n"),
            ModelSettings(base_url="http://127.0.0.1:1111/v1", model="m", temperature=0.5),
            ModelSettings(base_url="https://elsewhere.example/v1", model="m"),
            ModelSettings(base_url="https://elsewhere.example:8443/v1", model="m"),
        ]
        assert len({settings.fingerprint for settings in (first, *other)}) == 5

    def test_secrets_in_an_address_are_not_shown(self):
        settings = ModelSettings(base_url="https://me:hidden@host.example:1/v1?token=hidden", model="m")
        assert "hidden" not in settings.address + settings.identity

    @pytest.mark.parametrize("wrong", [{"base_url": "nowhere"}, {"concurrency": 0}, {"timeout": 0}])
    def test_values_that_mean_nothing_are_refused(self, wrong):
        with pytest.raises(SettingError):
            ModelSettings(**{"base_url": "http://h/v1", "model": "m", **wrong})


@pytest.mark.parametrize(
    "spec", ["none", "openai:gpt-x", "https://llm.example/v1#big/model", "http://127.0.0.1:9/v1#m"]
)
async def test_a_judge_is_found_again_by_its_spec(spec):
    assert spec_of(await choose_model(spec, environment=KEY)) == spec


async def test_a_model_file_is_found_again_by_its_name_or_its_place(tmp_path):
    elsewhere = tmp_path / "elsewhere.gguf"
    (tmp_path / "models").mkdir()
    here = tmp_path / "models" / "mine.gguf"
    for path in (elsewhere, here):
        path.write_bytes(b"GGUF")
    assert spec_of(await choose_model("embedded:mine")) == "embedded:mine"
    assert spec_of(await choose_model(str(elsewhere))) == str(elsewhere)


def test_an_address_that_holds_a_secret_has_no_spec():
    assert spec_of(ModelSettings(base_url="https://ada:secret@llm.example/v1", model="m")) is None


async def test_a_known_local_server_is_asked_as_one_even_where_it_is_named(judge_server, monkeypatch):
    monkeypatch.setattr(served, "LOCAL_SERVERS", {"Ollama": (judge_server.port, 4)})
    judge_server.models = [{"id": "small", "max_model_len": 4096}]
    settings = await choose_model(f"{judge_server.url}#small", environment=KEY)
    assert [settings] == await local_models()
    assert (settings.concurrency, settings.context_tokens, settings.api_key) == (4, 4096, "none")
    other = await choose_model(f"{judge_server.url}#other", environment=KEY)
    assert (other.concurrency, other.api_key) == (64, KEY["OPENAI_API_KEY"])


@pytest.mark.parametrize(("noun", "offered"), [("judge", True), ("chatbot", False)])
async def test_none_is_offered_as_a_judge_and_not_as_a_chatbot(noun: Noun, offered: bool):
    with pytest.raises(SettingError) as raised:
        await choose_model("notamodel", environment=KEY, noun=noun)
    assert (" or none." in raised.value.detail) is offered
    assert ", FILE.gguf" in raised.value.detail if offered else " or FILE.gguf." in raised.value.detail
    with pytest.raises(SettingError) as raised:
        await choose_model("nonne", environment=KEY, noun=noun)
    assert (raised.value.next_step == "Did you mean none?") is offered
