"""Talk: a chatbot's reply to a recorded conversation, given piece by piece and kept however it ends."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

from turnwise.conversations.recording import Recording

if TYPE_CHECKING:
    from turnwise.engine.chatbots.choose import Chatbot


async def answer(target: Chatbot, recording: Recording) -> AsyncGenerator[str]:
    """Let the target reply to what was said last, yield the reply as it comes, and keep it at its end.

    A reply that is cut short keeps what came, marked as interrupted; one of which nothing came leaves no
    turn. It is cut short by closing the iterator (use `aclosing`), by cancelling, or by a fault: raises
    what the target's `reply` raises, and StoreError where it cannot be kept.
    """
    began, pieces, whole = time.monotonic(), [], False
    try:
        async with aclosing(target.reply(recording.messages)) as reply:
            async for piece in reply:
                pieces.append(piece)
                yield piece
        whole = True
    finally:
        if whole or pieces:
            seconds = time.monotonic() - began
            recording.assistant_says("".join(pieces), seconds=seconds, interrupted=not whole)
