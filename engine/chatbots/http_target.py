"""HttpTarget: a chatbot behind any HTTP address, asked by a template and read by a path or expression."""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from turnwise.conversations.errors import FormatError, NotFoundError, SettingError
from turnwise.engine.chatbots.http_requests import HttpTemplate, filled_request, template_of_file
from turnwise.engine.chatbots.limits import USUAL, ChatbotLimits
from turnwise.engine.chatbots.targets import error_of_case
from turnwise.engine.models.address_secrets import secrets_of
from turnwise.engine.models.connections import fault_of_transport, http_client
from turnwise.engine.models.faults import Fault, fault_of_answer
from turnwise.engine.models.limits import AdaptiveLimit, with_retries
from turnwise.engine.models.settings import shown_address

if TYPE_CHECKING:
    from openai import DefaultAsyncHttpxClient

AT_ONCE = 4
SECONDS = 300.0
"""How long one answer may take, in seconds."""
_PATH = re.compile(r"json(?:\??\.[A-Za-z_$][\w$]*|\??\.?\[(?:\d+|'[^']*'|\"[^\"]*\")\])*$")
_BARE_PATH = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*|\[\d+\])*$")
_STEP = re.compile(r"\.([A-Za-z_$][\w$]*)|\[(\d+)\]|\['([^']*)'\]|\[\"([^\"]*)\"\]")
_FUNCTION = re.compile(r"(?:async\s+)?(?:\([^)]*\)|[A-Za-z_$][\w$]*)\s*=>|function\b")


class HttpTarget:
    """A chatbot that is asked over HTTP. Use it as `async with`.

    environment: what templates see as `env`. public_only: no address of this machine or its network is asked.
    title: its name for people; by default its address. limits: how long it is waited for.
    """

    def __init__(
        self,
        template: HttpTemplate,
        *,
        environment: Mapping[str, str] | None = None,
        public_only: bool = False,
        title: str = "",
        limits: ChatbotLimits = USUAL,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.template = template
        self.title = title or shown_address(template.url)
        self._environment = dict(environment or {})
        self._public_only = public_only
        self._timeout = SECONDS if limits.timeout is None else limits.timeout
        self._patience = limits.patience
        self._sleep = sleep
        self._limit = AdaptiveLimit(AT_ONCE)
        self._client: DefaultAsyncHttpxClient | None = None
        self._talk = uuid.uuid4().hex

    @property
    def name(self) -> str:
        """A shorter name: the host's."""
        return urlsplit(self.template.url).hostname or self.title

    @property
    def loads(self) -> bool:
        """Whether it takes a while to open; it never does."""
        return False

    @property
    def waiting(self) -> str:
        """What is waited for, where that is worth a word; see `Waits.words`."""
        return self._limit.waits.words("chatbot")

    @classmethod
    def of_file(
        cls, path: Path, environment: Mapping[str, str] | None = None, *, limits: ChatbotLimits = USUAL
    ) -> Self:
        """Return the chatbot that a file of the user's describes. Raises NotFoundError and FormatError."""
        from turnwise.conversations.files import load_yaml

        try:
            data = load_yaml(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise NotFoundError(f"There is no file {path}", next_step="Check the path.") from None
        except (OSError, ValueError) as error:
            raise FormatError(f"{path.name} cannot be read", detail=str(error)) from None
        variables = os.environ if environment is None else environment
        return cls(template_of_file(data, path.name), environment=variables, limits=limits)

    async def open(self) -> None:
        """Do nothing: an HTTP chatbot is there or is not."""

    async def reply(self, messages: Sequence[Mapping[str, Any]]) -> AsyncGenerator[str]:
        """Yield the reply to a conversation, in one piece. Raises JudgeError and SettingError."""
        async with aclosing(self.reply_in(self._talk, messages)) as pieces:
            async for piece in pieces:
                yield piece

    async def reply_in(self, talk: str, messages: Sequence[Mapping[str, Any]]) -> AsyncGenerator[str]:
        """Yield the reply in one of several talks. talk: what templates see as `sessionId`."""
        output = await self.answer(messages, {"sessionId": talk})
        yield output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)

    async def answer(self, messages: Sequence[Mapping[str, Any]], variables: Mapping[str, Any]) -> Any:
        """Return the reply to a conversation, text or data, tried again while there is hope.

        Templates see `messages`, `prompt` (what was said last) and the variables. Raises
        JudgeUnavailableError where the chatbot is away, JudgeRefusedError where it does not answer this, and
        SettingError where the template or the answer does not fit.
        """
        last = messages[-1].get("content") if messages else ""
        known = {"messages": [dict(message) for message in messages], "prompt": last, **variables}
        request = filled_request(self.template, known, self._environment)

        async def attempt() -> str:
            return await self._sent(request.method, request.url, request.headers, request.content)

        try:
            text = await with_retries(attempt, self._limit, patience=self._patience, sleep=self._sleep)
        except Fault as fault:
            raise error_of_case(fault, self.title, secrets_of(request.url, request.headers)) from None
        return await asyncio.to_thread(read_reply, text, self.template.response)

    async def _sent(self, method: str, url: str, headers: Mapping[str, str], content: bytes) -> str:
        if self._client is None:
            # It takes 0.4 s to import; in a thread, the screen goes on answering keys meanwhile.
            await asyncio.to_thread(__import__, "openai")
            import openai

            self._client = http_client(openai, url, self._timeout, public_only=self._public_only)
        try:
            async with asyncio.timeout(self._timeout):
                answer = await self._client.request(method, url, headers=dict(headers), content=content)
        except Exception as error:
            if fault := fault_of_transport(error, self._timeout):
                raise fault from None
            raise
        text = answer.content.decode("utf-8", "replace")
        if not answer.is_success:
            told: Any = text[:200]
            with suppress(ValueError, RecursionError):
                told = json.loads(text)
            raise fault_of_answer(answer.status_code, told, answer.headers, "", time.time())
        return text

    async def close(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def read_reply(text: str, expression: str) -> Any:
    """Return the reply in an answer.

    expression: a path such as `json.choices[0].message.content` or `choices[0].text`, or JavaScript over
    `json` and `text`; empty takes the whole, as data where it is JSON. Raises SettingError where there is no
    reply, and NotFoundError where JavaScript is asked for and no engine is installed.
    """
    data = _data(text)
    if not expression:
        return text if data is None else data
    if expression == "text":
        return text
    if _PATH.match(expression) or _BARE_PATH.match(expression):
        path = expression if _PATH.match(expression) else f"json.{expression}"
        found = _at(data, path)
    else:
        from turnwise.engine.javascript import run_expression

        code = f"({expression})(json, text, context)" if _FUNCTION.match(expression) else expression
        returned = run_expression(code, {"json": data, "text": text, "context": {}})
        if returned.error:
            raise SettingError(
                "The chatbot's answer could not be read",
                detail=f"{returned.error} in {text[:200]!r}",
                next_step="Correct the expression.",
            )
        found = returned.value
    if isinstance(found, Mapping) and "output" in found:
        found = found["output"]
    if found is None:
        raise SettingError(
            "The chatbot's answer holds no reply where it was looked for",
            detail=f"{expression[:100]} in {text[:200]!r}",
            next_step="Correct the path or expression.",
        )
    return found


def _at(data: Any, path: str) -> Any:
    for name, number, single, double in _STEP.findall(
        path.removeprefix("json").replace("?.", ".").replace(".[", "[")
    ):
        if number:
            inside = isinstance(data, list) and int(number) < len(data)
            data = data[int(number)] if inside else None
        else:
            data = data.get(name or single or double) if isinstance(data, Mapping) else None
    return data


def _data(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
