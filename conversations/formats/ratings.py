"""Ratings: what annotators say of a reply on a scale, as labels per metric.

A scale is a list of values in words, each with its number, as annotation tools publish them. A number without
a scale, such as how often a reply was preferred to others, is no finding about the reply alone, and no label.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.findings import Label
from turnwise.conversations.formats.numbers import LATEST, is_number, number_of

PROGRAMS = ("system", "composite")
"""Annotators that are programs."""
_MIDDLE = 0.5


@dataclass(frozen=True, slots=True)
class Scale:
    """The values that a rating may have, lowest first, and the words for them."""

    words: Mapping[float, str]

    def share(self, value: float) -> float:
        """Return where a value stands between the lowest, 0, and the highest, 1."""
        lowest, highest = min(self.words), max(self.words)
        return (value - lowest) / (highest - lowest)


def scales_of(metrics: Any) -> dict[str, Scale]:
    """Return the scales by metric; only those that a person rates on and that have two values or more."""
    found: dict[str, Scale] = {}
    for metric in metrics if isinstance(metrics, list) else []:
        if not isinstance(metric, dict) or not isinstance(metric.get("name"), str):
            continue
        if metric.get("author") != "human" or not isinstance(metric.get("values"), list):
            continue
        words = dict(pair for value in metric["values"] if (pair := _word(value)))
        if len(words) > 1:
            found[metric["name"]] = Scale(words)
    return found


def _word(value: Any) -> tuple[float, str] | None:
    if not isinstance(value, dict):
        return None
    number = number_of(value.get("numeric_value", value.get("value")))
    word = value.get("display_value", value.get("value"))
    return (number, str(word)) if is_number(number) else None


def labels_of(annotations: Any, scales: Mapping[str, Scale], *, turn: int | None) -> tuple[Label, ...]:
    """Return the ratings of people on these scales; turn: the number of the turn that they are about."""
    found: list[Label] = []
    for metric, by_annotator in (annotations if isinstance(annotations, dict) else {}).items():
        scale = scales.get(metric)
        if scale is None or not isinstance(by_annotator, dict):
            continue
        for annotator, rating in by_annotator.items():
            if annotator not in PROGRAMS and (label := _label(metric, annotator, rating, scale, turn)):
                found.append(label)
    return tuple(found)


def _label(metric: str, annotator: str, rating: Any, scale: Scale, turn: int | None) -> Label | None:
    value = number_of(rating.get("value") if isinstance(rating, dict) else rating)
    if not is_number(value) or value not in scale.words:
        return None
    share = scale.share(value)
    at = rating.get("timestamp") if isinstance(rating, dict) else None
    return Label(
        word="pass" if share >= _MIDDLE else "fail",
        author=annotator,
        metric=metric,
        value=share,
        turn=turn,
        note=scale.words[value],
        # Who rated the reply elsewhere had no score of turnwise in sight.
        blind=True,
        at=float(at) if is_number(at) and 0 <= at < LATEST else None,
    )
