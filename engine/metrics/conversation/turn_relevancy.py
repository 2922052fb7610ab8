"""Turn relevancy: does each reply belong where it stands in the conversation?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.exchanges import answered_exchanges, check_window
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Example, Narrow, VerdictWords, ask_numbered, share_finding

_ASK = """\
Does each of the chatbot's turns listed below belong where it stands? The verdict is yes when the turn \
responds to what the user wants at that point, given {window}: an answer, a question that \
is needed for one, a refusal with its reason, or plain courtesy in answer to courtesy. It is no when the \
turn speaks of something else or passes over what the user said."""


_NARROW_ASK = (
    "Does the chatbot's last turn respond to what the user wants at that point? Questions that are needed, "
    "refusals with a reason and courtesy in answer to courtesy count as yes."
)
_EXAMPLES = (
    Example(
        (("user", "When does the museum open?"), ("assistant", "At ten, and on Mondays it stays closed.")),
        "It tells the opening hours that the user asks for.",
        "yes",
    ),
    Example(
        (
            ("user", "When does the museum open?"),
            ("assistant", "Cats sleep up to sixteen hours a day, most of it in the sun."),
        ),
        "It speaks of cats, and the user asks for opening hours.",
        "no",
    ),
    Example(
        (
            ("user", "Please cancel my lesson."),
            ("assistant", "Which lesson do you mean, Tuesday's or Friday's?"),
        ),
        "It asks which lesson to cancel, which it has to know.",
        "yes",
    ),
    Example(
        (
            ("user", "Is my lesson cancelled now or not?"),
            ("assistant", "Our new teacher plays the harp and comes from a village by the sea."),
        ),
        "It passes over the question and speaks of a teacher.",
        "no",
    ),
)


@dataclass(kw_only=True, eq=False)
class TurnRelevancyMetric(Metric):
    """Whether every reply has to do with what the user wants at that point.

    window_size: how many exchanges the judge is to look at, the reply's own among them, at least 1. 10 is
    deepeval's window; 5 makes it promptfoo's conversation-relevance.
    """

    key: ClassVar[str] = "turn_relevancy"
    scope: ClassVar[Scope] = "conversation"
    version: ClassVar[int] = 3
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    account: ClassVar[Account] = Account(
        asks="Does the reply respond to what the user wants at that point?",
        formula="relevant exchanges / exchanges with a reply",
        source=(
            "deepeval's TurnRelevancy (before: ConversationRelevancy), one verdict per window of "
            "exchanges that slides by one"
        ),
        empty="where the chatbot never answered the score is 1",
        calls="1 for a conversation of any length; with a small judge, 1 an exchange",
    )

    window_size: int = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        check_window(self.key, self.window_size)

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a verdict on the last reply of every exchange."""
        spoken = set(subject.reply_numbers())
        before = self.window_size - 1
        window = f"its own exchange and the {before} before it" if before else "nothing but its own exchange"
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_ASK.format(window=window),
            noun="turn",
            items=[exchange.item for exchange in answered_exchanges(subject) if exchange.end in spoken],
            words=VerdictWords({"yes": True, "no": False}),
            narrow=Narrow(_NARROW_ASK, 2 * self.window_size - 1, _EXAMPLES),
        )
        return share_finding(
            found.verdicts, found.details, good="fit the conversation", bad="miss what the user wants"
        )
