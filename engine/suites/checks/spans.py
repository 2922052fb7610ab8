"""Checks on the spans of a trace: how many there are, how long they took, how many ended in an error."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import yes_or_no
from turnwise.engine.suites.checks.trajectory import bounds, in_words, within
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.traces import Span, matching, spans_of

_FAILED = ("error", "exception", "failed", "failure")
_FAILED_WORDS = ("error", "failed", "exception", "timeout", "abort")
_STATUS_NAMES = ("http.status_code", "http.response.status_code", "status_code", "statusCode")
_ERROR_NAMES = ("otel.status_code", "status.code")
_OPEN_TELEMETRY_ERROR = 2
_HTTP_ERROR = 400
_SHOWN = 3


def span_count(check: Check, answer: Answer) -> CheckResult:
    """Whether there are so many spans whose name is like a pattern."""
    value = _settings(check)
    if not isinstance(value.get("pattern"), str):
        raise SettingError(f"{check.type} needs a pattern of names", next_step="Give its value a pattern.")
    least, most = bounds(check, value, least=0)
    count = len(_matching(value, answer))
    wanted = f"come by {in_words(least, most)} spans like {value['pattern']}; there are {count}"
    return yes_or_no(check, within(count, least, most), expected=wanted)


def span_duration(check: Check, answer: Answer) -> CheckResult:
    """Whether each span, or with percentile the one at that place, took no more than max milliseconds."""
    value = _settings(check)
    _, most = bounds(check, value, least=0)
    percentile = value.get("percentile")
    if most is None:
        raise SettingError(f"{check.type} needs a max in milliseconds", next_step="Give its value a max.")
    if percentile is not None and (
        isinstance(percentile, bool) or not isinstance(percentile, (int, float)) or not 0 <= percentile <= 100
    ):
        raise SettingError(f"The percentile of {check.type} lies from 0 to 100", next_step="Correct it.")
    timed = [
        (span.end - span.start, span.name)
        for span in _matching(value, answer)
        if span.start is not None and span.end is not None
    ]
    timed.sort()
    place = len(timed) - 1 if percentile is None else max(math.ceil(percentile / 100 * len(timed)) - 1, 0)
    longest = timed[place] if timed else (0.0, "none")
    wanted = f"come by spans of at most {most:g} ms; {longest[1]} took {longest[0]:g} ms"
    return yes_or_no(check, longest[0] <= most, expected=wanted)


def error_spans(check: Check, answer: Answer) -> CheckResult:
    """Whether no more spans than max_count (0), or than max_percentage of them, ended in an error."""
    value = _settings(check)
    most, share = value.get("max_count"), value.get("max_percentage")
    if isinstance(check.value, (int, float)) and not isinstance(check.value, bool):
        most = check.value
    for limit in (most, share):
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, (int, float))):
            raise SettingError(f"The limit of {check.type} is no number", next_step="Write a number.")
    spans = _matching(value, answer)
    failed = [span for span in spans if _is_error(span)]
    if most is None and share is None:
        most = 0
    holds = most is None or len(failed) <= most
    if share is not None and spans:
        holds = holds and len(failed) / len(spans) * 100 <= share
    shown = ", ".join(f"{span.name} {span.message}".strip() for span in failed[:_SHOWN])
    limits = [f"{most:g}" if most is not None else "", f"{share:g} %" if share is not None else ""]
    wanted = f"come by at most {' and '.join(filter(None, limits))} spans with an error"
    return yes_or_no(check, holds, expected=f"{wanted}; {len(failed)} of {len(spans)}: {shown or 'none'}")


def _settings(check: Check) -> Mapping[str, Any]:
    return check.value if isinstance(check.value, Mapping) else {}


def _matching(value: Mapping[str, Any], answer: Answer) -> list[Span]:
    pattern = value.get("pattern")
    wanted = pattern if isinstance(pattern, str) and pattern else "*"
    return [span for span in spans_of(answer) if matching(wanted, [span.name])]


def _is_error(span: Span) -> bool:
    told = span.attributes
    if _is_error_status(span.status) or any(_is_error_status(told.get(name)) for name in _STATUS_NAMES):
        return True
    if any(str(told.get(name)).upper() == "ERROR" for name in _ERROR_NAMES):
        return True
    message = span.message.lower()
    return any(told.get(name) for name in _FAILED) or any(word in message for word in _FAILED_WORDS)


def _is_error_status(status: Any) -> bool:
    if isinstance(status, str):
        return status.upper().endswith("ERROR") or (status.isdecimal() and int(status[:9]) >= _HTTP_ERROR)
    if isinstance(status, bool) or not isinstance(status, (int, float)):
        return False
    return status == _OPEN_TELEMETRY_ERROR or status >= _HTTP_ERROR
