"""Targets as AgentV's files define them: which API a provider is, what a command is given, what a mock says.

An API becomes a target as promptfoo's files name one, so that keys, addresses and trust follow one set of
rules.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from turnwise.conversations.errors import SettingError
from turnwise.conversations.files import decode_json
from turnwise.conversations.suites import SuiteCase, TargetSpec
from turnwise.engine.models.settings import ModelSettings
from turnwise.engine.suites.key_hosts import KEY_OPTION, host_of
from turnwise.engine.suites.messages import content_text, conversation_text
from turnwise.engine.suites.providers import NAME_ONE, ChatPlan, HttpPlan, TargetRules, plan_of

ANTHROPIC_URL, ANTHROPIC_KEY = "https://api.anthropic.com", "ANTHROPIC_API_KEY"
SECONDS = 120.0
_OPENAI, _AZURE, _ANTHROPIC = ("openai", "openrouter"), ("azure", "azure-openai"), ("anthropic",)
_SILENT = "Mock provider response. Configure targets.yaml to supply a custom value."
_VARIABLE = re.compile(r"\$?\{\{\s*(?:env\.)?([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASS|CREDENTIAL", re.IGNORECASE)
_PLACE = re.compile(r"\{([A-Z_]+)\}")
_PLACE_OF_FILE = re.compile(r"\{(path|basename)\}")
# fmt: off
_KNOWN = frozenset((
    "name", "provider", "use_target", "label", "endpoint", "base_url", "resource", "resourceName", "api_key",
    "apiKey", "model", "deployment", "deploymentName", "variant", "version", "api_version", "temperature",
    "max_output_tokens", "maxTokens", "workers", "api_format",
))
_OF_COMMANDS = frozenset((
    "name", "provider", "use_target", "label", "command", "command_template", "commandTemplate", "cwd",
    "timeout_seconds", "timeoutSeconds", "files_format", "filesFormat", "attachments_format",
    "attachmentsFormat", "workers", "verbose", "cli_verbose", "cliVerbose",
))
# fmt: on
_OF_MOCKS = frozenset(("name", "provider", "use_target", "label", "response", "workers"))


class RunProgram(Protocol):
    """Runs a command with the user's trust, and returns what it writes; see SuiteCode.run_program."""

    def __call__(
        self, words: Sequence[str], given: Sequence[str], place: str, *, folder: Path, seconds: float
    ) -> Awaitable[str]:
        """Run it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MockPlan:
    """A target that always says the same. text: what it says."""

    text: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandPlan:
    """A target that is a command. command: for a shell, or its words, with places as {PROMPT} in it.

    file_form: how each file of a case is given for {FILES}, with {path} and {basename} in it.
    """

    name: str
    command: str | tuple[str, ...]
    folder: Path
    seconds: float = SECONDS
    file_form: str = "{path}"
    warnings: tuple[str, ...] = ()


OwnPlan = MockPlan | CommandPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetReply:
    """What a target of its own kind answered. output: text, or a message with tool calls in OpenAI's form."""

    output: Any
    milliseconds: float | None = None
    cost: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


def is_defined(spec: TargetSpec) -> bool:
    """Whether a target is one of AgentV's files: defined in one, or named and defined nowhere."""
    return spec.definition is not None or bool(spec.problem)


def defined_plan(spec: TargetSpec, rules: TargetRules) -> ChatPlan | HttpPlan | OwnPlan:
    """Return how a target of AgentV's files is asked. Raises SettingError with the name and its file."""
    definition, place = spec.definition, spec.defined_in
    if spec.problem or definition is None:
        raise SettingError(f"The target {spec.name} cannot be asked", detail=spec.problem, next_step=NAME_ONE)
    kind = str(definition.get("provider") or "").strip()
    provider, _, model = kind.partition(":")
    try:
        match provider.lower():
            case "mock":
                return _mock(spec, definition)
            case "cli" | "exec":
                return _command(spec, {"command": model or None, **_some(definition)}, rules)
            case name if name in _OPENAI and model.partition(":")[0] not in ("codex-sdk", "codex"):
                return _openai(spec, name, {**({"model": model} if model else {}), **definition}, rules)
            case name if name in _AZURE:
                return _azure(spec, {**({"model": model} if model else {}), **definition}, rules)
            case name if name in _ANTHROPIC:
                return _anthropic(spec, {**({"model": model} if model else {}), **definition}, rules)
    except SettingError as error:
        detail = f"{place}: {spec.name}{f'. {error.detail}' if error.detail else ''}"
        raise SettingError(error.title, detail=detail, next_step=error.next_step) from None
    raise SettingError(
        f"turnwise does not ask the provider {kind or '(none)'} of the target {spec.name}",
        detail=f"{place}. It asks openai, openrouter, azure, anthropic, cli and mock.",
        next_step=NAME_ONE,
    )


async def answer_of(plan: OwnPlan, case: SuiteCase, run: RunProgram | None) -> TargetReply:
    """Return what such a target answers. Raises SettingError, and NotFoundError without the user's trust."""
    if isinstance(plan, MockPlan):
        return TargetReply(output=plan.text, milliseconds=0.0, cost=0.0)
    if run is None:
        raise SettingError(
            f"The target {plan.name} is a command, which is not run without --trust",
            next_step="Read it first; --trust then runs it.",
        )
    with tempfile.TemporaryDirectory(prefix="turnwise-") as scratch:
        asked = conversation_text(case.messages) if case.messages else case.prompt
        prompt_file, output_file = Path(scratch) / "prompt.txt", Path(scratch) / "output.json"
        prompt_file.write_text(asked, encoding="utf-8")
        files = [str(one) for one in case.options.get("input_files") or ()]
        values = {
            "PROMPT": asked,
            "PROMPT_FILE": str(prompt_file),
            "EVAL_ID": case.id,
            "ATTEMPT": str(case.repeat),
            "OUTPUT_FILE": str(output_file),
            "GUIDELINES": "",
        }
        words, given = _words(plan, values, files)
        said = await run(words, given, f"target {plan.name}", folder=plan.folder, seconds=plan.seconds)
        if "{OUTPUT_FILE}" in str(plan.command):
            try:
                said = output_file.read_text(encoding="utf-8")
            except (OSError, ValueError) as error:
                raise SettingError(
                    f"The target {plan.name} wrote no {{OUTPUT_FILE}} that can be read",
                    detail=str(error),
                    next_step="Let its command write the answer there.",
                ) from None
    return _read(said)


def _words(plan: CommandPlan, values: Mapping[str, str], files: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words of a command and the values that it is given after them.

    A shell sees a value as "$1" and the like, so that nothing in it is read as a part of the command, and
    trust is asked for the command alone.
    """
    if not isinstance(plan.command, str):
        shown = {**values, "FILES": " ".join(files)}
        return [_PLACE.sub(lambda one: shown.get(one[1], one[0]), word) for word in plan.command], []
    given: list[str] = []

    def parameter(value: str) -> str:
        given.append(value)
        return f'"${{{len(given)}}}"'

    def of_file(name: str) -> str:
        parts = {"path": name, "basename": Path(name).name}
        return _PLACE_OF_FILE.sub(lambda one: parameter(parts[one[1]]), plan.file_form)

    def filled(place: re.Match[str]) -> str:
        if place[1] == "FILES":
            return " ".join(map(of_file, files))
        return parameter(values[place[1]]) if place[1] in values else place[0]

    return ["sh", "-c", _PLACE.sub(filled, plan.command), "sh"], given


def _read(said: str) -> TargetReply:
    """Return what a command wrote: {output or output_messages, text, cost_usd, duration_ms}, or a text."""
    try:
        value = decode_json(said)
    except ValueError:
        return TargetReply(output=said)
    if not isinstance(value, Mapping):
        return TargetReply(output=said)
    messages = value.get("output") or value.get("output_messages")
    spoken = [one for one in messages if isinstance(one, Mapping)] if isinstance(messages, list) else []
    if not spoken and "text" not in value:
        return TargetReply(output=said)
    text: Any = value.get("text")
    output = _message(spoken) if spoken else text if isinstance(text, str) else json.dumps(text)
    tokens = value.get("token_usage")
    usage = {}
    if isinstance(tokens, Mapping):
        usage = {"prompt_tokens": tokens.get("input"), "completion_tokens": tokens.get("output")}
    return TargetReply(
        output=output,
        milliseconds=_amount(value.get("duration_ms")),
        cost=_amount(value.get("cost_usd")),
        metadata={"usage": usage} if usage else {},
    )


def _message(messages: Sequence[Mapping[str, Any]]) -> Any:
    """Return the last thing that was said, with the tools that were called on the way to it."""
    replies = [one for one in messages if one.get("role") == "assistant"] or list(messages)
    text = content_text(replies[-1].get("content"))
    listed = [call for one in messages for call in one.get("tool_calls") or () if isinstance(call, Mapping)]
    calls = [
        {
            "id": str(call.get("id") or number),
            "function": {
                "name": str(call.get("tool") or ""),
                "arguments": json.dumps(call.get("input") or {}, default=str),
            },
        }
        for number, call in enumerate(listed)
    ]
    return {"role": "assistant", "content": text, "tool_calls": calls} if calls else text


def _amount(value: Any) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0
    return float(value) if is_number else None


def _mock(spec: TargetSpec, definition: Mapping[str, Any]) -> MockPlan:
    response = definition.get("response")
    # AgentV's own words where the file gives none.
    text = response if isinstance(response, str) else json.dumps({"answer": _SILENT}, separators=(",", ":"))
    return MockPlan(text=text, warnings=_not_followed(spec, definition, _OF_MOCKS))


def _command(spec: TargetSpec, definition: Mapping[str, Any], rules: TargetRules) -> CommandPlan:
    written = _first(definition, "command", "command_template", "commandTemplate")
    if definition.get("provider_batching") or definition.get("providerBatching"):
        raise SettingError(
            f"The target {spec.name} answers all cases in one batch, which turnwise does not ask for",
            next_step="Leave provider_batching out; the command is then run for each case.",
        )
    known = rules.environment if rules.trusted else {}
    if isinstance(written, str) and written.strip():
        command: str | tuple[str, ...] = _filled(written.strip(), known)
    elif isinstance(written, list) and written and all(isinstance(word, str) and word for word in written):
        command = tuple(_filled(word, known) for word in written)
    else:
        raise SettingError(f"The target {spec.name} names no command", next_step="Give it a command.")
    folder = rules.folder.path if rules.folder is not None else Path.cwd()
    inside = definition.get("cwd")
    if isinstance(inside, str) and inside.strip():
        folder = folder / _filled(inside.strip(), known)
    seconds = _amount(_first(definition, "timeout_seconds", "timeoutSeconds"))
    form = _first(definition, "files_format", "filesFormat", "attachments_format", "attachmentsFormat")
    return CommandPlan(
        name=spec.name,
        command=command,
        folder=folder,
        seconds=seconds or SECONDS,
        file_form=form if isinstance(form, str) and form else "{path}",
        warnings=_not_followed(spec, definition, _OF_COMMANDS),
    )


def _openai(
    spec: TargetSpec, provider: str, definition: Mapping[str, Any], rules: TargetRules
) -> ChatPlan | HttpPlan:
    if str(definition.get("api_format") or "chat") != "chat":
        raise SettingError(
            f"The target {spec.name} wants the API format {definition['api_format']}",
            next_step="turnwise asks the Chat Completions API: write api_format: chat, or leave it out.",
        )
    address = _address(spec, _first(definition, "endpoint", "base_url"), rules)
    return _chat(spec, provider, address, definition, rules)


def _azure(spec: TargetSpec, definition: Mapping[str, Any], rules: TargetRules) -> ChatPlan | HttpPlan:
    """An endpoint is an address, or the name of a resource; either is asked through its API v1."""
    written = _first(definition, "endpoint", "base_url", "resource", "resourceName")
    if not isinstance(written, str) or not written.strip():
        raise SettingError(f"The target {spec.name} names no endpoint", next_step="Give it an endpoint.")
    named = _address(spec, written, rules)
    root = named if "://" in named else f"https://{named}.openai.azure.com"
    address = f"{root.rstrip('/').removesuffix('/openai/v1').removesuffix('/openai')}/openai/v1"
    plan = _chat(
        spec, "openai", address, {"api_key": "${{ AZURE_OPENAI_API_KEY }}", **_some(definition)}, rules
    )
    version = _first(definition, "version", "api_version")
    if (
        isinstance(version, str)
        and not _VARIABLE.search(version)
        and version.strip() not in ("", "v1", "latest")
    ):
        told = f"The target {spec.name} is asked through the API v1 of Azure, not {version}"
        plan = replace(plan, warnings=(*plan.warnings, told))
    return plan


def _chat(
    spec: TargetSpec, provider: str, address: str, definition: Mapping[str, Any], rules: TargetRules
) -> ChatPlan | HttpPlan:
    """Return the plan of an API of Chat Completions, by the rules for targets of promptfoo's files."""
    model = _model(spec, definition, address, rules)
    settings: dict[str, Any] = {"apiBaseUrl": address} if address else {}
    key = _first(definition, "api_key", "apiKey")
    if isinstance(key, str) and (variable := _VARIABLE.fullmatch(key.strip())):
        settings["apiKeyEnvar"] = variable[1]
    elif key:
        settings["apiKey"] = str(key)
    if (temperature := definition.get("temperature")) is not None:
        settings["temperature"] = temperature
    if (most := _first(definition, "max_output_tokens", "maxTokens")) is not None:
        settings["max_tokens"] = most
    plan = plan_of(
        TargetSpec(id=f"{provider}:chat:{model}", label=spec.name, config={"config": settings}), rules
    )
    return replace(plan, warnings=(*plan.warnings, *_not_followed(spec, definition, _KNOWN)))


def _anthropic(spec: TargetSpec, definition: Mapping[str, Any], rules: TargetRules) -> ChatPlan:
    usual = rules.environment.get("ANTHROPIC_BASE_URL") or ANTHROPIC_URL
    written = _address(spec, _first(definition, "endpoint", "base_url"), rules)
    address = (written or usual).rstrip("/").removesuffix("/v1")
    key = _first(definition, "api_key", "apiKey")
    variable = _VARIABLE.fullmatch(key.strip()) if isinstance(key, str) else None
    name = variable[1] if variable else ANTHROPIC_KEY
    if (written or name != ANTHROPIC_KEY) and not rules.allow(f"{address} {name}"):
        raise SettingError(
            f"The target {spec.name} would be asked at {address} with {name}, as its file says",
            next_step=f"Give --trust if you trust the file. {NAME_ONE}",
        )
    if not rules.keys.allow(name, address):
        host = host_of(address)
        raise SettingError(
            f"The target {spec.name} wants {name} sent to {host}, where it does not belong",
            next_step=f"If that is right, give {KEY_OPTION} {name}={host}.",
        )
    found = rules.environment.get(name, "")
    if not found:
        raise SettingError(f"The target {spec.name} needs a key", next_step=f"Set {name}. {NAME_ONE}")
    most = _first(definition, "max_output_tokens", "maxTokens")
    return ChatPlan(
        settings=ModelSettings(
            provider="anthropic",
            base_url=address,
            model=_model(spec, definition, "", rules),
            api_key=found,
            concurrency=4,
            public_only=bool(written) and not rules.private,
        ),
        options={"max_tokens": most} if isinstance(most, int) else {},
        # The Messages API takes no temperature.
        warnings=_not_followed(spec, definition, _KNOWN - {"temperature"}),
    )


def _address(spec: TargetSpec, written: Any, rules: TargetRules) -> str:
    """Return an address as it is written, or as the variable says that it is; empty where there is none.

    A variable that holds an address is the user's own word for where a service is.
    """
    if not isinstance(written, str) or not written.strip():
        return ""
    variable = _VARIABLE.fullmatch(written.strip())
    if variable is None:
        return written.strip()
    found = rules.environment.get(variable[1], "").strip() if rules.trusted else ""
    is_address = (
        urlsplit(found).scheme in ("http", "https") if "://" in found else "azure" in variable[1].lower()
    )
    if found and is_address:
        return found
    raise _not_there(spec, variable[1], "an address", rules)


def _model(spec: TargetSpec, definition: Mapping[str, Any], address: str, rules: TargetRules) -> str:
    written = _first(definition, "model", "deployment", "deploymentName", "variant")
    if not isinstance(written, str) or not written.strip():
        raise SettingError(f"The target {spec.name} names no model", next_step="Give it a model.")
    variable = _VARIABLE.fullmatch(written.strip())
    if variable is None:
        return written.strip()
    # What is no key may go where a key goes, but a file could call a key a model.
    found = rules.environment.get(variable[1], "").strip() if rules.trusted else ""
    if found and (not _SECRET.search(variable[1]) or rules.keys.allow(variable[1], address)):
        return found
    raise _not_there(spec, variable[1], "a model", rules)


def _not_there(spec: TargetSpec, variable: str, noun: str, rules: TargetRules) -> SettingError:
    if not rules.trusted:
        return SettingError(
            f"The target {spec.name} takes {noun} from {variable}, which a file sees with --trust alone",
            next_step=f"Read the file; --trust then lets it. {NAME_ONE}",
        )
    return SettingError(
        f"The target {spec.name} takes {noun} from {variable}, which holds none",
        next_step=f"Set {variable}. {NAME_ONE}",
    )


def _filled(text: str, environment: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda one: environment.get(one[1], one[0]), text)


def _first(definition: Mapping[str, Any], *names: str) -> Any:
    return next((definition[name] for name in names if definition.get(name) is not None), None)


def _some(definition: Mapping[str, Any]) -> dict[str, Any]:
    return {name: item for name, item in definition.items() if item is not None}


def _not_followed(spec: TargetSpec, definition: Mapping[str, Any], known: frozenset[str]) -> tuple[str, ...]:
    odd = ", ".join(name for name in definition if name not in known)
    return (f"The target {spec.name}: not followed, and left out: {odd}",) if odd else ()
