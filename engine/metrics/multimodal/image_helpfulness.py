"""Image helpfulness: does each image help to understand the text?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.multimodal.image_grades import IMAGE_CALLS, IMAGE_FORMULA, ImageGradesMetric
from turnwise.engine.metrics.multimodal.pictured import NO_OUTPUT_IMAGE


@dataclass(kw_only=True, eq=False)
class ImageHelpfulnessMetric(ImageGradesMetric):
    """Whether each image of the output helps the user to understand its text."""

    key: ClassVar[str] = "image_helpfulness"
    account: ClassVar[Account] = Account(
        formula=IMAGE_FORMULA,
        source="deepeval's ImageHelpfulness",
        empty=NO_OUTPUT_IMAGE,
        calls=IMAGE_CALLS,
    )
    ask: ClassVar[str] = (
        "The chatbot's output holds text and images, each image where its number stands. How much does each "
        "image listed below help the user to understand what the text says or to do what it asks for? An "
        "image that only decorates helps with nothing."
    )
    does: ClassVar[str] = "helps"
