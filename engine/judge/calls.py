"""Calls: every call of a judge, as it was sent and as it came back: cache, evidence and replay in one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from turnwise.engine.judge.probabilities import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCall:
    """One call of a judge that was answered.

    key: names the question to this judge; the same question has the same key. A call whose reply was no
    answer has a key of its own and `answered` false, so that it is kept and never reused.
    judge: the judge's fingerprint. model: the model that answered, as the server calls it.
    request: the body as it was sent; it holds no key. reply: the text as it came.
    usage: prompt_tokens, completion_tokens and cached_tokens, where the server counts them.
    seconds: from sending to the reply. cost: in US dollars; None where no price is known.
    created_at: seconds since 1970, UTC. tokens: what is needed to weight the score again; see Token.
    cached: whether it was taken from the book and not made now.
    """

    key: str
    judge: str
    model: str
    request: Mapping[str, Any]
    reply: str
    usage: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    cost: float | None = None
    created_at: float = 0.0
    tokens: tuple[Token, ...] = ()
    finish_reason: str | None = None
    answered: bool = True
    cached: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return all of it but `cached` as values that json.dumps takes."""
        plain = {name: getattr(self, name) for name in _KEPT}
        plain["tokens"] = [list(token) for token in self.tokens]
        return plain

    @classmethod
    def from_json(cls, plain: Mapping[str, Any], *, cached: bool = True) -> JudgeCall:
        """Return the call that `as_json` gave."""
        tokens = tuple(
            Token(text, log_probability, tuple((word, log) for word, log in alternatives))
            for text, log_probability, alternatives in plain.get("tokens", ())
        )
        return cls(
            **{**{name: plain[name] for name in _KEPT if name in plain}, "tokens": tokens, "cached": cached}
        )


_KEPT = tuple(name for name in JudgeCall.__dataclass_fields__ if name != "cached")


class CallBook(Protocol):
    """Where calls are kept."""

    def get(self, key: str, *, lasting: bool = False) -> JudgeCall | None:
        """Return the answered call of that key, or None. lasting: it serves even where all is asked anew."""

    def add(self, call: JudgeCall) -> None:
        """Keep a call; one that is there already stays as it is."""

    def settle(self, call: JudgeCall) -> JudgeCall:
        """Keep the answer to a lasting question, and return the one that serves from now on.

        Where others have asked the same meanwhile, the first answer serves all.
        """

    def requests(self, judge: str) -> Iterable[Mapping[str, Any]]:
        """Return the requests to the judge of a fingerprint that were answered, the newest first."""

    def context_tokens(self, judge: str) -> int | None:
        """Return to how many tokens questions to the judge of a fingerprint were cut; None where unknown."""


class MemoryCallBook:
    """A book of calls that lasts as long as the process."""

    def __init__(self) -> None:
        self.calls: dict[str, JudgeCall] = {}

    def get(self, key: str, *, lasting: bool = False) -> JudgeCall | None:
        """Return the answered call of that key, or None."""
        call = self.calls.get(key)
        return call if call is not None and call.answered else None

    def add(self, call: JudgeCall) -> None:
        """Keep a call; one that is there already stays as it is."""
        self.calls.setdefault(call.key, call)

    def settle(self, call: JudgeCall) -> JudgeCall:
        """Keep the answer to a lasting question, and return the first that was kept."""
        return self.calls.setdefault(call.key, call)

    def requests(self, judge: str) -> Iterable[Mapping[str, Any]]:
        """Return the requests to the judge of a fingerprint that were answered, the newest first."""
        return [
            call.request for call in reversed(self.calls.values()) if call.judge == judge and call.answered
        ]

    def context_tokens(self, judge: str) -> int | None:
        """Return None: a book in memory knows calls alone."""
        return None
