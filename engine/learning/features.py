"""Features: what a learned signal may look at in a conversation, family by family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from turnwise.engine.learning.word_buckets import buckets_of
from turnwise.engine.metrics.deterministic.shapes import SHAPES, shape_of
from turnwise.engine.metrics.subject import Subject

Family = Literal["shape", "scores", "words"]
FAMILIES: Sequence[Family] = get_args(Family)
"""Families of features, the plainest first: figures of the conversation itself, kept scores, and words."""
SCORE_OF = "score of "
"""How a feature begins that is a metric's kept score."""


def features_of(subject: Subject, families: Sequence[Family] = FAMILIES) -> dict[str, float]:
    """Return the features of a conversation by their names; those that are not known are left out.

    A word that is not said is known not to be: its bucket is left out and counts as 0.
    """
    found: dict[str, float] = {}
    if "shape" in families:
        found |= shape_of(subject)
    if "scores" in families:
        found |= {SCORE_OF + metric: score for metric, score in subject.kept_scores.items()}
    if "words" in families:
        found |= buckets_of(subject)
    return found


def feature_words(name: str, buckets: Mapping[str, str]) -> str:
    """Say what a feature is. buckets: the words of buckets, as `words_of_buckets` tells them."""
    return SHAPES.get(name) or buckets.get(name) or name
