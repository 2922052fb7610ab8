"""Checks on the words of an output: equality, contained texts, how it starts."""

from __future__ import annotations

import re
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.formats.promptfoo.assertion_lines import comma_list
from turnwise.conversations.suites import Check
from turnwise.conversations.white_space import SPACES
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import quoted, yes_or_no
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.values import as_json, as_text, item_text, same, strict_json

_OPENING = re.compile(f'[{SPACES}]*"')


def equals(check: Check, answer: Answer) -> CheckResult:
    """Whether the output is the value: data is compared deeply with the output read as JSON."""
    if isinstance(check.value, (dict, list, tuple)):
        try:
            holds = same(check.value, strict_json(answer.text))
        except ValueError:
            holds = False
        return yes_or_no(check, holds, expected=f"equal {quoted(as_json(check.value))}")
    # A value of null is told from none at all by what was written.
    expected = "null" if check.value is None and "written" in check.options else as_text(check.value)
    return yes_or_no(check, answer.text == expected, expected=f"equal {quoted(expected)}")


def contains(check: Check, answer: Answer) -> CheckResult:
    """Whether the output contains the value."""
    value = _needle(check)
    return yes_or_no(check, value in answer.text, expected=f"contain {quoted(value)}")


def icontains(check: Check, answer: Answer) -> CheckResult:
    """Whether the output contains the value, in capitals or not."""
    value = _needle(check)
    return yes_or_no(check, value.lower() in answer.text.lower(), expected=f"contain {quoted(value)}")


def contains_any(check: Check, answer: Answer) -> CheckResult:
    """Whether the output contains one of the values; of none, it contains none."""
    return _any_of(check, answer.text, _needles(check))


def icontains_any(check: Check, answer: Answer) -> CheckResult:
    """Whether the output contains one of the values, in capitals or not."""
    return _any_of(check, answer.text.lower(), _needles(check), lower=True)


def contains_all(check: Check, answer: Answer) -> CheckResult:
    """Whether the output contains each of the values."""
    return _all_of(check, answer.text, _needles(check))


def icontains_all(check: Check, answer: Answer) -> CheckResult:
    """Whether the output contains each of the values, in capitals or not."""
    return _all_of(check, answer.text.lower(), _needles(check), lower=True)


def starts_with(check: Check, answer: Answer) -> CheckResult:
    """Whether the output starts with the value."""
    value = _needle(check)
    if not isinstance(check.value, str):
        raise SettingError("starts-with needs a text", next_step="Put its value in quotation marks.")
    return yes_or_no(check, answer.text.startswith(value), expected=f"start with {quoted(value)}")


def _needle(check: Check) -> str:
    value = check.value
    if value in ("", None) or isinstance(value, (bool, dict, list, tuple)):
        raise SettingError(
            f"{check.type} needs a text or a number to look for",
            next_step="Give it a value.",
        )
    return as_text(value)


def _needles(check: Check) -> list[str]:
    value: Any = check.value
    if isinstance(value, (list, tuple)):
        return [item_text(item) for item in value]
    if isinstance(value, str) and value:
        try:
            return comma_list(value)
        except ValueError as error:
            raise SettingError(f"{check.type}: {error}", detail=quoted(value)) from None
    raise SettingError(f"{check.type} needs a list of texts to look for", next_step="Give it a value.")


def _any_of(check: Check, text: str, values: list[str], *, lower: bool = False) -> CheckResult:
    holds = any((value.lower() if lower else value) in text for value in values)
    return yes_or_no(check, holds, expected=f"contain one of {quoted(', '.join(values))}")


def _all_of(check: Check, text: str, values: list[str], *, lower: bool = False) -> CheckResult:
    missing = [value for value in values if (value.lower() if lower else value) not in text]
    expected = f"contain all of {quoted(', '.join(values))}"
    if missing:
        expected += f"; it lacks {quoted(', '.join(missing))}"
    return yes_or_no(check, not missing, expected=expected)
