"""Which session a call is part of: the one that it extends, a fork of it, or a new one."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.conversations.relay.call_spool import CallSpool, KeptCall
from turnwise.conversations.relay.relayed_call import RelayedCall
from turnwise.conversations.relay.said_messages import SaidMessages, request_messages


@dataclass(frozen=True, slots=True)
class Extension:
    """before: the call that another goes on from. is_fork: whether a third went on from it already.

    is_cut: whether the program no longer sends the beginning, and only its name says what it goes on from.
    """

    before: KeptCall
    is_fork: bool = False
    is_cut: bool = False


def extended(call: RelayedCall, said: SaidMessages, spool: CallSpool) -> Extension | None:
    """Return what a call goes on from; None where it begins a conversation.

    It goes on from the call whose conversation is the longest beginning of its own. Where several are the
    same, as of users who say the same words, it is one of the same lane, that nobody went on from yet, of the
    same user, with the same system prompt, the oldest of these. A reply that failed is gone on from by asking
    again.
    """
    pointed = call.request.get("previous_response_id") if call.interface == "responses" else None
    if pointed and (before := spool.of_reply(str(pointed))) is not None:
        return Extension(before, is_fork=not before.is_last)
    places = {one: place for place, one in enumerate(said.asked)}
    found = [one for one in spool.after(said.asked) if one.name == call.names.session]
    if found:
        best = max(found, key=lambda one: (places[one.after], *_likeness(one, call, said), -one.id))
        return Extension(best, is_fork=not best.is_last)
    if call.names.session and (before := spool.last_named(call.names.session)) is not None:
        earlier = spool.call(before.id)
        # The very same request once more is another reply to it, and nothing that was left out.
        if earlier is None or request_messages(earlier) != request_messages(call):
            return Extension(before, is_cut=True)
    return None


def _likeness(one: KeptCall, call: RelayedCall, said: SaidMessages) -> tuple[bool, ...]:
    return one.lane == call.names.lane, one.is_last, one.user == call.names.user, one.told == said.told
