"""Knowledge retention: does the chatbot remember what the user told it?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import JudgedItem
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Example, Narrow, VerdictWords, ask_numbered, share_finding

_ASK = """\
Does the chatbot forget what the user told it? For each of its turns listed below, look at the user's \
turns before it. The verdict is yes when the turn asks for something the user had already given, or \
contradicts something the user had said. It is no in every other case: also when the turn repeats a fact \
to confirm it, asks for something new, or uses nothing of what was said. Name in the reason what was \
forgotten and in which turn the user had said it."""


_NARROW_ASK = (
    "Does the chatbot's last turn fit what the user has told it? no only if it asks for something that the "
    "user has already given, or says the opposite of what the user has said."
)
_EXAMPLES = (
    Example(
        (
            ("user", "A table for four on Friday, please."),
            ("assistant", "Gladly: a table for four on Friday. At what time?"),
        ),
        "It repeats what the user said and asks for the time, which the user has not given.",
        "yes",
    ),
    Example(
        (
            ("user", "Hello, Ada Brink here. My parcel 771 has not come."),
            ("assistant", "I'm sorry, Ada. Could you tell me the number of the parcel?"),
        ),
        "It asks for the parcel's number, and the user had given 771.",
        "no",
    ),
    Example(
        (
            ("user", "How high is the tower?"),
            ("assistant", "Forty metres."),
            ("user", "And how old?"),
            ("assistant", "It was built three hundred years ago."),
        ),
        "It answers the question, and nothing the user said speaks against it.",
        "yes",
    ),
    Example(
        (
            ("user", "I eat no nuts. What cake do you have?"),
            ("assistant", "Lemon cake and plum cake."),
            ("user", "Which do you like best?"),
            ("assistant", "Take the walnut cake, everybody loves it!"),
        ),
        "It offers walnut cake, and the user had said no nuts.",
        "no",
    ),
    Example(
        (
            ("user", "My parcel 771 has not come."),
            ("assistant", "I see that parcel 771 left on Monday. It will be there tomorrow."),
        ),
        "It uses the number that the user gave.",
        "yes",
    ),
)


@dataclass(kw_only=True, eq=False)
class KnowledgeRetentionMetric(Metric):
    """Whether the chatbot keeps in mind what the user has told it."""

    key: ClassVar[str] = "knowledge_retention"
    version: ClassVar[int] = 2
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    account: ClassVar[Account] = Account(
        asks="Does the reply forget what the user said before?",
        formula="replies that forget nothing / replies that come after a user has spoken",
        source=(
            "deepeval's KnowledgeRetention, without its extraction of facts a turn: the judge has "
            "the transcript"
        ),
        empty="without such a reply the score is 1",
        calls="1 for a conversation of any length; with a small judge, 1 a reply",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask of every reply after the first word of a user whether it forgets something."""
        first = min((number for number, turn in subject.numbered if turn.role == "user"), default=None)
        items = [
            JudgedItem(number, number)
            for number in subject.reply_numbers()
            if first is not None and number > first
        ]
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_ASK,
            noun="turn",
            items=items,
            words=VerdictWords({"yes": False, "no": True}),
            narrow=Narrow(_NARROW_ASK, 16, _EXAMPLES, opposite=True),
        )
        return share_finding(
            found.verdicts,
            found.details,
            good="keep in mind what the user said",
            bad="forget what the user said",
        )
