"""A check on how many words an output has."""

from __future__ import annotations

from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import yes_or_no
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.values import number_text, words


def word_count(check: Check, answer: Answer) -> CheckResult:
    """Whether the output has so many words: a number, or a range with min, max or both."""
    count = len(words(answer.text))
    if isinstance(check.value, dict):
        low, high = (_bound(check.value, name) for name in ("min", "max"))
        if low is None and high is None:
            raise SettingError("word-count needs min, max or both", next_step="Give it a range of words.")
        if low is not None and high is not None and low > high:
            raise SettingError(
                f"word-count asks for at least {number_text(low)} and at most {number_text(high)} words",
                next_step="Let min be no larger than max.",
            )
        holds = (low is None or count >= low) and (high is None or count <= high)
        parts = [
            f"at {word} {number_text(bound)}"
            for word, bound in (("least", low), ("most", high))
            if bound is not None
        ]
        return yes_or_no(check, holds, expected=f"have {' and '.join(parts)} words; it has {count}")
    wanted = _number(check.value)
    return yes_or_no(check, count == wanted, expected=f"have {number_text(wanted)} words; it has {count}")


def _bound(value: dict[str, Any], name: str) -> float | None:
    return None if value.get(name) is None else _number(value[name])


def _number(value: Any) -> float:
    try:
        if isinstance(value, bool) or value is None:
            raise ValueError
        return float(value)
    except (TypeError, ValueError) as error:
        raise SettingError(
            f"word-count needs a number of words, not {value!r}",
            next_step="Give it a number, or a range with min and max.",
        ) from error
