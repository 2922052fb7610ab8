"""Unresolved ending: does the conversation end with the user's matter settled?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from turnwise.conversations.results import Verdict
from turnwise.engine.judge.questions import Question
from turnwise.engine.judge.transcripts import RULES, render_transcript
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import JudgedItem, ending_from
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Example, Narrow, ask_narrow

_ASK = """\
How does this conversation end? Look at the last thing the user wanted, and at how the last turns leave it.
settled: it was done or answered, refused with a reason that the user took, or handed over to somebody who \
will do it, and the user has nothing left to ask.
partly: a part of it was settled and another left open, or it was answered and the user is not content.
open: it was left without an answer, only promised, failed, or the user gave up on it.
none: the user wanted nothing.

Answer with this JSON and nothing else: {"reason": "...", "verdict": "..."}"""
_VALUES = {"settled": 1.0, "partly": 0.5, "open": 0.0, "none": 1.0}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": list(_VALUES)},
    },
    "required": ["reason", "verdict"],
    "additionalProperties": False,
}
_NARROW = Narrow(
    "Is what the user wanted settled at the end? yes if it was done, answered, or declined and accepted.",
    6,
    (
        Example(
            (
                ("user", "Where is my bag?"),
                ("assistant", "In Oslo; it comes tomorrow."),
                ("user", "Good, thanks."),
            ),
            "The user learnt where the bag is and is content.",
            "yes",
        ),
        Example(
            (("user", "Where is my bag?"), ("assistant", "I'll look into it and come back to you.")),
            "It only promises to look, and nobody came back.",
            "no",
        ),
        Example(
            (
                ("user", "Cancel my order."),
                ("assistant", "Which order is it?"),
                ("user", "Oh, forget it."),
            ),
            "The user gave up before the order was cancelled.",
            "no",
        ),
    ),
)


@dataclass(kw_only=True, eq=False)
class UnresolvedEndingMetric(Metric):
    """Whether the conversation ends with the user's matter settled, as a judge sees it.

    The check beside it, which needs no judge, is unresolved_cues.
    """

    key: ClassVar[str] = "unresolved_ending"
    version: ClassVar[int] = 2
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    account: ClassVar[Account] = Account(
        formula="1 where the matter is settled, 0.5 where a part of it is, 0 where it is left open",
        source="turnwise",
        empty=(
            "where the user wanted nothing the score is 1; a conversation in which they never spoke "
            "is skipped"
        ),
        calls="1 for a conversation of any length; past the judge's context it reads the ending",
        range="0, 0.5 or 1; with a small judge 0 or 1",
    )

    def lacks(self, subject: Subject) -> str:
        """Skip also where the user never spoke: there is no matter that could be left open."""
        if lacking := super().lacks(subject):
            return lacking
        return "" if any(turn.role == "user" for _, turn in subject.numbered) else "the user never spoke"

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask how the conversation ends."""
        last = max(number for number, _ in subject.numbered)
        if asking.is_small:
            answer = await ask_narrow(asking, subject, _NARROW, JudgedItem(last, last), ["yes", "no"])
            word, reason, quote = ("settled" if answer.word == "yes" else "open"), answer.reason, answer.quote
        else:
            mark = subject.transcript(asking.secret).mark
            first = ending_from(subject.numbered, asking.context_tokens)
            transcript = render_transcript(subject.case.turns, mark=mark, first=first)
            question = Question(
                rules=RULES,
                transcript=transcript.text,
                ask=_ASK,
                name="ending",
                schema=_SCHEMA,
                accept={**_SCHEMA, "required": ["verdict"]},
            )
            value = (await asking.ask(question)).value
            word, reason = value["verdict"], value.get("reason") or "The judge gave no reason."
            quote = None
        score = _VALUES[word]
        passed = score >= 0.5
        verdict = Verdict(turn=last, passed=passed, word=word, reason=reason, quote=None if passed else quote)
        told = {"settled": "settled", "partly": "settled in part", "open": "left open"}.get(word)
        head = f"The user's matter is {told}" if told else "The user wanted nothing"
        return Finding(score=score, reason=f"{head} (turn {last}): {reason}", verdicts=[verdict])
