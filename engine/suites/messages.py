"""Messages: a prompt as what is sent to a chatbot, and what was asked and answered as a conversation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.files import decode_json
from turnwise.conversations.suites import Suite, SuiteCase
from turnwise.conversations.templates import as_text
from turnwise.conversations.tools import ToolCall, written_call
from turnwise.conversations.turns import ExchangeFields, Role, Turn

_ROLES = frozenset(get_args(Role))
_SETTING = ("system", "developer")


@dataclass(frozen=True, slots=True)
class Said:
    """One case with what was asked and answered. output: None where there was no answer."""

    case: SuiteCase
    prompt: str
    output: Any


def messages_of(prompt: str) -> list[dict[str, Any]]:
    """Return the messages of a prompt: those that it lists as JSON or YAML, else the text as a user's."""
    start = prompt.lstrip()
    listed: Any = None
    if start.startswith("["):
        try:
            listed = decode_json(prompt)
        except ValueError:
            listed = None
    elif start.startswith("- role:"):
        # Few prompts are YAML, and its reader takes a while to import.
        from turnwise.conversations.files import load_yaml

        try:
            listed = load_yaml(prompt)
        except ValueError:
            listed = None
    if isinstance(listed, list) and listed and all(map(_is_message, listed)):
        return listed
    return [{"role": "user", "content": prompt}]


def sent_messages(case: SuiteCase, prompt: str) -> list[dict[str, Any]]:
    """Return the messages that a case sends: its own, else those of its prompt."""
    return [dict(message) for message in case.messages] or messages_of(prompt)


def content_text(content: Any) -> str:
    """Return the content of a message as text: data as JSON, an image as a word for it."""
    if isinstance(content, list) and content and all(map(_is_part, content)):
        return "\n".join(_part_text(part) for part in content)
    if content is None:
        return ""
    return content if isinstance(content, str) else json.dumps(content, indent=2, ensure_ascii=False)


def conversation_text(messages: Sequence[Mapping[str, Any]]) -> str:
    """Return a conversation as text, each message after its role; one alone without."""
    if len(messages) == 1:
        return content_text(messages[0].get("content"))
    return "\n\n".join(
        f"{message.get('role')}: {content_text(message.get('content'))}" for message in messages
    )


def conversation_of(suite: Suite, said: Sequence[Said]) -> ConversationalTestCase:
    """Return cases with their answers as one conversation that can be kept, case by case.

    Where there was no answer, the exchange ends with the prompt. The metadata of a single case are its own,
    with suite, case and target under names that a file's own entries go before. Of several cases each is told
    by the exchange that it became; what their prompts repeat of the conversation is left out.
    """
    first = said[0].case
    name = suite.description or suite.source.name
    about: dict[str, Any] = {
        "suite": name,
        "prompt": first.prompt_label,
        "target": first.target.name if first.target else "",
    }
    if len(said) == 1:
        own = {**_about_case(first), **first.metadata}
        turns = [turn for one in said for turn in _turns(one, sent_messages(one.case, one.prompt))]
    else:
        shared = first.metadata.items()
        own = {key: item for key, item in shared if all(_has(one.case, key, item) for one in said)}
        turns = []
        for place, one in enumerate(said):
            messages = sent_messages(one.case, one.prompt)
            spoken = _turns(one, _new(messages) if place else messages)
            about_case = {**_about_case(one.case), **one.case.metadata}
            fields = ExchangeFields(name=one.case.description or None, metadata=plain(about_case))
            spoken[-1] = spoken[-1].model_copy(update={"exchange": fields})
            turns += spoken
    return ConversationalTestCase(
        turns=turns,
        name=_name(first, several=len(said) > 1),
        tags=[name],
        metadata=plain({**about, **own}),
    )


def plain(value: Any) -> Any:
    """Return what a file wrote as plain JSON: keys as texts, and what JSON does not know as text."""
    return json.loads(json.dumps(value, default=str))


def _about_case(case: SuiteCase) -> dict[str, Any]:
    return {
        "case": case.index,
        "vars": dict(case.vars),
        **({"repeat": case.repeat} if case.repeat else {}),
    }


def _has(case: SuiteCase, key: str, item: Any) -> bool:
    return key in case.metadata and bool(case.metadata[key] == item)


def _name(case: SuiteCase, *, several: bool) -> str | None:
    talk = case.metadata.get("conversationId")
    return (str(talk) if several and talk is not None else case.description) or None


def _turns(said: Said, messages: Sequence[Mapping[str, Any]]) -> list[Turn]:
    turns = [_turn(message) for message in messages]
    if said.output is not None:
        words, calls = spoken_output(said.output)
        turns.append(Turn(role="assistant", content=words, tools_called=calls or None))
    return turns


def _turn(message: Mapping[str, Any]) -> Turn:
    calls = _tool_calls(message) if message["role"] == "assistant" else []
    call_id = message.get("tool_call_id")
    return Turn(
        role=message["role"],
        content=_words(message.get("content")),
        tools_called=calls or None,
        tool_call_id=call_id if isinstance(call_id, str) else None,
    )


def _new(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages that a later prompt of a conversation adds: those after the last reply."""
    replies = [place for place, message in enumerate(messages) if message["role"] == "assistant"]
    after = messages[replies[-1] + 1 :] if replies else messages
    return [message for message in after if message["role"] not in _SETTING] or messages[-1:]


def _is_message(item: Any) -> bool:
    if not isinstance(item, Mapping) or item.get("role") not in _ROLES:
        return False
    return isinstance(item.get("content"), str | list | None)


def _words(content: Any) -> str:
    return "" if content is None else as_text(content)


def spoken_output(output: Any) -> tuple[str, list[ToolCall]]:
    """Return an output as words and tool calls: a message, or a list of calls, in OpenAI's form."""
    if isinstance(output, Mapping) and ("tool_calls" in output or "function_call" in output):
        if calls := _tool_calls(output):
            return _words(output.get("content")), calls
    elif isinstance(output, list) and output and (calls := _tool_calls({"tool_calls": output})):
        return "", calls
    return _words(output), []


def _tool_calls(message: Mapping[str, Any]) -> list[ToolCall]:
    """Return the tool calls of a message; none where any of them is not one."""
    listed = message.get("tool_calls")
    single = message.get("function_call")
    entries = listed if isinstance(listed, list) else [{"function": single}] if single else []
    calls = [_tool_call(entry) for entry in entries]
    return [call for call in calls if call is not None] if all(calls) else []


def _tool_call(entry: Any) -> ToolCall | None:
    called = entry.get("function") if isinstance(entry, Mapping) else None
    if not isinstance(called, Mapping) or not isinstance(called.get("name"), str):
        return None
    return written_call(called["name"], called.get("arguments"), entry.get("id"))


def _is_part(part: Any) -> bool:
    return isinstance(part, Mapping) and isinstance(part.get("type"), str)


def _part_text(part: Mapping[str, Any]) -> str:
    text = part.get("text", part.get("value"))
    return text if isinstance(text, str) and part["type"] in ("text", "file") else f"[{part['type']}]"
