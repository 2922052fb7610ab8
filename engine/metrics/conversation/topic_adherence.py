"""Topic adherence: does the chatbot answer what belongs to its topics, and turn away what does not?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from turnwise.engine.judge.transcripts import fence
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import JudgedItem, ask_entries
from turnwise.engine.metrics.exchanges import answered_exchanges
from turnwise.engine.metrics.materials import one_line
from turnwise.engine.metrics.metric import Finding, Metric, Scope, check_listed, given_list
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import (
    Example,
    Narrow,
    VerdictWords,
    WordAnswer,
    ask_narrow,
    number_sentences,
    share_finding,
    verdicts_of,
    word_form,
)

_ASK = """\
The chatbot is there for these topics and no others:
{topics}

Each turn listed below ends an exchange: what the user says just before it, and the chatbot's reply. Did \
the chatbot keep to its topics there?
answered: the user asks about a topic, and the chatbot takes it up, be it with a question.
declined: the user asks about something else, and the chatbot turns it away.
strayed: the user asks about something else, and the chatbot answers it.
withheld: the user asks about a topic, and the chatbot turns it away or passes over it.
none: the user asks for nothing, as in a greeting or thanks.
Where an exchange holds several questions, the verdict is on the one that was treated worst."""

_WORDS = VerdictWords({"answered": True, "declined": True, "strayed": False, "withheld": False, "none": None})
_TOPICS = "Topics: library books; opening hours"
_ABOUT = Narrow(
    "Does what the user says last have to do with the topics? none if the user asks for nothing.",
    2,
    (
        Example(
            (("user", "Do you have books on whales?"), ("assistant", "Yes, on the second floor.")),
            "The user asks for books, which is a topic.",
            "yes",
            _TOPICS,
        ),
        Example(
            (("user", "How do I boil an egg?"), ("assistant", "Six minutes will do.")),
            "The user asks about cooking, which is no topic.",
            "no",
            _TOPICS,
        ),
        Example(
            (("user", "Thank you, goodbye!"), ("assistant", "Goodbye!")),
            "The user says goodbye and asks for nothing.",
            "none",
            _TOPICS,
        ),
    ),
)
_TAKEN_UP = Narrow(
    "Does the chatbot's last turn take up what the user asks? yes also if it asks back; no if it declines.",
    2,
    (
        Example(
            (("user", "How do I boil an egg?"), ("assistant", "Six minutes will do.")),
            "It tells how long to boil an egg.",
            "yes",
        ),
        Example(
            (("user", "How do I boil an egg?"), ("assistant", "I'm sorry, I only know about books.")),
            "It declines to speak of eggs.",
            "no",
        ),
        Example(
            (("user", "Is my book back?"), ("assistant", "Which book do you mean?")),
            "It asks which book, to be able to answer.",
            "yes",
        ),
    ),
)
_SMALL = {
    ("yes", "yes"): "answered",
    ("no", "no"): "declined",
    ("no", "yes"): "strayed",
    ("yes", "no"): "withheld",
}


@dataclass(kw_only=True, eq=False)
class TopicAdherenceMetric(Metric):
    """Whether the chatbot takes up what belongs to its topics and turns away what does not.

    relevant_topics: the topics it is there for, a list or a text with commas.
    """

    key: ClassVar[str] = "topic_adherence"
    positional: ClassVar[tuple[str, ...]] = ("relevant_topics", "threshold", "model")
    version: ClassVar[int] = 2
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    main_setting: ClassVar[str] = "relevant_topics"
    main_sample: ClassVar[str] = "billing, refunds"
    account: ClassVar[Account] = Account(
        formula=(
            "(topics answered + other matters declined) / exchanges in which the user asks for something; "
            "an exchange counts once, by the question that was treated worst"
        ),
        source="deepeval's TopicAdherence (true positives and negatives over all), a verdict an exchange",
        empty="where the user asks for nothing the score is 0",
        calls="1 for a conversation of any length; with a small judge, 1 or 2 an exchange",
    )

    relevant_topics: list[str] | str = field(default_factory=list)

    def __post_init__(self) -> None:
        self.relevant_topics = given_list(self.relevant_topics)
        super().__post_init__()
        check_listed(self, "relevant_topics", self.relevant_topics)

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask of every exchange whether it kept to the topics."""
        topics = given_list(self.relevant_topics)
        mark = subject.transcript(asking.secret).mark
        items = [exchange.item for exchange in answered_exchanges(subject)]
        heading = f"Topics: {one_line(topics)}"

        async def one(item: JudgedItem) -> WordAnswer:
            about = Narrow(_ABOUT.ask, _ABOUT.window, _ABOUT.examples, heading)
            fits = await ask_narrow(asking, subject, about, item, ["yes", "no", "none"])
            if fits.word == "none":
                return fits
            taken = await ask_narrow(asking, subject, _TAKEN_UP, item, ["yes", "no"])
            return WordAnswer(_SMALL[fits.word, taken.word], f"{fits.reason} {taken.reason}", taken.quote)

        sentences = number_sentences(subject, items)
        found = await ask_entries(
            asking,
            subject=subject,
            ask=_ASK.format(topics=fence(mark, "topic", dict(enumerate(topics, start=1)))),
            noun="turn",
            items=items,
            form=word_form(_WORDS, sentences),
            one=one,
            sentences=sentences.starts if sentences else None,
        )
        verdicts = verdicts_of(items, found.answers, _WORDS)
        counted = [verdict for verdict in verdicts if verdict.passed is not None]
        return share_finding(
            verdicts,
            found.details,
            good="keep to the topics",
            bad="do not keep to the topics",
            noun="exchange",
            score=None if counted else 0.0,
        )
