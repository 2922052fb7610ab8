"""User frustration: does the user lose patience with the chatbot?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import JudgedItem
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import (
    AFTER_REPLY,
    Subject,
    no_turn_after_reply_words,
    user_turns_after_reply,
)
from turnwise.engine.metrics.verdicts import Example, Narrow, VerdictWords, ask_numbered, share_finding

_ASK = """\
Does the user lose patience with the chatbot? For each of the user's turns listed below, the verdict is yes \
when it shows that the user is annoyed with the chatbot or disappointed by it: complains of its answers, has \
to say the same again, mocks or scolds it, demands a person instead, or gives up. It is no in every other \
case: also when the user is upset about the matter itself, says no to an offer, or is merely brief."""
_NARROW_ASK = (
    "Is the user at ease with the chatbot in the last turn? no only if the turn shows annoyance with the "
    "chatbot: a complaint about its answers, the same request again, scolding, giving up."
)
_EXAMPLES = (
    Example(
        (("assistant", "Which order do you mean?"), ("user", "I told you twice already: number 12!")),
        "The user complains of having to say it again.",
        "no",
    ),
    Example(
        (("assistant", "Which order do you mean?"), ("user", "Number 12.")),
        "The user simply answers.",
        "yes",
    ),
    Example(
        (("assistant", "How can I help?"), ("user", "My flight was cancelled, this is awful!")),
        "The user is upset about the flight, not about the chatbot.",
        "yes",
    ),
    Example(
        (("assistant", "You can find this in our help pages."), ("user", "Useless. Get me a human.")),
        "The user calls the answer useless and wants a person.",
        "no",
    ),
)


@dataclass(kw_only=True, eq=False)
class UserFrustrationMetric(Metric):
    """Whether the user keeps patience with the chatbot, as a judge sees it.

    The check beside it, which needs no judge, is frustration_cues.
    """

    key: ClassVar[str] = "user_frustration"
    version: ClassVar[int] = 3
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    account: ClassVar[Account] = Account(
        asks="Does the user lose patience with the chatbot here?",
        formula="user turns without annoyance at the chatbot / user turns after its first reply",
        source="turnwise",
        empty="a conversation in which the user says nothing after a reply is skipped",
        calls="1 for a conversation of any length; with a small judge, 1 a user turn",
    )

    def lacks(self, subject: Subject) -> str:
        """Skip also where the user says nothing after the first reply: nothing is judged."""
        return super().lacks(subject) or no_turn_after_reply_words(subject)

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask of every user turn after the first reply whether it shows annoyance."""
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_ASK,
            noun="turn",
            items=[JudgedItem(number, number) for number, _ in user_turns_after_reply(subject)],
            words=VerdictWords({"yes": False, "no": True}),
            narrow=Narrow(_NARROW_ASK, 3, _EXAMPLES, opposite=True),
        )
        return share_finding(
            found.verdicts,
            found.details,
            good="are without annoyance",
            bad="show annoyance with the chatbot",
            noun="user turn",
            which=AFTER_REPLY,
        )
