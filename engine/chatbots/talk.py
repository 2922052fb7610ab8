"""Talk: a chatbot's reply to a recorded conversation, given piece by piece and kept however it ends."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from types import TracebackType
from typing import Protocol, Self

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.recording import Recording
from turnwise.engine.chatbots.heard import Heard
from turnwise.engine.models.streams import ReplyPiece


class Replies(Protocol):
    """Whoever gives replies."""

    def reply(self, messages: Sequence[Mapping[str, str]]) -> AsyncGenerator[ReplyPiece]:
        """Yield the reply to a conversation."""


class Talker(Replies, Protocol):
    """Whoever answers a conversation, piece by piece where it can; TurnwiseError says why it does not."""

    @property
    def title(self) -> str:
        """Its name for people."""

    @property
    def name(self) -> str:
        """A shorter name."""

    @property
    def loads(self) -> bool:
        """Whether it takes a while to open."""

    @property
    def waiting(self) -> str:
        """What is waited for, where that is worth a word."""

    async def open(self) -> None:
        """Make it ready."""

    async def close(self) -> None:
        """Give back what it holds."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


async def answer(target: Replies, recording: Recording) -> AsyncGenerator[str]:
    """Let the target reply to what was said last, yield the reply's text as it comes, and keep it at its end.

    A reply that is cut short keeps what came, marked as interrupted; one of which nothing came leaves no
    turn. It is cut short by closing the iterator (use `aclosing`), by cancelling, or by a fault: raises
    what the target's `reply` raises, and StoreError where it cannot be kept. The turn keeps the reply's tool
    calls too, and how it ended where that was not by itself.
    """
    began, heard, whole = time.monotonic(), Heard(), False
    broke: TurnwiseError | None = None
    try:
        async with aclosing(target.reply(recording.messages)) as reply:
            async for piece in reply:
                heard.take(piece)
                if isinstance(piece, str):
                    yield piece
        whole = True
    except TurnwiseError as error:
        broke = error
        raise
    finally:
        if whole or not heard.is_empty:
            recording.assistant_says(
                heard.text,
                seconds=time.monotonic() - began,
                interrupted=not whole,
                tools_called=heard.tools_called,
                account=heard.account(broke),
            )
