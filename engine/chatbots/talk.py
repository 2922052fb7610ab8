"""Talk: a chatbot's reply to a recorded conversation, given piece by piece and kept however it ends."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.recording import Recording
from turnwise.engine.chatbots.heard import Heard

if TYPE_CHECKING:
    from turnwise.engine.chatbots.choose import Chatbot


async def answer(target: Chatbot, recording: Recording) -> AsyncGenerator[str]:
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
