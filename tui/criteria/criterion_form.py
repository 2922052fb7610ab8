"""CriterionForm: a criterion as it stands in an editor, in texts that may be wrong for the moment."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from turnwise.conversations.cases import LLMTestCaseParams
from turnwise.conversations.errors import SettingError
from turnwise.conversations.safe_text import make_safe
from turnwise.engine.criteria.criteria import Criterion, check_criterion
from turnwise.engine.metrics.guidance import JudgedExample

FIELDS = tuple(
    parameter.value
    for parameter in LLMTestCaseParams
    if parameter not in (LLMTestCaseParams.INPUT, LLMTestCaseParams.ACTUAL_OUTPUT)
)
"""The fields of a case that a judge may be shown beside input and reply."""
_RUBRIC_LINE = re.compile(r"\s*(\d+)(?:\s*(?:-|–|to)\s*(\d+))?\s*[:.]?\s+(\S.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionForm:
    """What the fields of the editor hold.

    steps, guidelines: one a line. rubric: lines such as "0-3 rude". examples: as the file holds them.
    """

    name: str = ""
    criteria: str = ""
    steps: str = ""
    parameters: tuple[str, ...] = ()
    guidelines: str = ""
    examples: tuple[JudgedExample, ...] = ()
    rubric: str = ""
    threshold: str = "0.5"
    strict: bool = False
    scope: str = "conversation"

    @classmethod
    def of(cls, criterion: Criterion) -> CriterionForm:
        """Return a criterion as the editor shows it."""
        return cls(
            name=make_safe(_one_line(criterion.name)),
            criteria=make_safe((criterion.criteria or "").strip()),
            steps=make_safe("\n".join(_one_line(step) for step in criterion.steps or ())),
            guidelines=make_safe("\n".join(_one_line(line) for line in criterion.guidelines)),
            examples=tuple(criterion.examples),
            parameters=tuple(one.value for one in criterion.parameters),
            rubric=make_safe("\n".join(_rubric_line(part) for part in criterion.rubric or ())),
            threshold=f"{criterion.threshold:g}",
            strict=criterion.strict,
            scope=criterion.scope,
        )

    def criterion(self, before: Criterion | None = None) -> Criterion:
        """Return the criterion that the form says; what was not touched is as it was before.

        Raises CaseError and SettingError, in words for a person, where it says none.
        """
        shown = CriterionForm.of(before) if before is not None else CriterionForm()
        values: dict[str, Any] = before.content() if before is not None else {}
        for name in Criterion.model_fields:
            if before is None or getattr(self, name) != getattr(shown, name):
                values[name] = self._read(name)
        if not values.get("name"):
            raise SettingError("The criterion has no name", next_step="Give it one.")
        if not values.get("criteria") and not values.get("steps"):
            raise SettingError(
                "The criterion says nothing yet", next_step="Write in plain words what good means."
            )
        return check_criterion(values)

    def _read(self, name: str) -> Any:
        match name:
            case "steps":
                return lines_of(self.steps) or None
            case "guidelines":
                return lines_of(self.guidelines)
            case "parameters" | "examples":
                return list(getattr(self, name))
            case "rubric":
                return _rubric(self.rubric) or None
            case "threshold":
                return self._threshold()
            case "name" | "criteria":
                return str(getattr(self, name)).strip() or None
            case _:
                return getattr(self, name)

    def _threshold(self) -> float:
        try:
            value = float(self.threshold.strip().replace(",", "."))
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            raise SettingError(
                f"Score needed: a number from 0 to 1; it says {self.threshold.strip() or 'nothing'}"
            )
        return value

    def with_steps(self, steps: Sequence[str]) -> CriterionForm:
        """Return it with other steps."""
        return replace(self, steps="\n".join(_one_line(step) for step in steps))


def lines_of(text: str) -> list[str]:
    """Return the lines of a text that are not blank, without spaces around them."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _rubric_line(part: Any) -> str:
    low, high = part.score_range
    return f"{low}-{high} {_one_line(part.expected_outcome)}"


def _rubric(text: str) -> list[dict[str, Any]]:
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        found = _RUBRIC_LINE.match(line)
        if found is None:
            raise SettingError(
                f"Rubric, line {number}: no range of scores",
                next_step="Write what scores mean, from 0 to 10: 0-3 The reply is rude.",
            )
        low, high, words = found.groups()
        rows.append({"score_range": [int(low), int(high or low)], "expected_outcome": words.strip()})
    return rows
