"""Image grades: the metrics that grade each image of an output from 0 to 10, by what they ask about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from turnwise.conversations.results import Verdict
from turnwise.engine.judge.questions import Question
from turnwise.engine.judge.replies import Mismatch, conform
from turnwise.engine.judge.transcripts import RULES
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import EntryForm, JudgedItem, ask_entries
from turnwise.engine.metrics.metric import Finding
from turnwise.engine.metrics.multimodal.pictured import (
    HIGHEST,
    NO_OUTPUT_IMAGE,
    ImageMetric,
    output_numbers,
    pictured,
    pictures_of,
)
from turnwise.engine.metrics.subject import Subject

_GRADE = {"type": "integer", "minimum": 0, "maximum": HIGHEST}
_SCALE = "A score is a whole number from 0, not at all, to 10, fully."


@dataclass(kw_only=True, eq=False)
class ImageGradesMetric(ImageMetric, abstract=True):
    """The mean of grades, one for each image of the output, all asked for in one question."""

    ask: ClassVar[str]
    """What is asked about each image."""
    does: ClassVar[str]
    """What a good image does, as a verb in the singular."""

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a grade of every image."""
        asking.pictures = await pictures_of(subject, asking)
        numbers = output_numbers(pictured(subject))
        items = [JudgedItem(number, subject.reply_turn) for number in numbers]

        async def one(item: JudgedItem) -> tuple[int, str] | None:
            question = _question(subject.transcript(asking.secret).text, self.ask, item.number)
            return _read(item, (await asking.ask(question)).value)

        found = await ask_entries(
            asking, subject=subject, ask=self.ask, noun="image", items=items, form=_FORM, one=one
        )
        verdicts = [
            Verdict(
                turn=item.turn,
                passed=value * 2 >= HIGHEST,
                word=f"{value} of {HIGHEST}",
                reason=reason,
                about=f"image {item.number}",
            )
            for item in items
            if item.number in found.answers
            for value, reason in [found.answers[item.number]]
        ]
        values = [value for value, _ in found.answers.values()]
        low = min(verdicts, key=lambda verdict: int(verdict.word.split()[0]))
        return Finding(
            score=sum(values) / len(values) / HIGHEST,
            reason=f"{low.about.capitalize()} {self.does} by {low.word}: {low.reason}",
            verdicts=verdicts,
            details=found.details,
        )


def _question(transcript: str, ask: str, number: int) -> Question:
    """Return the question about one image, for a judge that is asked about one thing at a time."""
    return Question(
        rules=RULES,
        transcript=transcript,
        ask=f"{ask}\n\nGive a score to: image {number}.\n\n{_SCALE}\n"
        'Answer with this JSON and nothing else: {"reason": "...", "score": ...}',
        name="grade",
        schema={
            "type": "object",
            "properties": {"reason": {"type": "string"}, "score": _GRADE},
            "required": ["reason", "score"],
            "additionalProperties": False,
        },
    )


def _read(item: JudgedItem, entry: Mapping[str, Any]) -> tuple[int, str] | None:
    try:
        value = conform(entry.get("score"), _GRADE)
    except Mismatch:
        return None
    return value, str(entry.get("reason") or "").strip()


_FORM: EntryForm[tuple[int, str]] = EntryForm(lambda item: {"score": _GRADE}, _SCALE, _read)


def _account(source: str) -> Account:
    return Account(
        formula="mean over the output's images of the grade (0 to 10) / 10",
        source=source,
        empty=NO_OUTPUT_IMAGE,
        calls="1 for all images of an output",
    )


class ImageCoherenceMetric(ImageGradesMetric):
    """Whether each image of the output goes with the text that stands around it."""

    key = "image_coherence"
    account = _account("deepeval's ImageCoherence")
    ask = (
        "The chatbot's output holds text and images, each image where its number stands. How well does each "
        "image listed below go with the text right before and after it, in what it shows and in what it says?"
    )
    does = "goes with its text"


class ImageHelpfulnessMetric(ImageGradesMetric):
    """Whether each image of the output helps the user to understand its text."""

    key = "image_helpfulness"
    account = _account("deepeval's ImageHelpfulness")
    ask = (
        "The chatbot's output holds text and images, each image where its number stands. How much does each "
        "image listed below help the user to understand what the text says or to do what it asks for? An "
        "image that only decorates helps with nothing."
    )
    does = "helps"


class ImageReferenceMetric(ImageGradesMetric):
    """Whether the output refers to each of its images, and says of it what it shows."""

    key = "image_reference"
    account = _account("deepeval's ImageReference")
    ask = (
        "The chatbot's output holds text and images, each image where its number stands. How well does the "
        "text refer to each image listed below: is it pointed to or explained where it stands, and is what "
        "the text says of it what it shows? An image that no word refers to scores 0."
    )
    does = "is referred to"
