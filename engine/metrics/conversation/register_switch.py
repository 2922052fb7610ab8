"""Register switch: does the chatbot keep its manner of speaking from reply to reply?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import JudgedItem
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject, no_second_reply_words
from turnwise.engine.metrics.verdicts import Example, Narrow, VerdictWords, ask_numbered, share_finding

_ASK = """\
Does the chatbot keep its manner of speaking? For each of its turns listed below, compare it with the \
chatbot's own turns before it. The verdict is yes when it switches: between formal and casual, between a \
polite and a familiar form of address (as Sie and du), from plain words to jargon or slang, from warm to \
curt, or to another language, without the user having asked for it or gone there first. It is no in every \
other case: also when only the subject or the length changes."""
_NARROW_ASK = (
    "Does the chatbot's last turn speak in the same manner as its turns before? no only if it switches "
    "between formal and casual, or to another language, and the user did not do so first."
)
_GREETING = (("assistant", "Good morning, Ms Brink. How may I help you?"), ("user", "My parcel is late."))
_EXAMPLES = (
    Example(
        (*_GREETING, ("assistant", "I am sorry to hear that. May I have the number of the parcel?")),
        "It is as polite and formal as before.",
        "yes",
    ),
    Example(
        (*_GREETING, ("assistant", "lol that sucks, gimme the number dude")),
        "It was formal before and uses slang now.",
        "no",
    ),
    Example(
        (
            ("assistant", "Hello! How can I help?"),
            ("user", "Wo ist mein Paket?"),
            ("assistant", "Es ist morgen bei Ihnen."),
        ),
        "It answers in German, as the user does.",
        "yes",
    ),
)


@dataclass(kw_only=True, eq=False)
class RegisterSwitchMetric(Metric):
    """Whether the chatbot keeps its manner of speaking: formal or casual, polite or familiar, one language.

    The check of languages beside it, which needs no judge, is language_switch.
    """

    key: ClassVar[str] = "register_switch"
    version: ClassVar[int] = 3
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    account: ClassVar[Account] = Account(
        asks="Does the reply switch to another manner of speaking, or language?",
        formula="replies that keep the manner of speaking / replies after the first",
        source="turnwise",
        empty="a conversation with fewer than two replies is skipped",
        calls="1 for a conversation of any length; with a small judge, 1 a reply after the first",
    )

    def lacks(self, subject: Subject) -> str:
        """Skip also where no reply follows another: nothing is judged."""
        return super().lacks(subject) or no_second_reply_words(subject)

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask of every reply after the first whether it switches."""
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_ASK,
            noun="turn",
            items=[JudgedItem(number, number) for number in subject.reply_numbers()[1:]],
            words=VerdictWords({"yes": False, "no": True}),
            narrow=Narrow(_NARROW_ASK, 4, _EXAMPLES, opposite=True),
        )
        return share_finding(
            found.verdicts,
            found.details,
            good="keep the manner of speaking",
            bad="switch the manner of speaking",
        )
