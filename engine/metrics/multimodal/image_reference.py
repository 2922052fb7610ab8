"""Image reference: does the text refer to each image, and rightly?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.multimodal.image_grades import IMAGE_CALLS, IMAGE_FORMULA, ImageGradesMetric
from turnwise.engine.metrics.multimodal.pictured import NO_OUTPUT_IMAGE


@dataclass(kw_only=True, eq=False)
class ImageReferenceMetric(ImageGradesMetric):
    """Whether the output refers to each of its images, and says of it what it shows."""

    key: ClassVar[str] = "image_reference"
    account: ClassVar[Account] = Account(
        formula=IMAGE_FORMULA,
        source="deepeval's ImageReference",
        empty=NO_OUTPUT_IMAGE,
        calls=IMAGE_CALLS,
    )
    ask: ClassVar[str] = (
        "The chatbot's output holds text and images, each image where its number stands. How well does the "
        "text refer to each image listed below: is it pointed to or explained where it stands, and is what "
        "the text says of it what it shows? An image that no word refers to scores 0."
    )
    does: ClassVar[str] = "is referred to"
