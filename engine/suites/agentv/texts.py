"""The evaluators of AgentV 4 that look at the text alone: contains, starts-with, regex, is-json, equals."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.conversations.white_space import trimmed
from turnwise.engine.suites.agentv.grade import Grade, met_or_missed
from turnwise.engine.suites.agentv.submission import Submission
from turnwise.engine.suites.checks.findings import quoted
from turnwise.engine.suites.values import as_text, strict_json


def contains(check: Check, submission: Submission, *, compat: bool) -> Grade:
    """Whether the answer contains the value; icontains: in capitals or not."""
    value = _text(check)
    text, needle = _cased(check, submission.text), _cased(check, value)
    return _found(needle in text, "contains", "does not contain", value)


def contains_any(check: Check, submission: Submission, *, compat: bool) -> Grade:
    """Whether the answer contains one of the values."""
    values, text = _texts(check), _cased(check, submission.text)
    holds = any(_cased(check, value) in text for value in values)
    return _found(holds, "contains one of", "contains none of", ", ".join(values))


def contains_all(check: Check, submission: Submission, *, compat: bool) -> Grade:
    """Whether the answer contains each of the values."""
    values, text = _texts(check), _cased(check, submission.text)
    lacking = [value for value in values if _cased(check, value) not in text]
    return _found(not lacking, "contains all of", "does not contain", ", ".join(lacking or values))


def starts_with(check: Check, submission: Submission, *, compat: bool) -> Grade:
    """Whether the answer starts with the value, white space around both aside."""
    value = _text(check)
    holds = trimmed(submission.text).startswith(trimmed(value))
    return _found(holds, "starts with", "does not start with", value)


def ends_with(check: Check, submission: Submission, *, compat: bool) -> Grade:
    """Whether the answer ends with the value, white space around both aside."""
    value = _text(check)
    holds = trimmed(submission.text).endswith(trimmed(value))
    return _found(holds, "ends with", "does not end with", value)


def equals(check: Check, submission: Submission, *, compat: bool) -> Grade:
    """Whether the answer is the value, white space around both aside."""
    value = _text(check)
    return _found(trimmed(submission.text) == trimmed(value), "is", "is not", value)


def regex(check: Check, submission: Submission, *, compat: bool) -> Grade:
    """Whether the regular expression, as JavaScript reads it, matches somewhere; config.flags as there."""
    # A package of its own, which takes a while to load.
    from turnwise.engine.suites.checks.patterns import search

    pattern, flags = _text(check), as_text(check.config.get("flags") or "")
    try:
        holds = search(pattern, submission.text, flags=flags)
    except re.error as error:
        raise SettingError(
            f"{quoted(pattern)} is no regular expression: {error}", next_step="Correct it."
        ) from None
    return _found(holds, "matches", "does not match", pattern)


def is_json(check: Check, submission: Submission, *, compat: bool) -> Grade:
    """Whether the answer is JSON and nothing else."""
    try:
        strict_json(submission.text)
    except ValueError:
        return met_or_missed(False, "", "The answer is no JSON")
    return met_or_missed(True, "The answer is JSON", "")


def _found(holds: bool, does: str, does_not: str, what: str) -> Grade:
    # Both are told as they are, so that they stay true where the check is negated.
    return met_or_missed(holds, f"The answer {does} {quoted(what)}", f"The answer {does_not} {quoted(what)}")


def _cased(check: Check, text: str) -> str:
    return text.lower() if check.type.startswith("i") else text


def _value(check: Check) -> Any:
    return check.config.get("value") if check.value is None else check.value


def _text(check: Check) -> str:
    value = _value(check)
    if value is None or isinstance(value, (Mapping, list, tuple)):
        raise SettingError(f"{check.type} needs a text", next_step="Give it a value.")
    return as_text(value)


def _texts(check: Check) -> list[str]:
    value = _value(check)
    if not isinstance(value, (list, tuple)) or not value:
        raise SettingError(f"{check.type} needs a list of texts", next_step="Give it a value.")
    return [as_text(item) for item in value]


TEXTS: Mapping[str, Callable[..., Grade]] = {
    "contains": contains,
    "icontains": contains,
    "contains-any": contains_any,
    "icontains-any": contains_any,
    "contains-all": contains_all,
    "icontains-all": contains_all,
    "starts-with": starts_with,
    "ends-with": ends_with,
    "equals": equals,
    "regex": regex,
    "is-json": is_json,
}
"""The evaluators by type."""
