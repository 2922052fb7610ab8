"""Criteria of rubrics, read into one shape: {id, outcome, weight, required, score_ranges, ...}."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from turnwise.conversations.files import kind_of, problem
from turnwise.conversations.formats.agentv.keys import slips_of_criterion
from turnwise.conversations.formats.agentv.written_cases import EvalFileReading
from turnwise.conversations.numbers import is_finite
from turnwise.conversations.words import did_you_mean

_EARLY_OUTCOMES = ("expected_outcome", "description")
_OUTCOMES = (*_EARLY_OUTCOMES, "outcome", "criteria")
_OPERATORS = ("correctness", "contradiction")
_TOP = 10


def read_rubrics(written: Sequence[Any], reading: EvalFileReading, place: str) -> list[dict[str, Any]]:
    """Return the criteria of an evaluator. Raises FormatError for one that cannot be judged by.

    A text is a criterion of its own: rubric-N, weight 1, required. A criterion is met or not, or earns a
    score from 0 to 10 in one of its ranges, which cover all of these and do not overlap.
    """
    found: list[dict[str, Any]] = []
    for number, item in enumerate(written):
        here = f"{place}[{number}]"
        if isinstance(item, str) and not reading.is_strictly_early:
            found.append(_from_text(item, number))
            continue
        if isinstance(item, dict):
            reading.tell(slips_of_criterion(item, here))
        if not isinstance(item, dict):
            reading.leave_out(here, f"expected text or an object; got {kind_of(item)}", "")
        elif (criterion := _criterion(item, number, reading, here)) is not None:
            found.append(criterion)
    return found


def read_case_rubrics(written: Sequence[Any], reading: EvalFileReading, place: str) -> list[dict[str, Any]]:
    """Return the criteria that a case lists itself.

    compat: AgentV counts only texts and objects here, and looks at no range.
    """
    if not reading.compat:
        return read_rubrics(written, reading, place)
    kept = [item for item in written if isinstance(item, str | dict)]
    return [criterion for number, item in enumerate(kept) if (criterion := _unchecked(item, number))]


def _from_text(text: str, number: int) -> dict[str, Any]:
    return {"id": f"rubric-{number + 1}", "outcome": text, "weight": 1.0, "required": True}


def _criterion(
    item: Mapping[str, Any], number: int, reading: EvalFileReading, place: str
) -> dict[str, Any] | None:
    found = _beginning(item, number, reading, place)
    ranges = item.get("score_ranges")
    outcome = _outcome(item, _EARLY_OUTCOMES if reading.is_strictly_early else _OUTCOMES)
    if ranges is None and not outcome:
        reading.leave_out(f"{place}, {_OUTCOMES[0]}", "expected what is to be met; got nothing", "Write it.")
        return None
    if outcome:
        found["outcome"] = outcome
    if isinstance(item.get("required"), bool) or ranges is None:
        found["required"] = item["required"] if isinstance(item.get("required"), bool) else True
    found.update(_least(item, place))
    if "operator" in item:
        found["operator"] = item["operator"]
        if item["operator"] not in _OPERATORS:
            known = ", ".join(_OPERATORS)
            near = did_you_mean(str(item["operator"]), _OPERATORS)
            got = kind_of(item["operator"])
            reading.leave_out(f"{place}, operator", f"expected one of {known}; got {got}", near)
    if ranges is not None:
        found["score_ranges"] = _checked_ranges(_as_list(ranges, place), f"{place}, score_ranges")
    return found


def _beginning(item: Mapping[str, Any], number: int, reading: EvalFileReading, place: str) -> dict[str, Any]:
    weight, name = item.get("weight"), item.get("id")
    if _is_number(weight):
        if not reading.compat and (not is_finite(weight) or weight < 0):
            raise problem(f"{place}, weight", f"expected a number from 0 up; got {weight}", "")
    elif weight is not None:
        reading.leave_out(f"{place}, weight", f"expected a number; got {kind_of(weight)}", "")
    return {
        "id": name if isinstance(name, str) else f"rubric-{number + 1}",
        "weight": weight if _is_number(weight) else 1.0,
    }


def _least(item: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Return the score from which a criterion counts as met: out of 10, and in files of the later form out of
    1.
    """
    if _is_number(share := item.get("min_score")):
        if not 0 < share <= 1:
            raise problem(f"{place}, min_score", f"expected a number over 0, up to 1; got {share}", "")
        return {"min_score": share, "required_min_score": math.floor(share * _TOP + 0.5)}
    if _is_number(points := item.get("required_min_score")):
        if points not in range(_TOP + 1):
            raise problem(
                f"{place}, required_min_score", f"expected a whole number, 0 to 10; got {points}", ""
            )
        return {"required_min_score": points}
    return {}


def _as_list(ranges: Any, place: str) -> list[Any]:
    """Return ranges as a list; {0: poor, 6: good} says where each begins."""
    if isinstance(ranges, list):
        return ranges
    if not isinstance(ranges, dict) or not (starts := _starts(ranges)):
        raise problem(
            f"{place}, score_ranges",
            f"expected a list of ranges, or what each score from 0 to 10 means; got {kind_of(ranges)}",
            "Write it as {0: poor, 6: good}.",
        )
    if starts[0] != 0:
        raise problem(
            f"{place}, score_ranges", f"expected the first range to begin at 0; got {starts[0]}", ""
        )
    ends = [*(start - 1 for start in starts[1:]), _TOP]
    return [
        {"score_range": [start, end], "expected_outcome": ranges[str(start)]}
        for start, end in zip(starts, ends, strict=True)
    ]


def _starts(ranges: Mapping[str, Any]) -> list[int]:
    keys = {str(number) for number in range(_TOP + 1)}
    plain = all(key in keys and isinstance(text, str) and text for key, text in ranges.items())
    return sorted(map(int, ranges)) if plain else []


def _checked_ranges(ranges: Sequence[Any], place: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    covered: dict[int, int] = {}
    for number, item in enumerate(ranges):
        here = f"{place}[{number}]"
        bounds = item.get("score_range") if isinstance(item, dict) else None
        if not isinstance(bounds, list) or len(bounds) != 2 or not all(map(_is_point, bounds)):
            raise problem(
                here, "expected score_range: [from, to], whole numbers from 0 to 10", "Correct the range."
            )
        low, high = map(int, bounds)
        if low > high:
            raise problem(here, f"expected the lower number first; got [{low}, {high}]", "")
        outcome = _outcome(item)
        if not outcome:
            raise problem(here, "expected what the range stands for in expected_outcome; got nothing", "")
        for score in range(low, high + 1):
            if score in covered:
                other = found[covered[score]]["score_range"]
                raise problem(here, f"[{low}, {high}] overlaps with {other}", "Give each score one range.")
            covered[score] = number
        found.append({"score_range": [low, high], "outcome": outcome})
    missing = [str(score) for score in range(_TOP + 1) if score not in covered]
    if missing:
        raise problem(
            place, f"no range holds the score {', '.join(missing)}", "Let the ranges cover 0 to 10."
        )
    return found


def _unchecked(item: Any, number: int) -> dict[str, Any] | None:
    if isinstance(item, str):
        return _from_text(item, number) if item else None
    weight, name, least = item.get("weight"), item.get("id"), item.get("required_min_score")
    found: dict[str, Any] = {
        "id": name if isinstance(name, str) else f"rubric-{number + 1}",
        "weight": weight if _is_number(weight) else 1.0,
    }
    if outcome := _outcome(item):
        found["outcome"] = outcome
    if isinstance(item.get("required"), bool):
        found["required"] = item["required"]
    if _is_number(least):
        found["required_min_score"] = least
    ranges = item.get("score_ranges")
    if isinstance(ranges, dict):
        ranges = _as_list(ranges, "") if (starts := _starts(ranges)) and starts[0] == 0 else None
    listed = ranges if isinstance(ranges, list) else ()
    kept = [_unchecked_range(one) for one in listed if isinstance(one, dict) and _outcome(one)]
    if kept:
        return {**found, "score_ranges": kept}
    return {"required": True, **found} if outcome else None


def _unchecked_range(item: Mapping[str, Any]) -> dict[str, Any]:
    bounds = item.get("score_range")
    return {"score_range": bounds if isinstance(bounds, list) else [0, _TOP], "outcome": _outcome(item)}


def _outcome(item: Mapping[str, Any], names: Sequence[str] = _OUTCOMES) -> str:
    return next((item[key] for key in names if isinstance(item.get(key), str)), "")


def _is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_point(value: Any) -> bool:
    return _is_number(value) and value in range(_TOP + 1)
