"""Providers: one is added by a module of its own and one line in the registry, and both roads take it."""

from __future__ import annotations

import pytest

from turnwise.conversations.errors import JudgeRefusedError, JudgeUnavailableError, SettingError
from turnwise.engine.chatbots.choose import choose_target
from turnwise.engine.chatbots.targets import Target
from turnwise.engine.judge.judge import Judge
from turnwise.engine.judge.questions import Question
from turnwise.engine.models.choose import choose_model, spec_of
from turnwise.engine.models.faults import Fault, model_error
from turnwise.engine.models.providers import PROVIDERS, ProviderEntry, open_provider, provider_module
from turnwise.engine.models.settings import ModelSettings

QUESTION = Question(
    rules="Judge.",
    transcript="user: hi",
    ask="How good?",
    schema={
        "type": "object",
        "properties": {"reason": {"type": "string"}, "score": {"type": "integer"}},
        "required": ["reason", "score"],
    },
    name="score",
)


@pytest.fixture
def parrot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the provider of one module by one line in the registry."""
    monkeypatch.setitem(PROVIDERS, "parrot", ProviderEntry("parrot_provider", key="PARROT_API_KEY"))


async def test_a_new_provider_judges(parrot):
    settings = await choose_model("parrot:polly", environment={"PARROT_API_KEY": "k"})
    async with Judge(settings) as judge:
        answer = await judge.ask(QUESTION)
    assert answer.value == {"reason": "user: hi\n\nHow good?", "score": 8}
    assert answer.call.model == "polly"
    assert spec_of(settings) == "parrot:polly"


async def test_a_new_provider_is_talked_to(parrot):
    messages = [{"role": "user", "content": "good morning"}]
    async with Target(await choose_target("parrot:polly", environment={"PARROT_API_KEY": "k"})) as target:
        assert [piece async for piece in target.reply(messages)] == ["good", "morning"]
        assert (await target.complete(messages)).text == "good morning"


async def test_its_faults_are_told_as_those_of_any_other(parrot):
    async with Target(await choose_target("parrot:polly", environment={"PARROT_API_KEY": "k"})) as target:
        with pytest.raises(JudgeRefusedError, match="The chatbot refuses the request"):
            await target.complete([{"role": "user", "content": "silence"}])


async def test_a_key_that_its_line_names_is_asked_for_where_it_is_missing(parrot):
    with pytest.raises(SettingError, match="The chatbot polly needs a key") as caught:
        await choose_target("parrot:polly", environment={})
    assert "Set PARROT_API_KEY" in caught.value.next_step
    assert await choose_model("parrot:polly", environment={}, reachable=False)


@pytest.mark.parametrize("module", ["parrots_of_brazil", "parrots.of.brazil"])
async def test_a_module_that_its_line_names_is_told_where_it_is_missing(monkeypatch, module):
    monkeypatch.setitem(PROVIDERS, "parrot", ProviderEntry("parrot_provider", imports=module))
    with pytest.raises(SettingError, match="The models of parrot need an extra") as caught:
        await choose_model("parrot:polly", environment={})
    assert caught.value.next_step == "Install it with: pip install 'turnwise[parrot]'"


def test_a_key_that_is_refused_is_named_by_its_own_variable(parrot):
    refused = Fault("no such key", status=401, passing=False)
    settings = ModelSettings(provider="parrot", base_url="https://parrot.example", model="polly")
    assert "Check PARROT_API_KEY" in model_error(refused, settings).next_step


@pytest.mark.parametrize("name", sorted(PROVIDERS))
def test_every_line_of_the_registry_leads_to_a_whole_module(name):
    module = provider_module(name)
    assert all(callable(getattr(module, part)) for part in ("choose", "spec", "open_provider"))
    assert f"`{name}`" in (module.__doc__ or "").splitlines()[0]


def test_a_provider_that_is_not_there_is_named():
    with pytest.raises(SettingError, match="no provider crow") as caught:
        open_provider(ModelSettings(provider="crow", base_url="https://crow.example", model="m"))
    assert "openai" in caught.value.next_step


async def test_an_error_speaks_of_whoever_is_asked():
    environment = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    for noun, title in (
        ("judge", "The judge cannot be reached"),
        ("chatbot", "The chatbot cannot be reached"),
    ):
        with pytest.raises(JudgeUnavailableError, match=title):
            await choose_model(None, environment=environment, noun=noun)
