"""The provider `offline`: another model's kept replies, and nothing else. No connection is ever opened.

Whoever asks looks for a kept reply first, so that only questions without one come here: each is a Fault that
names the kept question that is most like it.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterable, Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from heapq import nlargest
from itertools import islice, zip_longest
from typing import Any, NamedTuple

from turnwise.conversations.errors import SettingError
from turnwise.conversations.words import percent
from turnwise.engine.models.faults import Fault
from turnwise.engine.models.provider import Choosing, Means, ModelReply, ModelRequest
from turnwise.engine.models.settings import ModelSettings
from turnwise.engine.models.streams import ReplyPiece

PREFIX = "offline:"
MOST_COMPARED = 2000
"""The nearest kept question is looked for among so many, the newest first."""
_LOOKED_AT_CLOSELY = 3
_LONGEST_SHOWN = 160
# The mark of a fence depends on all that was said, so that one changed word would change every line.
_MARK = re.compile(r"\b[0-9a-f]{8}\b")


async def choose(name: str, choosing: Choosing) -> ModelSettings:
    """Return the judge of that name, or the usual one, as one that is not reached. Raises SettingError."""
    from turnwise.engine.models.choose import choose_model

    if choosing.noun != "judge":
        raise SettingError(
            "A chatbot cannot be offline",
            detail="Only what a judge replied is kept.",
            next_step="Name a chatbot that can be reached; the judge alone may be offline.",
        )
    behind = await choose_model(name, environment=choosing.environment, reachable=False)
    if behind is None:
        raise SettingError(
            "Offline, it must be said which judge's replies are meant",
            next_step="Name the judge that gave them, as in offline:openai:MODEL or offline:URL#MODEL.",
        )
    return unreached(behind)


def unreached(settings: ModelSettings) -> ModelSettings:
    """Return the same model, with the same fingerprint, as one that answers from kept calls alone."""
    if settings.is_offline:
        return settings
    return replace(settings, provider=f"{PREFIX}{settings.provider}")


def spec(settings: ModelSettings) -> str | None:
    """Return offline:JUDGE, where JUDGE chooses the model that is stood in for."""
    from turnwise.engine.models.choose import spec_of

    behind = spec_of(replace(settings, provider=settings.provider.removeprefix(PREFIX)))
    return behind and f"{PREFIX}{behind}"


def open_provider(settings: ModelSettings, means: Means) -> OfflineModel:
    """Return what answers nothing, and says what was kept instead."""
    return OfflineModel(means)


class KeptQuestion(NamedTuple):
    """A question that was answered earlier. alike: how much of it is the same, 0 to 1."""

    text: str
    alike: float


class OfflineModel:
    """A model that is not reached; see Provider. Every call is a Fault."""

    def __init__(self, means: Means) -> None:
        self._kept = means.kept
        self._questions: dict[str, frozenset[str]] | None = None

    async def load(self) -> None:
        """Do nothing: nothing is asked."""

    async def open(self) -> None:
        """Do nothing: there is nothing to open."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raise the Fault that names the nearest kept question."""
        raise self._missing(question_text(request.messages))

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ReplyPiece]:
        """Raise the Fault that names the nearest kept question."""
        raise self._missing(question_text(request.messages))
        yield ""

    async def look_up(self, path: str, body: Mapping[str, Any]) -> str:
        """Raise the Fault of something that was not looked up earlier."""
        raise Fault(f"what {path} answers to this is not kept", kind="not kept")

    async def leave(self) -> None:
        """Do nothing: there is no connection."""

    async def close(self) -> None:
        """Do nothing: there is no connection."""

    def _missing(self, asked: str) -> Fault:
        if self._questions is None:
            texts = (question_text(body.get("messages", ())) for body in islice(self._kept(), MOST_COMPARED))
            self._questions = {text: _lines(text) for text in texts if text}
        near = nearest(asked, self._questions)
        if near is None:
            return Fault("no question to this judge is kept", kind="not kept")
        return Fault(difference_in_words(asked, near), kind="not kept")


def question_text(messages: Iterable[Mapping[str, Any]]) -> str:
    """Return the text of the last of some chat messages."""
    *_, last = ({}, *messages)
    content = last.get("content", "")
    if isinstance(content, str):
        return content
    return "\n\n".join(part["text"] for part in content if isinstance(part.get("text"), str))


def nearest(asked: str, kept: Mapping[str, frozenset[str]]) -> KeptQuestion | None:
    """Return the kept question that is most like one; None where none is kept.

    kept: the lines of each by its text. Those that share most lines are compared word by word.
    """
    lines = _lines(asked)

    def shared(text: str) -> float:
        other = kept[text]
        return len(lines & other) / max(1, len(lines | other))

    words = _words(asked)
    close = nlargest(_LOOKED_AT_CLOSELY, kept, key=shared)
    compared = [
        KeptQuestion(text, SequenceMatcher(None, words, _words(text), autojunk=False).ratio())
        for text in close
    ]
    return max(compared, key=lambda one: one.alike, default=None)


def difference_in_words(asked: str, near: KeptQuestion) -> str:
    """Say how a question differs from the nearest that is kept: the first line that is not the same."""
    for here, kept in zip_longest(asked.splitlines(), near.text.splitlines(), fillvalue=""):
        if _MARK.sub("", here) != _MARK.sub("", kept):
            return (
                f"the nearest kept question is {percent(near.alike)} alike\n"
                f"asked: {here[:_LONGEST_SHOWN]!r}\nkept: {kept[:_LONGEST_SHOWN]!r}"
            )
    return f"a kept question has the same words, but not the same rules or form of reply: {asked[-80:]!r}"


def _lines(text: str) -> frozenset[str]:
    return frozenset(_MARK.sub("", text).splitlines())


def _words(text: str) -> list[str]:
    return _MARK.sub("", text).split()
