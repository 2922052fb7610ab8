"""Contradiction: does the chatbot say the opposite of what it said before?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from turnwise.conversations.results import Verdict
from turnwise.engine.judge.transcripts import defuse
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.deterministic.content_words import content_words
from turnwise.engine.metrics.entries import EntryForm, JudgedItem, ask_entries, number_named
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.quoting import beginnings
from turnwise.engine.metrics.subject import Subject, no_second_reply_words
from turnwise.engine.metrics.verdicts import (
    Example,
    Narrow,
    VerdictWords,
    WordAnswer,
    narrow_answer,
    narrow_question,
    number_sentences,
    share_passed,
    word_form,
)

_ASK = """\
Does the chatbot contradict itself? For each of its turns listed below, look at the chatbot's own turns \
before it. The verdict is yes when the two cannot both be true, or when it does or offers now what it ruled \
out before, or the other way round. It is no in every other case: also when it adds something, when it \
corrects itself and says so, or when the matter itself has changed in between (a booking that was made since).
earlier_turn is the number of the chatbot's earlier turn that it contradicts; 0 where the verdict is no."""
# A judge that fills the form in carelessly writes the first word: it had better not need a turn beside it.
_WORDS = VerdictWords({"no": True, "yes": False})
_NARROW = Narrow(
    "Does the chatbot's second turn say the opposite of its first, or another number for the same thing? no "
    "if they speak of different things.",
    2,
    (
        Example(
            (
                ("assistant", "The shop is closed on Sundays."),
                ("assistant", "Come by on Sunday, we are open."),
            ),
            "One says closed on Sundays, the other says open.",
            "yes",
        ),
        Example(
            (("assistant", "A ticket costs four coins."), ("assistant", "We have maps of the castle, too.")),
            "One speaks of tickets and the other of maps.",
            "no",
        ),
        Example(
            (("assistant", "The tower is forty metres high."), ("assistant", "It is sixty metres high.")),
            "One says that the tower is forty metres high, the other sixty.",
            "yes",
        ),
        Example(
            (("assistant", "The shop is closed on Sundays."), ("assistant", "On Monday we open at nine.")),
            "One speaks of Sundays and the other of Mondays.",
            "no",
        ),
        Example(
            (("assistant", "Dogs may come in."), ("assistant", "Sorry, no animals are allowed.")),
            "One lets dogs in, the other lets no animal in.",
            "yes",
        ),
        Example(
            (("assistant", "A ticket costs four coins."), ("assistant", "Two tickets are eight coins.")),
            "Two tickets at four coins make eight.",
            "no",
        ),
    ),
)
_EARLIER: dict[str, Any] = {"earlier_turn": {"type": "integer"}}

Compared = tuple[WordAnswer, int]
"""What the judge says, and the number of the earlier turn; 0 where there is none."""


@dataclass(kw_only=True, eq=False)
class ContradictionMetric(Metric):
    """Whether the chatbot stays with what it said before; each contradiction names both turns.

    What the user said is another matter: see knowledge_retention.
    """

    key: ClassVar[str] = "contradiction"
    version: ClassVar[int] = 4
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    account: ClassVar[Account] = Account(
        asks="Does the reply contradict an earlier one?",
        formula="replies that contradict no earlier reply / replies after the first",
        source=(
            "turnwise, after the task of DECODE (whether a chatbot's last utterance contradicts an earlier "
            "one): Nie et al. 2021, https://arxiv.org/abs/2012.13391"
        ),
        empty="a conversation with fewer than two replies is skipped",
        calls=(
            "1 for a conversation of any length; with a small judge, 1 a reply after the first, beside the "
            "earlier reply that shares most words with it"
        ),
    )

    def lacks(self, subject: Subject) -> str:
        """Skip also where no reply follows another: nothing is judged."""
        return super().lacks(subject) or no_second_reply_words(subject)

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask of every reply after the first which earlier one it contradicts."""
        replies = {
            number: turn.content for number, turn in subject.numbered if number in subject.reply_numbers()
        }
        items = [JudgedItem(number, number) for number in list(replies)[1:]]

        sentences = number_sentences(subject, items)
        form = word_form(_WORDS, sentences)

        async def one(item: JudgedItem) -> Compared:
            earlier = _nearest(item.number, replies)
            said = [("assistant", defuse(replies[number])) for number in (earlier, item.number)]
            quotes = beginnings(replies[item.number], item.number)
            question = narrow_question(_NARROW, said=said, about="", words=_WORDS.all, quotes=list(quotes))
            return narrow_answer((await asking.ask(question)).value, _NARROW, quotes), earlier

        found = await ask_entries(
            asking,
            subject=subject,
            ask=_ASK,
            noun="turn",
            items=items,
            form=EntryForm(
                lambda item: {**_EARLIER, **form.fields(item)},
                form.told,
                lambda item, entry: _read(item, entry, form, replies),
            ),
            one=one,
            sentences=sentences.starts if sentences else None,
        )
        verdicts = [
            _verdict(item, *found.answers[item.number]) for item in items if item.number in found.answers
        ]
        pairs = [
            [earlier, number]
            for number, (answer, earlier) in sorted(found.answers.items())
            if answer.word == "yes"
        ]
        return Finding(
            score=share_passed(verdicts),
            reason=_reason(verdicts, pairs),
            verdicts=verdicts,
            details={**found.details, "pairs": pairs} if pairs else found.details,
        )


def _read(
    item: JudgedItem, entry: Mapping[str, Any], form: EntryForm[WordAnswer], replies: Mapping[int, str]
) -> Compared | None:
    """Return what an entry says; None where it names a turn as contradicted that is no earlier reply."""
    said = form.read(item, entry)
    if said is None or said.word == "no":
        return (said, 0) if said else None
    earlier = number_named(entry.get("earlier_turn"))
    known = earlier is not None and earlier in replies and earlier < item.number
    return (said, earlier) if earlier is not None and known else None


def _nearest(number: int, replies: Mapping[int, str]) -> int:
    """Return the earlier reply that shares most content words with a reply; the latest of equals."""
    words = {word for word, _ in content_words(replies[number])}
    before = [earlier for earlier in replies if earlier < number]
    return max(before, key=lambda one: (len(words & {word for word, _ in content_words(replies[one])}), one))


def _verdict(item: JudgedItem, said: WordAnswer, earlier: int) -> Verdict:
    contradicts = said.word == "yes"
    return Verdict(
        turn=item.turn,
        passed=not contradicts,
        word=said.word,
        reason=said.reason,
        about=f"contradicts turn {earlier}" if contradicts else "",
        quote=said.quote if contradicts else None,
    )


def _reason(verdicts: Sequence[Verdict], pairs: Sequence[Sequence[int]]) -> str:
    if not pairs:
        return f"No reply contradicts an earlier one ({len(verdicts)} compared)."
    named = ", ".join(f"{later} against {earlier}" for earlier, later in pairs[:6])
    first = next((verdict.reason for verdict in verdicts if verdict.passed is False and verdict.reason), "")
    verb = "contradicts" if len(pairs) == 1 else "contradict"
    head = f"{len(pairs)} of {len(verdicts)} replies {verb} an earlier one (turn {named})"
    return f"{head}: {first}" if first else f"{head}."
