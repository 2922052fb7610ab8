"""Image grades: what the metrics share that grade each image of an output from 0 to 10."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from turnwise.conversations.results import Verdict
from turnwise.engine.judge.questions import Question
from turnwise.engine.judge.schemas import Mismatch, conform
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import Form, Item, ask_entries
from turnwise.engine.metrics.metric import Finding
from turnwise.engine.metrics.multimodal.pictured import (
    HIGHEST,
    ImageMetric,
    output_numbers,
    pictured,
    pictures_of,
)
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.transcripts import RULES

IMAGE_CALLS = "1 for all images of an output"
IMAGE_FORMULA = "mean over the output's images of the grade (0 to 10) / 10"
_GRADE = {"type": "integer", "minimum": 0, "maximum": HIGHEST}
_SCALE = "A score is a whole number from 0, not at all, to 10, fully."


@dataclass(kw_only=True, eq=False)
class ImageGradesMetric(ImageMetric):
    """A mean of grades, one an image of the output, all asked for in one question."""

    ask: ClassVar[str]
    """What is asked about each image. does: what a good image does, as a verb in the singular."""
    does: ClassVar[str]

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a grade of every image."""
        asking.pictures = await pictures_of(subject, asking)
        numbers = output_numbers(pictured(subject))
        items = [Item(number, subject.reply_turn) for number in numbers]

        async def one(item: Item) -> tuple[int, str] | None:
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


def _read(item: Item, entry: Mapping[str, Any]) -> tuple[int, str] | None:
    try:
        value = conform(entry.get("score"), _GRADE)
    except Mismatch:
        return None
    return value, str(entry.get("reason") or "").strip()


_FORM: Form[tuple[int, str]] = Form(lambda item: {"score": _GRADE}, _SCALE, _read)
