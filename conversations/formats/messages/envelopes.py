"""From a record's messages and what stands beside them to a conversation that ends with its reply.

What of a record is in no turn is accounted for: a text that may be the reply to judge makes the record
rejected, with its key, and any other is remarked on. Nothing that was said stays unread in silence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.formats.fields import check_spelling, merged_metadata
from turnwise.conversations.formats.format import Contents
from turnwise.conversations.formats.messages.chat_messages import turns_of
from turnwise.conversations.formats.messages.dialects import BARE, Fields, chat_forms
from turnwise.conversations.formats.messages.names import name_of
from turnwise.conversations.formats.messages.replies import (
    REPLIES,
    Path,
    reply_in,
    system_in,
    unsaid,
    without,
    written,
)
from turnwise.conversations.formats.messages.turn_details import details_of, duration_of

_BEFORE = ("system", "developer")
_MOST_NAMED = 3
_REPLIES = frozenset(REPLIES)


def contents_of(messages: list[Any], place: str, rest: Fields, *, path: Path = ()) -> Contents:
    """Return the conversation of messages and the reply beside them, with remarks on what is in no turn.

    place: the messages' name. rest: the record without them; what of it is not read becomes metadata.
    path: the keys that led to them. Raises ValueError that names the field, what was expected and given.
    """
    name = name_of(rest)
    first: list[Any] = []
    is_told = any(isinstance(message, dict) and message.get("role") in _BEFORE for message in messages)
    if not is_told and (system := system_in(rest, path)) is not None:
        first, rest = system.messages, without(rest, system.path)
    replied: list[Any] = []
    reply = reply_in(rest, answered=_is_answered(messages))
    whole = rest
    if reply is not None:
        replied = _beyond(reply.messages, messages)
        rest = without(rest, reply.path)
    shown = written(reply.path) if reply else place
    turns = turns_of(messages, place, (replied, shown), told=(first, "system"))
    answered = reply.path if reply is not None else (place,) if place in _REPLIES and not path else None
    if answered is not None and turns:
        turns[-1] = with_answer(turns[-1], {place: messages, **whole}, answered)
    check_speakers(turns, place)
    remarks = account(rest, turns, read=reply.path[0] if reply else None)
    return Contents(ConversationalTestCase(turns=turns, name=name, metadata=_metadata(rest)), remarks=remarks)


def with_answer(turn: Fields, record: Fields, path: Path) -> Fields:
    """Return the last turn with what the answer that held it states: its model, tokens, cost, time and end.

    path: the keys that lead from the record to the reply.
    """
    if turn["role"] != "assistant":
        return turn
    stated: Fields = {}
    took: float | None = None
    holder: Any = record
    for place, key in enumerate(path):
        if isinstance(holder, dict):
            details = details_of(holder)
            if not place and "object" not in holder and "done" not in holder:
                # A record is written when it likes; the answer of an interface says when that was.
                details.pop("time", None)
            stated |= details
            took = duration_of(holder) or took
        holder = holder[key]
    metadata = {**stated, **turn.get("metadata", {})}
    timed = {"latency_ms": took} if took is not None and "latency_ms" not in turn else {}
    return {**turn, **timed, "metadata": metadata} if metadata else {**turn, **timed}


def _metadata(rest: Fields) -> Fields | None:
    stated = rest.get("metadata")
    if isinstance(stated, dict):
        others = {name: item for name, item in rest.items() if name != "metadata"}
        return merged_metadata(others, stated)
    return rest or None


def _is_answered(messages: Sequence[Any]) -> bool:
    last = messages[-1] if messages else None
    return isinstance(last, dict) and last.get("role") in ("assistant", "model", "ai") and bool(last)


def _beyond(reply: list[Any], messages: list[Any]) -> list[Any]:
    """Return a reply without the messages that it answers, which states of agents hold once more."""
    heads = [_head(message) for message in messages]
    if heads and len(reply) >= len(heads) and [_head(message) for message in reply[: len(heads)]] == heads:
        return reply[len(heads) :]
    return [] if len(reply) == 1 and heads and _head(reply[0]) == heads[-1] else reply


def _head(message: Any) -> Any:
    """Return what a message says in chat words, without what stands beside it."""
    forms = [message] if (read := chat_forms(message)) is None else read
    keys = ("type", "role", "content", "tool_calls", "tool_call_id")
    return [[form.get(key) for key in keys] if isinstance(form, dict) else form for form in forms]


def check_speakers(turns: Sequence[Fields], place: str) -> None:
    """Raise ValueError where neither a user nor an assistant has a turn."""
    if not any(turn["role"] in ("user", "assistant") for turn in turns):
        roles = ", ".join(sorted({turn["role"] for turn in turns}))
        raise ValueError(f"{place}: expected a message of a user or an assistant; got only {roles} messages")


def account(rest: Fields, turns: Sequence[Fields], *, read: str | int | None = None) -> tuple[str, ...]:
    """Return remarks on the texts of a record that are in no turn.

    rest: the record without what became turns. read: the key whose reply was read. Raises ValueError where
    one of them may be the reply to judge, or where a turn is empty that has words.
    """
    check_words(turns)
    joined: list[str] = []

    def said() -> str:
        if not joined:
            joined.append(_said(turns))
        return joined[0]

    found = list(unsaid(rest, said, read)) if rest else []
    if not rest or turns[-1]["role"] == "assistant":
        pass
    elif lost := [one.path for one in found if one.is_reply]:
        raise ValueError(
            f"{written(lost[0])}: holds what may be the reply, and the conversation ends without one; "
            "expected it as the last message, or as a text or message under response, output or completion"
        )
    else:
        check_spelling({name: item for name, item in rest.items() if _may_speak(item)}, _REPLIES, _REPLIES)
    return tuple(
        f"{written(one.path)}: in no turn, so it is kept as metadata alone" for one in found[:_MOST_NAMED]
    )


def _may_speak(item: Any) -> bool:
    return bool(item) and isinstance(item, str | dict | list)


def check_words(turns: Sequence[Fields]) -> None:
    """Raise ValueError where words or calls of a message are in a block that was not read."""
    for number, turn in enumerate(turns):
        parts = (turn.get("metadata") or {}).get("parts")
        for part in parts if isinstance(parts, list) else ():
            if isinstance(part, dict) and _is_unread(part, turn["content"]):
                raise ValueError(
                    f"turn {number + 1}: expected blocks of text in a known shape; got a block with "
                    f"{', '.join(map(str, part))}, whose words would be lost"
                )


def _is_unread(part: Fields, content: str) -> bool:
    kind = part.get("type", part.get("part_kind"))
    if part.get("thought") or (kind is not None and "text" not in str(kind)):
        return False
    text = part.get("text")
    return (
        (isinstance(text, str) and text.strip() not in content)
        or any(isinstance(part.get(key), dict) for key in BARE)
        # A block of no kind, in a turn that would else be empty, whose words stand under a key of its own.
        or (kind is None and not content.strip() and any(map(_has_words, part.values())))
    )


def _has_words(value: Any) -> bool:
    return isinstance(value, str) and len(value.split()) > 1


def _said(turns: Sequence[Fields]) -> str:
    said: list[str] = []
    for turn in turns:
        said.append(turn["content"])
        for call in turn.get("tools_called", ()):
            said += [text for key in ("raw_arguments", "output") if isinstance(text := call.get(key), str)]
        held = turn.get("metadata") or {}
        said += [text for text in held.get("reasoning", ()) if isinstance(text, str)]
        parts = held.get("parts")
        for part in parts if isinstance(parts, list) else ():
            said += (
                [text for text in part.values() if isinstance(text, str)] if isinstance(part, dict) else []
            )
    return "\n".join(said)
