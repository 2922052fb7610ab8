"""Messages of a case: as they are sent, as a prompt, and as what an answer is made of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.conversations.tools import ToolCall
from turnwise.engine.checks.answer import ToolUse
from turnwise.engine.suites.messages import content_text, messages_of

Message = Mapping[str, Any]


def as_sent(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return messages as a chat takes them: contents as text, or as parts where they are listed."""
    return [{**message, "content": _sent(message.get("content"))} for message in messages]


def _sent(content: Any) -> Any:
    return content if isinstance(content, list) else content_text(content)


def as_prompt(messages: Sequence[Message]) -> str:
    """Return messages as a prompt: what the user says where that is all, else JSON."""
    if len(messages) == 1 and messages_of(text := content_text(messages[0].get("content"))) == list(messages):
        return text
    return json.dumps(list(messages), ensure_ascii=False)


def last_said(messages: Sequence[Message]) -> str:
    """Return what the user said last."""
    said = [message for message in messages if message.get("role") == "user"]
    return content_text((said or list(messages))[-1].get("content")) if messages else ""


def windowed(messages: Sequence[Message], size: int | None) -> list[Message]:
    """Return the system's messages and the last exchanges, as many as the window holds; None for all."""
    if not size:
        return list(messages)
    ruling = [message for message in messages if message.get("role") == "system"]
    return ruling + [message for message in messages if message.get("role") != "system"][-2 * size :]


def tool_uses(calls: Sequence[ToolCall]) -> tuple[ToolUse, ...]:
    """Return the tool calls of an answer."""
    return tuple(
        ToolUse(
            name=call.name,
            arguments=call.input_parameters,
            milliseconds=None if call.seconds is None else call.seconds * 1000,
        )
        for call in calls
    )
