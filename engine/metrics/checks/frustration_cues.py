"""Frustration cues: do the user's words show that the chatbot is trying their patience?"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.results import Verdict
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.checks.cues import FRUSTRATION, plain_words
from turnwise.engine.metrics.checks.repetition import likeness, runs, text_words
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.shares import share_finding
from turnwise.engine.metrics.subject import Subject, user_turns_after_reply

_MARKS = re.compile(r"[!?]{3,}|[?!]*(?:\?!|!\?)[?!]*")
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
_LEAST_SHOUTED = 3
_SAME = 0.8
_LEAST_WORDS = 4


@dataclass(kw_only=True, eq=False)
class FrustrationCuesMetric(Metric):
    """Whether the user's turns are free of the words and marks of lost patience.

    Cues: complaints of not being understood or of having to say it again, the wish for a person, scolding,
    giving up (in English, German, French and Spanish), the same message again, shouting, rows of ! and ?.
    The judged metric beside it is user_frustration.
    """

    key: ClassVar[str] = "frustration_cues"
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula="user turns without a cue / user turns after the chatbot's first reply",
        source="turnwise",
        empty="where the user says nothing after a reply the score is 1",
        calls="none",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Look for cues in every user turn after the first reply."""
        said: list[tuple[int, Counter[tuple[str, ...]]]] = []
        judged = {number for number, _ in user_turns_after_reply(subject)}
        verdicts = []
        for number, turn in subject.numbered:
            if turn.role != "user" or not turn.content.strip():
                continue
            words = text_words(turn.content)
            bag = Counter(runs(words, 3))
            long = len(words) >= _LEAST_WORDS
            again = next((earlier for earlier, one in said if long and likeness(bag, one) >= _SAME), None)
            said.append((number, bag))
            if number in judged:
                cue = frustration_cue(turn.content) or (f"says turn {again} again" if again else "")
                verdicts.append(
                    Verdict(turn=number, passed=not cue, word="cue" if cue else "none", reason=cue)
                )
        return share_finding(
            verdicts, {}, good="are without a cue", bad="show lost patience", noun="user turn"
        )


def frustration_cue(text: str) -> str:
    """Return what in a user's turn shows lost patience, in words; empty where nothing does."""
    plain = plain_words(text)
    if found := next((cue for cue, pattern in FRUSTRATION.items() if pattern.search(plain)), ""):
        return found
    if _MARKS.search(plain):
        return "writes rows of marks"
    letters = [letter for letter in plain if letter.isalpha()]
    shouted = len(_CAPITALS.findall(plain)) >= _LEAST_SHOUTED
    if shouted and sum(letter.isupper() for letter in letters) > len(letters) / 2:
        return "shouts in capitals"
    return ""
