"""The errors that tell a person why a chatbot did not answer, and what to do."""

from __future__ import annotations

from turnwise.conversations.errors import JudgeError, JudgeRefusedError, JudgeUnavailableError
from turnwise.engine.judge.faults import Fault, is_too_long

_OWN_FAULTS = (500, 501)
"""What a server answers that fails on one request, and may answer the next."""


def target_error(fault: Fault, title: str) -> JudgeError:
    """Return the error of a call that brought no reply. title: the chatbot's name for people."""
    told = f"HTTP {fault.status}: {fault.message}" if fault.status else fault.message
    detail = f"{title}\n{told}"
    if fault.timed_out:
        return JudgeUnavailableError(
            "The chatbot did not answer in time", detail=detail, next_step="Ask again, or look at its server."
        )
    if not fault.passing:
        words, next_step = _refusal(fault)
        return JudgeRefusedError(words, detail=detail, next_step=next_step)
    if fault.status is None:
        return JudgeUnavailableError(
            "The chatbot cannot be reached",
            detail=detail,
            next_step="Check that the server runs and that the address is right.",
        )
    if fault.status == 429:
        return JudgeUnavailableError(
            "The chatbot is overloaded", detail=detail, next_step="Wait a little, then ask again."
        )
    return JudgeUnavailableError(
        "The chatbot's server has a fault", detail=detail, next_step="Ask again, or look at its server."
    )


def error_of_case(fault: Fault, title: str) -> JudgeError:
    """Return the error as it counts for one case of many: a fault over one says nothing of the rest."""
    error = target_error(fault, title)
    if fault.status in _OWN_FAULTS:
        return JudgeRefusedError(error.title, detail=error.detail, next_step=error.next_step)
    return error


def _refusal(fault: Fault) -> tuple[str, str]:
    if fault.code == "insufficient_quota":
        return "The chatbot's account has no credit left", "Add credit, or talk to another chatbot."
    if fault.status in (401, 403):
        return "The chatbot does not accept the key", "Check OPENAI_API_KEY, and that it may use this model."
    if fault.status == 404:
        return (
            "The chatbot's server knows no such model or address",
            "Check the model's name and the address; it often ends in /v1.",
        )
    if is_too_long(fault):
        return (
            "The conversation is too long for the chatbot",
            "Begin a new conversation, or talk to one with a longer context.",
        )
    if fault.status is None:
        return "What answers there is no chatbot", "Check the address; it often ends in /v1."
    return "The chatbot refuses the request", "Check the model and its settings."
