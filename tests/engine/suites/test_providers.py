"""Providers: what is sent to a chatbot that a file names, with whose key, and at which addresses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations.errors import SettingError
from turnwise.conversations.files import Folder
from turnwise.conversations.suites import TargetSpec
from turnwise.engine.suites.code.trust import Trust
from turnwise.engine.suites.providers import ChatPlan, HttpPlan, TargetRules, plan_of

KEY = {"OPENAI_API_KEY": "sk-own"}


def trust() -> Trust:
    return Trust(name="suite.yaml", suite="", given=True, memory=None)


def chat(name: str = "openai:gpt-4.1", rules: TargetRules | None = None, **config: Any) -> ChatPlan:
    plan = plan_of(
        TargetSpec(id=name, config={"config": config} if config else {}), rules or TargetRules(KEY)
    )
    assert isinstance(plan, ChatPlan)
    return plan


class TestChat:
    @pytest.mark.parametrize(
        ("name", "address", "model", "environment"),
        [
            ("openai:gpt-4.1", "https://api.openai.com/v1", "gpt-4.1", KEY),
            ("openai:chat:ft:gpt-4.1:me", "https://api.openai.com/v1", "ft:gpt-4.1:me", KEY),
            (
                "openai:gpt-4.1",
                "http://127.0.0.1:9/v1",
                "gpt-4.1",
                {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"},
            ),
            ("groq:llama-3.3-70b", "https://api.groq.com/openai/v1", "llama-3.3-70b", {"GROQ_API_KEY": "k"}),
            (
                "openrouter:meta/llama:free",
                "https://openrouter.ai/api/v1",
                "meta/llama:free",
                {"OPENROUTER_API_KEY": "k"},
            ),
        ],
    )
    def test_a_name_means_an_address_and_a_model(self, name, address, model, environment):
        settings = chat(name, TargetRules(environment)).settings
        assert (settings.base_url, settings.model) == (address, model)

    def test_what_the_api_takes_is_sent_and_the_rest_is_told(self):
        plan = chat(
            temperature=0.2, max_tokens=5, top_p=1, seed=7, stop=["x"], functionToolCallbacks={}, mine=1
        )
        assert plan.options == {"temperature": 0.2, "max_tokens": 5, "top_p": 1, "seed": 7, "stop": ["x"]}
        [warning] = plan.warnings
        assert "functionToolCallbacks, mine" in warning

    def test_fields_beside_the_settings_are_told_too(self):
        spec = TargetSpec(id="openai:gpt-4.1", config={"env": {"A": "b"}, "transform": "output"})
        plan = plan_of(spec, TargetRules(KEY))
        assert plan.warnings == (
            "The target openai:gpt-4.1: not understood, and left out: env (of the target)",
        )

    def test_what_passes_through_goes_before(self):
        assert chat(temperature=0, passthrough={"temperature": 1, "x": 2}).options == {
            "temperature": 1,
            "x": 2,
        }

    def test_tools_may_lie_in_a_file_and_have_the_short_form(self, tmp_path: Path):
        (tmp_path / "tools.yaml").write_text("- {name: look, description: d, inputSchema: {type: object}}\n")
        rules = TargetRules(KEY, folder=Folder.of(tmp_path / "suite.yaml", tmp_path))
        plan = chat(rules=rules, tools="file://tools.yaml", tool_choice={"mode": "required"})
        function = {"name": "look", "description": "d", "parameters": {"type": "object"}}
        assert plan.options == {
            "tools": [{"type": "function", "function": function}],
            "tool_choice": "required",
        }
        with pytest.raises(SettingError):
            chat(rules=rules, tools="file://../../etc/passwd")

    @pytest.mark.parametrize("name", ["openai:responses:gpt-4.1", "openai:embedding:x", "openai:chat"])
    def test_another_api_is_not_asked(self, name):
        with pytest.raises(SettingError, match="Chat Completions") as caught:
            chat(name)
        assert "openai:chat:MODEL" in caught.value.next_step

    @pytest.mark.parametrize("name", ["anthropic:messages:claude", "openai:", "webhook", "bedrock:x"])
    def test_a_target_of_another_kind_says_what_to_do(self, name):
        with pytest.raises(SettingError, match="does not ask") as caught:
            chat(name)
        assert "--target" in caught.value.next_step


class TestKeys:
    def test_a_key_comes_from_the_environment_alone(self):
        plan = chat(apiKey="sk-in-the-file")
        assert plan.settings.api_key == "sk-own"
        assert "not used" in plan.warnings[0]
        assert "sk-in-the-file" not in str(plan.warnings)

    def test_without_a_key_it_says_which_to_set(self):
        with pytest.raises(SettingError) as caught:
            chat(rules=TargetRules({}))
        assert "OPENAI_API_KEY" in caught.value.next_step

    @pytest.mark.parametrize("config", [{"apiKeyEnvar": "MY_SECRET"}, {"apiKey": "{{ env.MY_SECRET }}"}])
    def test_another_variable_is_read_with_trust_alone(self, config):
        environment = {**KEY, "MY_SECRET": "hush"}
        with pytest.raises(SettingError, match="MY_SECRET") as caught:
            chat(rules=TargetRules(environment), **config)
        assert "--trust" in caught.value.next_step
        assert chat(rules=TargetRules(environment, trust()), **config).settings.api_key == "hush"


class TestAddresses:
    @pytest.mark.parametrize(
        "config", [{"apiHost": "elsewhere.example"}, {"apiBaseUrl": "http://169.254.169.254/v1"}]
    )
    def test_an_address_in_a_file_is_asked_with_trust_alone(self, config):
        with pytest.raises(SettingError, match="as its file says") as caught:
            chat(**config)
        assert "--trust" in caught.value.next_step
        assert "--target" in caught.value.next_step
        assert chat(rules=TargetRules(KEY, trust()), **config).settings.base_url.endswith("/v1")

    def test_the_usual_address_written_out_needs_no_trust(self):
        assert chat(apiBaseUrl="https://api.openai.com/v1").settings.api_key == "sk-own"

    @pytest.mark.parametrize(
        "spec", [TargetSpec(id="https://bot.example/chat"), TargetSpec(id="ollama:llama3")]
    )
    def test_plain_http_and_this_machine_need_trust(self, spec):
        with pytest.raises(SettingError) as caught:
            plan_of(spec, TargetRules(KEY))
        assert "--trust" in caught.value.next_step

    def test_headers_see_the_environment_with_trust_alone(self):
        given = {"headers": {"X-Token": "{{env.TOKEN}}"}}
        environment = {**KEY, "TOKEN": "t"}
        assert chat(rules=TargetRules(environment), **given).headers == {"X-Token": ""}
        assert chat(rules=TargetRules(environment, trust()), **given).headers == {"X-Token": "t"}

    def test_a_plain_http_chatbot_is_a_template(self):
        config = {"url": "https://bot.example/chat", "body": {"q": "{{prompt}}"}, "sessionParser": "x"}
        plan = plan_of(TargetSpec(id="https", config={"config": config}), TargetRules({}, trust()))
        assert isinstance(plan, HttpPlan)
        assert (plan.template.method, plan.template.url) == ("POST", "https://bot.example/chat")
        assert "sessionParser" in plan.warnings[0]
