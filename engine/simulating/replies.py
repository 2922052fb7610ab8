"""Replies of the chatbot that is tried, kept: asked the same at the same place, it is not asked again."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Protocol, cast

from turnwise.conversations.fingerprints import fingerprint
from turnwise.engine.chatbots.talk import Talker
from turnwise.engine.chatbots.targets import Target
from turnwise.engine.judge.calls import CallBook, JudgeCall
from turnwise.engine.models.prices import cost_of
from turnwise.engine.models.streams import NATURAL_ENDS, EndedEarly, ReplyPiece, ToolCallPiece, Unreadable

_KINDS = {"call": ToolCallPiece, "early": EndedEarly, "unread": Unreadable}


class TalkerInTalks(Talker, Protocol):
    """A talker that is told which talk a message is of, where several go on at once."""

    def reply_in(self, talk: str, messages: Sequence[Mapping[str, Any]]) -> AsyncGenerator[ReplyPiece]:
        """Yield the reply to a conversation. talk: the same for a whole talk, another for each."""


@dataclass(slots=True)
class Spent:
    """What the chatbot's calls have cost, in US dollars, as far as a price is known."""

    dollars: float = 0.0


@dataclass(frozen=True, slots=True)
class KeptChatbot:
    """A chatbot in one talk. book: where its replies are kept. talk: names the talk, whoever plays it."""

    talker: Talker
    book: CallBook
    talk: str
    spent: Spent

    async def reply(self, messages: Sequence[Mapping[str, Any]]) -> AsyncGenerator[ReplyPiece]:
        """Yield the reply to a conversation, the kept one where there is one. Raises what a talker raises."""
        judge = fingerprint(["chatbot", self.talker.title])
        key = fingerprint(["reply of a chatbot", self.talk, self.talker.title, list(messages)])
        if (kept := self.book.get(key)) is not None:
            for piece in _read(kept.reply):
                yield piece
            return
        began = time.perf_counter()
        whole: list[ReplyPiece] = []
        usage: Mapping[str, int] = {}
        cost: float | None = None
        if isinstance(self.talker, Target):
            found = await self.talker.complete(messages)
            usage, cost = found.usage, cost_of(found.usage, self.talker.settings, found.model)
            for piece in (*_pieces(found.text, found.message), *_early(found.finish_reason)):
                whole.append(piece)
                yield piece
        else:
            async with aclosing(self._asked(messages)) as pieces:
                async for piece in pieces:
                    whole.append(piece)
                    yield piece
        self.spent.dollars += cost or 0.0
        self.book.add(
            JudgeCall(
                key=key,
                judge=judge,
                model=self.talker.name,
                request={"talk": self.talk, "messages": [dict(message) for message in messages]},
                reply=_written(whole),
                usage=usage,
                cost=cost,
                seconds=time.perf_counter() - began,
                created_at=time.time(),
            )
        )

    def _asked(self, messages: Sequence[Mapping[str, Any]]) -> AsyncGenerator[ReplyPiece]:
        talker = self.talker
        if hasattr(talker, "reply_in"):
            return cast("TalkerInTalks", talker).reply_in(self.talk, messages)
        return talker.reply(messages)


def _pieces(text: str, message: Mapping[str, Any]) -> list[ReplyPiece]:
    calls = message.get("tool_calls") or ()
    found: list[ReplyPiece] = [text] if text else []
    for place, call in enumerate(calls):
        function = call.get("function") or {}
        found.append(
            ToolCallPiece(
                place,
                str(call.get("id") or ""),
                str(function.get("name") or ""),
                str(function.get("arguments") or ""),
            )
        )
    return found


def _early(reason: str | None) -> list[ReplyPiece]:
    return [EndedEarly(reason)] if reason and reason not in NATURAL_ENDS else []


def _written(pieces: Sequence[ReplyPiece]) -> str:
    plain: list[Any] = []
    for piece in pieces:
        match piece:
            case str():
                plain.append(piece)
            case ToolCallPiece():
                plain.append(["call", piece.place, piece.id, piece.name, piece.arguments])
            case EndedEarly():
                plain.append(["early", piece.reason])
            case Unreadable():
                plain.append(["unread", piece.what])
    return json.dumps(plain, ensure_ascii=False)


def _read(text: str) -> list[ReplyPiece]:
    return [one if isinstance(one, str) else _KINDS[one[0]](*one[1:]) for one in json.loads(text)]
