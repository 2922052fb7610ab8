"""VIEScore: is a generated or edited image what was asked for, and is it a good image?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from turnwise.conversations.errors import SettingError
from turnwise.conversations.images import images_in
from turnwise.conversations.models import shorten
from turnwise.conversations.results import Verdict
from turnwise.engine.judge.pictures import Picture
from turnwise.engine.judge.questions import Question
from turnwise.engine.judge.transcripts import RULES
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
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

TASKS = ("generation", "editing")

_GENERATED = """\
The user asked for an image, and the chatbot's output shows {images}. How far is that what the user asked \
for?
prompt: 10 where everything that was asked for is there as it was described, 0 where nothing of it is."""

_EDITED = """\
The user gave an image and asked for a change to it; the chatbot's output shows {images}. How well was the \
change made?
change: 10 where the image shows the very change that was asked for, 0 where nothing of it was done.
rest: 10 where all that was not to change is as it was, 0 where it is another image altogether."""

_QUALITY = """\
Look at the image as an image; what it was made for is not asked.
natural: 10 where light, shadow, perspective and proportions are as in a good photograph or drawing, 0 \
where nothing looks right.
clean: 10 where nothing is distorted, blurred, cut through, doubled or garbled, as hands and letters often \
are, 0 where it is full of such flaws."""

_FORM = """

Answer with this JSON and nothing else: {{"reason": "...", {fields}}}
reason: two sentences at most. {names}: whole numbers from 0 to 10."""

_CONSISTENCY = {"generation": ("prompt",), "editing": ("change", "rest")}
_PERCEPTION = ("natural", "clean")


@dataclass(kw_only=True, eq=False)
class VIEScore(ImageMetric):
    """Whether an image that was generated or edited is what was asked for, and well made.

    task: generation or editing; by default editing where the input holds an image, generation elsewhere.
    """

    key: ClassVar[str] = "viescore"
    main_setting: ClassVar[str] = "task"
    questions: ClassVar[int] = 2
    account: ClassVar[Account] = Account(
        formula=(
            "sqrt(min(semantic consistency) * min(perceptual quality)) / 10; the parts, each 0 to 10: how "
            "the prompt is followed (generation), or the change made and the rest kept (editing); how "
            "natural and how clean the image is"
        ),
        source="VIEScore: Ku et al. 2023, https://arxiv.org/abs/2312.14867; deepeval's VIEScore",
        empty=NO_OUTPUT_IMAGE,
        calls="2",
    )

    task: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.task and self.task not in TASKS:
            raise SettingError(
                f"viescore: task is {' or '.join(TASKS)}", detail=f"Given: {shorten(self.task)}"
            )

    def lacks(self, subject: Subject) -> str:
        """Skip an edit also where the input holds no image to edit."""
        edits = self.task == "editing" and subject.pictured and not images_in(subject.pictured.input)
        return super().lacks(subject) or ("the input has no image" if edits else "")

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask what the image shows against what was asked for, and then how good an image it is."""
        case = pictured(subject)
        task = self.task or ("editing" if images_in(case.input) else "generation")
        numbers = output_numbers(case)
        shown = ", ".join(f"image {number}" for number in numbers)
        ask = (_EDITED if task == "editing" else _GENERATED).format(images=shown)
        everything = await pictures_of(subject, asking)
        results = tuple(everything[number - 1] for number in numbers)
        transcript = subject.transcript(asking.secret).text

        async def one(question: Question) -> Mapping[str, Any]:
            return (await asking.ask(question)).value

        consistency, quality = await asking.each(
            [
                _question(transcript, ask, _CONSISTENCY[task], everything),
                _question("", _QUALITY, _PERCEPTION, results),
            ],
            one,
        )
        parts = {
            **{name: consistency[name] for name in _CONSISTENCY[task]},
            **{name: quality[name] for name in _PERCEPTION},
        }
        semantic = min(consistency[name] for name in _CONSISTENCY[task])
        perceptual = min(quality[name] for name in _PERCEPTION)
        told = {"semantic consistency": consistency, "perceptual quality": quality}
        values = {"semantic consistency": semantic, "perceptual quality": perceptual}
        return Finding(
            score=math.sqrt(semantic * perceptual) / HIGHEST,
            reason=" ".join(
                f"{name.capitalize()} {values[name]} of 10: {told[name]['reason']}" for name in told
            ),
            verdicts=[
                Verdict(
                    turn=subject.reply_turn,
                    passed=values[name] * 2 >= HIGHEST,
                    word=f"{values[name]} of {HIGHEST}",
                    reason=told[name]["reason"],
                    about=name,
                )
                for name in told
            ],
            details={"task": task, **parts},
        )


@dataclass(kw_only=True, eq=False)
class TextToImageMetric(VIEScore):
    """VIEScore of an image that was made of a text."""

    task: str = "generation"


@dataclass(kw_only=True, eq=False)
class ImageEditingMetric(VIEScore):
    """VIEScore of an image that was edited."""

    task: str = "editing"


def _question(transcript: str, ask: str, names: tuple[str, ...], pictures: tuple[Picture, ...]) -> Question:
    grade = {"type": "integer", "minimum": 0, "maximum": HIGHEST}
    fields = ", ".join(f'"{name}": ...' for name in names)
    question = Question(
        rules=RULES,
        transcript=transcript,
        ask=ask + _FORM.format(fields=fields, names=", ".join(names)),
        name="grades",
        schema={
            "type": "object",
            "properties": {"reason": {"type": "string"}, **dict.fromkeys(names, grade)},
            "required": ["reason", *names],
            "additionalProperties": False,
        },
    )
    return replace(question, pictures=pictures)
