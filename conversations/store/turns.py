"""Turns as they are stored: read for display, and appended one by one while a conversation is recorded."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from turnwise.conversations.store.database import Database
from turnwise.conversations.store.facts.about import cost_words
from turnwise.conversations.store.keeping.damage import SESSION_FAULTS, is_damage
from turnwise.conversations.store.keeping.given_numbers import last_number
from turnwise.conversations.store.rows import REPLY, ToolCallRow, TurnRow
from turnwise.conversations.texts import mend_text

if TYPE_CHECKING:
    from turnwise.conversations.turns import Turn

DAMAGED = "damaged: not all of it can be read"
"""The remark of a message that is not as it was stored."""
_AT_ONCE = 500
_FIRST_SPOKEN = (
    "(SELECT first.position FROM turns AS first "
    "WHERE first.session_id = turns.session_id AND first.number = 1)"
)
_MOST_PROMPTS = 4
"""Messages among which the prompts of a session stand in which nobody speaks."""
_TURNS = (
    "SELECT position, number, role, content, data, at FROM turns "
    "WHERE session_id = ? ORDER BY position LIMIT ?"
)
_ENDS = {"length": "ended at the most that it may write", "content_filter": "stopped by a content filter"}


class TurnTable:
    """The turns of all sessions of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, session_id: int, limit: int = -1) -> list[TurnRow]:
        """Return a session's messages in order, the first `limit` of them; all if negative.

        Of a message that is damaged what can be read is there, and its remark says so.
        """
        try:
            return [_turn_row(row) for row in self._database.connection.execute(_TURNS, [session_id, limit])]
        except SESSION_FAULTS as error:
            if isinstance(error, sqlite3.DatabaseError) and not is_damage(error):
                raise
            self._database.damaged(error)
            return self._readable(session_id, limit)

    def _readable(self, session_id: int, limit: int) -> list[TurnRow]:
        """Return what can be read of a session's messages."""
        found: list[TurnRow] = []
        with self._database.mending() as connection:
            try:
                for row in connection.execute(_TURNS, [session_id, limit]):
                    found.append(_mended_row(row))
            except sqlite3.DatabaseError:
                place = found[-1].position + 1 if found else 0
                rest = "What was said from here on cannot be read: the database is damaged."
                found.append(TurnRow(place, None, "system", rest, remark=DAMAGED))
        return found

    def lengths(self, session_ids: Sequence[int]) -> tuple[int, int]:
        """Return how many characters were said in some sessions, and in how many turns."""
        characters = turns = 0
        for start in range(0, len(session_ids), _AT_ONCE):
            part = session_ids[start : start + _AT_ONCE]
            row = self._database.connection.execute(
                "SELECT coalesce(sum(length(content)), 0), count(*) FROM turns "  # noqa: S608
                f"WHERE number IS NOT NULL AND session_id IN ({', '.join('?' * len(part))})",
                part,
            ).fetchone()
            characters, turns = characters + row[0], turns + row[1]
        return characters, turns

    def prompts(self, session_ids: Sequence[int]) -> dict[int, list[str]]:
        """Return the system prompts that sessions begin with, by session; those without any are left out."""
        found: dict[int, list[str]] = {}
        for start in range(0, len(session_ids), _AT_ONCE):
            part = session_ids[start : start + _AT_ONCE]
            for session, content in self._database.connection.execute(
                "SELECT session_id, content FROM turns "  # noqa: S608
                f"WHERE session_id IN ({', '.join('?' * len(part))}) AND role IN ('system', 'developer') "
                f"AND position < coalesce({_FIRST_SPOKEN}, {_MOST_PROMPTS}) ORDER BY session_id, position",
                part,
            ):
                found.setdefault(session, []).append(content)
        return found

    def append(self, session_id: int, turn: Turn, *, at: float | None) -> TurnRow:
        """Add a turn at the end of a session and have it on the disk before this returns.

        at: seconds from the start of the session to the end of this turn.
        """
        data = _data_of(turn)
        with self._database.writing(durable=True) as connection:
            position, spoken = connection.execute(
                "SELECT coalesce(max(position) + 1, 0), coalesce(max(number), 0) FROM turns "
                "WHERE session_id = ?",
                [session_id],
            ).fetchone()
            number = spoken + 1 if turn.is_spoken else None
            connection.execute(
                "INSERT INTO turns (id, session_id, position, number, role, content, data, at) "  # noqa: S608
                f"VALUES ({last_number('turns')} + 1, ?, ?, ?, ?, ?, ?, ?)",
                [session_id, position, number, turn.role, turn.content, json.dumps(data), at],
            )
            row = connection.execute(
                "SELECT position, number, role, content, data, at FROM turns "
                "WHERE session_id = ? AND position = ?",
                [session_id, position],
            ).fetchone()
        return _turn_row(row)


def turn_row(position: int, number: int | None, turn: Turn, *, at: float | None) -> TurnRow:
    """Return a turn as it is read back once it is stored."""
    return _row(position, number, turn.role, turn.content, _data_of(turn), at)


def _data_of(turn: Turn) -> dict[str, Any]:
    return turn.model_dump(mode="json", exclude_defaults=True, exclude={"role", "content"})


def _turn_row(row: sqlite3.Row) -> TurnRow:
    # Most turns carry nothing but their words, and parsing is what costs in a transcript of 10,000.
    data: dict[str, Any] = json.loads(row["data"]) if row["data"] != "{}" else {}
    return _row(row["position"], row["number"], row["role"], row["content"], data, row["at"])


def _mended_row(row: sqlite3.Row) -> TurnRow:
    """Return what can be read of a turn that may be damaged."""
    content = mend_text(row["content"]) if isinstance(row["content"], str) else ""
    whole = content == row["content"]
    try:
        found = _row(row["position"], row["number"], row["role"], content, json.loads(row["data"]), row["at"])
    except (ValueError, KeyError, TypeError, AttributeError):
        found, whole = TurnRow(row["position"], row["number"], str(row["role"]), content), False
    return found if whole else replace(found, remark="; ".join(filter(None, (DAMAGED, found.remark))))


def _row(
    position: int, number: int | None, role: str, content: str, data: Mapping[str, Any], at: float | None
) -> TurnRow:
    metadata = data.get("metadata") or {}
    reply = metadata.get(REPLY) if role == "assistant" else None
    return TurnRow(
        position=position,
        number=number,
        role=role,
        content=content,
        name=data.get("name"),
        tool_call_id=data.get("tool_call_id"),
        passages=tuple(
            passage if isinstance(passage, str) else passage["context"]
            for passage in data.get("retrieval_context") or ()
        ),
        tools_called=tuple(_tool_call_row(call) for call in data.get("tools_called") or ()),
        at=at,
        interrupted=bool(data.get("interrupted")),
        remark=reply_remark(reply) if isinstance(reply, dict) else "",
        reasoning=tuple(text for text in _listed(metadata, "reasoning") if isinstance(text, str)),
        files=tuple(file_words(file) for file in _listed(metadata, "files") if isinstance(file, dict)),
        told=told_words(metadata) if metadata else "",
    )


def _listed(metadata: Mapping[str, Any], name: str) -> list[Any]:
    given = metadata.get(name)
    return given if isinstance(given, list) else []


def file_words(file: Mapping[str, Any]) -> str:
    """Return a file that came with a message in words: "terms.pdf (application/pdf)"."""
    texts = (file.get(name) for name in ("name", "url", "id"))
    name = next((text for text in texts if isinstance(text, str) and text), "")
    media = file.get("media_type")
    kind = media if isinstance(media, str) else ""
    return f"{name} ({kind})" if name and kind else name or kind or "a file"


def told_words(metadata: Mapping[str, Any]) -> str:
    """Return what a message states of its model, tokens and cost: "m-1 · 36 tokens in, 87 out · $0.0020"."""
    model, cost = metadata.get("model"), metadata.get("cost")
    read, wrote = metadata.get("input_tokens"), metadata.get("output_tokens")
    counts = [f"{read:,} tokens in"] if _is_count(read) else []
    counts += [f"{wrote:,} out" if counts else f"{wrote:,} tokens out"] if _is_count(wrote) else []
    parts = [model] if isinstance(model, str) else []
    parts += [", ".join(counts)] if counts else []
    parts += [cost_words(cost)] if isinstance(cost, int | float) and not isinstance(cost, bool) else []
    return " · ".join(parts)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def reply_remark(account: Mapping[str, Any]) -> str:
    """Return what went wrong with a recorded reply, in words for people; empty where nothing is told.

    account: error, in words; finish_reason, why the server ended it; unread_pieces, a count.
    """
    reason, unread = account.get("finish_reason"), account.get("unread_pieces")
    parts = [str(account.get("error") or "")]
    if reason:
        parts.append(_ENDS.get(str(reason), f"ended early: {reason}"))
    if unread:
        parts.append(f"{unread} {'piece' if unread == 1 else 'pieces'} could not be read")
    return "; ".join(part for part in parts if part)


def _tool_call_row(call: dict[str, Any]) -> ToolCallRow:
    arguments = call.get("input_parameters")
    output = call.get("output")
    return ToolCallRow(
        name=call["name"],
        arguments=call.get("raw_arguments") or _as_text({} if arguments is None else arguments),
        output=None if output is None else output if isinstance(output, str) else _as_text(output),
        seconds=call.get("seconds"),
    )


def _as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
