"""Goal accuracy: did the chatbot reach what the user was after, and was its way there a good one?"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.exchanges import answered_exchanges
from turnwise.engine.metrics.grades import ask_grades
from turnwise.engine.metrics.materials import tool_calls_of
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Example, Narrow

_ASK = """\
Each turn listed below ends an exchange: what the user says just before it, and all that the chatbot does \
up to it. Give two grades for each exchange.
goal: how far what the user was after there was reached by what the chatbot said and did. A question that \
had to be asked, and courtesy in answer to courtesy, reach it fully. What was only announced was not done.
plan: how good the chatbot's way was: the right steps in the right order, none left out, none for nothing, \
and what it did is what it said it would do. Where one plain reply is all that was needed, giving it is a \
good way."""

_MOVED = (("user", "Move my lesson to Friday."), ("assistant", "Done: it is on Friday at five now."))
_ANNOUNCED = (("user", "Move my lesson to Friday."), ("assistant", "I will see what I can do about it."))
_ASKED_BACK = (("user", "Move my lesson."), ("assistant", "Gladly. To which day?"))
_IDLE = (
    ("user", "Move my lesson to Friday."),
    ("assistant", "What is your favourite instrument? And to which day shall I move it?"),
)
_NARROW = {
    "goal": Narrow(
        "Does the chatbot's last turn reach what the user wants, or ask what it has to know for that?",
        4,
        (
            Example(_MOVED, "The lesson was moved as the user wanted.", "yes"),
            Example(_ANNOUNCED, "Nothing was done, it only says that it will see.", "no"),
            Example(_ASKED_BACK, "It asks for the day, which the user has not said.", "yes"),
        ),
    ),
    "plan": Narrow(
        "Is the chatbot's way to what the user wants a good one: the needed steps, and none for nothing?",
        4,
        (
            Example(_MOVED, "It moved the lesson at once, and nothing else was needed.", "yes"),
            Example(_IDLE, "It asks for what is not needed and for what was already said.", "no"),
            Example(_ASKED_BACK, "It asks for the one thing that is missing.", "yes"),
        ),
    ),
}


@dataclass(kw_only=True, eq=False)
class GoalAccuracyMetric(Metric):
    """Whether the chatbot reached what the user was after, exchange by exchange, and by a good way."""

    key: ClassVar[str] = "goal_accuracy"
    version: ClassVar[int] = 2
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    account: ClassVar[Account] = Account(
        formula="(mean goal grade + mean plan grade) / 2, each grade 0 to 4 over 4",
        source="deepeval's GoalAccuracy, both grades of all exchanges in one question",
        empty="where the chatbot never answered the score is 0",
        calls="1 for a conversation of any length; with a small judge, 2 an exchange",
    )

    @property
    def reads(self) -> tuple[str, ...]:
        """The needs, and the tools that were called."""
        return (*self.needs, "tools_called")

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for two grades of every exchange."""
        exchanges = answered_exchanges(subject)
        found = await ask_grades(
            asking,
            subject=subject,
            ask=_ASK,
            items=[exchange.item for exchange in exchanges],
            narrow=_NARROW,
            material=tool_calls_of(exchanges),
        )
        return found.finding(list(_NARROW), statistics.mean, empty=0.0)
