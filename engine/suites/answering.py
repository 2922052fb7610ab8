"""Answering: who answers a case, from the file itself to a chatbot, and what came of asking."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import SuiteCase, TargetSpec
from turnwise.engine.suites.messages import messages_of
from turnwise.engine.targets import Target, choose_target

ECHO = "echo"
AT_ONCE_IN_PROCESS = 1
_NAME_ONE = "Name a chatbot to ask instead: --target URL, openai:MODEL, embedded, or echo."


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered. milliseconds and cost (US dollars): None where they were not measured."""

    output: Any
    milliseconds: float | None = None
    cost: float | None = None


class Answerer:
    """Lets cases be answered: by their file, by echo, or by a chatbot. Use it as `async with`.

    target: the one chatbot that answers whatever target a case names; None leaves it to the cases.
    environment: where the key for `openai:` targets is looked for; the process's own by default.
    """

    def __init__(self, target: Target | None = None, *, environment: Mapping[str, str] | None = None) -> None:
        self._target = target
        self._environment = os.environ if environment is None else environment
        self._opened: dict[str, Target] = {}
        self._stack = AsyncExitStack()

    def at_once(self, cases: tuple[SuiteCase, ...]) -> int:
        """Return how many of these cases may be under way at once: as many as their targets take."""
        if self._target is not None:
            return self._target.settings.concurrency
        asked = any(case.target and case.target.id != ECHO and not case.output for case in cases)
        return 4 if asked else AT_ONCE_IN_PROCESS

    async def reply(self, case: SuiteCase, prompt: str) -> Reply:
        """Return what answers a case. Raises SettingError where nobody may, JudgeError where it fails."""
        if case.output:
            return Reply(case.output)
        if case.target is not None and case.target.id == ECHO:
            return Reply(prompt, milliseconds=0.0, cost=0.0)
        target = self._target or await self._own(case.target)
        started = time.perf_counter()
        async with aclosing(target.reply(messages_of(prompt))) as pieces:
            output = "".join([piece async for piece in pieces])
        return Reply(output, milliseconds=(time.perf_counter() - started) * 1000)

    async def _own(self, spec: TargetSpec | None) -> Target:
        """Return the chatbot that a file names, where it is one that may be asked unbidden."""
        if spec is None:
            raise SettingError("The file names no target", next_step=_NAME_ONE)
        model = _openai_model(spec)
        if not model:
            raise SettingError(f"turnwise does not ask the target {spec.id}", next_step=_NAME_ONE)
        if not self._environment.get("OPENAI_API_KEY"):
            raise SettingError(
                f"The target {spec.id} needs a key", next_step=f"Set OPENAI_API_KEY. {_NAME_ONE}"
            )
        if model not in self._opened:
            settings = await choose_target(f"openai:{model}", environment=self._environment)
            self._opened.setdefault(model, await self._stack.enter_async_context(Target(settings)))
        return self._opened[model]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()


def _openai_model(spec: TargetSpec) -> str:
    """Return the chat model that a target means; empty for any other target.

    A target with settings of its own (an address, tools, a temperature) would be another one without them.
    """
    parts = spec.id.split(":")
    if parts[0] != "openai" or spec.config.get("config"):
        return ""
    if len(parts) == 2:
        return parts[1] if parts[1] not in ("chat", "responses", "completion", "embedding") else ""
    return ":".join(parts[2:]) if parts[1] == "chat" else ""
