"""Checks that are scripts: JavaScript in an engine without any access, and commands of the suite.

What takes trust is run in engine/suites/code, and comes here as `Asker.reach.run_code`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.numbers import is_finite
from turnwise.conversations.results import Score
from turnwise.conversations.suites import Check
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import Asker
from turnwise.engine.checks.findings import CheckOutcome, Finding, clamped, failed, scored
from turnwise.engine.javascript import run_body, run_expression, run_transform
from turnwise.engine.worker import Returned

_KINDS: dict[str, object] = {"namedScores": {}, "componentResults": [], "assertion": {}, "comment": ""}
"""What else a script may say, and the kind of value that it must be."""


def javascript(check: Check, answer: Answer, asker: Asker) -> Finding:
    """What a script says of the output: true or false, a number (its score), or {pass, score, reason}."""
    if not isinstance(check.value, str):
        raise SettingError("javascript needs a script", next_step="Give it a text as its value.")
    if check.value.startswith("file://"):
        raise NotFoundError(
            "A script in a file is not run without --trust",
            next_step="Read it first; --trust then runs it. Or write it into the check as javascript.",
        )
    return script_result(check, run_check_script(check.value, answer, check.config))


def javascript_or_fail(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Check by a script; what is no text fails, as with promptfoo."""
    if not isinstance(check.value, str):
        return failed("javascript needs a script")
    return javascript(check, answer, asker)


def script_result(check: Check, returned: Returned) -> Finding:
    """Return what a script's value means: true or false, a number, or {pass, score, reason, namedScores}.

    What it throws, and any other value, is a fail.
    """
    if returned.error:
        return Finding(passed=False, score=0.0, reason=f"The script threw an error: {returned.error}")
    match returned.value:
        case bool() as holds:
            passed = holds != check.negate
            reason = "" if passed else f"The script said {'true' if holds else 'false'}"
            return Finding(passed=passed, score=float(passed), reason=reason)
        case float() as score if not is_finite(score):
            passed = (score > (check.threshold or 0)) != check.negate
            return Finding(passed=passed, score=0.0, reason=f"The script gave {score:g}, no score")
        case int() | float() as score:
            reached = score > 0 if check.threshold is None else score >= check.threshold
            passed = reached != check.negate
            return Finding(passed=passed, score=score, reason="" if passed else f"The script gave {score:g}")
        case {"pass": bool() as holds, "score": int() | float() as score, "reason": str() as told} if (
            _is_verdict(returned.value)
        ):
            named, parts = returned.value.get("namedScores"), returned.value.get("componentResults")
            return Finding(
                passed=holds != check.negate,
                score=score,
                reason=f"The script said {'true' if holds else 'false'}" if check.negate else told,
                named_scores=_numbers(named or {}),
                members=tuple(_parts(check, parts or [])),
            )
        case _:
            reason = "The script gave neither true or false, nor a number, nor pass, score and reason"
            return Finding(passed=False, score=0.0, reason=reason)


def _is_verdict(rest: Mapping[str, object]) -> bool:
    return all(isinstance(rest.get(name), (type(empty), type(None))) for name, empty in _KINDS.items())


def _parts(check: Check, parts: list[object]) -> Iterator[CheckOutcome]:
    """Yield what a script says of parts of its own; the type is the check's, if it names none."""
    own = f"not-{check.type}" if check.negate else check.type
    for part in parts:
        if isinstance(part, Mapping):
            about, score = part.get("assertion"), part.get("score")
            kind = about.get("type") if isinstance(about, Mapping) else own
            outcome = Score(
                metric=str(kind),
                reason=str(part.get("reason") or ""),
                score=float(score) if isinstance(score, (int, float)) else 0.0,
                stated=part.get("pass") is True,
            )
            yield CheckOutcome(check=Check(type=str(kind)), outcome=outcome)


def _numbers(named: Mapping[str, object]) -> dict[str, float]:
    return {key: float(value) for key, value in named.items() if isinstance(value, (int, float))}


async def code_judge(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The score that the command of config.script (or command) gives, with its hits and misses.

    Raises NotFoundError without --trust, SettingError where it fails or gives no score.
    """
    words = check.config.get("argv") or check.config.get("command") or check.config.get("script")
    folder = folder_of(check.config, answer)
    return await found_by_code(check, words, told_of(check, answer), asker, folder=folder)


async def found_by_code(
    check: Check, words: Any, given: Mapping[str, Any], asker: Asker, *, folder: Path
) -> Finding:
    """Return what a command finds in a folder. Raises as code_judge does."""
    command, run_code = _words(words, check), asker.reach.run_code
    name = check.metric or check.type
    if run_code is None:
        raise NotFoundError(
            f"{name} is code, which is not run without --trust",
            next_step="Read it first; --trust then runs it.",
        )
    return _finding(await run_code(command, given, folder=folder, place=name))


def folder_of(settings: Mapping[str, Any], answer: Answer) -> Path:
    """Return the folder that a command runs in: the suite's own, or one named from there."""
    own = settings.get("resolved_cwd") or settings.get("cwd")
    return answer.folder / own if isinstance(own, str) else answer.folder


def _words(given: Any, check: Check) -> list[str]:
    # A command in one text is AgentV's way to ask for a shell.
    words = ["sh", "-lc", given] if isinstance(given, str) and given.strip() else given
    if not isinstance(words, (list, tuple)) or not words or not all(isinstance(word, str) for word in words):
        raise SettingError(
            f"{check.metric or check.type} names no command", next_step="Write it as [python, check.py]."
        )
    return list(words)


def _finding(written: Any) -> Finding:
    """Return the finding that a command writes: a score with hits and misses, or assertions.

    Scripts of AgentV 5 write pass, score, reason and checks, of which one is enough.
    """
    found = written if isinstance(written, Mapping) else {}
    if isinstance(found.get("pass"), bool) or isinstance(found.get("checks"), list):
        return _newest_finding(found)
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
    if isinstance(score, bool) or not isinstance(score, (int, float)) or not is_finite(score):
        if not assertions:
            raise SettingError("The script gives no score", next_step='Let it write {"score": 0 to 1}.')
        score = sum(1 for one in assertions if one.get("passed")) / len(assertions)
    reason = found.get("reasoning")
    return scored(clamped(score), hits, misses, reason if isinstance(reason, str) else "")


def _newest_finding(found: Mapping[str, Any]) -> Finding:
    """Return the finding of pass, score and checks, each check with a text, pass and perhaps a score."""
    listed = found["checks"] if isinstance(found.get("checks"), list) else []
    checks = [
        one
        for one in listed
        if isinstance(one, Mapping) and isinstance(one.get("text"), str) and isinstance(one.get("pass"), bool)
    ]
    stated, score = found.get("pass"), found.get("score")
    passed = stated if isinstance(stated, bool) else None
    if isinstance(score, bool) or not isinstance(score, (int, float)) or not is_finite(score):
        if passed is None and not checks:
            raise SettingError("The script gives no score", next_step='Let it write {"score": 0 to 1}.')
        shares = [_score_of(one.get("score"), usual=one["pass"]) for one in checks]
        score = sum(shares) / len(shares) if shares else float(bool(passed))
    reason = found.get("reason", found.get("reasoning"))
    finding = scored(
        clamped(score),
        [one["text"] for one in checks if one["pass"]],
        [one["text"] for one in checks if not one["pass"]],
        reason if isinstance(reason, str) else "",
    )
    return replace(finding, passed=passed)


def _score_of(given: Any, *, usual: bool) -> float:
    is_number = isinstance(given, (int, float)) and not isinstance(given, bool) and is_finite(given)
    return clamped(given) if is_number else float(usual)


def _texts(listed: Any) -> list[str]:
    if not isinstance(listed, list):
        return []
    return [text for text in listed if isinstance(text, str) and text.strip()]


def told_of(check: Check, answer: Answer) -> dict[str, Any]:
    """Return what a command is told: the case, the answer and what it took, under both forms' names."""
    own = check.config.get("options")
    given = answer.options
    tokens = answer.effort.tokens if answer.effort else None
    said = {"role": "assistant", "content": answer.text, "tool_calls": _told_tools(answer)}
    return {
        "question": answer.prompt,
        "expected_outcome": answer.criterion,
        "criteria": answer.criterion,
        "expected_messages": list(answer.expected),
        "expected_output": list(answer.expected),
        "reference_answer": answer.reference,
        "candidate_answer": answer.text,
        "output": answer.text,
        "output_messages": [said],
        "messages": [said],
        "input_messages": list(given.get("input_messages") or answer.asked),
        "input": list(given.get("input_messages") or answer.asked),
        "guideline_files": list(given.get("guideline_files") or ()),
        "input_files": list(given.get("input_files") or ()),
        "metadata": dict(answer.case_metadata),
        "trace_summary": _summary(answer),
        "token_usage": {"input": tokens.input, "output": tokens.output} if tokens else None,
        "cost_usd": answer.cost,
        "duration_ms": answer.latency,
        "config": dict(own) if isinstance(own, Mapping) and own else None,
    }


def _told_tools(answer: Answer) -> list[dict[str, Any]]:
    return [{"tool": use.name, "input": use.arguments} for use in answer.tools_used or ()]


def _summary(answer: Answer) -> dict[str, Any] | None:
    effort = answer.effort
    if effort is None:
        return None
    counts, tokens = dict(answer.calls_by_tool or {}), effort.tokens
    return {
        "event_count": sum(counts.values()),
        "tool_names": sorted(counts),
        "tool_calls_by_name": counts,
        "error_count": 0,
        "llm_call_count": effort.model_calls,
        "token_usage": {"input": tokens.input, "output": tokens.output} if tokens else None,
        "cost_usd": answer.cost,
        "duration_ms": answer.latency,
    }


def run_check_script(code: str, answer: Answer, config: Mapping[str, Any] | None = None) -> Returned:
    """Run the body or expression of a check over `output` and `context`.

    Raises NotFoundError where no engine is installed, SettingError where time or memory run out.
    """
    names = {"output": answer.output, "context": context_of(answer, config), "process": {}}
    source = code.rstrip()
    return run_body(source, names) if "\n" in source else run_expression(source, names)


def transformed(code: str, answer: Answer) -> Any:
    """Return the output that a transform expression or body makes of an answer's output.

    Raises SettingError where it throws or gives nothing back, NotFoundError where no engine is installed.
    """
    returned = run_transform(code, {"output": answer.output, "context": context_of(answer)})
    if returned.error:
        raise SettingError("A transform failed", detail=returned.error, next_step="Mend the transform.")
    if returned.missing or returned.value is None:
        raise SettingError(
            "A transform gave nothing back", detail=code[:200], next_step="Let it return a value."
        )
    return returned.value


def context_of(answer: Answer, config: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return what a script is told beside the output, under promptfoo's names."""
    response = {"output": answer.output, "metadata": dict(answer.metadata), "cost": answer.cost}
    return {
        "vars": dict(answer.vars),
        "prompt": answer.prompt,
        "metadata": dict(answer.metadata),
        "provider": {"id": answer.target},
        "providerResponse": response,
        "test": {"vars": dict(answer.vars), "metadata": dict(answer.case_metadata), **answer.test()},
        **({"config": dict(config)} if config else {}),
    }
