"""Providers: what a suite's target means, as a chatbot that can be asked, and whether it may be asked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from turnwise.conversations.errors import FormatError, NotFoundError, SettingError
from turnwise.conversations.files import Folder, is_code
from turnwise.conversations.suites import TargetSpec
from turnwise.engine.chatbots.http_requests import HttpTemplate, http_template
from turnwise.engine.models.public_addresses import refuse_private
from turnwise.engine.models.settings import ModelSettings, shown_address
from turnwise.engine.suites.key_hosts import COMPATIBLE, KEY_OPTION, KeyHosts, NamedKey, host_of

if TYPE_CHECKING:
    from turnwise.engine.suites.code.trust import Trust

NAME_ONE = "Name a chatbot to ask instead: --target URL, openai:MODEL, embedded, FILE.yaml, or echo."
# fmt: off
_SENT = (
    "temperature", "max_tokens", "max_completion_tokens", "top_p", "presence_penalty", "frequency_penalty",
    "seed", "stop", "tools", "tool_choice", "parallel_tool_calls", "functions", "function_call",
    "response_format", "reasoning_effort", "verbosity", "logprobs", "top_logprobs", "logit_bias",
    "modalities", "audio", "prediction", "service_tier", "store", "metadata", "user", "n",
)
# fmt: on
_FOLLOWED = ("apiKey", "apiKeyEnvar", "apiHost", "apiBaseUrl", "organization", "headers", "passthrough")
_NEEDLESS = ("apiKeyRequired", "omitDefaults", "stream", "showThinking", "cost", "inputCost", "outputCost")
_OF_TARGET = ("config", "prompts", "transform", "delay")
_HTTP = (
    "url", "method", "headers", "body", "queryParams", "request", "useHttps", "transformResponse",
    "responseParser",
)  # fmt: skip
_OTHER_KINDS = ("responses", "completion", "embedding", "assistant", "realtime", "image", "moderation")
_ENVIRONMENT = re.compile(r"\{\{\s*env\.(\w+)\s*\}\}")
_OF_ENVIRONMENT = re.compile(r"\benv\s*(?:\.\s*(\w+)|\[\s*['\"]([^'\"]+)['\"]\s*\])")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPlan:
    """A chatbot behind the Chat Completions API. options: what is sent beside model and messages."""

    settings: ModelSettings
    options: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpPlan:
    """A chatbot behind an HTTP address.

    environment: what its templates may see. public_only: no address of this machine or its network is asked.
    """

    template: HttpTemplate
    environment: Mapping[str, str] = field(default_factory=dict)
    public_only: bool = True
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TargetRules:
    """What a suite's targets may do.

    environment: where keys are looked for. trust: the user's in the file, None for none. folder: where the
    names of files start from; None where there is none. named_keys: variables that the user lets go to a
    host. private: whether addresses that the file names may be of this machine and of local networks.
    """

    environment: Mapping[str, str]
    trust: Trust | None = None
    folder: Folder | None = None
    named_keys: tuple[NamedKey, ...] = ()
    private: bool = False

    @property
    def keys(self) -> KeyHosts:
        """Where the variables of the environment may go."""
        return KeyHosts(self.environment, self.named_keys)

    @property
    def trusted(self) -> bool:
        """Whether the file may see the environment and name addresses."""
        return self.trust is not None and (self.trust.given or self.trust.remembered)

    def allow(self, address: str) -> bool:
        """Whether an address that the file names may be asked; what is trusted now is remembered."""
        if self.trust is None:
            return False
        try:
            self.trust.require("an address", self.trust.name, address.encode())
        except NotFoundError:
            return False
        return True


def is_http(spec: TargetSpec) -> bool:
    """Whether a target is a plain HTTP address."""
    return spec.id in ("http", "https") or spec.id.startswith(("http://", "https://"))


def plan_of(spec: TargetSpec, rules: TargetRules) -> ChatPlan | HttpPlan:
    """Return how a target that a file names is asked.

    Keys come from the environment alone, and go to the host alone that they belong to. An address that a file
    names is asked only where the user trusts the file: what is sent there would reach whoever wrote it.
    Raises SettingError for a target that is not asked, with the reason and the next step.
    """
    config = spec.config.get("config")
    settings: Mapping[str, Any] = config if isinstance(config, dict) else {}
    odd = [f"{name} (of the target)" for name in spec.config if name not in _OF_TARGET]
    if is_http(spec):
        return _http_plan(spec, settings, odd, rules)
    name, _, model = spec.id.partition(":")
    if name not in COMPATIBLE or not model:
        raise SettingError(f"turnwise does not ask the target {spec.id}", next_step=NAME_ONE)
    kind, mark, rest = model.partition(":")
    if kind == "chat" and mark:
        model = rest
    elif name == "openai" and kind in (*_OTHER_KINDS, "chat"):
        raise SettingError(
            f"turnwise asks the Chat Completions API, which the target {spec.id} is not",
            next_step=f"Write openai:chat:MODEL. {NAME_ONE}",
        )
    return _chat_plan(spec, name, model, settings, odd, rules)


def sent_options(options: Mapping[str, Any], rules: TargetRules) -> dict[str, Any]:
    """Return those of a test's or target's settings that are sent to the API, in the API's own form.

    Files that they name are read. Raises SettingError where a file cannot be read.
    """
    sent = {name: _read(options[name], rules, name) for name in _SENT if options.get(name) is not None}
    if isinstance(sent.get("tools"), list):
        sent["tools"] = [_tool(tool) for tool in sent["tools"]]
    if isinstance(sent.get("tool_choice"), dict) and "mode" in sent["tool_choice"]:
        sent["tool_choice"] = _tool_choice(sent["tool_choice"])
    passed = options.get("passthrough")
    return {**sent, **(passed if isinstance(passed, dict) else {})}


def _chat_plan(
    spec: TargetSpec, name: str, model: str, settings: Mapping[str, Any], odd: list[str], rules: TargetRules
) -> ChatPlan:
    usual, variable = COMPATIBLE[name]
    address, from_file = _address(spec, usual, settings, rules)
    named, warnings = _key_variable(variable, settings)
    foreign_key = named not in ("", *(own for _, own in COMPATIBLE.values()))
    variable = named or variable
    if (from_file or foreign_key or name == "ollama") and not rules.allow(f"{address} {variable}"):
        what = (
            f"would be asked at {shown_address(address)}" if not foreign_key else f"wants the key {variable}"
        )
        raise SettingError(
            f"The target {spec.id} {what}, as its file says",
            next_step=f"Give --trust if you trust the file, or --target {shown_address(address)}#{model}.",
        )
    if from_file and not rules.private:
        refuse_private(address)
    if variable and not rules.keys.allow(variable, address):
        if named:
            raise _not_sent(spec, variable, address)
        if rules.environment.get(variable):
            host = host_of(address)
            warnings.append(
                f"The target {spec.id} is asked without a key: {variable} does not belong to {host}; "
                f"{KEY_OPTION} {variable}={host} sends it there"
            )
        variable = ""
    key = rules.environment.get(variable, "") if variable else ""
    if not key and urlsplit(address).hostname == urlsplit(usual).hostname and variable:
        raise SettingError(f"The target {spec.id} needs a key", next_step=f"Set {variable}. {NAME_ONE}")
    odd += [one for one in settings if one not in (*_SENT, *_FOLLOWED, *_NEEDLESS)]
    if odd:
        warnings.append(f"The target {spec.id}: not understood, and left out: {', '.join(odd)}")
    headers = settings.get("headers")
    given = headers if isinstance(headers, dict) else {}
    if organization := settings.get("organization"):
        given = {"OpenAI-Organization": organization, **given}
    return ChatPlan(
        settings=ModelSettings(
            base_url=address,
            model=model,
            api_key=key or "none",
            concurrency=4,
            public_only=from_file and not rules.private,
        ),
        options=sent_options(settings, rules),
        headers={str(one): _of_environment(str(text), spec, address, rules) for one, text in given.items()},
        warnings=tuple(warnings),
    )


def _http_plan(spec: TargetSpec, settings: Mapping[str, Any], odd: list[str], rules: TargetRules) -> HttpPlan:
    url = spec.id if "://" in spec.id else ""
    if not rules.allow(json.dumps([spec.id, settings], sort_keys=True, default=str)):
        raise SettingError(
            f"The target {spec.id} is an address that the file names, which is not asked unbidden",
            next_step=f"Give --trust if you trust the file. {NAME_ONE}",
        )
    odd += [one for one in settings if one not in _HTTP]
    warnings = [f"The target {spec.id}: not understood, and left out: {', '.join(odd)}"] if odd else []
    template = http_template(settings, url)
    address = _place_of(template.url, rules)
    if not rules.private:
        refuse_private(address)
    texts = [template.url, template.headers, template.query, template.body]
    names = {one or other for one, other in _OF_ENVIRONMENT.findall(json.dumps(texts, default=str))}
    for name in sorted(names & rules.environment.keys()):
        if not rules.keys.allow(name, address):
            raise _not_sent(spec, name, address)
    return HttpPlan(
        template=template,
        environment={name: rules.environment[name] for name in names if name in rules.environment},
        public_only=not rules.private,
        warnings=tuple(warnings),
    )


def _address(
    spec: TargetSpec, usual: str, settings: Mapping[str, Any], rules: TargetRules
) -> tuple[str, bool]:
    """Return the address of the API, and whether it is the file that names it."""
    host, url = settings.get("apiHost"), settings.get("apiBaseUrl")
    if isinstance(host, str) and host:
        url = f"https://{host}/v1"
    if isinstance(url, str) and url:
        place = _place_of(url, rules)
        for name in _ENVIRONMENT.findall(url):
            if rules.trusted and name in rules.environment and not rules.keys.allow(name, place):
                raise _not_sent(spec, name, place)
        address = _checked(place)
        return address, address != usual
    if spec.id.startswith("openai:"):
        own = rules.environment
        if own.get("OPENAI_API_HOST"):
            return f"https://{own['OPENAI_API_HOST']}/v1", False
        return (own.get("OPENAI_BASE_URL") or own.get("OPENAI_API_BASE_URL") or usual).rstrip("/"), False
    return usual, False


def _checked(url: str) -> str:
    address = url.rstrip("/").removesuffix("/chat/completions")
    if urlsplit(address).scheme not in ("http", "https") or not urlsplit(address).hostname:
        raise SettingError("A target's address is no web address", detail=url[:100], next_step=NAME_ONE)
    return address


def _key_variable(usual: str, settings: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the variable that the file names for the key, empty for none; a key in the file is not used."""
    named = settings.get("apiKeyEnvar")
    if isinstance(named, str) and named:
        return named, []
    written = settings.get("apiKey")
    if isinstance(written, str) and written:
        if match := _ENVIRONMENT.fullmatch(written.strip()):
            return match[1], []
        return "", [
            f"apiKey: a key that is written in a file is not used; {usual or 'an apiKeyEnvar'} holds it"
        ]
    return "", []


def _place_of(url: str, rules: TargetRules) -> str:
    """Return an address with those variables of the environment that the user lets go to some host."""
    known = rules.keys.told() if rules.trusted else {}
    return _ENVIRONMENT.sub(lambda match: known.get(match[1], ""), url)


def _of_environment(text: str, spec: TargetSpec, address: str, rules: TargetRules) -> str:
    """Return a text with what of the environment the file may see and the host may be told."""
    known = rules.environment if rules.trusted else {}
    for name in _ENVIRONMENT.findall(text):
        if name in known and not rules.keys.allow(name, address):
            raise _not_sent(spec, name, address)
    return _ENVIRONMENT.sub(lambda match: known.get(match[1], ""), text)


def _not_sent(spec: TargetSpec, variable: str, address: str) -> SettingError:
    host = host_of(address)
    return SettingError(
        f"The target {spec.id} wants {variable} of the environment sent to {host}, where it does not belong",
        next_step=f"If that is right, give {KEY_OPTION} {variable}={host}.",
    )


def _read(value: Any, rules: TargetRules, place: str) -> Any:
    """Return a setting, read from the file that it names."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        value = value[0] if value[0].startswith("file://") else value
    if not isinstance(value, str) or not value.startswith("file://"):
        return value
    from turnwise.conversations.files import load_yaml

    if rules.folder is None or is_code(value):
        raise SettingError(f"{place}: {value} is code, which is not run", next_step="Write it as JSON.")
    try:
        return load_yaml(rules.folder.text(value, place))
    except FormatError as error:
        raise SettingError(error.title, detail=error.detail, next_step=error.next_step) from None
    except ValueError as error:
        raise SettingError(f"{place}: {value} cannot be read", detail=str(error)) from None


def _tool(tool: Any) -> Any:
    """Return a tool as the API has it; promptfoo has a shorter form of its own."""
    if not isinstance(tool, dict) or "type" in tool or not isinstance(tool.get("name"), str):
        return tool
    schema = tool.get("inputSchema") or tool.get("parameters") or {"type": "object", "properties": {}}
    function = {"name": tool["name"], "description": tool.get("description", ""), "parameters": schema}
    return {"type": "function", "function": function}


def _tool_choice(choice: Mapping[str, Any]) -> Any:
    if choice["mode"] == "tool":
        return {"type": "function", "function": {"name": choice.get("toolName") or choice.get("name")}}
    return choice["mode"]
