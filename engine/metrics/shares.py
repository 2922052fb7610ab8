"""Shares: the finding of a metric that scores how many of its verdicts pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.conversations.results import Verdict
from turnwise.engine.metrics.metric import Finding
from turnwise.engine.metrics.numbered import share_passed
from turnwise.engine.metrics.reasons import turns_reason


def share_finding(
    verdicts: Sequence[Verdict],
    details: Mapping[str, Any],
    *,
    good: str,
    bad: str,
    noun: str = "reply",
    score: float | None = None,
) -> Finding:
    """Return the finding of verdicts: the share that passes, 1 where none counts, and the turns that fail.

    good, bad, noun: as `turns_reason`. score: where it is another than the share.
    """
    return Finding(
        score=share_passed(verdicts) if score is None else score,
        reason=turns_reason(verdicts, good=good, bad=bad, noun=noun),
        verdicts=verdicts,
        details=details,
    )
