"""Checked arguments: what an evaluation is given, refused by name where it is not what it must be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from turnwise.conversations.errors import SettingError
from turnwise.conversations.models import shorten
from turnwise.engine.metrics.definitions import is_number

if TYPE_CHECKING:
    from turnwise.engine.scoring.evaluation_results import Case


class CaseHolder(Protocol):
    """What holds cases, as an EvaluationDataset does."""

    def cases_to_judge(self) -> list[Case]:
        """Return the cases. Raises CaseError where there are none."""


def cases_of(given: Sequence[Case] | CaseHolder) -> Sequence[Case]:
    """Return the cases of what is to be judged: a list, or a data set with cases or answered goldens."""
    found: Any = given
    # What is no list is told later.
    return found.cases_to_judge() if hasattr(found, "cases_to_judge") else found  # type: ignore[no-any-return]


def checked_parameters(given: Mapping[str, Any] | None, name: str = "hyperparameters") -> dict[str, Any]:
    """Return hyperparameters as plain values. Raises SettingError that names the one that is none."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise SettingError(
            f"{name} is an object with named values",
            detail=f"Given: {shorten(given)}",
            next_step=f'For example: {name}={{"model": "gpt-4.1", "temperature": 0}}',
        )
    for key, value in given.items():
        if not isinstance(key, str):
            raise SettingError(f"{name}: a name is a text", detail=f"Given: {shorten(key)}")
        if value is not None and not isinstance(value, str | bool) and not is_number(value):
            raise SettingError(
                f"{name}: {key} is no text, number or truth value",
                detail=f"Given: {shorten(value)}",
                next_step=f"Give it as text, as in str({key}).",
            )
    return dict(given)


def checked_name(name: str, given: str | None) -> str:
    """Return a name; the empty text where there is none. Raises SettingError for what is no text."""
    if given is not None and not isinstance(given, str):
        raise SettingError(f"{name} is a text", detail=f"Given: {shorten(given)}")
    return given or ""


def checked_count(name: str, given: int) -> int:
    """Return a number of things at once. Raises SettingError for what is below 1 or no whole number."""
    if not isinstance(given, int) or isinstance(given, bool) or given < 1:
        raise SettingError(f"{name} is a whole number from 1", detail=f"Given: {shorten(given)}")
    return given


def checked_seconds(name: str, given: float) -> float:
    """Return a time to wait. Raises SettingError for what is below 0 or no number."""
    if not is_number(given) or given < 0:
        raise SettingError(f"{name} is a number of seconds from 0", detail=f"Given: {shorten(given)}")
    return given
