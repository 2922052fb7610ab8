"""From the calls in a spool to sessions, which grow as their conversations go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.formats.messages import contents_of
from turnwise.conversations.relay.call_spool import CallSpool
from turnwise.conversations.relay.relayed_call import PROXY, Fields, RelayedCall
from turnwise.conversations.relay.said_messages import (
    reply_messages,
    request_messages,
    said_messages,
    system_of,
)
from turnwise.conversations.relay.stitching import Extension, extended
from turnwise.conversations.store import Store

if TYPE_CHECKING:
    from turnwise.conversations.cases import ConversationalTestCase
    from turnwise.conversations.turns import Turn

_TOLD = ("system", "developer")
_OF_A_FAILURE = ("failure", "status")
_MOST_BEFORE = 1000
"""So many calls that point at each other are read for the beginning of a conversation."""


@dataclass(frozen=True, slots=True)
class TakenCall:
    """What became of a call. how: new, grown or forked. session: the one that it is part of.

    failure: why the call has no whole reply; empty where it has one.
    """

    session: int
    how: str
    turns: int
    failure: str


class TakenCalls:
    """Makes sessions of the calls in a spool."""

    def __init__(self, store: Store, spool: CallSpool) -> None:
        self._store = store
        self._spool = spool

    def take_in(self, *, stopping: Callable[[], bool] = lambda: False) -> Iterator[TakenCall]:
        """Take in the calls that are in no session yet, and yield what became of each. Raises StoreError."""
        self._spool.write_waiting()
        while due := self._spool.due():
            for call_id, call in due:
                if stopping():
                    return
                yield self._take(call_id, call)

    def _take(self, call_id: int, call: RelayedCall) -> TakenCall:
        said = said_messages(call, [])
        extension = extended(call, said, self._spool)
        before: list[Any] = []
        if call.interface == "responses" and call.request.get("previous_response_id") and extension:
            before = self._messages_to(extension.before.id)
            said = said_messages(call, before)
        elif extension is not None and extension.is_cut:
            before = self._messages_to(extension.before.id)
            said = said_messages(call, _beyond(before, call))
        case = _case_of(call, before, call_id)
        how, session = self._keep(call, case, extension)
        self._spool.taken_in(
            call_id,
            session=session,
            after=said.after,
            told=said.told,
            parent=extension.before.id if extension else None,
        )
        return TakenCall(session, how, len(case.turns), call.failure)

    def _keep(
        self, call: RelayedCall, case: ConversationalTestCase, extension: Extension | None
    ) -> tuple[str, int]:
        """Keep a conversation as it is now; return how, and its session."""
        if extension is not None:
            session = extension.before.session
            earlier = self._earlier(session)
            if earlier is None:
                # A person deleted it meanwhile: what goes on is a conversation by itself.
                return "new", self._add(case, call)
            turns, stayed = _continued(earlier, case)
            known = {
                name: item for name, item in (earlier.metadata or {}).items() if name not in _OF_A_FAILURE
            }
            now = case.metadata or {}
            if not extension.is_fork:
                metadata = {**known, **now, "call": known.get("call", now["call"])}
                whole = case.model_copy(update={"turns": turns, "metadata": metadata})
                self._store.growing.grow(session, whole)
                return "grown", session
            # The same words once more are another reply, not the earlier one.
            stayed = min(stayed, len(turns) - (turns[-1].role == "assistant"))
            origin = {"forked_from": session, "forked_before_turn": stayed + 1}
            whole = case.model_copy(update={"turns": turns, "metadata": {**now, **origin}})
            return "forked", self._add(whole, call)
        return "new", self._add(case, call)

    def _earlier(self, session: int) -> ConversationalTestCase | None:
        from turnwise.conversations.cases import ConversationalTestCase

        try:
            case = self._store.sessions.case(session)
        except NotFoundError:
            return None
        return case if isinstance(case, ConversationalTestCase) else None

    def _add(self, case: ConversationalTestCase, call: RelayedCall) -> int:
        added = self._store.sessions.add(case, source=call.names.source, format=PROXY, created_at=call.came)
        return added.session_id

    def _messages_to(self, call_id: int) -> list[Any]:
        """Return all messages of a conversation up to a call's reply, where its requests only point back."""
        calls: list[RelayedCall] = []
        at: int | None = call_id
        while at is not None and len(calls) < _MOST_BEFORE and (call := self._spool.call(at)) is not None:
            calls.append(call)
            if not (call.interface == "responses" and call.request.get("previous_response_id")):
                break
            at = self._spool.parent_of(at)
        return [
            message
            for call in reversed(calls)
            for message in (*request_messages(call), *reply_messages(call))
        ]


def _beyond(before: list[Any], call: RelayedCall) -> list[Any]:
    """Return what a conversation held that its program no longer sends."""
    sent = request_messages(call)
    first = sent[0] if sent else None
    return before[: before.index(first)] if first in before else before


def _case_of(call: RelayedCall, before: list[Any], call_id: int) -> ConversationalTestCase:
    messages = [*before, *request_messages(call)]
    system = system_of(call)
    beside: Fields = {"system": system} if system else {}
    if call.reply is not None and reply_messages(call):
        beside["response"] = call.reply
    case = cast("ConversationalTestCase", contents_of(messages, "messages", beside).case)
    last = case.turns[-1]
    if last.role == "assistant" and call.reply is not None:
        timed = {"latency_ms": round(call.seconds * 1000, 1), "interrupted": True if call.failure else None}
        case.turns[-1] = last.model_copy(update=timed)
    stated = {
        "call": call_id,
        **({"user": call.names.user} if call.names.user else {}),
        **({"conversation": call.names.session} if call.names.session else {}),
        **({"failure": call.failure, "status": call.status} if call.failure else {}),
        **({"tools": tools} if (tools := call.request.get("tools")) else {}),
        **call.names.metadata,
    }
    named = {
        "name": call.names.session or call.names.title or case.name,
        "chatbot_role": call.names.role or case.chatbot_role,
    }
    return case.model_copy(update={"metadata": stated, **named})


def _continued(earlier: ConversationalTestCase, now: ConversationalTestCase) -> tuple[list[Turn], int]:
    """Return the turns of a conversation as it is now, with what is known of its earlier ones, and how many
    of these stayed.

    What a program sends back of a reply holds no times and no tokens. A system prompt that is another by now
    stands where it changed.
    """
    first = 0
    while first < len(now.turns) and now.turns[first].role in _TOLD:
        first += 1
    told, rest = now.turns[:first], now.turns[first:]
    turns: list[Turn] = []
    place = 0
    for old in earlier.turns:
        if place < len(rest) and _says_the_same(old, rest[place]):
            turns.append(_richer(old, rest[place]))
            place += 1
        elif old.role in _TOLD:
            turns.append(old)
        else:
            break
    changed = told if [one.content for one in told] != _told_last(turns) else []
    return [*turns, *changed, *rest[place:]], len(turns)


def _told_last(turns: list[Turn]) -> list[str]:
    """Return the system prompts that stand last."""
    last: list[str] = []
    before = ""
    for turn in turns:
        if turn.role in _TOLD:
            last = [*last, turn.content] if before in _TOLD else [turn.content]
        before = turn.role
    return last


def _says_the_same(one: Turn, other: Turn) -> bool:
    return (one.role, one.content.strip(), _calls(one)) == (other.role, other.content.strip(), _calls(other))


def _calls(turn: Turn) -> list[Any]:
    return [(call.name, call.input_parameters) for call in turn.tools_called or ()]


def _richer(old: Turn, new: Turn) -> Turn:
    """Return an earlier turn with the outputs of its calls that came since."""
    return old.model_copy(update={"tools_called": new.tools_called}) if new.tools_called else old
