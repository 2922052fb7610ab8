"""Findings as JSON, for as long as they wait to be kept."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from turnwise.conversations.findings import FoundMode, Label, PastScore
from turnwise.conversations.results import Failure, Outcome, Score, Skipped
from turnwise.conversations.store.rows import CallRow
from turnwise.conversations.store.scores import Identity

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_OUTCOMES: dict[str, type[Outcome]] = {kind.__name__: kind for kind in (Score, Failure, Skipped)}


@cache
def _adapters() -> dict[type[Any], TypeAdapter[Any]]:
    from pydantic import TypeAdapter  # 60 ms

    kinds = (CallRow, FoundMode, Identity, Label, PastScore, *_OUTCOMES.values())
    return {kind: TypeAdapter(kind) for kind in kinds}


def as_plain(value: Any) -> Any:
    """Return a finding, identity or call as a value that json.dumps takes."""
    return _adapters()[type(value)].dump_python(value, mode="json")


def of_plain(kind: type[Any], plain: Any) -> Any:
    """Return what `as_plain` was given."""
    return _adapters()[kind].validate_python(plain)


def outcome_as_plain(outcome: Outcome) -> list[Any]:
    """Return an outcome with the name of its kind."""
    return [type(outcome).__name__, as_plain(outcome)]


def outcome_of_plain(plain: list[Any]) -> Outcome:
    """Return the outcome that `outcome_as_plain` was given."""
    kind, fields = plain
    outcome: Outcome = of_plain(_OUTCOMES[kind], fields)
    return outcome


def past_score_as_plain(score: PastScore) -> list[Any]:
    """Return an earlier score; its outcome apart, because kinds of outcomes may look alike."""
    return [outcome_as_plain(score.outcome), as_plain(score)]


def past_score_of_plain(plain: list[Any]) -> PastScore:
    """Return the earlier score that `past_score_as_plain` was given."""
    outcome, fields = plain
    score: PastScore = of_plain(PastScore, fields)
    return replace(score, outcome=outcome_of_plain(outcome))
