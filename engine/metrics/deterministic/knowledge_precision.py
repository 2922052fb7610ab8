"""Knowledge precision: how many of the reply's words the passages hold, a check of faithfulness."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.results import Verdict
from turnwise.conversations.turns import passage_text
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.deterministic.content_words import Word, content_words
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.statements import split_sentences
from turnwise.engine.metrics.subject import Subject

NOTHING_CLAIMED = 0.8
"""The score of a reply that only says that it does not know: people gave such replies 3.3 of 4 for
faithfulness in MT-RAG's published ratings, less than replies whose every word is carried."""
_CARRIED = 0.5
_NAMED_AT_MOST = 6
_DENIAL = re.compile(
    r"""
    (?:^|[,;]\s*) (?:\w+,?\s){0,4}?
    \b(?: i | we | (?:the|these|this|my|provided|given|available)\s(?:\w+\s){0,2}
          (?:documents?|texts?|passages?|contexts?|sources?|information|data) )\b
    (?:['’]m)? [^.;:!?]{0,25}?
    (?: \b(?:no|not|cannot|unable|without|lacks?)\b | n['’]t\b )
    [^.;:!?]{0,60}?
    \b(?: information|details?|knowledge|mention(?:s|ed)?|specif(?:y|ies|ied|ic)|provided?|provides|says?
        | state[sd]?|know|find|found|contain(?:s|ed)?|include[sd]?|address(?:es)?|answer|sure|certain )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A sentence in which a chatbot says that it, or what it was given, does not hold the answer."""


@dataclass(kw_only=True, eq=False)
class KnowledgePrecisionMetric(Metric):
    """How much of what the reply says stands in the passages it was given, word by word, without a judge.

    Content words, numbers and names of the reply are looked up in its passages. Sentences that say that the
    answer is not known are left out. It sees neither a negation nor a wrong combination of right words.
    """

    key: ClassVar[str] = "knowledge_precision"
    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("actual_output", "retrieval_context")
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula="content words of the reply that a passage holds / content words of the reply",
        source="K-Precision, Adlakha et al. 2023, arXiv:2307.16877, without function words",
        empty=f"a reply that claims nothing scores {NOTHING_CLAIMED}",
        calls="none",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Look up every content word of the reply in its passages."""
        passages = [passage_text(passage) for passage in subject.value("retrieval_context")]
        held = {word for passage in passages for word, _ in content_words(passage)}
        turn = max(subject.exchange.reply_turns, default=None) if subject.exchange else None
        carried = total = 0
        missing: list[str] = []
        verdicts: list[Verdict] = []
        for sentence in split_sentences(subject.value("actual_output")):
            words = [] if _DENIAL.search(sentence) else content_words(sentence)
            if not words:
                continue
            lacking = _lacking(words, held)
            carried, total = carried + len(words) - len(lacking), total + len(words)
            missing += lacking
            holds = 1 - len(lacking) / len(words) >= _CARRIED
            verdicts.append(
                Verdict(
                    turn=turn,
                    passed=holds,
                    word="yes" if holds else "no",
                    reason=f"Not in the passages: {_named(lacking)}." if lacking else "",
                    about=sentence,
                )
            )
        if not total:
            return Finding(score=NOTHING_CLAIMED, reason="The reply claims nothing.")
        reason = f"{carried} of {total} content words stand in the passages."
        if missing:
            reason += f" Not there: {_named(missing)}."
        return Finding(score=carried / total, reason=reason, verdicts=verdicts)


def _lacking(words: list[Word], held: set[str]) -> list[str]:
    """Return the words, as they are written, that no passage holds."""
    return [written for word, written in words if word not in held]


def _named(words: list[str]) -> str:
    """Name words, each once: numbers and names first, for they are what is made up most often."""
    ordered = sorted(dict.fromkeys(words), key=lambda word: not (word[0].isdigit() or word[0].isupper()))
    told = ", ".join(ordered[:_NAMED_AT_MOST])
    return told if len(ordered) <= _NAMED_AT_MOST else f"{told} and {len(ordered) - _NAMED_AT_MOST} more"
