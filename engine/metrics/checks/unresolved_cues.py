"""Unresolved cues: do the last turns show that the user's matter was left open?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.results import Verdict
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.checks.cues import (
    CLOSING,
    FAILURE,
    HANDED_OVER,
    HANDING_TOOL,
    OFFER,
    PROMISE,
    STILL_OPEN,
    plain_words,
)
from turnwise.engine.metrics.checks.frustration_cues import frustration_cue
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.sentences import split_sentences
from turnwise.engine.metrics.subject import Subject

_SETTLED, _IN_PART, _OPEN = 1.0, 0.5, 0.0

Said = tuple[int, str, str]
"""A turn's number, who speaks, and the words."""


@dataclass(kw_only=True, eq=False)
class UnresolvedCuesMetric(Metric):
    """Whether the last turns are free of signs that the user's matter was left open.

    Signs: the user's last turn has no answer or gives up; the last reply only promises, failed, or asks
    what nobody answered. The judged metric beside it is unresolved_ending.
    """

    key: ClassVar[str] = "unresolved_cues"
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula=(
            "1 without a sign of an open end; 0.5 where the user takes leave although the last reply only "
            "promised or failed, where it was handed over to a person, and where the chatbot's last act is "
            "a tool call; 0 with a sign"
        ),
        source="turnwise; cues in English, German, French and Spanish",
        empty="where the user never spoke the score is 1",
        calls="none",
        range="0, 0.5 or 1",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Read the last turns."""
        said = [
            (number, turn.role, words)
            for number, turn in subject.numbered
            if (words := plain_words(turn.content))
        ]
        if all(role != "user" for _, role, _ in said):
            return Finding(score=_SETTLED, reason="The user never spoke.")
        last, done = subject.numbered[-1]
        if done.tools_called and not plain_words(done.content):
            names = " ".join(call.name for call in done.tools_called)
            act = "hands over to a person" if HANDING_TOOL.search(names) else "uses a tool and says nothing"
            score, turn, what = _IN_PART, last, f"the chatbot {act}"
        else:
            score, turn, what = _ending(said)
        word = {_SETTLED: "settled", _IN_PART: "partly", _OPEN: "open"}[score]
        verdict = Verdict(turn=turn, passed=score >= _IN_PART, word=word, reason=what)
        return Finding(score=score, reason=f"At the end {what} (turn {turn}).", verdicts=[verdict])


def _ending(said: Sequence[Said]) -> tuple[float, int, str]:
    """Return the score, the turn that decides it, and what happens there."""
    number, role, words = said[-1]
    users = [text for _, who, text in said if who == "user"]
    reply = next(((turn, text) for turn, who, text in reversed(said) if who == "assistant"), None)
    if role == "user":
        if frustration_cue(words):
            return _OPEN, number, f"the user {frustration_cue(words)}"
        if reply is None or not CLOSING.search(words) or STILL_OPEN.search(words):
            return _OPEN, number, "the user's last turn has no answer"
        left = _left_open(reply[1], asked=False)
        return (_IN_PART, reply[0], left) if left else (_SETTLED, number, "the user takes leave")
    if HANDED_OVER.search(words):
        return _IN_PART, number, "the chatbot hands over to a person"
    if CLOSING.search(users[-1]) and not STILL_OPEN.search(users[-1]):
        return _SETTLED, number, "the user takes leave and the chatbot answers"
    left = _left_open(words, asked=True)
    return (_OPEN, number, left) if left else (_SETTLED, number, "the chatbot answers")


def _left_open(reply: str, *, asked: bool) -> str:
    """Say how a last reply leaves the matter open; empty if it does not. asked: whether a question does."""
    if HANDED_OVER.search(reply):
        return "the chatbot hands over to a person"
    if FAILURE.search(reply):
        return "the chatbot says that it could not do it"
    if PROMISE.search(reply):
        return "the chatbot only promises"
    last = (split_sentences(reply) or [""])[-1]
    if asked and last.rstrip(" *_)\"'").endswith(("?", "？", "؟")) and not OFFER.search(last):
        return "the chatbot asks, and nobody answers"
    return ""
