"""Targets as AgentV's files define them: which API each is, with whose key, and what commands are given."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.files import Folder
from turnwise.conversations.formats.agentv import load_agentv
from turnwise.conversations.suites import SuiteCase, TargetSpec
from turnwise.engine.suites.answering import Answerer, Reply
from turnwise.engine.suites.code import SuiteCode
from turnwise.engine.suites.code.trust import Trust
from turnwise.engine.suites.defined_targets import CommandPlan, MockPlan, defined_plan, is_defined
from turnwise.engine.suites.key_hosts import named_key
from turnwise.engine.suites.providers import ChatPlan, TargetRules, plan_of

AZURE = {
    "AZURE_OPENAI_ENDPOINT": "https://blue.openai.azure.com",
    "AZURE_OPENAI_API_KEY": "azure-key",
    "AZURE_DEPLOYMENT_NAME": "gpt-5",
}
OF_AZURE = {
    "provider": "azure",
    "endpoint": "${{ AZURE_OPENAI_ENDPOINT }}",
    "api_key": "${{ AZURE_OPENAI_API_KEY }}",
    "model": "${{ AZURE_DEPLOYMENT_NAME }}",
}


def spec(**definition: Any) -> TargetSpec:
    return TargetSpec(id="it", label="it", definition=definition, defined_in=".agentv/targets.yaml")


def rules(environment: Mapping[str, str], *keys: str, trusted: bool = True, **rest: Any) -> TargetRules:
    trust = Trust(name="suite.yaml", suite="", given=trusted, memory=None)
    return TargetRules(environment, trust, named_keys=tuple(map(named_key, keys)), **rest)


def chat(environment: Mapping[str, str], *keys: str, trusted: bool = True, **definition: Any) -> ChatPlan:
    plan = defined_plan(spec(**definition), rules(environment, *keys, trusted=trusted))
    assert isinstance(plan, ChatPlan)
    return plan


class TestApis:
    def test_openai_is_asked_at_its_own_address_with_its_own_key(self):
        plan = chat(
            {"OPENAI_API_KEY": "k"}, provider="openai", model="gpt-4.1", api_key="${{ OPENAI_API_KEY }}"
        )
        assert (plan.settings.base_url, plan.settings.model) == ("https://api.openai.com/v1", "gpt-4.1")
        assert plan.settings.api_key == "k"

    def test_so_it_is_in_the_later_spelling(self):
        plan = chat({"OPENAI_API_KEY": "k"}, provider="openai:gpt-4.1", api_key="{{ env.OPENAI_API_KEY }}")
        assert (plan.settings.model, plan.settings.api_key) == ("gpt-4.1", "k")

    def test_openrouter_is_another(self):
        plan = chat({"OPENROUTER_API_KEY": "k"}, provider="openrouter", model="xiaomi/mimo")
        assert plan.settings.base_url == "https://openrouter.ai/api/v1"

    def test_temperature_and_the_most_tokens_are_sent_and_what_is_not_followed_is_told(self):
        plan = chat(
            {"OPENAI_API_KEY": "k"},
            provider="openai",
            model="m",
            temperature=0,
            max_output_tokens=9,
            grader_target="grader",
        )
        assert plan.options == {"temperature": 0, "max_tokens": 9}
        assert plan.warnings == ("The target it: not followed, and left out: grader_target",)

    def test_azure_is_asked_by_endpoint_deployment_and_key_of_the_environment(self):
        plan = chat(AZURE, **OF_AZURE)
        assert plan.settings.base_url == "https://blue.openai.azure.com/openai/v1"
        assert (plan.settings.model, plan.settings.api_key) == ("gpt-5", "azure-key")

    def test_azure_may_be_named_by_its_resource(self):
        plan = chat({**AZURE, "AZURE_OPENAI_ENDPOINT": "blue"}, **OF_AZURE)
        assert plan.settings.base_url == "https://blue.openai.azure.com/openai/v1"
        assert plan.settings.api_key == "azure-key"

    def test_another_version_of_azure_is_told(self):
        assert "not 2024-12-01-preview" in chat(AZURE, **OF_AZURE, version="2024-12-01-preview").warnings[0]

    def test_anthropic_is_asked_over_its_own_api(self):
        plan = chat({"ANTHROPIC_API_KEY": "k"}, provider="anthropic", model="claude", max_output_tokens=7)
        assert (plan.settings.provider, plan.settings.model) == ("anthropic", "claude")
        assert (plan.settings.api_key, plan.options) == ("k", {"max_tokens": 7})

    @pytest.mark.parametrize("provider", ["codex", "copilot-cli", "gemini", "vscode", "openai:codex-sdk", ""])
    def test_a_provider_that_is_not_asked_is_named_with_its_file(self, provider):
        with pytest.raises(SettingError, match="does not ask") as caught:
            defined_plan(spec(provider=provider), rules({}))
        assert provider in caught.value.title
        assert ".agentv/targets.yaml" in caught.value.detail

    @pytest.mark.parametrize("lacks", [{}, {"model": " "}])
    def test_without_a_model_it_says_so_with_name_and_file(self, lacks):
        with pytest.raises(SettingError, match="The target it names no model") as caught:
            chat({"OPENAI_API_KEY": "k"}, provider="openai", **lacks)
        assert caught.value.detail.startswith(".agentv/targets.yaml: it")

    def test_what_no_file_defines_says_why(self):
        unknown = TargetSpec(id="gpt4_taget", problem="x defines no target. Did you mean gpt4_target?")
        with pytest.raises(SettingError, match="gpt4_taget cannot be asked") as caught:
            defined_plan(unknown, rules({}))
        assert "gpt4_target?" in caught.value.detail


class TestKeys:
    def test_a_key_goes_to_no_other_host(self):
        there = {"provider": "openai", "model": "m", "base_url": "https://elsewhere.example/v1"}
        with pytest.raises(SettingError, match=r"sent to elsewhere\.example") as caught:
            chat({"MINE": "k"}, **there, api_key="${{ MINE }}")
        assert "--send-key MINE=elsewhere.example" in caught.value.next_step
        plan = chat({"MINE": "k"}, "MINE=elsewhere.example", **there, api_key="${{ MINE }}")
        assert plan.settings.api_key == "k"

    def test_nor_does_azures_go_to_an_address_in_the_file(self):
        with pytest.raises(SettingError, match="elsewhere"):
            chat(AZURE, **{**OF_AZURE, "endpoint": "https://elsewhere.example"})

    def test_nor_anthropics(self):
        with pytest.raises(SettingError, match="elsewhere"):
            chat(
                {"ANTHROPIC_API_KEY": "k"},
                provider="anthropic",
                model="m",
                base_url="https://elsewhere.example",
            )

    @pytest.mark.parametrize("written", ["${{ GITHUB_TOKEN }}", "${{ MY_SECRET }}"])
    def test_nor_is_one_sent_as_a_model(self, written):
        with pytest.raises(SettingError, match="takes a model"):
            chat(
                {"OPENAI_API_KEY": "k", "GITHUB_TOKEN": "t", "MY_SECRET": "s"},
                provider="openai",
                model=written,
            )

    def test_nor_as_an_address(self):
        with pytest.raises(SettingError, match="takes an address from GITHUB_TOKEN"):
            chat({"GITHUB_TOKEN": "t"}, provider="openai", model="m", base_url="${{ GITHUB_TOKEN }}")

    def test_the_environment_is_seen_with_trust_alone(self):
        with pytest.raises(SettingError, match="--trust"):
            chat(AZURE, trusted=False, **OF_AZURE)

    def test_a_key_in_the_file_is_not_used(self):
        plan = chat({"OPENAI_API_KEY": "k"}, provider="openai", model="m", api_key="(written in the file)")
        assert plan.settings.api_key == "k"
        assert "not used" in plan.warnings[0]


async def replied(definition: Mapping[str, Any], folder: Path, *, trusted: bool = True, **case: Any) -> Reply:
    suite = folder / "suite.yaml"
    suite.write_text("tests: []\n")
    code = SuiteCode(suite, trusted=trusted)
    asked = SuiteCase(index=0, target=spec(**definition), **{"id": "a", "prompt": "Hi", **case})
    try:
        async with Answerer(
            environment={}, trust=code.trust, folder=Folder.of(suite, folder), run_program=code.run_program
        ) as answerer:
            return await answerer.reply(asked, "Hi")
    finally:
        code.close()


class TestMock:
    def test_it_says_what_the_file_gives(self, tmp_path):
        assert asyncio.run(replied({"provider": "mock", "response": "Hello"}, tmp_path)).output == "Hello"

    def test_without_that_it_says_what_agentvs_says(self):
        plan = defined_plan(spec(provider="mock"), rules({}))
        assert isinstance(plan, MockPlan)
        assert json.loads(plan.text) == {
            "answer": "Mock provider response. Configure targets.yaml to supply a custom value."
        }


SAYS = """\
import json, sys
given = sys.argv[1:]
print(json.dumps(given))
"""


class TestCommands:
    @pytest.fixture
    def folder(self, tmp_path):
        (tmp_path / "says.py").write_text(SAYS)
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "a b.md").write_text("x")
        return tmp_path

    def test_it_is_given_the_prompt_the_id_and_the_files(self, folder):
        files = [str(folder / "in" / "a b.md")]
        command = f"{sys.executable} says.py {{PROMPT}} {{EVAL_ID}} {{ATTEMPT}} {{FILES}} {{OTHER}}"
        definition = {"provider": "cli", "command": command, "files_format": "--file {path}={basename}"}
        hostile = 'it\'s $(touch bad); "x" `id`'
        reply = asyncio.run(
            replied(
                definition,
                folder,
                messages=({"role": "user", "content": hostile},),
                options={"input_files": files},
            )
        )
        assert json.loads(reply.output) == [hostile, "a", "0", "--file", f"{files[0]}=a b.md", "{OTHER}"]
        assert not (folder / "bad").exists()
        assert reply.milliseconds is not None

    def test_its_older_spelling_and_a_list_of_words_do_too(self, folder):
        for definition in (
            {"provider": "cli", "command_template": f"{sys.executable} says.py {{PROMPT}}"},
            {"provider": "cli", "command": [sys.executable, "says.py", "{PROMPT}"]},
            {"provider": f"exec:{sys.executable} says.py {{PROMPT}}"},
        ):
            assert json.loads(asyncio.run(replied(definition, folder)).output) == ["Hi"]

    def test_it_runs_where_cwd_says_from_the_eval_file_on(self, folder):
        definition = {"provider": "cli", "command": "pwd", "cwd": "in"}
        assert asyncio.run(replied(definition, folder)).output == str(folder / "in")

    def test_what_it_writes_to_its_output_file_is_read_as_agentv_reads_it(self, folder):
        said = {
            "output": [
                {"role": "assistant", "tool_calls": [{"tool": "search", "input": {"q": "x"}}]},
                {"role": "assistant", "content": "Found"},
            ],
            "token_usage": {"input": 3, "output": 4},
            "cost_usd": 0.5,
            "duration_ms": 1500,
        }
        (folder / "said.json").write_text(json.dumps(said))
        reply = asyncio.run(replied({"provider": "cli", "command": "cat said.json > {OUTPUT_FILE}"}, folder))
        assert reply.output["content"] == "Found"
        assert reply.output["tool_calls"][0]["function"] == {"name": "search", "arguments": '{"q": "x"}'}
        assert (reply.milliseconds, reply.cost) == (1500, 0.5)
        assert reply.metadata["usage"] == {"prompt_tokens": 3, "completion_tokens": 4}

    @pytest.mark.parametrize(("wrote", "output"), [('{"text": "Hi"}', "Hi"), ("[1]", "[1]"), ("so", "so")])
    def test_text_is_text(self, folder, wrote, output):
        definition = {"provider": "cli", "command": f"printf %s '{wrote}' > {{OUTPUT_FILE}}"}
        assert asyncio.run(replied(definition, folder)).output == output

    def test_without_trust_it_is_not_run(self, folder):
        with pytest.raises(NotFoundError, match="needs code to run") as caught:
            asyncio.run(replied({"provider": "cli", "command": "touch bad"}, folder, trusted=False))
        assert "--trust" in caught.value.next_step
        assert not (folder / "bad").exists()

    @pytest.mark.parametrize(
        ("command", "told"),
        [
            ("exit 3", "exit code 3"),
            ("true {OUTPUT_FILE}", "wrote no {OUTPUT_FILE}"),
            ("sleep 9", "ran for more than 0.2"),
        ],
    )
    def test_one_that_fails_says_how(self, folder, command, told):
        with pytest.raises(SettingError) as caught:
            asyncio.run(replied({"provider": "cli", "command": command, "timeout_seconds": 0.2}, folder))
        assert told in caught.value.title

    def test_what_is_not_run_for_it_is_told(self):
        plan = defined_plan(
            spec(provider="cli", command="x", healthcheck={"command": "y"}, verbose=True), rules({})
        )
        assert isinstance(plan, CommandPlan)
        assert plan.warnings == ("The target it: not followed, and left out: healthcheck",)

    def test_a_batch_is_refused_by_name(self):
        with pytest.raises(SettingError, match="in one batch"):
            defined_plan(spec(provider="cli", command="x", provider_batching=True), rules({}))


TEXTS = st.sampled_from(
    ["", "x", "mock", "cli", "openai", "azure", "anthropic", "${{ X }}", "{{ env.X }}", "http://[", "{FILES}"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
DEFINITION = st.fixed_dictionaries(
    {"name": TEXTS, "provider": TEXTS | VALUES},
    optional=dict.fromkeys(
        [
            "model",
            "endpoint",
            "base_url",
            "api_key",
            "command",
            "cwd",
            "timeout_seconds",
            "response",
            "use_target",
        ],
        TEXTS | VALUES,
    ),
)


@given(listed=st.lists(DEFINITION | VALUES, max_size=3) | VALUES)
def test_any_values_in_a_file_of_targets(tmp_path_factory: pytest.TempPathFactory, listed: Any) -> None:
    folder = tmp_path_factory.mktemp("any")
    (folder / "targets.yaml").write_text(json.dumps({"targets": listed}))
    (folder / "e.json").write_text(json.dumps({"tests": [{"id": "a", "input": "x", "criteria": "c"}]}))
    suite = load_agentv(folder / "e.json", root=folder, environment={"X": "x"})
    for found in suite.known_targets.values():
        plan_of_any = defined_plan if is_defined(found) else plan_of
        # Only an error of our own may come out.
        with suppress(SettingError):
            plan_of_any(found, rules({"X": "x", "OPENAI_API_KEY": "k"}))
