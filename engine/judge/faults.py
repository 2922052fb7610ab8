"""Faults: what can go wrong between asking and being answered, and the words for it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from turnwise.conversations.errors import JudgeError, JudgeRefusedError, JudgeUnavailableError
from turnwise.engine.judge.settings import JudgeSettings

LONGEST_WAIT = 120.0
_PASSING = frozenset({408, 409, 425, 429})
_NEVER = 501
"""A server's word for what it cannot do at all."""
_LONGEST_MESSAGE = 500
_KEY = re.compile(r"\b(sk|pk|gsk|key|xai)[-_][\w*.-]{6,}")
_CONTEXT = re.compile(
    r"context.{0,20}(length|size|window)|exceed.{0,30}context|maximum context|too many tokens", re.I
)


class Fault(Exception):  # noqa: N818 - never leaves this package; judge_error words it for people
    """A call that brought no reply.

    status: of the HTTP answer; None where there was none. message: in the server's words, without keys.
    parameter, code: what the server blames, where it says so. retry_after: seconds it asks to wait.
    timed_out: whether the time for a call ran out. attempts: how often it was tried.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        parameter: str = "",
        code: str = "",
        retry_after: float | None = None,
        timed_out: bool = False,
        passing: bool | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.parameter = parameter
        self.code = code
        self.retry_after = retry_after
        self.timed_out = timed_out
        self.attempts = 1
        self._passing = passing

    @property
    def passing(self) -> bool:
        """Whether the same call may succeed later."""
        if self._passing is not None:
            return self._passing
        if self.code == "insufficient_quota":
            return False
        if self.status == _NEVER:
            return False
        return self.status is None or self.status in _PASSING or self.status >= 500

    @property
    def overload(self) -> bool:
        """Whether fewer calls at a time may help."""
        return self.passing and self.status not in (408, 409)


def fault_of_answer(
    status: int, body: Any, headers: Mapping[str, str], api_key: str = "", now: float = 0.0
) -> Fault:
    """Return the fault that an error answer tells of.

    body: the answer, parsed where it is JSON. now: seconds since 1970, against which dates are read.
    """
    error = body.get("error", body) if isinstance(body, Mapping) else body
    told = error if isinstance(error, Mapping) else {}
    message = told.get("message") or told.get("detail") or (error if isinstance(error, str) else "")
    return Fault(
        without_keys(str(message or f"HTTP {status}"), api_key)[:_LONGEST_MESSAGE],
        status=status,
        parameter=str(told.get("param") or ""),
        code=str(told.get("code") or ""),
        retry_after=retry_after(headers, now),
    )


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds that an answer asks to wait, 0 to 120; None where it says nothing readable."""
    try:
        if (milliseconds := headers.get("retry-after-ms")) is not None:
            return _bounded(float(milliseconds) / 1000)
    except ValueError:
        pass
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return _bounded(float(value))
    except ValueError:
        pass
    try:
        return _bounded(parsedate_to_datetime(value).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None


def _bounded(seconds: float) -> float | None:
    return min(max(seconds, 0.0), LONGEST_WAIT) if not math.isnan(seconds) else None


def without_keys(text: str, api_key: str = "") -> str:
    """Return a text with the judge's key, and whatever looks like one, taken out."""
    if len(api_key) >= 6:
        text = text.replace(api_key, "***")
    return _KEY.sub("***", text)


def is_too_long(fault: Fault) -> bool:
    """Whether a server refused a request because the model cannot hold that much."""
    return fault.code == "context_length_exceeded" or _CONTEXT.search(fault.message) is not None


def judge_error(fault: Fault, settings: JudgeSettings) -> JudgeError:
    """Return the error that tells a person what happened and what to do."""
    where = f"{settings.model} at {settings.address}"
    if not fault.passing:
        title, next_step = _refusal(fault, settings)
        answered = f"HTTP {fault.status}: {fault.message}" if fault.status else fault.message
        return JudgeRefusedError(title, detail=f"{where}\n{answered}", next_step=next_step)
    tries = f" ({fault.attempts} tries)" if fault.attempts > 1 else ""
    if fault.timed_out:
        return JudgeUnavailableError(
            "The judge did not answer in time",
            detail=f"{where}{tries}\nno answer within {settings.timeout:g} s",
            next_step="Try again later, allow fewer calls at a time, or give the judge more time.",
        )
    if fault.status is None:
        return JudgeUnavailableError(
            "The judge cannot be reached",
            detail=f"{where}{tries}\n{fault.message}",
            next_step="Check that the server runs and that the address is right.",
        )
    busy = fault.status == 429
    return JudgeUnavailableError(
        "The judge is overloaded" if busy else "The judge's server has a fault",
        detail=f"{where}{tries}\nHTTP {fault.status}: {fault.message}",
        next_step="Try again later; what is scored already is kept."
        + (" Fewer calls at a time may help." if busy else ""),
    )


def _refusal(fault: Fault, settings: JudgeSettings) -> tuple[str, str]:
    if fault.code == "insufficient_quota":
        return "The judge's account has no credit left", "Add credit, or use another judge."
    if fault.status in (401, 403):
        return "The judge does not accept the key", "Check OPENAI_API_KEY, and that it may use this model."
    if fault.status == 404:
        return (
            "The judge's server knows no such model or address",
            f"Check the model's name ({settings.model}) and the address; it often ends in /v1.",
        )
    if is_too_long(fault):
        return (
            "The conversation is too long for the judge",
            "Use a judge with a longer context, or tell its size, so that conversations are cut.",
        )
    if fault.status is None:
        return "What answers there is no judge", "Check the address; it often ends in /v1."
    return "The judge refuses the request", "Check the model and its settings."
