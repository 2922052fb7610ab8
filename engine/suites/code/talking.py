"""Talking to code: the user's own Python as a chatbot that is talked to, and which chatbot a name means."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from types import TracebackType
from typing import Any, Self

from turnwise.conversations.errors import JudgeRefusedError, SettingError
from turnwise.conversations.files import SCHEME
from turnwise.engine.chatbots.choose import Chatbot, find_chatbot
from turnwise.engine.chatbots.limits import USUAL, ChatbotLimits
from turnwise.engine.suites.code.answers import PYTHON, CallableTarget


class CodeChatbot:
    """A callable of the user's that answers a conversation. Use it as `async with`.

    It is called as `turnwise run --target python:FILE:NAME` calls it: with what was said last, or with all
    messages in a parameter called messages. The context holds a sessionId, the same for a whole talk.
    """

    def __init__(self, code: CallableTarget) -> None:
        self._code = code
        self._talk = uuid.uuid4().hex

    @property
    def title(self) -> str:
        """Its name for people: file and function."""
        return f"{PYTHON}{self.name}"

    @property
    def name(self) -> str:
        """A shorter name."""
        return self._code.name.removeprefix(SCHEME)

    @property
    def loads(self) -> bool:
        """Whether it takes a while to open; the file is read with the first message."""
        return False

    @property
    def waiting(self) -> str:
        """What is waited for; code is called once, and says nothing meanwhile."""
        return ""

    async def open(self) -> None:
        """Do nothing: the code starts with the first message."""

    async def reply(self, messages: Sequence[Mapping[str, Any]]) -> AsyncGenerator[str]:
        """Yield the reply to a conversation, in one piece. Raises JudgeRefusedError and NotFoundError."""
        async with aclosing(self.reply_in(self._talk, messages)) as pieces:
            async for piece in pieces:
                yield piece

    async def reply_in(self, talk: str, messages: Sequence[Mapping[str, Any]]) -> AsyncGenerator[str]:
        """Yield the reply in one of several talks. talk: what the code is given as `sessionId`."""
        last = str(messages[-1]["content"]) if messages else ""
        context = {"vars": {"sessionId": talk}, "prompt": {"raw": last, "label": last}}
        try:
            output = (await self._code.said(last, messages, context)).output
        except SettingError as error:
            # One message that it does not get over says nothing of the next.
            raise JudgeRefusedError(error.title, detail=error.detail, next_step=error.next_step) from None
        yield output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)

    async def close(self) -> None:
        """End what runs."""
        self._code.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


async def find_talker(spec: str | None, *, limits: ChatbotLimits = USUAL) -> Chatbot | CodeChatbot:
    """Return the chatbot to talk to: python:FILE[:FUNCTION], or what `find_chatbot` takes.

    Raises NotFoundError where there is no such file, and what `find_chatbot` raises.
    """
    if spec is not None and spec.startswith(PYTHON):
        return CodeChatbot(CallableTarget.of(spec, limits))
    return await find_chatbot(spec, limits=limits)
