"""The prompts of a file of AgentV 5: texts, chats, and files that hold one."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import SCHEME, kind_of, problem, without_place
from turnwise.conversations.formats.agentv.written_cases import EvalFileReading

_CODE = ("function_file", "function", "command")
_OF_OBJECTS = frozenset(("id", "label", "file", "messages", "prompt", "raw", "role", "content", *_CODE))
_ODD = re.compile(r"[^A-Za-z0-9_.-]+")
_LONGEST = 48


@dataclass(frozen=True, slots=True)
class NewestPrompt:
    """A prompt. input: a text or messages, with templates. problem: why it cannot be had."""

    name: str = ""
    label: str = ""
    input: Any = None
    problem: str = ""

    @property
    def short(self) -> str:
        """Its name as AgentV puts it into the ids of cases."""
        return _ODD.sub("-", self.name.strip()).strip("-")[:_LONGEST]


NO_PROMPT = NewestPrompt()
"""Stands for the prompt of a file that lists none, so that each case brings its input."""


def newest_prompts(written: Any, reading: EvalFileReading, place: str) -> list[NewestPrompt]:
    """Return the prompts that a file lists; NO_PROMPT alone where it lists none.

    Raises FormatError for one that AgentV 5 does not read.
    """
    if written is None:
        return [NO_PROMPT]
    entries = written if isinstance(written, list) and not is_chat(written) else [written]
    if not entries:
        raise problem(place, "expected a prompt; got an empty list", "Write one.")
    return [_prompt(entry, reading, f"{place}[{number}]") for number, entry in enumerate(entries)]


def _prompt(entry: Any, reading: EvalFileReading, place: str) -> NewestPrompt:
    if isinstance(entry, str):
        if entry.startswith(SCHEME):
            return _of_file(entry, "", "", reading, place)
        return NewestPrompt(f"prompt-{_mark(entry)}", entry, entry)
    if isinstance(entry, list) and is_chat(entry):
        return NewestPrompt(f"chat-{_mark(entry)}", "chat", entry)
    if not isinstance(entry, dict):
        raise problem(place, f"expected a text, messages or an object; got {kind_of(entry)}", "")
    if odd := [key for key in entry if key not in _OF_OBJECTS]:
        reading.warn(place, f"not followed: {', '.join(map(str, odd))}")
    name, label = _text(entry, "id"), _text(entry, "label")
    for key in _CODE:
        if entry.get(key) is not None:
            shown = name or label or key
            told = f"{place}: {key}: a prompt that code writes is not read; write it as text"
            return NewestPrompt(shown, label or shown, f"({key})", told)
    if isinstance(entry.get("file"), str) and entry["file"]:
        return _of_file(entry["file"], name, label, reading, place)
    for key in ("messages", "prompt", "raw"):
        value = entry.get(key)
        if value is None:
            continue
        if not (isinstance(value, str) and key != "messages") and not (key != "raw" and is_chat(value)):
            wanted = "messages" if key == "messages" else "a text" if key == "raw" else "a text or messages"
            raise problem(f"{place}, {key}", f"expected {wanted}; got {kind_of(value)}", "")
        kind = "chat" if isinstance(value, list) else "string"
        name = name or f"{kind}-{_mark(value)}"
        return NewestPrompt(name, label or name, value)
    if is_chat([entry]):
        message = {"role": entry["role"], "content": entry["content"]}
        name = name or f"chat-{_mark(message)}"
        return NewestPrompt(name, label or name, [message])
    raise problem(place, "expected prompt, messages, raw or file; got none", "Give it one of them.")


def _of_file(written: str, name: str, label: str, reading: EvalFileReading, place: str) -> NewestPrompt:
    bare = written.removeprefix(SCHEME)
    found = reading.files.find(bare)
    name = name or found.shown
    lacks = NewestPrompt(
        name, label or name, f"({bare})", f"{place}: the file {bare} cannot be read: {found.reason}"
    )
    if found.path is None:
        return lacks
    try:
        text = reading.files.texts.text(found.path, place)
    except FormatError as error:
        told = f"{place}: the file {bare} cannot be read: {without_place(error)}"
        return NewestPrompt(name, label or name, f"({bare})", told)
    return NewestPrompt(name, label or name, text)


def is_chat(value: Any) -> bool:
    """Whether a value lists messages."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(one, dict) and isinstance(one.get("role"), str) and "content" in one for one in value
        )
    )


def _text(entry: dict[str, Any], key: str) -> str:
    value = entry.get(key)
    return value.strip() if isinstance(value, str) else ""


def _mark(value: Any) -> str:
    # As AgentV writes JSON, so that a case has the id that it has there.
    told = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:12]
