"""Where a record holds its request and its reply, and what of it is said in no turn.

Logs of requests, rows of data sets and answers of interfaces hold one call of a model in many shapes. What is
found here is a path, the keys that lead to it, and the messages there, still in the words of their interface.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from turnwise.conversations.formats.messages.dialects import Fields, is_any_message

Path = tuple[str | int, ...]

REPLIES = tuple(
    word
    for words in (
        "response response_body responseBody responses output outputs completion completions reply",
        "choices candidates generations generation generated_text result message assistant bot",
        "prediction predictions model_output model_response assistant_response assistant_message",
        "bot_response bot_message actual_output actualOutput answer",
    )
    for word in words.split()
)
"""Keys that a reply stands under, beside what was asked."""
_NO_TEXT = frozenset(("result", "message"))
"""Keys whose text tells how a program went, more often than it is a reply."""
_WEAK = frozenset(("answer", "assistant", "bot"))
"""Keys that may as well hold what was hoped for, or a name: read where nothing else answers."""
_WITHIN = tuple(
    word
    for words in (
        "choices candidates generations messages output outputs message content parts response body",
        "result completion answer reply text generated_text output_text",
    )
    for word in words.split()
)
"""Keys that lead on to the words of a reply, in the order in which they are looked at."""
SYSTEM = tuple(
    word
    for words in (
        "system instructions system_prompt systemPrompt system_message systemMessage systemInstruction",
        "system_instruction system_instructions preamble",
    )
    for word in words.split()
)
BODIES = tuple(
    word
    for words in (
        "request request_body requestBody body params kwargs inputs input prompt data values state",
    )
    for word in words.split()
)
_LISTS = tuple(
    word
    for words in ("messages input inputs contents prompt user_input items conversation",)
    for word in words.split()
)
_ASKED = tuple(
    word
    for words in (
        "instruction input prompt question query user_input user_message inputs human user message",
        "request",
    )
    for word in words.split()
)
CANDIDATES = frozenset(
    ["chosen", "rejected", "preferred_output", "non_preferred_output", "conversation_a", "conversation_b"]
)
"""Keys of replies of which people chose one; none of them is the conversation's."""
_TEXT_KEYS = frozenset(("content", "text", "value", "parts", "refusal", "output_text", "generated_text"))
_INSIDE = _TEXT_KEYS | {"kwargs", "data", "message", "output", "summary"}
_ROLES = frozenset(("user", "assistant", "system", "developer", "tool", "function", "model", "human", "ai"))
_ABOUT = frozenset(
    word
    for words in (
        "id object model type role status status_code error code created usage finish_reason",
        "stop_reason url name headers provider metadata system_fingerprint service_tier trace_id",
        "request_id index logprobs",
    )
    for word in words.split()
)
"""Keys of an answer that tell how it came about."""
_REPLY_NAME = re.compile(
    r"^(text|content)$|(response|output|reply|completion|answer|generation)s?(_?text)?$", re.I
)
_HOPED_FOR = re.compile(r"expect|reference|ideal|gold|target|truth|correct|prefer|chosen|reject|schema", re.I)
_DEEPEST = 6
_MOST_LOOKED_AT = 100
_SHORTEST = 2


class Found(NamedTuple):
    """Messages, and the keys that lead to them in the record."""

    path: Path
    messages: list[Any]


def written(path: Path) -> str:
    """Write a path as places are written: response.choices[0]."""
    shown = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return shown.removeprefix(".")


def without(value: Any, path: Path) -> Any:
    """Return a value without what a path leads to, and without what nothing is left of then."""
    if not path:
        return None
    first, *others = path
    inner = without(value[first], tuple(others)) if others else None
    if isinstance(value, list):
        rest = [inner if place == first else item for place, item in enumerate(value)]
        return [item for place, item in enumerate(rest) if place != first or inner]
    rest_of = {name: item for name, item in value.items() if name != first or inner}
    return {**rest_of, first: inner} if inner else rest_of


def reply_in(record: Fields, *, answered: bool) -> Found | None:
    """Return the reply that stands in a record beside what was asked.

    answered: whether the messages end with a reply already, so that only what surely is one more counts.
    """
    for name in REPLIES:
        value = record.get(name)
        if not value or (isinstance(value, str) and (name in _NO_TEXT or (answered and name in _WEAK))):
            continue
        if name == "choices" and _are_options(value):
            continue
        if (found := _messages_in(value, 0)) is not None:
            return Found((name, *found.path), found.messages)
    return None


def _are_options(value: Any) -> bool:
    """Whether these are the answers that a question offers to choose from, of which none was given."""
    return isinstance(value, list) and len(value) > 1 and all(isinstance(item, str) for item in value)


def _messages_in(value: Any, depth: int) -> Found | None:
    """Return the first reply within a value; the others of several choices stay where they are."""
    if depth > _DEEPEST:
        return None
    if isinstance(value, str):
        return Found((), [{"role": "assistant", "content": value}]) if value.strip() else None
    if isinstance(value, list):
        return _in_list(value, depth)
    if not isinstance(value, dict):
        return None
    if is_any_message(value):
        return Found((), [value])
    for name in ("content", "parts"):
        if isinstance(value.get(name), list) and "role" not in value:
            return Found((), [{"role": "assistant", **value}])
    for name in _WITHIN:
        if value.get(name) and (found := _messages_in(value[name], depth + 1)) is not None:
            return Found((name, *found.path), found.messages)
    return None


def _in_list(items: list[Any], depth: int) -> Found | None:
    if items and all(isinstance(item, dict) for item in items):
        if any(is_any_message(item) and not isinstance(item.get("message"), dict) for item in items):
            return Found((), items)
        if is_any_message(items[0]):
            return Found((0,), [items[0]])
    found = _messages_in(items[0], depth + 1) if items else None
    return None if found is None else Found((0, *found.path), found.messages)


def request_in(record: Fields) -> Found | None:
    """Return what was asked in a record: a list of messages, or a text as the message of a user."""
    holders = list(_holders(record, (), 0))
    for path, holder in holders:
        for name in _LISTS:
            items = holder.get(name)
            if isinstance(items, list) and items and isinstance(items[0], list):
                path, items = (*path, name), items[0]
                if any(map(is_any_message, items)):
                    return Found((*path, 0), items)
            elif isinstance(items, list) and any(map(is_any_message, items)):
                return Found((*path, name), items)
    for path, holder in holders:
        for name in _ASKED:
            text = holder.get(name)
            if isinstance(text, str) and text.strip():
                return Found((*path, name), [{"role": "user", "content": text}])
    return None


def _holders(record: Fields, path: Path, depth: int) -> Iterator[tuple[Path, Fields]]:
    yield path, record
    for name in BODIES if depth < 2 else ():
        if isinstance(inner := record.get(name), dict):
            yield from _holders(inner, (*path, name), depth + 1)


def system_in(record: Fields, path: Path) -> Found | None:
    """Return what a record says to the chatbot beforehand: beside the messages, or where the reply stands.

    path: of the request.
    """
    holders: list[tuple[Path, Any]] = [((), record)]
    inner: Any = record
    for place, name in enumerate(path[:-1]):
        inner = inner.get(name) if isinstance(inner, dict) else None
        holders.append((path[: place + 1], inner))
    holders += [((name,), record.get(name)) for name in ("response", "output", "response_body")]
    for where, holder in holders:
        for name in SYSTEM if isinstance(holder, dict) else ():
            given = holder.get(name)
            if isinstance(given, dict):
                given = given.get("parts", given)
            if isinstance(given, list) and all(isinstance(item, str | dict) for item in given) and given:
                return Found((*where, name), [{"role": "system", "parts": given}])
            if isinstance(given, str) and given.strip():
                return Found((*where, name), [{"role": "system", "content": given}])
    return None


class Unsaid(NamedTuple):
    """A text of a record that is in no turn. is_reply: whether it may be what should have been judged."""

    path: Path
    is_reply: bool


def unsaid(rest: Fields, said: Callable[[], str], read: str | int | None) -> Iterator[Unsaid]:
    """Yield where a record holds, beside its messages, texts of messages and replies that are in no turn.

    rest: the record without its messages. said: gives all that the turns say. read: the key of the reply.
    """
    stated = rest.get("metadata")
    within = stated.items() if isinstance(stated, dict) else ()
    inside = [(("metadata", name), name, item) for name, item in within]
    for path, name, item in [*(((name,), name, item) for name, item in rest.items()), *inside]:
        found: list[tuple[Path, str]]
        counts = is_reply_name(name) and not (name in _NO_TEXT and isinstance(item, str))
        if isinstance(item, str):
            is_asked = name in SYSTEM or (name in _ASKED and " " in item.strip())
            found = [((), item)] if counts or is_asked else []
            counts = counts and not (name in _WEAK and " " not in item.strip())
        elif counts and name == read:
            found = list(_texts(item, (), 0, anywhere=True))
        elif counts:
            found = list(_leaves(item, (), 0))
        else:
            found = list(_texts(item, (), 0, anywhere=False)) if name != "metadata" else []
            counts = name not in CANDIDATES
        for where, text in found:
            if len(text.strip()) >= _SHORTEST and text.strip() not in said():
                yield Unsaid((*path, *where), counts)
                break


def is_reply_name(name: str) -> bool:
    """Whether a key bears a reply, also one that is not read."""
    return name in REPLIES or (bool(_REPLY_NAME.search(name)) and not _HOPED_FOR.search(name))


def _leaves(value: Any, path: Path, depth: int) -> Iterator[tuple[Path, str]]:
    """Yield every text within a value but those that say how it came about."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict | list) and depth <= _DEEPEST:
        inner = value.items() if isinstance(value, dict) else enumerate(value[:_MOST_LOOKED_AT])
        for name, item in inner:
            if name not in _ABOUT:
                yield from _leaves(item, (*path, name), depth + 1)


def _texts(value: Any, path: Path, depth: int, *, anywhere: bool) -> Iterator[tuple[Path, str]]:
    """Yield the texts of messages within a value. anywhere: texts under keys for texts, whoever says them."""
    if depth > _DEEPEST or not isinstance(value, dict | list):
        return
    if isinstance(value, list):
        for place, item in enumerate(value[:_MOST_LOOKED_AT]):
            if isinstance(item, str) and anywhere:
                yield (*path, place), item
            else:
                yield from _texts(item, (*path, place), depth + 1, anywhere=anywhere)
        return
    speaks = anywhere or _speaks(value) or is_any_message(value)
    for name, item in value.items():
        if isinstance(item, str):
            if speaks and (name in _TEXT_KEYS or (anywhere and name in REPLIES and name not in _NO_TEXT)):
                yield (*path, name), item
        else:
            inner = speaks and name in _INSIDE
            yield from _texts(item, (*path, name), depth + 1, anywhere=anywhere or inner)


def _speaks(value: Fields) -> bool:
    role = value.get("role", value.get("from"))
    return isinstance(role, str) and role.lower() in _ROLES
