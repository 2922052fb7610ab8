"""What was said in a session, message by message, and what was found of it, as other tools want to have it.

There every tool call has an id, and every answer names the call that it answers. Calls without an id get one;
an output that is known from its call alone becomes a message of role tool.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from turnwise.conversations.exports.export import StoredSession
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.tools import ToolCall
from turnwise.conversations.turns import Turn, group_exchanges, moment_told, number_turns

MOST_REPEATED = 4_000_000
"""Characters of a session that may be written again with later calls."""
_AROUND_A_MESSAGE = 50
"""Characters that a message has around its words, about."""
SECONDS_OF_A_MESSAGE = 0.001
"""So far apart stand messages of which nobody noted the time."""


@dataclass(frozen=True, slots=True)
class SaidMessage:
    """One message. calls: the uses of tools that it asks for, each with its id. answers: the id of the call
    that it answers. number: of its turn, where it is spoken. at: seconds since 1970 at its end.
    """

    role: str
    text: str
    at: float
    name: str = ""
    calls: tuple[tuple[str, ToolCall], ...] = ()
    answers: str = ""
    number: int | None = None
    turn: Turn | None = None

    def told(self, key: str) -> Any:
        """Return what the metadata of its turn hold under a key; None where there is none."""
        return (self.turn.metadata or {}).get(key) if self.turn is not None else None


def said_in(session: StoredSession) -> list[SaidMessage]:
    """Return the messages of a session in their order."""
    turns = session.conversation.turns
    said = _Saying()
    at = session.row.created_at
    for place, (turn, number) in enumerate(zip(turns, number_turns(turns), strict=True)):
        at = max(_time_of(session, place, turn) or at + SECONDS_OF_A_MESSAGE, at)
        if turn.role == "tool":
            said.answer(turn, at)
        else:
            said.say(turn, number, at)
    return said.all()


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of the model. given: what went in. reply: what came out; None for what nobody answered.

    place: of the reply, or of the last message, in the session. began, ended: seconds since 1970. trace: the
    one that it belongs to: that of the session, or its own where what was said before is not given again.
    """

    given: Sequence[SaidMessage]
    reply: SaidMessage | None
    place: int
    began: float
    ended: float
    trace: str

    @property
    def span(self) -> str:
        """16 hex digits that name it, the same each time."""
        return span_id_of(self.trace, self.place)


def calls_in(messages: Sequence[SaidMessage], *, began: float, trace: str) -> Iterator[ModelCall]:
    """Yield the calls of the model by which a conversation came about, each with all that was said before.

    In a long conversation that would be many times its size: from MOST_REPEATED characters on, a call is
    given only what is new since the one before. trace: of the session.
    """
    repeated = new_from = 0
    asked = began
    for place, said in enumerate(messages):
        is_reply = said.role == "assistant"
        if not is_reply and place < len(messages) - 1:
            continue
        is_whole = repeated < MOST_REPEATED
        given = messages[0 if is_whole else new_from : place + (not is_reply)]
        repeated += sum(len(one.text) + _AROUND_A_MESSAGE for one in given)
        took = said.turn.latency_ms if said.turn is not None and is_reply else None
        start = asked if took is None else max(said.at - took / 1000, began)
        own = trace if is_whole else fingerprint([trace, place])
        yield ModelCall(given, said if is_reply else None, place, min(start, said.at), said.at, own)
        new_from, asked = place + 1, said.at


def began_of(session: StoredSession, messages: Sequence[SaidMessage]) -> float:
    """Return when a conversation began, as far as that is known."""
    return min([session.row.created_at, *(said.at for said in messages[:1])])


def chat_message(said: SaidMessage) -> dict[str, Any]:
    """Return a message in the shape of OpenAI's chat, which most tools read."""
    message: dict[str, Any] = {"role": said.role, "content": said.text}
    if said.name:
        message["name"] = said.name
    if said.role == "tool" and said.answers:
        message["tool_call_id"] = said.answers
    if said.calls:
        message["tool_calls"] = [
            {
                "id": known,
                "type": "function",
                "function": {"name": call.name, "arguments": _written(arguments_of(call))},
            }
            for known, call in said.calls
        ]
    return message


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


class _Saying:
    """The messages so far, and the tool calls among them that have no answer yet."""

    def __init__(self) -> None:
        self._messages: list[SaidMessage] = []
        self._open: list[tuple[str, ToolCall]] = []
        self._ids: set[str] = set()

    def say(self, turn: Turn, number: int | None, at: float) -> None:
        self._close()
        calls = tuple((new_call_id(call, self._ids), call) for call in turn.tools_called or ())
        self._open = list(calls)
        self._messages.append(
            SaidMessage(turn.role, turn.content, at, turn.name or "", calls, number=number, turn=turn)
        )

    def answer(self, turn: Turn, at: float) -> None:
        chosen = next((pair for pair in self._open if turn.tool_call_id in (pair[0], pair[1].id or "")), None)
        if chosen is None:
            # Many transcripts have names alone, or nothing but the order.
            chosen = next((pair for pair in self._open if turn.name in (None, pair[1].name)), None)
        if chosen is not None:
            self._open.remove(chosen)
        name = turn.name or (chosen[1].name if chosen else "")
        answers = chosen[0] if chosen else turn.tool_call_id or ""
        self._messages.append(SaidMessage("tool", turn.content, at, name, answers=answers, turn=turn))

    def all(self) -> list[SaidMessage]:
        self._close()
        return self._messages

    def _close(self) -> None:
        """Let what is known of a call's output alone be a message too."""
        for known, call in self._open:
            if call.output is not None:
                at = self._messages[-1].at
                text = _written(call.output)
                self._messages.append(SaidMessage("tool", text, at, call.name, answers=known))
        self._open = []


def new_call_id(call: ToolCall, used: set[str]) -> str:
    """Return the id of a call, or one that no other has, and note it as used."""
    name, count = call.id or "", len(used)
    while not name or name in used:
        count += 1
        name = f"call_{count}"
    used.add(name)
    return name


def _time_of(session: StoredSession, place: int, turn: Turn) -> float | None:
    if (told := moment_told(turn)) is not None:
        return told
    elapsed = session.turns[place].at if place < len(session.turns) else None
    return None if elapsed is None else session.row.created_at + elapsed


def arguments_of(call: ToolCall) -> Any:
    """Return what a tool was given: an object, or the text that was none."""
    return call.raw_arguments if call.raw_arguments is not None else call.input_parameters or {}


def time_text(seconds: float) -> str:
    """Write a moment with its zone, to the thousandth of a second."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class FoundHere:
    """A score, or what a person said. name: what was looked at. value: from 0 to 1, higher is better.

    author: the person, or the judge; empty for a check. turn: the number of the turn it is about; None for
    the whole.
    """

    name: str
    value: float
    passed: bool | None
    note: str
    author: str
    by_person: bool
    at: float
    turn: int | None = None


def found_in(session: StoredSession) -> Iterator[FoundHere]:
    """Yield what stands of a session's scores and labels; failures and labels put off say nothing of it."""
    replies = _replies(session.conversation.turns)
    for score in session.newest_scores:
        if score.outcome == "score" and score.score is not None:
            turn = replies.get(score.exchange) if score.exchange is not None else None
            yield FoundHere(
                score.metric,
                score.score,
                score.passed,
                score.reason,
                score.judge,
                False,
                score.created_at,
                turn,
            )
    for label in session.newest_labels:
        if label.label in ("pass", "fail"):
            passed = label.label == "pass"
            value = label.value if label.value is not None else float(passed)
            name = label.metric or "label"
            yield FoundHere(name, value, passed, label.note, label.author, True, label.created_at, label.turn)


def modes_in(session: StoredSession) -> dict[str, list[dict[str, Any]]]:
    """Return the failure modes of a session as metadata; nothing where it has none.

    They are said with the whole session: those other tools have no place for them.
    """
    told = [
        {
            "name": mode.name,
            "annotator": mode.author,
            **({"turn": mode.turn} if mode.turn else {}),
        }
        for mode in session.modes
    ]
    return {"failure_modes": told} if told else {}


def _replies(turns: Sequence[Turn]) -> dict[int, int]:
    """Return the number of the turn that ends each exchange."""
    numbers = number_turns(turns)
    found = {}
    for number, places in enumerate(group_exchanges(turns), start=1):
        spoken = [numbers[place] for place in places if turns[place].role == "assistant"]
        if spoken and spoken[-1] is not None:
            found[number] = spoken[-1]
    return found


def trace_id_of(session: StoredSession) -> str:
    """Return 32 hex digits that name a session, the same each time."""
    return fingerprint(["session", session.row.id, session.row.created_at])


def span_id_of(trace: str, place: object) -> str:
    """Return 16 hex digits that name a part of a session, the same each time."""
    return fingerprint([trace, place])[:16]


def source_id_of(session: StoredSession) -> str:
    """Return the id of a conversation: that of the tool that it came from, else one that stays here."""
    told = (session.conversation.metadata or {}).get("source_id")
    return told if isinstance(told, str) and told else f"turnwise-{session.row.id}"
