"""Multimodal G-Eval: a criterion in plain words about an exchange with images, which the judge is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.geval import GEval
from turnwise.engine.metrics.metric import Finding
from turnwise.engine.metrics.multimodal.pictured import pictures_of
from turnwise.engine.metrics.subject import Subject


@dataclass(kw_only=True, eq=False)
class MultimodalGEval(GEval):
    """A criterion in plain words, judged on an MLLMTestCase with its images."""

    key: ClassVar[str] = "multimodal_geval"
    sees_images: ClassVar[bool] = True

    def lacks(self, subject: Subject) -> str:
        """Skip a case that was given without images."""
        return "the case has no images" if subject.pictured is None else super().lacks(subject)

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Score the exchange by the steps, with all of its images in sight."""
        await self.steps(asking)
        asking.pictures = await pictures_of(subject, asking)
        return await super().assess(subject, asking)
