"""Faults: what can go wrong between asking and being answered, and the words for it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Literal
from urllib.parse import urljoin

from turnwise.conversations.errors import (
    JudgeError,
    JudgeRefusedError,
    JudgeUnavailableError,
    JudgeUnusableError,
)
from turnwise.engine.models.address_secrets import secrets_of, without_secrets
from turnwise.engine.models.providers import PROVIDERS
from turnwise.engine.models.settings import ModelSettings, Noun, shown_address

_PASSING = frozenset({408, 409, 425, 429})
_OVERLOAD = frozenset({429, 529})
_NEVER = 501
"""The status by which a server says that it can never do what was asked."""
_LONGEST_MESSAGE = 500
_KEY = re.compile(r"\b(sk|pk|gsk|key|xai)[-_][\w*.-]{6,}")
_CONTEXT = re.compile(
    r"context.{0,20}(length|size|window)|exceed.{0,30}context|maximum context|too many tokens", re.I
)
_FILTER = re.compile(r"content.?(filter|management|policy)|(safety|moderation) (system|policy)", re.I)


FaultKind = Literal[
    "no credit",
    "bad key",
    "unknown model",
    "too long",
    "no such program",
    "elsewhere",
    "too large",
    "filtered",
    "refused",
    "not kept",
    "asks to wait",
    "timed out",
    "away",
    "overloaded",
    "broken",
    "broke off",
]
"""The kinds of fault that a person is told apart; the first ten do not pass by themselves."""
_FOR_ANY_QUESTION: frozenset[FaultKind] = frozenset(
    {"no credit", "bad key", "unknown model", "no such program", "elsewhere", "asks to wait"}
)
"""The kinds that say nothing of the question: any other would meet the same."""


class Fault(Exception):  # noqa: N818 - never leaves this package; model_error words it for people
    """A call that brought no reply.

    status: of the HTTP answer; None where there was none. message: in the server's words, without keys.
    parameter, code: what the server blames, where it says so. retry_after: seconds it asks to wait.
    timed_out: whether the time for a call ran out. nobody_here: whether nothing listens at an address of this
    machine, which is found out at once. attempts: how often it was tried.
    kind: which kind of fault it is, and next_step: what a person can do about it, where whoever raises it
    knows better than `kind_of` and the tables below.
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
        nobody_here: bool = False,
        passing: bool | None = None,
        kind: FaultKind | None = None,
        next_step: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.parameter = parameter
        self.code = code
        self.retry_after = retry_after
        self.timed_out = timed_out
        self.nobody_here = nobody_here
        self.attempts = 1
        self.kind = kind
        self.next_step = next_step
        self._passing = False if kind == "not kept" else passing

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


def fault_of_redirect(address: str, status: int, location: str | None) -> Fault:
    """Return the fault of an answer that sends elsewhere; where to is told without what may be a secret."""
    try:
        where = shown_address(urljoin(address, location))[:200] if location else "nowhere"
    except ValueError:
        where = "what is no address"
    told = f"it sends elsewhere, to {without_keys(where)}"
    return Fault(told, status=status, passing=False, kind="elsewhere")


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds that an answer asks to wait.

    None where it says nothing readable, or a time that is over: then it is for the asker to be patient.
    """
    try:
        if (milliseconds := headers.get("retry-after-ms")) is not None:
            return _still_to_come(float(milliseconds) / 1000)
    except ValueError:
        pass
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return _still_to_come(float(value))
    except ValueError:
        pass
    try:
        return _still_to_come(parsedate_to_datetime(value).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None


def _still_to_come(seconds: float) -> float | None:
    return seconds if 0 < seconds < math.inf else None


def without_keys(text: str, api_key: str = "") -> str:
    """Return a text with the model's key, and whatever looks like one, taken out."""
    if len(api_key) >= 6:
        text = text.replace(api_key, "***")
    return _KEY.sub("***", text)


def is_too_long(fault: Fault) -> bool:
    """Whether a server refused a request because the model cannot hold that much."""
    return fault.code == "context_length_exceeded" or _CONTEXT.search(fault.message) is not None


def _is_filtered(fault: Fault) -> bool:
    """Whether a filter of the server stopped a request for what stands in it."""
    words = f"{fault.code} {fault.message}"
    return fault.status is not None and not fault.passing and _FILTER.search(words) is not None


_TITLES: Mapping[FaultKind, str] = {
    "no credit": "The {noun}'s account has no credit left",
    "bad key": "The {noun} does not accept the key",
    "unknown model": "The {noun}'s server knows no such model or address",
    "too long": "The conversation is too long for the {noun}",
    "no such program": "What answers there is no {noun}",
    "elsewhere": "The {noun}'s server sends elsewhere",
    "too large": "The {noun}'s answer is too large",
    "filtered": "The {noun}'s content filter stops the request",
    "refused": "The {noun} refuses the request",
    "asks to wait": "The {noun} asks to wait for too long",
    "not kept": "The {noun} is offline, and no reply to this question is kept",
    "timed out": "The {noun} did not answer in time",
    "away": "The {noun} cannot be reached",
    "overloaded": "The {noun} is overloaded",
    "broken": "The {noun}'s server has a fault",
    "broke off": "The {noun}'s reply broke off",
}
_NEXT_STEPS: Mapping[FaultKind, str] = {
    "no credit": "Add credit, or use another {noun}.",
    "bad key": "Check {key}, and that it may use this model.",
    "unknown model": "Check the model's name ({model}) and the address; it often ends in /v1.",
    "too long": "Use a {noun} with a longer context, or tell its size, so that conversations are cut.",
    "no such program": "Check the address; it often ends in /v1.",
    "elsewhere": "If you trust that address, name it as the {noun}.",
    "too large": "Use another {noun} for it.",
    "filtered": "Use another {noun} for it.",
    "refused": "Check the model and its settings.",
    "asks to wait": "Try again later, or wait longer for it{by_longest_wait}.",
    "not kept": "Ask the {noun} itself once, without --offline; its replies are kept from then on.",
    "timed out": "Try again later, allow fewer calls at a time, or give the {noun} more time{by_timeout}.",
    "away": "Check that the server runs and that the address is right.",
    "overloaded": "Try again later; what is scored already is kept. Fewer calls at a time may help.",
    "broken": "Try again later; what is scored already is kept.",
    "broke off": "Try again later; what is scored already is kept.",
}


def kind_of(fault: Fault) -> FaultKind:
    """Return which kind of fault it is, for the words that a person is told."""
    if fault.kind is not None:
        return fault.kind
    if fault.passing:
        if fault.timed_out:
            return "timed out"
        if fault.status is None:
            return "away"
        return "overloaded" if fault.status in _OVERLOAD else "broken"
    if fault.code == "insufficient_quota":
        return "no credit"
    if fault.status in (401, 403):
        return "bad key"
    if fault.status == 404:
        return "unknown model"
    if is_too_long(fault):
        return "too long"
    if _is_filtered(fault):
        return "filtered"
    return "no such program" if fault.status is None else "refused"


_BY_OPTION = {
    "by_timeout": " (--timeout, or judge_timeout in your settings)",
    "by_longest_wait": " (--longest-wait, or judge_longest_wait in your settings)",
}
"""How a person gives a judge more time; chatbots have no such settings."""


def fault_title(kind: FaultKind, noun: Noun) -> str:
    """Return the sentence that tells a person of a fault."""
    return _TITLES[kind].format(noun=noun)


def _key_of(settings: ModelSettings) -> str:
    """Return where a person finds the key that a model was asked with."""
    entry = PROVIDERS.get(settings.provider)
    return (entry.key if entry else "") or "its key"


def model_error(fault: Fault, settings: ModelSettings) -> JudgeError:
    """Return the error that tells a person what happened and what to do, in the noun of the settings."""
    kind = kind_of(fault)
    title = fault_title(kind, settings.noun)
    options = _BY_OPTION if settings.noun == "judge" else dict.fromkeys(_BY_OPTION, "")
    next_step = fault.next_step or _NEXT_STEPS[kind].format(
        noun=settings.noun, model=settings.model, key=_key_of(settings), **options
    )
    message = without_secrets(fault.message, secrets_of(settings.base_url))
    answered = f"HTTP {fault.status}: {message}" if fault.status else message
    where = f"{settings.model} at {settings.address}"
    if kind in _FOR_ANY_QUESTION:
        return JudgeUnusableError(title, detail=f"{where}\n{answered}", next_step=next_step)
    if not fault.passing:
        return JudgeRefusedError(title, detail=f"{where}\n{answered}", next_step=next_step)
    tries = f" ({fault.attempts} tries)" if fault.attempts > 1 else ""
    return JudgeUnavailableError(title, detail=f"{where}{tries}\n{answered}", next_step=next_step)
