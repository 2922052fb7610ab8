"""Messages of other interfaces in the words of OpenAI's chat messages, which alone are made into turns.

Read are items of OpenAI's Responses, blocks of Anthropic's Messages and of Bedrock's Converse, `parts` of
Gemini, of OpenTelemetry's GenAI attributes, of Vercel's interface and of pydantic-ai, and messages of
LangChain, as written by each of its three ways. A block that is neither text nor a tool's call or result,
such as reasoning or an image, is kept whole under `parts`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

Fields = dict[str, Any]

_LANGCHAIN = {
    "human": "user",
    "HumanMessage": "user",
    "HumanMessageChunk": "user",
    "ai": "assistant",
    "AIMessage": "assistant",
    "AIMessageChunk": "assistant",
    "system": "system",
    "SystemMessage": "system",
    "tool": "tool",
    "ToolMessage": "tool",
    "function": "function",
    "FunctionMessage": "function",
}
_ITEM_CALLS = ("function_call", "custom_tool_call", "mcp_call")
_ITEM_RESULTS = ("function_call_output", "custom_tool_call_output")
_ITEMS = ("message", "reasoning", *_ITEM_CALLS, *_ITEM_RESULTS)
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use", "tool_call", "tool-call")
_RESULTS = ("tool_call_response", "tool-result", "tool-return", "retry-prompt")
_TEXTS = ("text", "input_text", "output_text", "system-prompt", "user-prompt", "refusal")
_REASONING = ("thinking", "redacted_thinking", "reasoning")
_WRAPPED = ("toolUse", "toolResult", "functionCall", "functionResponse", "function_call", "function_response")
BARE = _WRAPPED
"""Keys that alone tell what a block is, where it has no type."""
_ROLE_OF_PART = {
    "system-prompt": "system",
    "user-prompt": "user",
    "tool-return": "tool",
    "retry-prompt": "user",
}
_PLAIN_TEXT = frozenset(("type", "text", "content", "part_kind"))
_NAMES = ("name", "tool_name", "toolName")
_IDS = ("id", "toolUseId", "tool_call_id", "toolCallId", "call_id", "tool_use_id")
_GIVEN = ("input", "args", "arguments")
_ANSWERS = ("content", "response", "result", "output")


class _Piece(NamedTuple):
    """One block of a message: a text, the call of a tool, its result (a message of role tool), or else."""

    kind: Literal["text", "call", "result", "other"]
    value: Any


def is_any_message(value: Any) -> bool:
    """Whether a value is a message of one of the dialects read here, or of OpenAI's chat."""
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("role"), str):
        return any(key in value for key in ("content", "parts", "tool_calls", "function_call", "refusal"))
    return chat_forms(value) is not None


def chat_forms(message: Any) -> list[Fields] | None:
    """Return a message of another interface as chat messages, in order; None for any other value."""
    if not isinstance(message, dict):
        return None
    unwrapped = _unwrapped(message)
    given = message if unwrapped is None else unwrapped
    if given.get("kind") in ("request", "response") and isinstance(given.get("parts"), list):
        return list(_of_pydantic(given))
    role = given.get("role")
    if not isinstance(role, str):
        return _of_item(given)
    for key in ("content", "parts"):
        blocks = given.get(key)
        if isinstance(blocks, list) and (key == "parts" or any(map(_is_foreign, blocks))):
            if key == "parts" and given.get("content"):
                continue
            extras = {name: item for name, item in given.items() if name not in ("role", "content", key)}
            return _of_blocks(role, blocks, extras)
    calls = given.get("tool_calls")
    if isinstance(calls, list) and any(isinstance(call, dict) and "args" in call for call in calls):
        return [{**given, "tool_calls": [_as_call(call) or call for call in calls]}]
    return None if unwrapped is None else [given]


def _unwrapped(message: Fields) -> Fields | None:
    """Return the message that LangChain, or a session store, holds in another object; None for others."""
    names, kwargs, data = message.get("id"), message.get("kwargs"), message.get("data")
    if message.get("lc") is not None and isinstance(names, list) and isinstance(kwargs, dict) and names:
        return _with_role(kwargs, names[-1])
    if "role" in message:
        return None
    kind = message.get("type")
    if isinstance(data, dict) and isinstance(kind, str) and kind in _LANGCHAIN:
        return _with_role(data, kind)
    if "content" in message and isinstance(kind, str) and kind in _LANGCHAIN:
        return _with_role(message, kind)
    inner = message.get("message")
    if isinstance(inner, dict) and isinstance(inner.get("role"), str) and "content" in inner:
        return {**{name: item for name, item in message.items() if name != "message"}, **inner}
    return None


def _with_role(message: Fields, kind: Any) -> Fields | None:
    role = _LANGCHAIN.get(kind) if isinstance(kind, str) else None
    if role is None:
        return None
    return {"role": role, **{name: item for name, item in message.items() if name not in ("type", "role")}}


def _of_item(item: Fields) -> list[Fields] | None:
    """Return an item of OpenAI's Responses that has no role of its own."""
    kind = item.get("type")
    if kind in _ITEM_CALLS and (call := _as_call(item)) is not None:
        answered = [_result_of(item)] if item.get("output") is not None else []
        return [{"role": "assistant", "content": None, "tool_calls": [call]}, *answered]
    if kind in _ITEM_RESULTS and "output" in item:
        return [_result_of(item)]
    if kind == "reasoning" or (isinstance(kind, str) and kind.endswith("_call")):
        return [{"role": "assistant", "content": "", "parts": [item]}]
    return None


def joins(form: Fields, before: Fields) -> bool:
    """Whether a chat form says more of the assistant's turn before it, as items of one reply do."""
    if form.get("role") != "assistant" or before.get("role") != "assistant":
        return False
    return not form.get("content") or not (before.get("content") or before.get("tools_called"))


def is_item(message: Any) -> bool:
    """Whether a message is an item of OpenAI's Responses, of which several make up one reply."""
    kind = message.get("type") if isinstance(message, dict) else None
    return isinstance(kind, str) and (kind in _ITEMS or kind.endswith("_call"))


def _of_pydantic(message: Fields) -> Iterator[Fields]:
    extras = {name: item for name, item in message.items() if name not in ("kind", "parts")}
    run: list[Any] = []
    role = ""
    for part in message["parts"]:
        kind = part.get("part_kind") if isinstance(part, dict) else None
        of = "assistant" if message["kind"] == "response" else _ROLE_OF_PART.get(str(kind), "user")
        if of != role and run:
            yield from _of_blocks(role, run, {})
            run = []
        role = of
        run.append(part)
    yield from _of_blocks(role or "user", run, extras)


def _of_blocks(role: str, blocks: list[Any], extras: Fields) -> list[Fields]:
    """Return the chat messages of a list of blocks: one a result, and one for what is said between these."""
    forms: list[Fields] = []
    spoken: Fields | None = None
    cited = any(isinstance(block, dict) and block.get("citations") for block in blocks)
    mark = "" if cited else "\n"
    for block in blocks:
        for kind, value in _pieces(block):
            if kind == "result":
                forms.append(value)
                spoken = None
                continue
            if spoken is None:
                spoken = {"role": role, "content": None}
                forms.append(spoken)
            if kind == "text":
                said = spoken["content"]
                spoken["content"] = value if said is None else f"{said}{mark}{value}"
            else:
                spoken.setdefault("tool_calls" if kind == "call" else "parts", []).append(value)
    for form in forms:
        if form["content"] is None:
            form["content"] = ""
    if not forms:
        forms.append({"role": role, "content": ""})
    last = next((form for form in reversed(forms) if form["role"] == role), forms[-1])
    _add_extras(last, extras)
    return forms


def _add_extras(form: Fields, extras: Fields) -> None:
    for name, item in extras.items():
        if name == "type" and item == "message":
            continue
        if name == "tool_calls" and isinstance(item, list):
            known = {call.get("id") for call in form.get("tool_calls", [])}
            more = [_as_call(call) or call for call in item if isinstance(call, dict)]
            more = [call for call in more if call.get("id") is None or call.get("id") not in known]
            if more:
                form["tool_calls"] = [*form.get("tool_calls", []), *more]
        elif item is not None:
            form[f"original_{name}" if name in form else name] = item


def _is_foreign(block: Any) -> bool:
    """Whether a block of `content` is one that OpenAI's chat messages do not have."""
    if not isinstance(block, dict):
        return False
    kind = block.get("type")
    if kind is None:
        return any(key in block for key in (*BARE, "reasoningContent"))
    return isinstance(kind, str) and (
        kind in _CALLS or kind in _RESULTS or kind in _REASONING or kind.endswith("tool_result")
    )


def _pieces(block: Any) -> list[_Piece]:
    if isinstance(block, str):
        return [_Piece("text", block)]
    if not isinstance(block, dict):
        return [_Piece("other", block)]
    kind = block.get("type", block.get("part_kind"))
    wrapped = next((block[key] for key in _WRAPPED if isinstance(block.get(key), dict)), None)
    if wrapped is not None:
        is_result = any(key in block for key in ("toolResult", "functionResponse", "function_response"))
        return [_Piece("result", _result_of(wrapped))] if is_result else _call_or_other(wrapped, block)
    if kind in _CALLS:
        return _call_or_other(block, block)
    if kind in _RESULTS and (kind != "retry-prompt" or block.get("tool_name")):
        return [_Piece("result", _result_of(block))]
    if isinstance(kind, str) and kind.endswith("tool_result"):
        return [_Piece("result", _result_of(block))]
    if isinstance(kind, str) and (kind.startswith("tool-") or kind == "dynamic-tool"):
        return _of_interface(block, kind)
    return _text_or_other(block, kind)


def _text_or_other(block: Fields, kind: Any) -> list[_Piece]:
    if (kind is None or kind in _TEXTS or kind == "retry-prompt") and not block.get("thought"):
        for key in ("text", "content", "refusal"):
            if isinstance(text := block.get(key), str):
                more = (
                    [_Piece("other", block)] if block.keys() - {*_PLAIN_TEXT, "content", "part_kind"} else []
                )
                return [_Piece("text", text), *more]
            if key == "content" and isinstance(text, list):
                return [piece for inner in text for piece in _pieces(inner)]
    return [_Piece("other", block)]


def _of_interface(block: Fields, kind: str) -> list[_Piece]:
    """Return the pieces of a tool's part in Vercel's interface, which holds call and result in one."""
    call = _as_call({"name": block.get("toolName") or kind.removeprefix("tool-"), **block})
    if call is None:
        return [_Piece("other", block)]
    pieces = [_Piece("call", call)]
    answer = next((block[key] for key in ("output", "errorText") if block.get(key) is not None), None)
    if answer is not None:
        pieces.append(_Piece("result", _result_of({**block, "output": answer})))
    return pieces


def _call_or_other(call: Fields, block: Fields) -> list[_Piece]:
    made = _as_call(call)
    return [_Piece("other", block)] if made is None else [_Piece("call", made)]


def _as_call(given: Any) -> Fields | None:
    """Return a call in the shape of OpenAI's flat calls; None where it has no name."""
    if not isinstance(given, dict):
        return None
    name = next((given[key] for key in _NAMES if isinstance(given.get(key), str)), None)
    if name is None:
        return None
    return {
        "id": _id_of(given),
        "type": "function",
        "name": name,
        "arguments": next((given[key] for key in _GIVEN if key in given), None),
    }


def _id_of(given: Fields) -> str | None:
    # An item's own id comes beside the one by which its call is known.
    keys = (*_IDS[1:], _IDS[0])
    return next((given[key] for key in keys if isinstance(given.get(key), str)), None)


def _result_of(given: Fields) -> Fields:
    answer = next((given[key] for key in _ANSWERS if given.get(key) is not None), "")
    text, parts = _answer_text(answer)
    read = {*_ANSWERS, *_IDS, *_NAMES, *_GIVEN, "type", "part_kind", "role", "parts", "tool_calls", "state"}
    form: Fields = {
        "role": "tool",
        "content": text,
        **{name: item for name, item in given.items() if name not in read and item is not None},
    }
    if (answers := _id_of(given)) is not None:
        form["tool_call_id"] = answers
    if (name := next((given[key] for key in _NAMES if isinstance(given.get(key), str)), None)) is not None:
        form["name"] = name
    return {**form, "parts": parts} if parts else form


def _answer_text(answer: Any) -> tuple[str, list[Any]]:
    """Return what a tool gave back as a text, and the parts of it that are more than text."""
    if isinstance(answer, str):
        return answer, []
    if not isinstance(answer, list):
        return json.dumps(answer, ensure_ascii=False), []
    texts: list[str] = []
    parts: list[Any] = []
    for block in answer:
        if isinstance(block, dict) and block.keys() == {"json"}:
            texts.append(json.dumps(block["json"], ensure_ascii=False))
            continue
        for kind, value in _pieces(block) if isinstance(block, str | dict) else [_Piece("other", block)]:
            if kind == "text":
                texts.append(value)
            elif kind == "other":
                parts.append(value)
            else:
                parts.append(block)
    if parts and not texts:
        return json.dumps(answer, ensure_ascii=False), []
    return "\n".join(texts), parts
