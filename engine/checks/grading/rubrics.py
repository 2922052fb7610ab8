"""Lists of criteria: met or not, or each scored from 0 to 10 by what its numbers stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import TEXT, Asker, Form, object_of
from turnwise.engine.checks.findings import Finding, clamped, scored
from turnwise.engine.checks.grading.replies import HIGHEST, Reader, read_checklist, read_ranges, unreadable
from turnwise.engine.checks.grading.shown import shown_to_judge

_MET_FROM = 7
"""The score from which a criterion is told as met."""
_UNANSWERED = "the judge says nothing of it"

_CHECKLIST_ASK = """\
{material}

Which of these criteria does the answer meet? Decide each by itself.
{criteria}

Answer with this JSON and nothing else: {{"checks": [{{"id": "...", "reasoning": "...", "satisfied": true or \
false}}], "overall_reasoning": "..."}}
checks: one for every criterion, with its id as it stands in brackets."""

_RANGES_ASK = """\
{material}

How well does the answer meet each of these criteria? Give each a whole number from 0 to 10, by what the \
numbers stand for.
{criteria}

Answer with this JSON and nothing else: {{"checks": [{{"id": "...", "reasoning": "...", "score": ...}}], \
"overall_reasoning": "..."}}
checks: one for every criterion, with its id as it stands in brackets."""

_OPERATORS = {
    "correctness": "met only where the answer says it; leaving it out is not enough",
    "contradiction": "met unless the answer says something against it; it need not say it",
}


@dataclass(frozen=True, slots=True)
class RubricItem:
    """One criterion. ranges: lowest and highest score with what they stand for. least: 0 to 10, or None."""

    id: str
    outcome: str
    weight: float
    required: bool
    ranges: tuple[tuple[float, float, str], ...]
    least: float | None
    operator: str


def rubrics_of(check: Check) -> list[RubricItem]:
    """Return the criteria of a check. Raises SettingError where there are none, or one is no criterion."""
    listed = check.config.get("rubrics")
    if not isinstance(listed, (list, tuple)) or not listed:
        raise SettingError(f"{check.type} needs rubrics", next_step="List what a good answer does.")
    return [_rubric(one, number, check) for number, one in enumerate(listed, start=1)]


def _rubric(one: Any, number: int, check: Check) -> RubricItem:
    if isinstance(one, str):
        return RubricItem(f"rubric-{number}", one, 1.0, True, (), None, "")
    if not isinstance(one, Mapping):
        raise SettingError(f"{check.type}: rubric {number} is no criterion", next_step="Write it as a text.")
    required = one.get("required") is True
    ranges = _ranges(one.get("score_ranges"))
    least: float | None
    if one.get("min_score") is not None:
        least = float(one["min_score"]) * HIGHEST
    elif one.get("required_min_score") is not None:
        least = float(one["required_min_score"])
    else:
        least = float(HIGHEST) if required else None
    name = str(one.get("id") or f"rubric-{number}")
    outcome = one.get("outcome") or one.get("expected_outcome") or one.get("description") or ""
    weight = one.get("weight", 1.0)
    return RubricItem(
        name, str(outcome), float(weight), required, ranges, least, str(one.get("operator") or "")
    )


def _ranges(given: Any) -> tuple[tuple[float, float, str], ...]:
    """Return score ranges from the list of them, or from a mapping of the scores at which each begins."""
    if isinstance(given, Mapping):
        starts = sorted((float(start), str(words)) for start, words in given.items())
        ends = [start - 1 for start, _ in starts[1:]] + [float(HIGHEST)]
        return tuple((start, end, words) for (start, words), end in zip(starts, ends, strict=True))
    found = []
    for one in given or ():
        bounds = one.get("score_range") if isinstance(one, Mapping) else None
        if isinstance(bounds, (list, tuple)) and len(bounds) == 2:
            words = str(one.get("outcome") or one.get("expected_outcome") or "")
            found.append((float(bounds[0]), float(bounds[1]), words))
    return tuple(found)


async def by_rubrics(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The weighted share of the criteria that are met; with score ranges, the weighted mean of score / 10.

    A criterion that the judge leaves out is asked for again, and is not met where it is left out again. A
    required one that is not met, or is below its least score, makes the check fail.
    """
    criteria = rubrics_of(check)
    kind = _kind_of(criteria)
    shown, _ = shown_to_judge(check, answer, asker)
    reply = await asker.strict(kind.question(criteria, shown), kind.form(criteria))
    found = await _completed(kind, criteria, list(reply["checks"]), shown, asker)
    return kind.finding(found, criteria, str(reply.get("overall_reasoning") or ""))


async def by_rubrics_as_agentv(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The weighted share of the criteria; those that the judge leaves out do not count."""
    criteria = rubrics_of(check)
    kind = _kind_of(criteria)
    shown, _ = shown_to_judge(check, answer, asker, as_agentv=True)
    ask = kind.question(criteria, shown)
    reply = await asker.first_readable(ask, kind.form(criteria))
    if reply is None:
        return unreadable(check, "The judge's replies hold no checks")
    return kind.finding(list(reply["checks"]), criteria, str(reply.get("overall_reasoning") or ""))


def _kind_of(criteria: Sequence[RubricItem]) -> _Kind:
    return _RANGES if any(rubric.ranges for rubric in criteria) else _CHECKLIST


async def _completed(
    kind: _Kind,
    criteria: Sequence[RubricItem],
    found: list[Mapping[str, Any]],
    shown: str,
    asker: Asker,
) -> list[Mapping[str, Any]]:
    """Return one check for each criterion; what is left out, or told in two ways, is asked for once more."""
    clear = _clear(found, criteria, kind)
    missing = [rubric for rubric in criteria if rubric.id not in clear]
    if missing:
        again = await asker.strict(kind.question(missing, shown), kind.form(missing))
        clear |= _clear(again["checks"], missing, kind)
    nothing = {"reasoning": _UNANSWERED, "satisfied": False, "score": 0}
    return [clear.get(rubric.id) or {"id": rubric.id, **nothing} for rubric in criteria]


def _clear(
    found: Sequence[Mapping[str, Any]], criteria: Sequence[RubricItem], kind: _Kind
) -> dict[str, Mapping[str, Any]]:
    """Return by id the criteria on which the judge says one thing."""
    said: dict[str, list[Mapping[str, Any]]] = {}
    for one in found:
        # The id is shown in brackets, and small judges write them too.
        said.setdefault(str(one["id"]).strip().strip("[]"), []).append(one)
    clear: dict[str, Mapping[str, Any]] = {}
    for rubric in criteria:
        checks = said.get(rubric.id, [])
        if checks and len({one[kind.key] for one in checks}) == 1:
            clear[rubric.id] = {**checks[0], "id": rubric.id}
    return clear


@dataclass(frozen=True, slots=True)
class _Kind:
    """One of the two ways to judge by criteria. key: what a check says of its criterion, a value."""

    key: str
    name: str
    value: Mapping[str, Any]
    read: Reader
    ask: str
    finding: Callable[[Sequence[Mapping[str, Any]], Sequence[RubricItem], str], Finding]

    def form(self, criteria: Sequence[RubricItem]) -> Form:
        """Return the form of a reply on some criteria."""
        ids = {"enum": list(dict.fromkeys(rubric.id for rubric in criteria))}
        check = object_of(id=ids, reasoning=TEXT, **{self.key: self.value})
        usable = {
            **object_of(id=TEXT, reasoning=TEXT, **{self.key: self.value}),
            "required": ["id", self.key],
        }
        # A small judge that is free to go on lists checks without end.
        listed = {"type": "array", "items": check, "minItems": len(criteria), "maxItems": len(criteria)}
        checks = {"type": "array", "items": usable}
        return Form(
            name=self.name,
            schema=object_of(checks=listed, overall_reasoning=TEXT),
            accept={
                "type": "object",
                "properties": {"checks": checks, "overall_reasoning": TEXT},
                "required": ["checks"],
            },
            read=self.read,
        )

    def question(self, criteria: Sequence[RubricItem], shown: str) -> str:
        """Return the question by some criteria. shown: what the judge sees of the case."""
        listed = "\n".join(_line(rubric) for rubric in criteria)
        return self.ask.format(material=shown, criteria=listed)


def _line(rubric: RubricItem) -> str:
    hint = f" ({_OPERATORS[rubric.operator]})" if rubric.operator in _OPERATORS else ""
    lines = [f"[{rubric.id}] {rubric.outcome}{hint}".rstrip()]
    for low, high, words in rubric.ranges:
        lines.append(f"  {low:g} to {high:g}: {words}" if high > low else f"  {low:g}: {words}")
    return "\n".join(lines)


def checklist_finding(
    found: Sequence[Mapping[str, Any]], criteria: Sequence[RubricItem], reason: str = ""
) -> Finding:
    """Return the finding of checks with `satisfied`; one of an unknown id counts nothing."""
    by_id = {rubric.id: rubric for rubric in criteria}
    hits: list[str] = []
    misses: list[str] = []
    met, weight, gate = 0.0, 0.0, False
    for check in found:
        if (rubric := by_id.get(check["id"])) is None:
            continue
        weight += rubric.weight
        if check["satisfied"]:
            met += rubric.weight
        else:
            gate = gate or rubric.required
        (hits if check["satisfied"] else misses).append(_told(rubric, check))
    return scored(clamped(met / weight) if weight > 0 else 0.0, hits, misses, reason, unmet=gate)


def ranges_finding(
    found: Sequence[Mapping[str, Any]], criteria: Sequence[RubricItem], reason: str = ""
) -> Finding:
    """Return the finding of checks with a `score` from 0 to 10; one of an unknown id counts nothing."""
    by_id = {rubric.id: rubric for rubric in criteria}
    hits: list[str] = []
    misses: list[str] = []
    total, weight, gate = 0.0, 0.0, False
    for check in found:
        if (rubric := by_id.get(check["id"])) is None:
            continue
        score = min(float(HIGHEST), max(0.0, float(check["score"])))
        weight += rubric.weight
        total += score / HIGHEST * rubric.weight
        below = rubric.least is not None and score < rubric.least
        gate = gate or below
        told = f"{_told(rubric, check)} ({score:g} of {HIGHEST})"
        (misses if below or score < _MET_FROM else hits).append(told)
    return scored(clamped(total / weight) if weight > 0 else 0.0, hits, misses, reason, unmet=gate)


def _told(rubric: RubricItem, check: Mapping[str, Any]) -> str:
    why = str(check.get("reasoning") or "")
    name = rubric.outcome or rubric.id
    return f"{name}: {why}" if why else name


_CHECKLIST = _Kind(
    "satisfied", "checklist", {"type": "boolean"}, read_checklist, _CHECKLIST_ASK, checklist_finding
)
_RANGES = _Kind(
    "score",
    "scores",
    {"type": "integer", "minimum": 0, "maximum": HIGHEST},
    read_ranges,
    _RANGES_ASK,
    ranges_finding,
)
