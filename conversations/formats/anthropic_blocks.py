"""Anthropic's messages to turns: text is joined, tool blocks become calls and tool turns, others are kept."""

from __future__ import annotations

from typing import Any

from turnwise.conversations.formats.chat_messages import Fields, keep
from turnwise.conversations.formats.chat_tools import OpenCalls
from turnwise.conversations.models import shorten

_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
_RESULT = "tool_result"
_KINDS = {*_CALLS, "thinking", "redacted_thinking", "document", "search_result", "container_upload"}
_CALL_KEYS = {"type", "id", "name", "input"}
_RESULT_KEYS = {"type", "tool_use_id", "content"}


def is_block(block: Any) -> bool:
    """Whether a content block is of a kind that only this interface has."""
    if not isinstance(block, dict) or not isinstance(kind := block.get("type"), str):
        return False
    if kind == "image":
        return isinstance(block.get("source"), dict)
    return kind in _KINDS or kind.endswith(_RESULT)


def turns_of(message: Any, place: str, open_calls: OpenCalls) -> list[Fields]:
    """Return the turns of one message: a tool turn for each result, and one for what is said beside them.

    Raises ValueError that names the block, the field, what was expected and what was given.
    """
    if not isinstance(message, dict):
        raise ValueError(f"{place}: expected an object with role and content; got {shorten(message)}")
    role, content = message.get("role"), message.get("content")
    if role not in ("user", "assistant", "system"):
        raise ValueError(f"{place}.role: expected user or assistant; got {shorten(role)}")
    metadata = {name: item for name, item in message.items() if name not in ("role", "content")}
    if isinstance(content, str):
        turn: Fields = {"role": role, "content": content}
        return [{**turn, "metadata": metadata} if metadata else turn]
    if not isinstance(content, list):
        raise ValueError(f"{place}.content: expected a string or a list of blocks; got {shorten(content)}")
    results = [
        (number, block)
        for number, block in enumerate(content)
        if role == "user" and isinstance(block, dict) and block.get("type") == _RESULT
    ]
    turns = []
    for number, block in results:
        turns.append(_tool_turn(block, f"{place}.content[{number}]"))
        open_calls.answer(turns[-1])
    taken = {number for number, _ in results}
    others = [block for number, block in enumerate(content) if number not in taken]
    if others or not results:
        turns.append(_spoken(role, others, metadata, place, open_calls))
    elif metadata:
        turns[-1]["metadata"] = {**metadata, **turns[-1].get("metadata", {})}
    return turns


def _spoken(role: str, blocks: list[Any], metadata: Fields, place: str, open_calls: OpenCalls) -> Fields:
    content, parts = text_of(blocks, f"{place}.content")
    turn: Fields = {"role": role, "content": content}
    calls = [
        _call(block, f"{place}.content[{number}]")
        for number, block in enumerate(blocks)
        if isinstance(block, dict) and block.get("type") in _CALLS
    ]
    if calls:
        turn["tools_called"] = calls
    if role == "assistant":
        open_calls.add(calls)
        for block in blocks:
            # A tool that the interface itself runs answers within the same message.
            if isinstance(block, dict) and str(block.get("type")).endswith(_RESULT):
                _answer(calls, block)
    if parts:
        keep(metadata, "parts", parts)
    if metadata:
        turn["metadata"] = metadata
    return turn


def _answer(calls: list[Fields], block: Fields) -> None:
    for call in calls:
        if call.get("id") is not None and call["id"] == block.get("tool_use_id"):
            call["output"] = block.get("content")


def _call(block: Fields, place: str) -> Fields:
    name, given = block.get("name"), block.get("input")
    if not isinstance(name, str):
        raise ValueError(f"{place}.name: expected a string; got {shorten(name)}")
    if not isinstance(given, dict | None):
        raise ValueError(f"{place}.input: expected an object with named values; got {shorten(given)}")
    call: Fields = {"name": name}
    if given is not None:
        call["input_parameters"] = given
    if isinstance(block.get("id"), str):
        call["id"] = block["id"]
    return call


def _tool_turn(block: Fields, place: str) -> Fields:
    given = block.get("content")
    if given is None:
        given = ""
    parts: list[Any] = []
    if isinstance(given, str):
        content = given
    elif isinstance(given, list):
        content, parts = text_of(given, f"{place}.content")
    else:
        raise ValueError(f"{place}.content: expected a string or a list of blocks; got {shorten(given)}")
    turn: Fields = {"role": "tool", "content": content}
    metadata = {name: item for name, item in block.items() if name not in _RESULT_KEYS}
    if isinstance(answers := block.get("tool_use_id"), str):
        turn["tool_call_id"] = answers
    elif answers is not None:
        metadata["tool_use_id"] = answers
    if parts:
        keep(metadata, "parts", parts)
    if metadata:
        turn["metadata"] = metadata
    return turn


def text_of(blocks: list[Any], place: str) -> tuple[str, list[Any]]:
    """Return what the text blocks say together, and the blocks that say more than text and calls do."""
    texts: list[str] = []
    parts: list[Any] = []
    cited = any(isinstance(block, dict) and block.get("citations") for block in blocks)
    for number, block in enumerate(blocks):
        if isinstance(block, str):
            texts.append(block)
            continue
        if not isinstance(block, dict):
            raise ValueError(f"{place}[{number}]: expected an object with a type; got {shorten(block)}")
        kind = block.get("type")
        if kind == "text":
            if not isinstance(text := block.get("text"), str):
                raise ValueError(f"{place}[{number}].text: expected a string; got {shorten(text)}")
            texts.append(text)
            if block.keys() - {"type", "text"}:
                parts.append(block)
        elif kind not in _CALLS or block.keys() - _CALL_KEYS or not isinstance(block.get("id"), str | None):
            parts.append(block)
    # Text with citations comes cut into pieces of sentences, other text in whole paragraphs.
    return ("" if cited else "\n").join(texts), parts
