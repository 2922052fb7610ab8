"""Argument correctness: do the tools get the arguments that the user's words ask for?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import JudgedItem
from turnwise.engine.metrics.materials import call_text
from turnwise.engine.metrics.metric import Finding, Metric, Scope
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
To do what the user says in {place}, the chatbot called the tools below. Are the arguments of each call \
right? The verdict is yes when every value follows from what was said or is a sensible choice where nothing \
was said, and nothing that was asked for is missing. It is no when a value goes against what was said, is \
made up, or a needed one is missing. Whether the tool itself was a good choice is not asked."""
_NARROW_ASK = (
    "Are the call's arguments right? no if a value goes against what was said, is made up, or a needed "
    "one is missing; yes in every other case."
)
_EXAMPLES = (
    Example(
        (("user", "A table for four on Friday, please."), ("assistant", "It is booked.")),
        "Four people and Friday are what the user said.",
        "yes",
        about='book_table({"people": 4, "day": "Friday"})',
    ),
    Example(
        (("user", "A table for four on Friday, please."), ("assistant", "It is booked.")),
        "The user said Friday, and the call says Sunday.",
        "no",
        about='book_table({"people": 4, "day": "Sunday"})',
    ),
    Example(
        (("user", "Send it to Ada, please."), ("assistant", "Done.")),
        "The address was never given and is made up.",
        "no",
        about='send_mail({"to": "ada@mail.example"})',
    ),
)


@dataclass(kw_only=True, eq=False)
class ArgumentCorrectnessMetric(Metric):
    """Whether the tools were called with arguments that fit what the user said."""

    key: ClassVar[str] = "argument_correctness"
    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("input", "tools_called")
    account: ClassVar[Account] = Account(
        asks="Are the arguments of the call right?",
        formula="tool calls with right arguments / tool calls",
        source="deepeval's ArgumentCorrectness",
        empty="an empty list of calls scores 1; a case that says nothing of tools is skipped",
        calls="1, none without tool calls; with a small judge, 1 a tool call",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a verdict on every call."""
        texts = [
            call_text(call.name, call.input_parameters or call.raw_arguments, None)
            for call in subject.value("tools_called")
        ]
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_ASK.format(place=turns_named(subject.exchange.input_turns if subject.exchange else ())),
            noun="call",
            items=[JudgedItem(count, subject.reply_turn, text) for count, text in enumerate(texts, start=1)],
            words=VerdictWords({"yes": True, "no": False}),
            narrow=Narrow(_NARROW_ASK, 4, _EXAMPLES, label="Call"),
        )
        return share_finding(
            found.verdicts,
            found.details,
            good="have the right arguments",
            bad="have wrong arguments",
            noun="tool call",
        )
