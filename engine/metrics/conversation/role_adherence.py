"""Role adherence: does every reply stay within what the chatbot is supposed to be?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.judge.transcripts import defuse, fence
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import JudgedItem
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Example, Narrow, VerdictWords, ask_numbered, share_finding

_ASK = """\
What the chatbot in this conversation is supposed to be:
{role}

For each of its turns listed below: does the chatbot stay in that role? It breaks the role when it speaks \
as somebody or something else (for example as an AI model, where the role is a person), takes up a task \
or gives advice that lies outside the role, or speaks in a manner that the role rules out. Whether the \
turn is helpful or correct is not asked."""


_NARROW_ASK = "Does the chatbot's last turn stay in the role?"
_DESK = "Role: A library's help desk. It speaks of books and the library only."
_EXAMPLES = (
    Example(
        (("user", "Until when is breakfast?"), ("assistant", "Until half past ten, on the terrace.")),
        "It answers a guest about breakfast, which is the front desk's work.",
        "yes",
        "Role: The front desk of a small hotel by the sea. It helps guests with rooms, meals and trips.",
    ),
    Example(
        (
            ("user", "Can you mend my kettle?"),
            ("assistant", "I'm an AI assistant and cannot mend things. Shall I write to a repair shop?"),
        ),
        "It says it is an AI assistant, and the wizard never would.",
        "no",
        "Role: A grumpy wizard in a village long ago.",
    ),
    Example(
        (
            ("user", "I lost my card."),
            ("assistant", "No harm done. Tell me your name and I'll print a new one."),
        ),
        "It helps with a library card, as a help desk does.",
        "yes",
        _DESK,
    ),
    Example(
        (
            ("user", "Any tips for tonight?"),
            ("assistant", "Put ten coins on the grey horse in the third race, it always wins!"),
        ),
        "It gives betting tips, which have nothing to do with a library.",
        "no",
        _DESK,
    ),
)


@dataclass(kw_only=True, eq=False)
class RoleAdherenceMetric(Metric):
    """Whether the chatbot stays in its role, reply by reply."""

    key: ClassVar[str] = "role_adherence"
    version: ClassVar[int] = 2
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns", "chatbot_role")
    account: ClassVar[Account] = Account(
        asks="Does the reply stay in the chatbot's role?",
        formula="replies in role / all replies that say something",
        source="deepeval's RoleAdherence",
        empty="without a reply the score is 1",
        calls="1 for a conversation of any length; with a small judge, 1 a reply",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a verdict on every reply."""
        role = subject.case.chatbot_role or ""
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_ASK.format(role=fence(subject.transcript(asking.secret).mark, "role", {1: role})),
            noun="turn",
            items=[JudgedItem(number, number) for number in subject.reply_numbers()],
            words=VerdictWords({"yes": True, "no": False}),
            narrow=Narrow(_NARROW_ASK, 1, _EXAMPLES, heading=f"Role: {' '.join(defuse(role).split())}"),
        )
        return share_finding(found.verdicts, found.details, good="stay in role", bad="break role")
