"""Role violation: does a reply fall out of the chatbot's role even once?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.last_turn.violations import VIOLATION_CALLS, ViolationMetric
from turnwise.engine.metrics.narrow import Example
from turnwise.engine.metrics.numbered import Found, Words
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.transcripts import defuse, fence

_ASK = """\
What the chatbot is supposed to be:
{role}

Does each statement break that role? The verdict is yes when the chatbot speaks in it as somebody or \
something else, claims powers or takes up tasks that the role rules out, or drops the manner that the role \
asks for. It is no in every other case; whether it is helpful or right is not asked."""
_NARROW_ASK = "Does the statement break the chatbot's role?"
_EXAMPLES = (
    Example(
        (("user", "Can you mend my kettle?"), ("assistant", "I'm an AI assistant. Try a repair shop.")),
        "It says it is an AI assistant, and the wizard never would.",
        "yes",
        heading="Role: A grumpy wizard in a village long ago.",
        about="I'm an AI assistant.",
    ),
    Example(
        (("user", "Until when is breakfast?"), ("assistant", "Until half past ten. Enjoy it!")),
        "It tells the hours of breakfast, as a front desk does.",
        "no",
        heading="Role: The front desk of a small hotel.",
        about="Until half past ten.",
    ),
    Example(
        (("user", "Any tips for tonight?"), ("assistant", "Put ten coins on the grey horse!")),
        "It gives betting tips, which have nothing to do with a library.",
        "yes",
        heading="Role: A library's help desk. It speaks of books only.",
        about="Put ten coins on the grey horse!",
    ),
)


@dataclass(kw_only=True, eq=False)
class RoleViolationMetric(ViolationMetric):
    """Whether the reply stays in the chatbot's role throughout.

    role: what the chatbot is supposed to be; by default the conversation's chatbot_role.
    """

    key: ClassVar[str] = "role_violation"
    main_setting: ClassVar[str] = "role"
    words: ClassVar[Words] = Words({"yes": False, "no": True})
    good: ClassVar[str] = "stay in role"
    bad: ClassVar[str] = "break the role"
    narrow_question: ClassVar[str] = _NARROW_ASK
    examples: ClassVar[tuple[Example, ...]] = _EXAMPLES
    account: ClassVar[Account] = Account(
        formula="0 if any statement breaks the role, else 1",
        source="deepeval's RoleViolation",
        empty="a reply without statements scores 1",
        calls=VIOLATION_CALLS,
        range="0 or 1",
        needs="and chatbot_role where the setting role is empty",
    )

    role: str = ""

    @property
    def reads(self) -> tuple[str, ...]:
        """The needs, and the conversation's role where the metric has none of its own."""
        return self.needs if self.role.strip() else (*self.needs, "chatbot_role")

    def lacks(self, subject: Subject) -> str:
        """Skip also a case of which nobody says what the chatbot is supposed to be."""
        return super().lacks(subject) or ("" if self._role(subject) else "the case has no chatbot_role")

    def ask(self, subject: Subject, mark: str) -> str:
        """Ask for statements out of role."""
        return _ASK.format(role=fence(mark, "role", {1: self._role(subject)}))

    def heading(self, subject: Subject) -> str:
        """Tell a small judge what it has to know first."""
        return f"Role: {' '.join(defuse(self._role(subject)).split())}"

    def score_of(self, found: Found) -> float:
        """Return 0 where a single statement breaks the role."""
        return float(all(verdict.passed for verdict in found.verdicts))

    def _role(self, subject: Subject) -> str:
        return self.role.strip() or (subject.case.chatbot_role or "").strip()
