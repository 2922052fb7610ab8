"""Image coherence: does each image go with the text around it?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.multimodal.image_grades import IMAGE_CALLS, IMAGE_FORMULA, ImageGradesMetric
from turnwise.engine.metrics.multimodal.pictured import NO_OUTPUT_IMAGE


@dataclass(kw_only=True, eq=False)
class ImageCoherenceMetric(ImageGradesMetric):
    """Whether each image of the output goes with the text that stands around it."""

    key: ClassVar[str] = "image_coherence"
    account: ClassVar[Account] = Account(
        formula=IMAGE_FORMULA,
        source="deepeval's ImageCoherence",
        empty=NO_OUTPUT_IMAGE,
        calls=IMAGE_CALLS,
    )
    ask: ClassVar[str] = (
        "The chatbot's output holds text and images, each image where its number stands. How well does each "
        "image listed below go with the text right before and after it, in what it shows and in what it says?"
    )
    does: ClassVar[str] = "goes with its text"
