"""latency, cost, token_usage, execution_metrics: what an answer took, held against what it may take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.agentv.grade import Grade, graded, met_or_missed, unmeasured
from turnwise.engine.suites.agentv.submission import Submission, Trace

LOOKING = frozenset(
    ("read", "grep", "glob", "search", "list", "Read", "Grep", "Glob", "WebSearch", "WebFetch")
)
"""The tools that only look, for the share of calls that explore."""
_TOLERANCE = 0.2


def latency(check: Check, submission: Submission, *, compat: bool) -> Grade:
    """Whether the answer took at most config.threshold milliseconds."""
    most = _number(check, "threshold")
    taken = submission.trace.milliseconds if submission.trace else None
    if taken is None:
        return unmeasured("Nobody measured how long the answer took", compat=compat)
    return _at_most(f"{taken:g} ms", taken, most)


def cost(check: Check, submission: Submission, *, compat: bool) -> Grade:
    """Whether the answer cost at most config.budget US dollars."""
    most = _number(check, "budget")
    spent = submission.trace.cost if submission.trace else None
    if spent is None:
        return unmeasured("The target does not tell what the answer cost", compat=compat)
    return _at_most(f"${spent:.4f}", spent, most)


def token_usage(check: Check, submission: Submission, *, compat: bool) -> Grade:
    """Whether the tokens stay within config.max_input, max_output and max_total; all of them must."""
    tokens = submission.trace.tokens if submission.trace else None
    if tokens is None:
        return unmeasured("The target does not tell how many tokens it used", compat=compat)
    used = {
        "max_input": tokens.input,
        "max_output": tokens.output,
        "max_total": tokens.input + tokens.output + tokens.cached,
    }
    hits: list[str] = []
    misses: list[str] = []
    for name, number in used.items():
        if check.config.get(name) is not None:
            _compare(name.removeprefix("max_") + " tokens", number, _number(check, name), hits, misses)
    return graded(float(not misses), hits, misses)


def execution_metrics(check: Check, submission: Submission, *, compat: bool) -> Grade:
    """The share of the limits kept: max_tool_calls, max_llm_calls, max_tokens, max_cost_usd, max_duration_ms
    and target_exploration_ratio (with exploration_tolerance, 0.2).

    A limit on what was not measured makes the check skipped; compat: it is missed.
    """
    trace = submission.trace
    if trace is None:
        return unmeasured("The target tells nothing of what the answer took", compat=compat)
    found = _measured(trace, submission.calls_by_tool, compat=compat)
    wanted = [name for name in found if check.config.get(name) is not None]
    if not wanted:
        return graded(0.0, reason="No limit is given")
    absent = [name for name in wanted if found[name] is None]
    if absent and not compat:
        return unmeasured(f"Not measured: {', '.join(absent)}", compat=False)
    hits: list[str] = []
    misses = [f"{name}: not measured" for name in absent]
    for name in wanted:
        number = found[name]
        if number is None:
            continue
        if name == "target_exploration_ratio":
            _near(check, number, hits, misses)
        else:
            _compare(name.removeprefix("max_"), number, _number(check, name), hits, misses)
    return graded(len(hits) / len(wanted), hits, misses)


def _measured(
    trace: Trace, calls_by_tool: Mapping[str, int] | None, *, compat: bool
) -> Mapping[str, float | None]:
    """Return what was measured under the names of the limits on it."""
    counts = {} if calls_by_tool is None and compat else calls_by_tool
    total = None if counts is None else sum(counts.values())
    looking = None
    if counts is not None and total:
        looking = sum(number for tool, number in counts.items() if tool in LOOKING) / total
    tokens = trace.tokens
    return {
        "max_tool_calls": total,
        "max_llm_calls": trace.model_calls,
        "max_tokens": None if tokens is None else tokens.input + tokens.output,
        "max_cost_usd": trace.cost,
        "max_duration_ms": trace.milliseconds,
        "target_exploration_ratio": looking,
    }


def _at_most(told: str, number: float, most: float) -> Grade:
    return met_or_missed(number <= most, f"{told}, at most {most:g} wanted", f"{told}, over {most:g}")


def _compare(name: str, number: float, most: float, hits: list[str], misses: list[str]) -> None:
    if number <= most:
        hits.append(f"{name} {number:g}, at most {most:g} wanted")
    else:
        misses.append(f"{name} {number:g}, over {most:g}")


def _near(check: Check, ratio: float, hits: list[str], misses: list[str]) -> None:
    wanted = _number(check, "target_exploration_ratio")
    tolerance = _number(check, "exploration_tolerance", _TOLERANCE)
    told = f"exploration ratio {ratio:.2f}, {wanted:g} wanted, give or take {tolerance:g}"
    (hits if abs(ratio - wanted) <= tolerance else misses).append(told)


def _number(check: Check, name: str, usual: float | None = None) -> float:
    value: Any = check.config.get(name)
    if value is None and usual is not None:
        return usual
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise SettingError(f"{check.type} needs a number as {name}", next_step=f"Give it, as in {name}: 100.")
    return float(value)
