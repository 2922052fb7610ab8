"""Providers: what is sent to a chatbot that a file names, with whose key, and at which addresses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations.errors import SettingError
from turnwise.conversations.files import Folder
from turnwise.conversations.suites import TargetSpec
from turnwise.engine.suites.code.trust import Trust
from turnwise.engine.suites.key_hosts import named_key
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
        # Trust in the file is no word on where a secret belongs.
        with pytest.raises(SettingError, match="wants MY_SECRET of the environment") as caught:
            chat(rules=TargetRules(environment, trust()), **config)
        assert caught.value.next_step == "If that is right, give --send-key MY_SECRET=api.openai.com."
        rules = TargetRules(environment, trust(), named_keys=(named_key("MY_SECRET=api.openai.com"),))
        assert chat(rules=rules, **config).settings.api_key == "hush"

    @pytest.mark.parametrize(
        ("address", "own"),
        [
            ("https://api.openai.com/v1", {}),
            ("https://mine.example/v1", {"OPENAI_BASE_URL": "https://mine.example/v1"}),
            ("https://mine.example/v2", {"OPENAI_API_HOST": "mine.example"}),
        ],
    )
    def test_a_key_goes_to_the_host_that_it_belongs_to(self, address: str, own: dict[str, str]):
        rules = TargetRules({**KEY, **own}, trust())
        assert chat(rules=rules, apiBaseUrl=address).settings.api_key == "sk-own"

    @pytest.mark.parametrize(
        "address",
        [
            "https://elsewhere.example/v1",
            "https://api.openai.com.elsewhere.example/v1",
            "http://api.openai.com/v1",
            "https://api.openai.com:8443/v1",
        ],
    )
    def test_and_nowhere_else(self, address: str):
        plan = chat(rules=TargetRules(KEY, trust()), apiBaseUrl=address)
        assert plan.settings.api_key == "none"
        assert "OPENAI_API_KEY does not belong to" in plan.warnings[0]
        with pytest.raises(SettingError, match="wants OPENAI_API_KEY"):
            chat(rules=TargetRules(KEY, trust()), apiBaseUrl=address, apiKeyEnvar="OPENAI_API_KEY")

    def test_a_header_and_a_body_are_told_no_secret_of_another_host(self):
        environment = {"BOT_TOKEN": "t", "OTHER": "o"}
        config = {
            "url": "https://bot.example/chat",
            "headers": {"Authorization": "Bearer {{env.BOT_TOKEN}}"},
            "body": {"all": "{{ env | dump }}"},
        }
        spec = TargetSpec(id="https", config={"config": config})
        with pytest.raises(SettingError, match="wants BOT_TOKEN"):
            plan_of(spec, TargetRules(environment, trust()))
        for pair in ("BOT_TOKEN=elsewhere.example", "OTHER=bot.example", "BOT_TOKEN=bot.example:8443"):
            with pytest.raises(SettingError, match="wants BOT_TOKEN"):
                plan_of(spec, TargetRules(environment, trust(), named_keys=(named_key(pair),)))
        rules = TargetRules(environment, trust(), named_keys=(named_key("BOT_TOKEN=bot.example"),))
        plan = plan_of(spec, rules)
        assert isinstance(plan, HttpPlan)
        assert plan.environment == {"BOT_TOKEN": "t"}

    def test_a_host_that_a_variable_of_a_test_makes_is_told_none(self):
        config = {"url": "https://{{host}}/chat", "headers": {"X": "{{ env['BOT_TOKEN'] }}"}}
        rules = TargetRules({"BOT_TOKEN": "t"}, trust(), named_keys=(named_key("BOT_TOKEN=bot.example"),))
        with pytest.raises(SettingError, match="wants BOT_TOKEN"):
            plan_of(TargetSpec(id="https", config={"config": config}), rules)


class TestAddresses:
    @pytest.mark.parametrize(
        "config", [{"apiHost": "elsewhere.example"}, {"apiBaseUrl": "https://elsewhere.example/v1"}]
    )
    def test_an_address_in_a_file_is_asked_with_trust_alone(self, config):
        with pytest.raises(SettingError, match="as its file says") as caught:
            chat(**config)
        assert "--trust" in caught.value.next_step
        assert "--target" in caught.value.next_step
        settings = chat(rules=TargetRules(KEY, trust()), **config).settings
        assert (settings.base_url.endswith("/v1"), settings.public_only) == (True, True)

    @pytest.mark.parametrize(
        "address",
        ["http://127.0.0.1:8080/v1", "http://localhost/v1", "http://169.254.169.254/v1", "http://[::1]/v1"],
    )
    def test_one_of_this_machine_or_its_network_takes_a_second_yes(self, address: str):
        plain = TargetSpec(id=address)
        for refused in (
            lambda: chat(rules=TargetRules(KEY, trust()), apiBaseUrl=address),
            lambda: plan_of(plain, TargetRules(KEY, trust())),
        ):
            with pytest.raises(SettingError, match="is this machine or lies in a local network") as caught:
                refused()
            assert "--allow-private" in caught.value.next_step
        rules = TargetRules(KEY, trust(), private=True)
        assert not chat(rules=rules, apiBaseUrl=address).settings.public_only
        plan = plan_of(plain, rules)
        assert isinstance(plan, HttpPlan)
        assert not plan.public_only

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
        with pytest.raises(SettingError, match="wants TOKEN"):
            chat(rules=TargetRules(environment, trust()), **given)
        rules = TargetRules(environment, trust(), named_keys=(named_key("TOKEN=api.openai.com"),))
        assert chat(rules=rules, **given).headers == {"X-Token": "t"}

    def test_a_plain_http_chatbot_is_a_template(self):
        config = {"url": "https://bot.example/chat", "body": {"q": "{{prompt}}"}, "sessionParser": "x"}
        plan = plan_of(TargetSpec(id="https", config={"config": config}), TargetRules({}, trust()))
        assert isinstance(plan, HttpPlan)
        assert (plan.template.method, plan.template.url) == ("POST", "https://bot.example/chat")
        assert "sessionParser" in plan.warnings[0]
