"""Checks on what was done for an answer: which tools were used, in which order, in how many steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import yes_or_no
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.traces import KINDS, Step, matching, reported, steps_of
from turnwise.engine.suites.values import as_text

_MODES = ("in_order", "exact")


def tool_used(check: Check, answer: Answer) -> CheckResult:
    """Whether these tools were used: every one that is named, or one so and so often. Negated: none was."""
    tools = tools_of(answer)
    return _used(check, [step.names for step in tools], noun="tool", told=told_of(tools))


def skill_used(check: Check, answer: Answer) -> CheckResult:
    """Whether these skills were used, as the target reports them in its metadata under skillCalls."""
    calls = reported(answer, "skillCalls")
    if not isinstance(calls, (list, tuple)):
        raise NotFoundError(
            "It needs a target that reports the skills it uses",
            next_step="Put them under skillCalls in the case's metadata.",
        )
    done = [call for call in calls if isinstance(call, Mapping) and not call.get("is_error")]
    names = [(as_text(call.get("name")),) for call in done]
    return _used(check, names, noun="skill", told=", ".join(name for (name,) in names) or "none")


def tool_sequence(check: Check, answer: Answer) -> CheckResult:
    """Whether tools were used in this order, others between them or not; with mode exact, none beside."""
    value = check.value
    steps = value.get("steps") if isinstance(value, Mapping) else value
    mode = (value.get("mode") if isinstance(value, Mapping) else None) or "in_order"
    if not isinstance(steps, (list, tuple)) or not steps or mode not in _MODES:
        raise SettingError(
            f"{check.type} needs tools in order",
            next_step="Give it a list of names, or steps and a mode: in_order or exact.",
        )
    patterns = [_pattern(step, check) for step in steps]
    tools = tools_of(answer)
    if mode == "exact":
        pairs = zip(patterns, tools, strict=False)
        holds = len(patterns) == len(tools) and all(matching(one, step.names) for one, step in pairs)
    else:
        rest = iter(tools)
        # `any` goes on where the step before it stopped.
        holds = all(any(matching(one, step.names) for step in rest) for one in patterns)
    kind = "exactly " if mode == "exact" else ""
    wanted = f"come by {kind}{', '.join(patterns)}; used were {told_of(tools)}"
    return yes_or_no(check, holds, expected=wanted)


def step_count(check: Check, answer: Answer) -> CheckResult:
    """Whether so many steps were taken: of one type, of one name, or in all."""
    value = check.value
    if not isinstance(value, Mapping) or all(value.get(name) is None for name in ("min", "max")):
        raise SettingError(f"{check.type} needs a min or a max", next_step="Give it a value with either.")
    kind, pattern = value.get("type"), value.get("pattern") or value.get("name") or "*"
    if kind is not None and kind not in KINDS:
        raise SettingError(
            f"There is no type of step {as_text(kind)}", next_step=f"Known: {', '.join(KINDS)}."
        )
    steps = [step for step in steps_of(answer) if kind in (None, step.kind)]
    count = sum(1 for step in steps if matching(as_text(pattern), step.names))
    least, most = bounds(check, value, least=0)
    wanted = (
        f"come by {in_words(least, most)} steps {'' if kind is None else f'of type {kind} '}like {pattern}"
    )
    return yes_or_no(check, within(count, least, most), expected=f"{wanted}; there are {count}")


def bounds(check: Check, value: Mapping[str, Any], *, least: int) -> tuple[float, float | None]:
    """Return min and max of a value. Raises SettingError where either is no number."""
    given = [value.get("min"), value.get("max")]
    for name, number in zip(("min", "max"), given, strict=True):
        if number is not None and (isinstance(number, bool) or not isinstance(number, (int, float))):
            raise SettingError(f"The {name} of {check.type} is no number", next_step="Write a number.")
    return (least if given[0] is None else given[0]), given[1]


def within(count: int, least: float, most: float | None) -> bool:
    """Whether a count lies within bounds."""
    return count >= least and (most is None or count <= most)


def in_words(least: float, most: float | None) -> str:
    """Return bounds as words."""
    if most is None:
        return f"at least {least:g}"
    return f"{least:g}" if least == most else f"{least:g} to {most:g}"


def tools_of(answer: Answer) -> list[Step]:
    """Return the tools that were used, in order. Raises NotFoundError where nothing tells of them."""
    return [step for step in steps_of(answer) if step.kind == "tool" or step.arguments is not None]


def told_of(tools: Sequence[Step]) -> str:
    """Return the names of tools as words."""
    return ", ".join(step.name for step in tools) or "none"


def _used(check: Check, used: Sequence[Sequence[str]], *, noun: str, told: str) -> CheckResult:
    value = check.value
    if isinstance(value, Mapping):
        pattern = _pattern(value, check)
        least, most = bounds(check, value, least=1 if value.get("max") is None else 0)
        count = sum(1 for names in used if matching(pattern, names))
        wanted = f"come by {in_words(least, most)} uses of {pattern}; there are {count} ({told})"
        return yes_or_no(check, within(count, least, most), expected=wanted)
    listed = value if isinstance(value, (list, tuple)) else [value]
    if not listed or not all(isinstance(name, str) and name for name in listed):
        raise SettingError(f"{check.type} needs the name of a {noun}", next_step="Give it a value.")
    found = [name for name in listed if any(matching(name, names) for names in used)]
    # Of what is forbidden any one fails, as of what is wanted any one that is missing does.
    holds = bool(found) if check.negate else len(found) == len(listed)
    return yes_or_no(check, holds, expected=f"come by {', '.join(listed)}; used were {told}")


def _pattern(step: Any, check: Check) -> str:
    name = (step.get("name") or step.get("pattern")) if isinstance(step, Mapping) else step
    if not isinstance(name, str) or not name:
        raise SettingError(f"{check.type} needs a name or a pattern", next_step="Give it one.")
    return name
