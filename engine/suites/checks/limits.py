"""Checks on what an answer cost: time, money, how sure the model was, why it stopped."""

from __future__ import annotations

import math

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import quoted, yes_or_no
from turnwise.engine.suites.results import CheckResult


def latency(check: Check, answer: Answer) -> CheckResult:
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


def cost(check: Check, answer: Answer) -> CheckResult:
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


def perplexity(check: Check, answer: Answer) -> CheckResult:
    """Whether exp of minus the mean log probability, the surprise at its own words, is no more than that."""
    value = _perplexity(check, answer)
    if check.threshold is None:
        return CheckResult(passed=True, score=1.0, reason="")
    holds = value <= check.threshold
    return yes_or_no(
        check, holds, expected=f"have a perplexity of at most {check.threshold}; it has {value:.2f}"
    )


def perplexity_score(check: Check, answer: Answer) -> CheckResult:
    """Perplexity turned into a score from 0 to 1, higher is surer: 1 / (1 + perplexity)."""
    score = 1 / (1 + _perplexity(check, answer))
    shown = 1 - score if check.negate else score
    if check.threshold is None:
        return CheckResult(passed=True, score=shown, reason="")
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


def finish_reason(check: Check, answer: Answer) -> CheckResult:
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
