"""Answer relevancy: how much of a reply has to do with what the user put in?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.statements import reply_statements
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import (
    Example,
    Narrow,
    VerdictWords,
    ask_numbered,
    share_finding,
    turns_named,
)

_ASK = """\
Look at the chatbot's last reply, to what the user says in {place}. The reply is cut into statements \
below. Does each statement help to answer what the user says there? The verdict is yes when it answers, \
explains, asks for what is needed, or refuses with a reason. It is borderline when it neither helps nor \
leads away, as courtesy does. It is no when it is about something else than the user wants."""


_NARROW_ASK = (
    "The statement is a part of the chatbot's last turn. Does it have to do with what the user says there? "
    "yes if it answers, explains, asks or offers something about it; borderline for mere courtesy; no if it "
    "speaks of something else."
)
_EXAMPLES = (
    Example(
        (("user", "When does the museum open?"), ("assistant", "At ten. On Mondays we stay closed.")),
        "It belongs to the opening hours that the user asks for.",
        "yes",
        about="On Mondays we stay closed.",
    ),
    Example(
        (("user", "When does the museum open?"), ("assistant", "Cats sleep a lot. Mostly in the sun.")),
        "It speaks of cats, and the user asks for opening hours.",
        "no",
        about="Cats sleep a lot.",
    ),
    Example(
        (
            ("user", "How do I reach the tower?"),
            ("assistant", "Take the stairs on your left. Enjoy the view!"),
        ),
        "It is a kind wish and neither answers nor leads away.",
        "borderline",
        about="Enjoy the view!",
    ),
    Example(
        (("user", "Is my lesson cancelled?"), ("assistant", "Our new teacher plays the harp.")),
        "It speaks of a teacher, and the user asks whether a lesson is cancelled.",
        "no",
        about="Our new teacher plays the harp.",
    ),
    Example(
        (("user", "Please cancel my lesson."), ("assistant", "It is done. You pay nothing for it.")),
        "It says what the cancelling costs.",
        "yes",
        about="You pay nothing for it.",
    ),
)


@dataclass(kw_only=True, eq=False)
class AnswerRelevancyMetric(Metric):
    """Whether the reply keeps to what the user wants."""

    key: ClassVar[str] = "answer_relevancy"
    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("input", "actual_output")
    account: ClassVar[Account] = Account(
        asks="Does the statement help to answer what the user says?",
        formula="(relevant + borderline statements) / statements",
        source=(
            "deepeval's AnswerRelevancy; statements are the reply's sentences, list items and code "
            "blocks, cut without a judge"
        ),
        empty="a reply without statements scores 1",
        calls="1; with a small judge, 1 a statement",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a verdict on every statement of the reply."""
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_ASK.format(place=turns_named(subject.exchange.input_turns if subject.exchange else ())),
            noun="statement",
            items=reply_statements(subject),
            words=VerdictWords({"yes": True, "borderline": True, "no": False}),
            narrow=Narrow(_NARROW_ASK, 1, _EXAMPLES),
        )
        return share_finding(
            found.verdicts,
            found.details,
            good="answer the user",
            bad="lead away from the question",
            noun="statement",
        )
