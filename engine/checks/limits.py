"""Checks on what an answer cost: time, money, tokens, calls, how sure the model was, why it stopped."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.checks.answer import Answer, Effort
from turnwise.engine.checks.asker import Asker
from turnwise.engine.checks.findings import (
    Finding,
    met_or_missed,
    nothing_told,
    quoted,
    scored,
    unmeasured,
    yes_or_no,
)


def latency(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the answer came within so many milliseconds."""
    if check.threshold is None:
        raise SettingError("latency needs a threshold in milliseconds", next_step="Give it a threshold.")
    if answer.latency is None:
        raise NotFoundError("The time this answer took is not known", next_step="Let a target answer.")
    return yes_or_no(
        check,
        answer.latency <= check.threshold,
        expected=f"come within {check.threshold:g} ms; it took {answer.latency:.0f} ms",
    )


def cost(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the answer cost no more US dollars than that."""
    if check.threshold is None:
        raise SettingError("cost needs a threshold in US dollars", next_step="Give it a threshold.")
    if answer.cost is None:
        raise NotFoundError(
            "What this answer cost is not known", next_step="Let a target with prices answer."
        )
    return yes_or_no(
        check,
        answer.cost <= check.threshold,
        expected=f"cost at most ${check.threshold:g}; it cost ${answer.cost:g}",
    )


def perplexity(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether exp of minus the mean log probability, the surprise at its own words, is no more than that."""
    value = _perplexity(check, answer)
    if check.threshold is None:
        return Finding(passed=True, score=1.0, reason="")
    holds = value <= check.threshold
    return yes_or_no(
        check, holds, expected=f"have a perplexity of at most {check.threshold}; it has {value:.2f}"
    )


def perplexity_score(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Perplexity turned into a score from 0 to 1, higher is surer: 1 / (1 + perplexity)."""
    score = 1 / (1 + _perplexity(check, answer))
    shown = 1 - score if check.negate else score
    if check.threshold is None:
        return Finding(passed=True, score=shown, reason="")
    expected = f"have a perplexity score of at least {check.threshold}; it has {score:.4f}"
    return yes_or_no(check, score >= check.threshold, expected=expected, score=shown)


def _perplexity(check: Check, answer: Answer) -> float:
    if not answer.log_probabilities:
        raise SettingError(
            f"{check.type} needs log probabilities, and this target gives none",
            next_step="Try a target that gives them, or drop the check.",
        )
    try:
        return math.exp(-math.fsum(answer.log_probabilities) / len(answer.log_probabilities))
    except OverflowError:
        return math.inf


def finish_reason(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the model stopped for that reason; an answer that does not say why it stopped does not pass."""
    if not isinstance(check.value, str):
        raise SettingError("finish-reason needs a text", next_step="Give it a value, such as stop.")
    wanted = check.value
    if not answer.finish_reason:
        return yes_or_no(check, False, expected=f"stop for {quoted(wanted)}; the target did not say why")
    holds = answer.finish_reason.lower() == wanted.lower()
    return yes_or_no(
        check, holds, expected=f"stop for {quoted(wanted)}; it stopped for {quoted(answer.finish_reason)}"
    )


LOOKING = frozenset(
    ("read", "grep", "glob", "search", "list", "Read", "Grep", "Glob", "WebSearch", "WebFetch")
)
"""The tools that only look, for the share of calls that explore."""
_TOLERANCE = 0.2


def latency_within(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the answer took at most config.threshold milliseconds."""
    most = _limit(check, "threshold")
    if answer.latency is None:
        raise unmeasured("Nobody measured how long the answer took")
    return _at_most(f"{answer.latency:g} ms", answer.latency, most)


def cost_within(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the answer cost at most config.budget US dollars."""
    most = _limit(check, "budget")
    if answer.cost is None:
        raise unmeasured("The target does not tell what the answer cost")
    return _at_most(f"${answer.cost:.4f}", answer.cost, most)


def tokens_within(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the tokens stay within config.max_input, max_output and max_total; all of them must."""
    tokens = answer.effort.tokens if answer.effort else None
    if tokens is None:
        raise unmeasured("The target does not tell how many tokens it used")
    used = {
        "max_input": tokens.input,
        "max_output": tokens.output,
        "max_total": tokens.input + tokens.output + tokens.cached,
    }
    hits: list[str] = []
    misses: list[str] = []
    for name, number in used.items():
        if check.config.get(name) is not None:
            _compare(name.removeprefix("max_") + " tokens", number, _limit(check, name), hits, misses)
    return scored(float(not misses), hits, misses)


def effort_within(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The share of the limits kept: max_tool_calls, max_llm_calls, max_tokens, max_cost_usd, max_duration_ms
    and target_exploration_ratio (with exploration_tolerance, 0.2).

    A limit on what was not measured makes the check skipped.
    """
    if answer.effort is None:
        raise unmeasured("The target tells nothing of what the answer took")
    found = _efforts(answer, answer.calls_by_tool)
    absent = [name for name, number in found.items() if number is None and _is_limited(check, name)]
    if absent:
        raise unmeasured(f"Not measured: {', '.join(absent)}")
    return _kept(check, found)


def effort_within_as_agentv(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The share of the limits kept, of which one on what was not measured is missed."""
    if answer.effort is None:
        return nothing_told("The target tells nothing of what the answer took")
    return _kept(check, _efforts(answer, answer.calls_by_tool or {}))


def latency_as_agentv(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the answer took at most so long; where nobody measured that it did not."""
    return _or_nothing(latency_within, check, answer, asker)


def cost_as_agentv(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the answer cost at most so much; where the target does not tell it did not."""
    return _or_nothing(cost_within, check, answer, asker)


def tokens_as_agentv(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the tokens stay within the limits; where the target does not tell they do not."""
    return _or_nothing(tokens_within, check, answer, asker)


def _or_nothing(
    function: Callable[[Check, Answer, Asker], Finding], check: Check, answer: Answer, asker: Asker
) -> Finding:
    try:
        return function(check, answer, asker)
    except NotFoundError as error:
        return nothing_told(error.title)


def _is_limited(check: Check, name: str) -> bool:
    return check.config.get(name) is not None


def _kept(check: Check, found: Mapping[str, float | None]) -> Finding:
    wanted = [name for name in found if _is_limited(check, name)]
    if not wanted:
        return scored(0.0, reason="No limit is given")
    hits: list[str] = []
    misses = [f"{name}: not measured" for name in wanted if found[name] is None]
    for name in wanted:
        number = found[name]
        if number is None:
            continue
        if name == "target_exploration_ratio":
            _near(check, number, hits, misses)
        else:
            _compare(name.removeprefix("max_"), number, _limit(check, name), hits, misses)
    return scored(len(hits) / len(wanted), hits, misses)


def _efforts(answer: Answer, counts: Mapping[str, int] | None) -> Mapping[str, float | None]:
    """Return what was measured under the names of the limits on it. counts: calls by tool."""
    effort = answer.effort or Effort()
    total = None if counts is None else sum(counts.values())
    looking = None
    if counts is not None and total:
        looking = sum(number for tool, number in counts.items() if tool in LOOKING) / total
    tokens = effort.tokens
    return {
        "max_tool_calls": total,
        "max_llm_calls": effort.model_calls,
        "max_tokens": None if tokens is None else tokens.input + tokens.output,
        "max_cost_usd": answer.cost,
        "max_duration_ms": answer.latency,
        "target_exploration_ratio": looking,
    }


def _at_most(told: str, number: float, most: float) -> Finding:
    return met_or_missed(number <= most, f"{told}, at most {most:g} wanted", f"{told}, over {most:g}")


def _compare(name: str, number: float, most: float, hits: list[str], misses: list[str]) -> None:
    if number <= most:
        hits.append(f"{name} {number:g}, at most {most:g} wanted")
    else:
        misses.append(f"{name} {number:g}, over {most:g}")


def _near(check: Check, ratio: float, hits: list[str], misses: list[str]) -> None:
    wanted = _limit(check, "target_exploration_ratio")
    tolerance = _limit(check, "exploration_tolerance", _TOLERANCE)
    told = f"exploration ratio {ratio:.2f}, {wanted:g} wanted, give or take {tolerance:g}"
    (hits if abs(ratio - wanted) <= tolerance else misses).append(told)


def _limit(check: Check, name: str, usual: float | None = None) -> float:
    value: Any = check.config.get(name)
    if value is None and usual is not None:
        return usual
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise SettingError(f"{check.type} needs a number as {name}", next_step=f"Give it, as in {name}: 100.")
    return float(value)
