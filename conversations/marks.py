"""Marks: the words of labels, and one character for each outcome, verdict and label: colour is never alone.

The one table of these signs: the app, the commands and the exports all take them from here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, get_args

LabelWord = Literal["pass", "fail", "defer"]
AtFault = Literal["chatbot", "user", "tool", "judge"]
"""Who failed where a conversation did: the chatbot, its user, a tool that was called, or the judge."""
AT_FAULT: tuple[AtFault, ...] = get_args(AtFault)

PASSED = "✓"
FAILED = "✗"
UNSURE = "~"
"""A score without a threshold, a verdict that neither passed nor failed, and a label that was deferred."""
SKIPPED = "–"
"""A metric that did not apply, and a label that was taken back or never given."""
FAILURE = "!"
"""A metric that could not be had: the judge was away, or its reply could not be read."""

QUOTED = "»"
"""Words of a turn that a verdict rests on."""

WORST_FIRST: Sequence[str] = (FAILED, FAILURE, UNSURE, PASSED, SKIPPED)
"""All signs of outcomes, in the order in which they ask to be looked at."""

LABEL_SIGNS: Mapping[LabelWord | None, str] = {
    "pass": PASSED,
    "fail": FAILED,
    "defer": UNSURE,
    None: SKIPPED,
}
"""The sign of what a person said of a conversation or a metric; None where nothing is said."""

DISPUTED = PASSED + FAILED
"""The sign of a session that one person passes and another fails, and nobody settled."""


class MetricOutcome(Protocol):
    """What a metric came to on a session: a row of a score, or its mark in a list."""

    @property
    def outcome(self) -> Literal["score", "failure", "skipped"]:
        """Whether there is a score, and why there is none."""
        ...

    @property
    def passed(self) -> bool | None:
        """Whether the score passed; None without a threshold, and without a score."""
        ...


def verdict_sign(passed: bool | None) -> str:
    """Return the sign of a verdict: ✓ passed, ✗ failed, ~ for None, which is neither."""
    return UNSURE if passed is None else PASSED if passed else FAILED


def outcome_sign(found: MetricOutcome) -> str:
    """Return the sign of an outcome: ✓ passed, ✗ failed, ~ without a threshold, – skipped, ! failure."""
    if found.outcome != "score":
        return FAILURE if found.outcome == "failure" else SKIPPED
    return verdict_sign(found.passed)
