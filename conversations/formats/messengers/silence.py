"""A long chat cut where nobody wrote for a while, so that each part is a conversation to review."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from turnwise.conversations.formats.messengers.chats import Chat
from turnwise.conversations.formats.silences import Silence, ends_of_silences, long_silences, seconds_at


def silences_of(chat: Chat) -> tuple[Silence, ...]:
    """Return the long silences in a chat."""

    def where(place: int) -> str:
        line = chat.said[place].line
        return f"message {place + 1:,}" if line is None else f"line {line:,}"

    return long_silences([seconds_at(said.time) for said in chat.said], where)


def parts_of(chat: Chat, silence: float) -> Iterator[Chat]:
    """Yield the parts of a chat between silences of so many seconds; the chat itself where there are none.

    Each part but the first names the one before it (`continues`). What happened goes with the messages after
    it, and at the very end with those before it.
    """
    moments = [seconds_at(said.time) for said in chat.said]
    starts = [0, *(place for place, _ in ends_of_silences(moments, silence))]
    if len(starts) == 1:
        yield chat
        return
    ends = [*starts[1:], len(chat.said)]
    names = [_named(chat.source_id, number) for number in range(1, len(starts) + 1)]
    for number, (start, end) in enumerate(zip(starts, ends, strict=True), start=1):
        is_last = end == len(chat.said)
        events = [
            {**event, "after_turn": event["after_turn"] - start}
            for event in chat.events
            if start <= event["after_turn"] and (event["after_turn"] < end or is_last)
        ]
        before_it = {"continues": names[number - 2]} if number > 1 and chat.source_id else {}
        yield replace(
            chat,
            said=chat.said[start:end],
            events=events,
            name=chat.name if number == 1 or not chat.name else f"{chat.name} ({number})",
            source_id=names[number - 1],
            rest={**chat.rest, **before_it},
        )


def _named(source_id: str | None, number: int) -> str | None:
    return source_id if number == 1 or source_id is None else f"{source_id}#{number}"
