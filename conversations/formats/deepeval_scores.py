"""The scores of deepeval's saved runs: what its metrics found, as outcomes of the test case.

Each entry of `metricsData` is a score, a failure where it holds an error, or a skip where it holds no number.
deepeval says by itself whether a score passes. A metric of which less is better passes at or below its
threshold; here higher is always better, so its score and threshold are turned round, and the details say so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from turnwise.conversations.findings import PastRun, PastScore
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.formats.numbers import is_number
from turnwise.conversations.models import shorten
from turnwise.conversations.results import Failure, Outcome, Score, Skipped

METRICS = ("metricsData", "metrics_data")
"""The names under which a saved test case holds its scores."""
_NAMES = {
    "strict": ("strictMode", "strict_mode"),
    "model": ("evaluationModel", "evaluation_model"),
    "cost": ("evaluationCost", "evaluation_cost"),
}


def run_of(cases: Iterable[Any]) -> PastRun:
    """Return the run that a file holds: its metrics, and the models that judged."""
    entries = [entry for case in cases for entry in _entries(case)]
    metrics = dict.fromkeys(entry["name"] for entry in entries if isinstance(entry.get("name"), str))
    models = sorted({_model(entry) for entry in entries} - {""})
    return PastRun(judge=", ".join(models), metrics=tuple(metrics), settings={"saved_by": "deepeval"})


def scores_of(case: Any, run: PastRun, content: str) -> tuple[PastScore, ...]:
    """Return the scores of one saved test case. content: the fingerprint of the case.

    Raises ValueError that names the entry and field.
    """
    return tuple(
        _past(entry, f"{METRICS[0]}[{place}]", run, content) for place, entry in enumerate(_entries(case))
    )


def _entries(case: Any) -> list[Any]:
    held = [case[name] for name in METRICS if isinstance(case.get(name), list)] if _is_object(case) else []
    return [entry for entry in held[0] if _is_object(entry)] if held else []


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _past(entry: Mapping[str, Any], place: str, run: PastRun, content: str) -> PastScore:
    name = entry.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{place}.name: expected the name of a metric; got {shorten(name)}")
    model = _model(entry)
    settings = {"saved_by": "deepeval", "name": name, "strict": _field(entry, "strict") is True}
    return PastScore(
        outcome=_outcome(name, entry, place),
        runs=(run,),
        judge=model,
        metric_fingerprint=fingerprint(settings),
        case_fingerprint=content,
        judge_fingerprint=fingerprint({"saved_by": "deepeval", "model": model}),
    )


def _outcome(name: str, entry: Mapping[str, Any], place: str) -> Outcome:
    cost = _field(entry, "cost")
    reason = entry.get("reason")
    shared: dict[str, Any] = {
        "metric": name,
        "reason": reason if isinstance(reason, str) else "",
        "cost": float(cost) if is_number(cost) else None,
    }
    if error := entry.get("error"):
        return Failure(**{**shared, "reason": str(error)})
    value, threshold = entry.get("score"), entry.get("threshold")
    if value is None or entry.get("skipped") is True:
        return Skipped(**{**shared, "reason": shared["reason"] or "the file holds no score"})
    if not is_number(value) or not 0 <= value <= 1:
        raise ValueError(f"{place}.score: expected a number from 0 to 1; got {shorten(value)}")
    limit = float(threshold) if is_number(threshold) else 0.5
    return _score(shared, float(value), limit, entry)


def _score(shared: Mapping[str, Any], value: float, limit: float, entry: Mapping[str, Any]) -> Score:
    success = entry.get("success")
    details: dict[str, Any] = {"strict": True} if _field(entry, "strict") is True else {}
    passes = success if isinstance(success, bool) else value >= limit
    if passes == (value >= limit):
        return Score(**shared, score=value, threshold=limit, details=details)
    details |= {"less_is_better": True, "saved_score": value, "saved_threshold": limit}
    turned = Score(**shared, score=1 - value, threshold=1 - limit, details=details)
    if turned.passed == passes:
        return turned
    # At the very threshold both directions pass; what the file calls failed stays failed.
    return Score(**shared, score=value, threshold=math.nextafter(limit, math.inf), details=details)


def _model(entry: Mapping[str, Any]) -> str:
    model = _field(entry, "model")
    return model if isinstance(model, str) else ""


def _field(entry: Mapping[str, Any], field: str) -> Any:
    return next((entry[name] for name in _NAMES[field] if name in entry), None)
