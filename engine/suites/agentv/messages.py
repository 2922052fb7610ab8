"""Messages of a case: as they are sent, as text, and as what an answer is made of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.conversations.tools import ToolCall
from turnwise.engine.checks.answer import ToolUse
from turnwise.engine.suites.messages import messages_of

Message = Mapping[str, Any]


def as_sent(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return messages as a chat takes them: contents as text, or as parts where they are listed."""
    return [{**message, "content": _sent(message.get("content"))} for message in messages]


def content_text(content: Any) -> str:
    """Return the content of a message as text: data as JSON, an image as a word for it."""
    if isinstance(content, list) and content and all(map(_is_part, content)):
        return "\n".join(_part_text(part) for part in content)
    if content is None:
        return ""
    return content if isinstance(content, str) else json.dumps(content, indent=2, ensure_ascii=False)


def _sent(content: Any) -> Any:
    return content if isinstance(content, list) else content_text(content)


def _is_part(part: Any) -> bool:
    return isinstance(part, Mapping) and isinstance(part.get("type"), str)


def _part_text(part: Mapping[str, Any]) -> str:
    text = part.get("text", part.get("value"))
    return text if isinstance(text, str) and part["type"] in ("text", "file") else f"[{part['type']}]"


def as_prompt(messages: Sequence[Message]) -> str:
    """Return messages as a prompt: what the user says where that is all, else JSON."""
    if len(messages) == 1 and messages_of(text := content_text(messages[0].get("content"))) == list(messages):
        return text
    return json.dumps(list(messages), ensure_ascii=False)


def as_text(messages: Sequence[Message]) -> str:
    """Return a conversation as text, each message after its role; one alone without."""
    if len(messages) == 1:
        return content_text(messages[0].get("content"))
    return "\n\n".join(
        f"{message.get('role')}: {content_text(message.get('content'))}" for message in messages
    )


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
