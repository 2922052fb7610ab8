"""Language switch: does the chatbot answer in the language in which it is spoken to?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.results import Verdict
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.checks.languages import language_of
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.shares import share_finding
from turnwise.engine.metrics.subject import Subject


@dataclass(kw_only=True, eq=False)
class LanguageSwitchMetric(Metric):
    """Whether the chatbot answers in the user's language, told by script and common words.

    A reply that was asked to be in another language, such as a translation, counts as a switch: the check
    cannot know. The judged metric of manner beside it is register_switch.
    """

    key: ClassVar[str] = "language_switch"
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula=(
            "replies in the language of the user's last turn whose language is known (before there is one: "
            "of the reply before) / replies whose language is known"
        ),
        source="turnwise; a language is told by its script, or by which list of common words fits best",
        empty="where no reply is long enough to tell its language the score is 1",
        calls="none",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Tell the language of every turn and compare."""
        spoken: str | None = None
        by_user = False
        verdicts = []
        for number, turn in subject.numbered:
            language = language_of(turn.content)
            if language is None:
                continue
            if turn.role == "user":
                spoken, by_user = language, True
                continue
            same = spoken is None or language == spoken
            before = "the user writes" if by_user else "it began in"
            reason = "" if same else f"in {language}, and {before} {spoken}"
            verdicts.append(Verdict(turn=number, passed=same, word=language, reason=reason))
            spoken = spoken if by_user else language
        return share_finding(verdicts, {}, good="keep to the language", bad="switch the language")
