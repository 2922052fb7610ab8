"""Grades: one question about many numbered things, with one or more grades from 0 to 4 for each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from turnwise.conversations.results import Quote, Verdict
from turnwise.engine.judge.replies import Mismatch, conform
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import EntryForm, JudgedItem, Material, ask_entries
from turnwise.engine.metrics.metric import Finding
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import TOLD_SENTENCES, NarrowFor, ask_narrow, number_sentences

HIGHEST = 4
SCALE = "A grade is a whole number: 4 fully, 3 with a small flaw, 2 half, 1 hardly, 0 not at all."
_GRADE = {"type": "integer", "minimum": 0, "maximum": HIGHEST}
_PASSES = 0.5


@dataclass(frozen=True, slots=True)
class Graded:
    """The grades of an item, 0 to 1 by their names, why, and the sentence that lowers them, if any."""

    values: Mapping[str, float]
    reason: str
    quote: Quote | None = None


@dataclass(slots=True)
class Grades:
    """The grades of the items by their numbers, the same as verdicts, and what was odd about the replies."""

    answers: dict[int, Graded]
    verdicts: list[Verdict]
    details: dict[str, Any] = field(default_factory=dict)

    def _mean(self, name: str, empty: float) -> float:
        given = [answer.values[name] for answer in self.answers.values() if name in answer.values]
        return sum(given) / len(given) if given else empty

    def finding(
        self, names: Sequence[str], combine: Callable[[Sequence[float]], float], *, empty: float
    ) -> Finding:
        """Return the finding of the mean grades. combine: makes a score of them. empty: a mean of nothing."""
        means = {name: self._mean(name, empty) for name in names}
        return Finding(
            score=combine(list(means.values())),
            reason=_reason(self, means),
            verdicts=self.verdicts,
            details={**self.details, **means},
        )


async def ask_grades(
    asking: Asking,
    *,
    subject: Subject,
    ask: str,
    items: Sequence[JudgedItem],
    narrow: Mapping[str, NarrowFor],
    only: Mapping[str, frozenset[int]] | None = None,
    material: Material | None = None,
) -> Grades:
    """Ask for grades of every item, named by turn.

    narrow: the grades by their names, each with the question of yes or no that a small judge is asked; its
    yes is full marks. only: for a grade that not every item has, the numbers of those that have it. The rest,
    and what is raised: as `ask_entries`.
    """

    sentences = number_sentences(subject, items)

    def names(item: JudgedItem) -> list[str]:
        return [name for name in narrow if item.number in (only or {}).get(name, {item.number})]

    def fields_of(item: JudgedItem) -> Mapping[str, Any]:
        grades = dict.fromkeys(names(item), _GRADE)
        return {**grades, "sentence": sentences.schema(item.turn)} if sentences else grades

    def read(item: JudgedItem, entry: Mapping[str, Any]) -> Graded | None:
        try:
            values = {name: conform(entry.get(name), _GRADE) / HIGHEST for name in names(item)}
        except Mismatch:
            return None
        quote = sentences.named(entry.get("sentence"), item.turn) if sentences else None
        return Graded(values, str(entry.get("reason") or "").strip(), quote)

    async def one(item: JudgedItem) -> Graded:
        asked = names(item)
        answers = await asking.each(
            asked, lambda name: ask_narrow(asking, subject, narrow[name], item, ["yes", "no"])
        )
        values = {name: float(answer.word == "yes") for name, answer in zip(asked, answers, strict=True)}
        # The reason of the first grade that is not full says more than that of one that is.
        worst = min(range(len(asked)), key=lambda place: values[asked[place]])
        return Graded(values, answers[worst].reason, answers[worst].quote)

    found = await ask_entries(
        asking,
        subject=subject,
        ask=ask,
        noun="turn",
        items=items,
        form=EntryForm(fields_of, f"{SCALE} {TOLD_SENTENCES}" if sentences else SCALE, read),
        one=one,
        material=material,
        sentences=sentences.starts if sentences else None,
    )
    verdicts = [
        Verdict(
            turn=item.turn,
            passed=value >= _PASSES,
            word=f"{round(value * HIGHEST)} of {HIGHEST}",
            reason=found.answers[item.number].reason,
            about=name,
            quote=found.answers[item.number].quote if value < _PASSES else None,
        )
        for item in items
        if item.number in found.answers
        for name, value in found.answers[item.number].values.items()
    ]
    return Grades(found.answers, verdicts, found.details)


def _reason(grades: Grades, means: Mapping[str, float]) -> str:
    """Say what the grades are on average and where the lowest was given: "goal 0.75 and plan 1 over 2 …"."""
    if not grades.answers:
        return "There is no exchange to judge."
    count = len(grades.answers)
    told = " and ".join(f"{name} {round(mean, 2):g}" for name, mean in means.items())
    head = f"On average {told} over {count} exchange{'s' if count > 1 else ''}"
    low = min(grades.verdicts, key=lambda verdict: int(verdict.word.split()[0]))
    if low.word.startswith(str(HIGHEST)):
        return f"{head}."
    return f"{head}; the lowest is {low.about} {low.word} at turn {low.turn}: {low.reason}"
