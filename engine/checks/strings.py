"""Checks on the words of an output: equality, contained texts, how it starts, how many words it has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.formats.promptfoo import comma_list
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import (
    as_json,
    as_text,
    item_text,
    number_text,
    same,
    strict_json,
    words,
)
from turnwise.conversations.texts import trimmed
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import Asker
from turnwise.engine.checks.findings import Finding, met_or_missed, quoted, yes_or_no


def equals(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the output is the value: data is compared deeply with the output read as JSON."""
    if isinstance(check.value, (dict, list, tuple)):
        try:
            holds = same(check.value, strict_json(answer.text))
        except ValueError:
            holds = False
        return yes_or_no(check, holds, expected=f"equal {quoted(as_json(check.value))}")
    expected = "null" if check.is_null else as_text(check.value)
    return yes_or_no(check, answer.text == expected, expected=f"equal {quoted(expected)}")


def contains(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the output contains the value; icontains: in capitals or not."""
    value = _needle(check)
    return yes_or_no(
        check,
        _cased(check, value) in _cased(check, answer.text),
        expected=f"contain {quoted(value)}",
        found=(f"The answer contains {quoted(value)}", f"The answer does not contain {quoted(value)}"),
    )


def contains_any(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the output contains one of the values; icontains-any: in capitals or not."""
    values, text = _needles(check), _cased(check, answer.text)
    listed = quoted(", ".join(values))
    return yes_or_no(
        check,
        any(_cased(check, value) in text for value in values),
        expected=f"contain one of {listed}",
        found=(f"The answer contains one of {listed}", f"The answer contains none of {listed}"),
    )


def contains_all(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the output contains each of the values; icontains-all: in capitals or not."""
    values, text = _needles(check), _cased(check, answer.text)
    missing = [value for value in values if _cased(check, value) not in text]
    listed, lacking = quoted(", ".join(values)), quoted(", ".join(missing))
    return yes_or_no(
        check,
        not missing,
        expected=f"contain all of {listed}" + (f"; it lacks {lacking}" if missing else ""),
        found=(f"The answer contains all of {listed}", f"The answer does not contain {lacking}"),
    )


def starts_with(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the output starts with the value."""
    value = _needle(check)
    if not isinstance(check.value, str):
        raise SettingError("starts-with needs a text", next_step="Put its value in quotation marks.")
    return yes_or_no(check, answer.text.startswith(value), expected=f"start with {quoted(value)}")


def starts_with_trimmed(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the answer starts with the value, white space around both aside."""
    value = _text(check)
    holds = trimmed(answer.text).startswith(trimmed(value))
    return _found(holds, "starts with", "does not start with", value)


def ends_with_trimmed(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the answer ends with the value, white space around both aside."""
    value = _text(check)
    holds = trimmed(answer.text).endswith(trimmed(value))
    return _found(holds, "ends with", "does not end with", value)


def equals_trimmed(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the answer is the value, white space around both aside."""
    value = _text(check)
    return _found(trimmed(answer.text) == trimmed(value), "is", "is not", value)


def _found(holds: bool, does: str, does_not: str, what: str) -> Finding:
    # Both are told as they are, so that they stay true where the check is negated.
    return met_or_missed(holds, f"The answer {does} {quoted(what)}", f"The answer {does_not} {quoted(what)}")


def _text(check: Check) -> str:
    if check.value is None or isinstance(check.value, (Mapping, list, tuple)):
        raise SettingError(f"{check.type} needs a text", next_step="Give it a value.")
    return as_text(check.value)


def _cased(check: Check, text: str) -> str:
    return text.lower() if check.type.startswith("i") else text


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


def word_count(check: Check, answer: Answer, asker: Asker) -> Finding:
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
