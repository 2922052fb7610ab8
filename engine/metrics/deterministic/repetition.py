"""Repetition: does the chatbot say the same again, or go round in circles?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.errors import SettingError
from turnwise.conversations.results import Verdict
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject, no_reply_words
from turnwise.engine.metrics.verdicts import share_finding

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]")
_RUN = 3
_INNER_RUN = 4
_LOOPING_SHARE = 0.5
"""A reply with this share of runs of four words that came before in it is stuck, and not just emphatic."""
_LEAST_INNER = 20


@dataclass(kw_only=True, eq=False)
class RepetitionMetric(Metric):
    """Whether half of the replies or more say something new; the others repeat an earlier one, or themselves.

    likeness: from which likeness on a reply counts as an earlier one said again, above 0 to 1.
    least_words: shorter replies may come again, as thanks and greetings do.
    """

    key: ClassVar[str] = "repetition"
    version: ClassVar[int] = 2
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula=(
            "replies that say something new / replies. A reply is said again where its runs of three words "
            "are those of an earlier reply (Jaccard likeness of the two bags of runs >= likeness), and is "
            "stuck where half of its runs of four words stand in it before"
        ),
        source=(
            "turnwise; the share of repeated runs within a text is seq-rep-4 of Welleck et al. 2019, "
            "https://arxiv.org/abs/1908.04319"
        ),
        empty="a conversation without a reply in words is skipped",
        calls="none",
    )

    likeness: float = 0.8
    least_words: int = 6

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.likeness <= 1:
            raise SettingError(
                "repetition: likeness lies above 0 and up to 1", detail=f"Given: {self.likeness}"
            )

    def lacks(self, subject: Subject) -> str:
        """Skip also a conversation in which the chatbot says nothing: nothing was looked at."""
        return super().lacks(subject) or no_reply_words(subject)

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Compare every reply with those before it, and with itself."""
        before: list[tuple[int, Counter[tuple[str, ...]]]] = []
        verdicts = []
        pairs = []
        spoken = set(subject.reply_numbers())
        for number, turn in subject.numbered:
            if number not in spoken:
                continue
            words = text_words(turn.content)
            bag = Counter(runs(words, _RUN))
            same = None
            if len(words) >= self.least_words:
                likest = max(before, key=lambda one: likeness(bag, one[1]), default=None)
                same = likest[0] if likest and likeness(bag, likest[1]) >= self.likeness else None
                before.append((number, bag))
            stuck = same is None and is_stuck(words)
            reason = f"says turn {same} again" if same else "repeats itself" if stuck else ""
            word = "repeats" if same else "stuck" if stuck else "new"
            verdicts.append(Verdict(turn=number, passed=not reason, word=word, reason=reason))
            pairs += [[same, number]] if same else []
        loops = Counter(_first_said(pairs).values())
        return share_finding(
            verdicts,
            {"pairs": pairs, "most_often": max(loops.values()) + 1} if pairs else {},
            good="say something new",
            bad="say nothing new",
        )


def text_words(text: str) -> list[str]:
    """Return the words of a text without capitals; scripts without spaces give their characters."""
    words: list[str] = []
    for found in _WORD.findall(text.casefold()):
        words += list(found) if _SPACELESS.search(found) else [found]
    return words


def runs(words: Sequence[str], length: int) -> list[tuple[str, ...]]:
    """Return the runs of so many words, each as often as it stands; a shorter text is one run."""
    if not words:
        return []
    return [tuple(words[start : start + length]) for start in range(max(1, len(words) - length + 1))]


def likeness(first: Counter[tuple[str, ...]], second: Counter[tuple[str, ...]]) -> float:
    """Return the Jaccard likeness of two bags of runs: what they share over what they hold, 0 to 1."""
    whole = (first | second).total()
    return (first & second).total() / whole if whole else 0.0


def is_stuck(words: Sequence[str]) -> bool:
    """Whether a text says the same over and over: half of its runs of four words came before in it."""
    if len(words) < _LEAST_INNER:
        return False
    found = runs(words, _INNER_RUN)
    return 1 - len(set(found)) / len(found) >= _LOOPING_SHARE


def _first_said(pairs: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the first turn that said the same, for every turn that repeats another."""
    first: dict[int, int] = {}
    for earlier, later in pairs:
        first[later] = first.get(earlier, earlier)
    return first
