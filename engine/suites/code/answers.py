"""Targets that are code: a provider of promptfoo in Python or JavaScript, a command, a plain callable."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import JudgeRefusedError, NotFoundError, SettingError
from turnwise.conversations.files import SCHEME, is_code, is_python, script_of
from turnwise.conversations.suites import SuiteCase, TargetSpec
from turnwise.engine.chatbots.limits import USUAL, ChatbotLimits
from turnwise.engine.suites.code.suite_code import SuiteCode
from turnwise.engine.suites.messages import messages_of
from turnwise.engine.worker import SECONDS

PYTHON = "python:"
_COMMAND = "exec:"
_CALLABLES = ("call_api", "main", "reply", "answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What code answered. cost: US dollars, tokens: as it counts them; None and empty where it does not."""

    output: Any
    cost: float | None = None
    tokens: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)


def is_code_target(name: str) -> bool:
    """Whether the name of a target means code: python:FILE, file://FILE.py or .js, exec:COMMAND."""
    if name.startswith((_COMMAND, PYTHON)):
        return True
    return is_code(name) and name.startswith((SCHEME, "javascript:"))


async def answered(
    spec: TargetSpec, case: SuiteCase, prompt: str, variables: Mapping[str, Any], code: SuiteCode
) -> Answered:
    """Return what a file's own target answers to a prompt.

    A script's call_api (Python) or exported provider (JavaScript) is given the prompt, the target's settings
    and the context with the variables, and gives {output, error, tokenUsage, cost}. A command is given the
    three as arguments and writes the answer. Raises NotFoundError where it may not run, SettingError where it
    does not end, JudgeRefusedError where it answers with an error.
    """
    place = f"{code.name}, target {spec.label or spec.id}"
    options = {"id": spec.id, **spec.config, "config": spec.config.get("config") or {}}
    context = {"vars": dict(variables), "prompt": {"raw": prompt, "label": case.prompt_label}}
    if spec.id.startswith(_COMMAND):
        try:
            words = shlex.split(spec.id.removeprefix(_COMMAND))
        except ValueError as error:
            raise SettingError(f"{place}: {error}", next_step="Correct the quotes of the command.") from None
        given = [prompt, json.dumps(options, default=str), json.dumps(context, default=str)]
        return Answered(output=await code.run_program(words, given, place))
    script = script_of(spec.id, code.folder, place)[0]
    # The settings of a provider in JavaScript are given to its class.
    arguments = [prompt, options, context] if is_python(script) else [prompt, context]
    returned = await code.run_script(spec.id, ("call_api",), arguments, place, provider=options)
    if returned.error:
        raise JudgeRefusedError("The chatbot's code failed", detail=f"{place}: {returned.error}")
    return _answered(returned.value, place)


@dataclass(slots=True)
class CallableTarget:
    """A Python callable as target, by the word of who named it on the command line.

    It is given the prompt, or the messages where its one parameter is called messages; `call_api` is called
    as promptfoo does. It gives the answer, or {output, error, tokenUsage, cost}. Close its code at the end.
    """

    name: str
    code: SuiteCode

    @classmethod
    def of(cls, name: str, limits: ChatbotLimits = USUAL) -> CallableTarget:
        """Return the target that python:FILE.py[:function] means. Raises NotFoundError."""
        bare = name.removeprefix(PYTHON).removeprefix(SCHEME)
        file, mark, function = bare.rpartition(":")
        if not mark or file == "" or function.endswith(".py"):
            file, function = bare, ""
        path = Path(file).expanduser()
        if not path.is_file() or path.suffix.lower() != ".py":
            raise NotFoundError(
                f"There is no Python file {file}", next_step="Name it as in --target python:bot.py:reply."
            )
        path = path.resolve()
        inside = f"{SCHEME}{path.name}{':' if function else ''}{function}"
        seconds = SECONDS if limits.timeout is None else limits.timeout
        return cls(inside, SuiteCode(path, root=path.parent, trusted=True, seconds=seconds))

    async def answer(self, case: SuiteCase, prompt: str, variables: Mapping[str, Any]) -> Answered:
        """Return what the callable answers. Raises as `answered` does."""
        context = {"vars": dict(variables), "prompt": {"raw": prompt, "label": case.prompt_label}}
        return await self.said(prompt, messages_of(prompt), context)

    async def said(self, prompt: str, messages: Sequence[Mapping[str, Any]], context: Any) -> Answered:
        """Return what the callable answers to a prompt, or to the messages where it asks for those."""
        arguments = [prompt, list(messages), {"config": {}}, context]
        place = f"target {self.name.removeprefix(SCHEME)}"
        returned = await self.code.run_script(self.name, _CALLABLES, arguments, place, plain=True)
        if returned.error:
            raise JudgeRefusedError("The chatbot's code failed", detail=f"{place}: {returned.error}")
        return _answered(returned.value, place)

    def close(self) -> None:
        """End what runs."""
        self.code.close()


def _answered(value: Any, place: str) -> Answered:
    if not isinstance(value, dict) or not value.keys() & {"output", "error"}:
        if value is None:
            raise JudgeRefusedError("The chatbot's code gave nothing back", detail=place)
        return Answered(output=value)
    if value.get("error"):
        raise JudgeRefusedError("The chatbot's code answered with an error", detail=str(value["error"])[:500])
    cost, tokens, metadata = value.get("cost"), value.get("tokenUsage"), value.get("metadata")
    return Answered(
        output=value.get("output"),
        cost=cost if isinstance(cost, int | float) and not isinstance(cost, bool) else None,
        tokens=tokens if isinstance(tokens, dict) else {},
        metadata=metadata if isinstance(metadata, dict) else {},
    )
