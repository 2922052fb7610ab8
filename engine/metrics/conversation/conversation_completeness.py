"""Conversation completeness: was everything that the user wanted dealt with?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from turnwise.conversations.results import Verdict
from turnwise.engine.judge.questions import Question
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.numbered import share_passed
from turnwise.engine.metrics.reasons import turns_reason
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.transcripts import RULES

_ASK = """\
What did the user want in this conversation, and was it dealt with? List each thing the user asked for or \
set out to do, once, with the number of the user's turn where it first came up. Leave out greetings and \
thanks. For each, the verdict is yes when the chatbot brought it to an end: answered, done, or refused \
with a reason the user can act on. It is no when it was left open, passed over, done wrongly or only \
promised.

Answer with this JSON and nothing else: {"intentions": [{"intention": "...", "turn": 1, "reason": "...", \
"verdict": "yes or no"}]}
Where the user wanted nothing, the list is empty."""

_INTENTION = {
    "type": "object",
    "properties": {
        "intention": {"type": "string"},
        "turn": {"type": "integer"},
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": ["yes", "no"]},
    },
    "required": ["intention", "turn", "reason", "verdict"],
    "additionalProperties": False,
}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"intentions": {"type": "array", "items": _INTENTION}},
    "required": ["intentions"],
    "additionalProperties": False,
}


@dataclass(kw_only=True, eq=False)
class ConversationCompletenessMetric(Metric):
    """Whether everything that the user wanted was brought to an end."""

    key: ClassVar[str] = "conversation_completeness"
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    account: ClassVar[Account] = Account(
        formula="intentions dealt with / intentions",
        source="deepeval's ConversationCompleteness, in one question",
        empty="where the user wanted nothing the score is 1",
        calls="1",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for the user's intentions with a verdict on each."""
        question = Question(
            rules=RULES,
            transcript=subject.transcript(asking.secret).text,
            ask=_ASK,
            name="intentions",
            schema=_SCHEMA,
        )
        value = (await asking.ask(question)).value
        users = {number for number, turn in subject.numbered if turn.role == "user"}
        verdicts = [
            Verdict(
                # An intention tied to a turn that is not the user's still counts; only the tie is dropped.
                turn=item["turn"] if item["turn"] in users else None,
                passed=item["verdict"] == "yes",
                word=item["verdict"],
                reason=item["reason"],
                about=item["intention"],
            )
            for item in value["intentions"]
        ]
        return Finding(
            score=share_passed(verdicts),
            reason=turns_reason(verdicts, good="are dealt with", bad="are left open", noun="request"),
            verdicts=verdicts,
        )
