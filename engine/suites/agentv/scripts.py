"""code_judge: a score that a command of the suite gives, told on its standard input what it is about."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.agentv.grade import Grade, clamped, graded
from turnwise.engine.suites.agentv.submission import Submission, Trace


class RunCode(Protocol):
    """Runs a command of a suite in a folder, with data as JSON on its standard input.

    Returns the JSON that it writes. Raises NotFoundError where the user does not trust it, SettingError where
    it fails. SuiteCode.run_code is one.
    """

    async def __call__(self, command: Sequence[str], given: Any, *, folder: Path, place: str = "") -> Any:
        """Run it."""


async def code_judge(check: Check, submission: Submission, run_code: RunCode | None) -> Grade:
    """The score that the command of config.script (or command) gives, with its hits and misses.

    Raises NotFoundError without --trust, SettingError where it fails or gives no score.
    """
    words = check.config.get("argv") or check.config.get("command") or check.config.get("script")
    folder = folder_of(check.config, submission)
    return await graded_by_code(check, words, told_of(check, submission), run_code, folder=folder)


async def graded_by_code(
    check: Check, words: Any, given: Mapping[str, Any], run_code: RunCode | None, *, folder: Path
) -> Grade:
    """Return the grade that a command gives in a folder. Raises as code_judge does."""
    command = _words(words, check)
    name = check.metric or check.type
    if run_code is None:
        raise NotFoundError(
            f"{name} is code, which is not run without --trust",
            next_step="Read it first; --trust then runs it.",
        )
    return _grade(await run_code(command, given, folder=folder, place=name))


def folder_of(settings: Mapping[str, Any], submission: Submission) -> Path:
    """Return the folder that a command runs in: the suite's own, or one named from there."""
    own = settings.get("resolved_cwd") or settings.get("cwd")
    return submission.folder / own if isinstance(own, str) else submission.folder


def _words(given: Any, check: Check) -> list[str]:
    # A command in one text is AgentV's way to ask for a shell.
    words = ["sh", "-lc", given] if isinstance(given, str) and given.strip() else given
    if not isinstance(words, (list, tuple)) or not words or not all(isinstance(word, str) for word in words):
        raise SettingError(
            f"{check.metric or check.type} names no command", next_step="Write it as [python, check.py]."
        )
    return list(words)


def _grade(written: Any) -> Grade:
    """Return the grade that a command writes: a score with hits and misses, or assertions."""
    found = written if isinstance(written, Mapping) else {}
    hits, misses = _texts(found.get("hits")), _texts(found.get("misses"))
    listed = found.get("assertions")
    assertions = [
        one
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, Mapping) and isinstance(one.get("text"), str)
    ]
    for one in assertions:
        (hits if one.get("passed") else misses).append(one["text"])
    score = found.get("score")
    if isinstance(score, bool) or not isinstance(score, (int, float)) or not math.isfinite(score):
        if not assertions:
            raise SettingError("The script gives no score", next_step='Let it write {"score": 0 to 1}.')
        score = sum(1 for one in assertions if one.get("passed")) / len(assertions)
    reason = found.get("reasoning")
    return graded(clamped(score), hits, misses, reason if isinstance(reason, str) else "")


def _texts(listed: Any) -> list[str]:
    if not isinstance(listed, list):
        return []
    return [text for text in listed if isinstance(text, str) and text.strip()]


def told_of(check: Check, submission: Submission) -> dict[str, Any]:
    """Return what a command is told: the case, the answer and what it took, under both forms' names."""
    own = check.config.get("options")
    given = submission.options
    trace = submission.trace
    tokens = trace.tokens if trace else None
    said = {"role": "assistant", "content": submission.text, "tool_calls": _tools(submission)}
    return {
        "question": submission.question,
        "expected_outcome": submission.criterion,
        "criteria": submission.criterion,
        "expected_messages": list(submission.expected),
        "expected_output": list(submission.expected),
        "reference_answer": submission.reference,
        "candidate_answer": submission.text,
        "output": submission.text,
        "output_messages": [said],
        "messages": [said],
        "input_messages": list(given.get("input_messages") or submission.asked),
        "input": list(given.get("input_messages") or submission.asked),
        "guideline_files": list(given.get("guideline_files") or ()),
        "input_files": list(given.get("input_files") or ()),
        "metadata": dict(submission.metadata),
        "trace_summary": _summary(trace, submission),
        "token_usage": {"input": tokens.input, "output": tokens.output} if tokens else None,
        "cost_usd": trace.cost if trace else None,
        "duration_ms": trace.milliseconds if trace else None,
        "config": dict(own) if isinstance(own, Mapping) and own else None,
    }


def _tools(submission: Submission) -> list[dict[str, Any]]:
    return [{"tool": use.name, "input": use.arguments} for use in submission.tools or ()]


def _summary(trace: Trace | None, submission: Submission) -> dict[str, Any] | None:
    if trace is None:
        return None
    counts = dict(submission.calls_by_tool or {})
    return {
        "event_count": sum(counts.values()),
        "tool_names": sorted(counts),
        "tool_calls_by_name": counts,
        "error_count": 0,
        "llm_call_count": trace.model_calls,
        "token_usage": {"input": trace.tokens.input, "output": trace.tokens.output} if trace.tokens else None,
        "cost_usd": trace.cost,
        "duration_ms": trace.milliseconds,
    }
