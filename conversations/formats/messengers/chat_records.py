"""Chats, cut by silence where that was asked for, to conversations in which everybody has a role."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from turnwise.conversations.errors import FormatError, UnknownChatbotError
from turnwise.conversations.formats.format import Contents, Options, Record, Rejected, attempt
from turnwise.conversations.formats.messengers.chats import Chat, Utterance
from turnwise.conversations.formats.messengers.silence import parts_of, silences_of
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.formats.speakers import roles_of_speakers
from turnwise.conversations.formats.spoken import Fields, conversation, spoken_turn


def records_of_chats(chats: Iterable[Chat], source: Source, options: Options) -> Iterator[Record]:
    """Yield a conversation for every chat, in which everybody has a role.

    Who is the chatbot is looked for chat by chat. A chat in which nobody knows is rejected with its speakers;
    where it is so in all of them, UnknownChatbotError is raised for the file, with all who speak in it.
    """
    unknown: list[Chat] = []
    turns: Counter[str] = Counter()
    is_known = False
    for chat in chats:
        try:
            roles = {} if chat.problem else roles_of_chat(chat, source, options)
        except UnknownChatbotError:
            unknown.append(chat)
            turns += chat.turns_of
            continue
        is_known = True
        is_cut = options.split_after is not None and not chat.is_thread and not chat.problem
        for part in parts_of(chat, options.split_after or 0) if is_cut else [chat]:
            yield attempt(partial(_contents, roles=roles, options=options), part, part.place)
    if unknown and not is_known:
        raise_unknown(turns, source, options)
    for chat in unknown:
        yield _without_chatbot(chat)


def raise_unknown(turns: Mapping[str, int], source: Source, options: Options) -> None:
    """Raise UnknownChatbotError with everybody who speaks in a file."""
    roles_of_speakers(turns, file=source.name, assistant=options.assistant, given=options.mapping)


def roles_of_chat(chat: Chat, source: Source, options: Options) -> dict[str, str]:
    """Return a role for everybody who speaks. Raises UnknownChatbotError where nobody knows who is who."""

    def called(names: Sequence[str]) -> tuple[str, ...]:
        speakers = chat.turns_of
        return tuple(name if name in speakers else chat.aliases.get(name.lower(), name) for name in names)

    return roles_of_speakers(
        chat.turns_of,
        file=source.name,
        assistant=called(options.assistant),
        given={key: called(names) for key, names in options.mapping.items()},
        known=dict.fromkeys(chat.bots, "assistant"),
    )


def _without_chatbot(chat: Chat) -> Rejected:
    shown = ", ".join(f"{name} ({count})" for name, count in chat.turns_of.most_common(5))
    called = f" {chat.name}" if chat.name else ""
    error = FormatError(
        f"Nobody knows who the chatbot is in the chat{called}",
        detail=f"{chat.place}: who speaks there, and in how many turns: {shown or 'nobody'}",
        next_step="Say who the chatbot is (--assistant NAME); a chat of people alone is none to import.",
    )
    return Rejected(error, chat.place)


def _contents(chat: Chat, roles: Mapping[str, str], options: Options) -> Contents:
    contents = contents_of_chat(chat, roles)
    if chat.is_thread or options.split_after is not None:
        return contents
    return replace(contents, silences=silences_of(chat))


def contents_of_chat(chat: Chat, roles: Mapping[str, str]) -> Contents:
    """Return the conversation of a chat. Raises ValueError where it cannot be read."""
    if chat.problem:
        raise ValueError(chat.problem)
    turns = [_turn(one, roles[one.speaker]) for one in chat.said]
    rest = {**chat.rest, "events": chat.events}
    several = sorted(name for name, role in roles.items() if role == "assistant")
    remarks = (
        (f"speakers: {', '.join(several)} are taken for the chatbot; --assistant NAME says which one is",)
        if len(several) > 1
        else ()
    )
    case = conversation(turns, source_id=chat.source_id, name=chat.name, rest=rest)
    return Contents(case, remarks=remarks)


def _turn(said: Utterance, role: str) -> Fields:
    turn = spoken_turn(role, said.text, time=said.time, name=said.speaker, rest=said.rest)
    return turn if said.latency_ms is None else {**turn, "latency_ms": said.latency_ms}
