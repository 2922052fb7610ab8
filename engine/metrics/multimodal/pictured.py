"""Pictured: what metrics share that show images to the judge."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.images import MLLMImage, MLLMTestCase, images_in
from turnwise.engine.judge.pictures import Picture, picture_of
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.metric import Metric, Scope
from turnwise.engine.metrics.subject import Subject

HIGHEST = 10
NO_OUTPUT_IMAGE = "a case without an image in its output is skipped"


@dataclass(kw_only=True, eq=False)
class ImageMetric(Metric, abstract=True):
    """A metric that judges the images of an MLLMTestCase's output."""

    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("input", "actual_output")
    sees_images: ClassVar[bool] = True

    def lacks(self, subject: Subject) -> str:
        """Skip a case without images, and a case without an image in its output."""
        if subject.pictured is None:
            return "the case has no images"
        missing = "" if images_in(subject.pictured.actual_output) else "the output has no image"
        return missing or super().lacks(subject)


def pictured(subject: Subject) -> MLLMTestCase:
    """Return the case whose images are judged; `lacks` has made sure that there is one."""
    assert subject.pictured is not None, "lacks comes first"  # noqa: S101
    return subject.pictured


def output_numbers(case: MLLMTestCase) -> list[int]:
    """Return the numbers of the output's images."""
    before = images_in(case.input)
    return list(range(before + 1, before + images_in(case.actual_output) + 1))


async def pictures_of(subject: Subject, asking: Asking, numbers: Sequence[int] = ()) -> tuple[Picture, ...]:
    """Return the images with these numbers, or all, each under the mark of the conversation.

    Raises CaseError where a local image cannot be read.
    """
    mark = subject.transcript(asking.secret).mark
    images = pictured(subject).images
    wanted = numbers or range(1, len(images) + 1)

    def read(number: int, image: MLLMImage) -> Picture:
        return picture_of(image, f"[{mark} image {number}]")

    return tuple([await asyncio.to_thread(read, number, images[number - 1]) for number in wanted])
