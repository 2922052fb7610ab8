"""Checks that put a criterion in plain words to a judge: llm-rubric, closed questions, goals, g-eval.

Source of g-eval: Liu and others 2023, "G-Eval: NLG Evaluation using GPT-4 with Better Human Alignment".
"""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.files import decode_json
from turnwise.conversations.numbers import is_finite
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import as_json, as_text, item_text, strict_json
from turnwise.conversations.texts import trimmed
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import RULES, TEXT, Ask, Asker, JudgeReply, object_of
from turnwise.engine.checks.findings import Finding, failed, lacks_text, yes_or_no
from turnwise.engine.checks.json_checks import first_object
from turnwise.engine.checks.traces import Step, steps_of

_ASK = """\
{material}

Does the answer satisfy this rubric?
{rubric}

Answer with this JSON and nothing else: {{"reason": "...", "pass": true or false, "score": ...}}
score: from 0, not at all, to 1, fully."""

VERDICT = object_of(
    **{
        "reason": TEXT,
        "pass": {"type": "boolean"},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
    }
)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_YES = ("true", "yes", "pass", "y")


async def llm_rubric(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the judge finds the rubric satisfied, and the score it gives reaches the threshold.

    Pass and score must both be there and in range.
    """
    if not check.value and check.options.get("rubricPrompt") is None:
        raise SettingError(f"{check.type} needs a rubric", next_step="Give it a value.")
    rules, ask = _rubric_question(check, answer, asker)
    return _verdict(check, _strictly(await asker.ask(ask, VERDICT, name="rubric", rules=rules)))


async def llm_rubric_read_loosely(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the judge finds the rubric satisfied, with the reply read as promptfoo does.

    The first object wins, pass is true where it is absent, a score is whatever it is.
    """
    rules, ask = _rubric_question(check, answer, asker)
    return _verdict(check, _leniently(await asker.ask_for_text(ask, VERDICT, name="rubric", rules=rules)))


def _rubric_question(check: Check, answer: Answer, asker: Asker) -> tuple[str, str]:
    """Return the rules and the question: the file's own prompt for judges, where it has one."""
    if check.value is not None and not isinstance(check.value, (str, dict, list, tuple)):
        raise SettingError(f"{check.type} needs a text", next_step="Write its value as one.")
    rubric = as_text(check.value) if check.value else ""
    own = check.options.get("rubricPrompt")
    if own is None:
        return RULES, _ASK.format(
            material=asker.shown("the answer", answer.text, prompt=answer.prompt), rubric=rubric
        )
    if isinstance(own, str) and own.startswith("file://"):
        raise NotFoundError(
            "The file's prompt for the judge was not read", next_step="Write it into the suite."
        )
    # Templates come with the formats; they take a while to load and few files bring a prompt of their own.
    from turnwise.conversations.templates import Templates

    values = {
        **answer.vars,
        "output": asker.masked("the answer", answer.text, prompt=answer.prompt),
        "rubric": rubric,
    }
    given = own if isinstance(own, str) else json.dumps(own)
    templates = asker.reach.templates or Templates()
    filled: list[tuple[str, str]]
    if (texts := _messages(given)) is not None:
        # Text by text, so that no quotation mark in an answer can break it.
        filled = [(role, templates.fill(text, values)) for role, text in texts]
    else:
        whole = templates.fill(given, values)
        filled = _messages(whole) or [("user", whole)]
    system = "\n\n".join(text for role, text in filled if role == "system")
    return system or "You check answers.", "\n\n".join(text for role, text in filled if role != "system")


def _messages(text: str) -> list[tuple[str, str]] | None:
    """Return the messages that a text lists as JSON, each with who says it; None where it lists none."""
    try:
        listed = decode_json(text)
    except ValueError:
        return None
    if not isinstance(listed, list):
        return None
    return [(str(one.get("role")), as_text(one.get("content"))) for one in listed if isinstance(one, Mapping)]


def _verdict(check: Check, found: tuple[bool, float, str] | None) -> Finding:
    """Return what pass, score and reason make of a check, by its threshold and negation."""
    if found is None:
        return failed("The judge's reply holds no object")
    passed, score, reason = found
    if check.threshold is not None:
        passed = passed and score >= check.threshold
    if check.negate:
        passed, score = not passed, min(1.0, max(0.0, 1 - score))
    return Finding(passed=passed, score=score, reason=reason)


def _strictly(reply: JudgeReply) -> tuple[bool, float, str] | None:
    value = reply.value
    if value is None:
        return None
    return bool(value["pass"]), float(value["score"]), str(value["reason"])


def _leniently(reply: JudgeReply) -> tuple[bool, float, str] | None:
    value = first_object(reply)
    if value is None:
        return None
    given = value.get("pass")
    passed = given if isinstance(given, bool) else given is None or item_text(given).lower() in _YES
    score = _number(value["score"]) if "score" in value else math.nan
    return passed, score if is_finite(score) else float(passed), str(value.get("reason") or "")


def _number(given: Any) -> float:
    """Return the number that JavaScript makes of a value: 0 of nothing, and of a list what its text is."""
    if isinstance(given, dict):
        return math.nan
    text = "" if given is None else given if isinstance(given, str) else item_text(given)
    words = {"true": "1", "false": "0"}.get(text, text) if isinstance(given, bool) else trimmed(text)
    return float(words or 0) if _NUMBER.fullmatch(words or "0") else math.nan


_CRITERION = """\
{question}
{material}

Does the answer meet this criterion?
{criterion}

Answer with this JSON and nothing else: {{"reason": "...", "verdict": "Y" or "N"}}"""

_YES_OR_NO = object_of(reason=TEXT, verdict={"enum": ["Y", "N"]})


async def closed_question(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the judge finds the criterion met: Y or N."""
    if not check.value:
        raise lacks_text(check)
    reply = await asker.ask(_closed_question(check, answer, asker), _YES_OR_NO, name="closed_question")
    if reply.value is None:
        return _ends_in(check, reply)
    return _meets(check, str(reply.value["verdict"]), str(reply.value["reason"]))


async def closed_question_read_loosely(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the reply ends in Y, as promptfoo reads it; it negates nothing."""
    ask = _closed_question(check, answer, asker)
    reply = await asker.ask_for_text(ask, _YES_OR_NO, name="closed_question")
    return _ends_in(replace(check, negate=False), reply)


def _closed_question(check: Check, answer: Answer, asker: Asker) -> str:
    if not isinstance(check.value, str):
        raise lacks_text(check)
    return _CRITERION.format(
        question=asker.fenced("the question", answer.prompt),
        material=asker.shown("the answer", answer.text, prompt=answer.prompt),
        criterion=check.value,
    )


def _ends_in(check: Check, reply: JudgeReply) -> Finding:
    return _meets(check, reply.text.strip()[-1:], reply.text.strip())


def _meets(check: Check, verdict: str, reason: str) -> Finding:
    if verdict not in ("Y", "N"):
        return failed("The judge's reply ends in neither Y nor N")
    found = yes_or_no(check, verdict == "Y", expected="meet the criterion")
    return replace(found, reason=reason, expected="" if reason else found.expected)


_MOST_STEPS = 60
_LONGEST_ARGUMENTS = 300

_GOAL_ASK = """\
{material}

Was this goal reached?
{goal}

Answer with this JSON and nothing else: {{"reason": "...", "pass": true or false, "score": ...}}
score: from 0, not at all, to 1, fully."""


async def goal_success(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the judge finds the goal in the value reached, by the steps that were taken and the answer.

    Where the case holds no steps it goes by the question and the answer alone, and the reason says so.
    """
    return await _goal_success(check, answer, asker, asker.ask, _strictly)


async def goal_success_read_loosely(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the judge finds the goal reached, with the reply read as promptfoo does."""
    return await _goal_success(check, answer, asker, asker.ask_for_text, _leniently)


async def _goal_success(
    check: Check,
    answer: Answer,
    asker: Asker,
    ask: Ask,
    read: Callable[[JudgeReply], tuple[bool, float, str] | None],
) -> Finding:
    goal = check.value.get("goal") if isinstance(check.value, Mapping) else check.value
    if not isinstance(goal, str) or not goal.strip():
        raise SettingError(f"{check.type} needs a goal", next_step="Give it a value.")
    try:
        steps = _told(steps_of(answer))
    except NotFoundError:
        steps = ""
    material = [asker.fenced("the question", answer.prompt)]
    material += [asker.shown("the steps taken", steps)] if steps else []
    material.append(asker.shown("the answer", answer.text, prompt=answer.prompt))
    reply = await ask(_GOAL_ASK.format(material="\n".join(material), goal=goal), VERDICT, name="goal")
    result = _verdict(check, read(reply))
    if steps:
        return result
    note = "(The case holds no steps; judged by question and answer alone.)"
    return replace(result, reason=f"{result.reason} {note}".strip())


def _told(steps: list[Step]) -> str:
    """Return steps as numbered lines; of very many, the first and the last."""
    lines = [f"{number}. {_line(step)}" for number, step in enumerate(steps, start=1)]
    half = _MOST_STEPS // 2
    if len(lines) > _MOST_STEPS:
        lines = [*lines[:half], f"({len(lines) - 2 * half} steps left out)", *lines[-half:]]
    return "\n".join(lines)


def _line(step: Step) -> str:
    given = step.arguments
    told = "" if given is None else f" {as_text(given) if isinstance(given, str) else as_json(given)}"
    return f"{step.kind}: {step.name}{told[:_LONGEST_ARGUMENTS]}"


_HIGHEST = 10
_THRESHOLD = 0.7

_DRAFT = """\
A reviewer wants to judge an answer to a prompt by this criterion:
{criterion}

Write three or four short steps by which somebody else would come to the same judgement.

Answer with this JSON and nothing else: {{"steps": ["...", "..."]}}"""

_SCORE = """\
{prompt}
{material}

Judge the answer by this criterion:
{criterion}

Go by these steps:
{steps}

Answer with this JSON and nothing else: {{"reason": "...", "score": ...}}
score: a whole number from 0, not met at all, to 10, met fully."""

_DRAFTED, _RATED = re.compile(r'\{"steps".+\}'), re.compile(r"\{.+\}")
_WHOLE_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_STEPS = object_of(steps={"type": "array", "items": TEXT, "minItems": 1})
_SCORED = object_of(reason=TEXT, score={"type": "number", "minimum": 0, "maximum": _HIGHEST})


async def g_eval(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The mean over the criteria of a score from 0 to 10, divided by 10. Threshold 0.7."""
    return await _g_eval(check, answer, asker, _Strict(asker))


async def g_eval_read_loosely(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The mean score of the criteria, with replies read as promptfoo does, a line of JSON in any text."""
    value = check.value if isinstance(check.value, (list, tuple)) else [check.value]
    if not all(isinstance(criterion, str) for criterion in value):
        raise SettingError("g-eval needs texts as criteria", next_step="Write its value as texts.")
    if not value:
        return failed("There is no criterion to go by")
    return await _g_eval(check, answer, asker, _Loose(asker))


async def _g_eval(check: Check, answer: Answer, asker: Asker, judging: _Strict | _Loose) -> Finding:
    value = check.value if isinstance(check.value, (list, tuple)) else [check.value]
    criteria = [as_text(criterion) for criterion in value if criterion]
    if not criteria:
        raise SettingError("g-eval needs a criterion", next_step="Give it a value.")
    found = await asyncio.gather(*(_scored(criterion, answer, asker, judging) for criterion in criteria))
    scores = [score for score, _ in found if score is not None]
    if len(scores) < len(found):
        return failed("The judge's reply holds no steps or no score")
    score = sum(scores) / len(scores) / _HIGHEST
    threshold = _THRESHOLD if check.threshold is None else check.threshold
    passed = (score >= threshold) != check.negate
    reason = "\n".join(reason for _, reason in found)
    return Finding(passed=passed, score=1 - score if check.negate else score, reason=reason)


async def _scored(
    criterion: str, answer: Answer, asker: Asker, judging: _Strict | _Loose
) -> tuple[float | None, str]:
    steps = await judging.steps(_DRAFT.format(criterion=criterion))
    if not steps:
        return None, ""
    ask = _SCORE.format(
        prompt=asker.fenced("the prompt", answer.prompt),
        material=asker.shown("the answer", answer.text, prompt=answer.prompt),
        criterion=criterion,
        steps="\n".join(f"{number}. {as_text(step)}" for number, step in enumerate(steps, start=1)),
    )
    return await judging.score(ask)


@dataclass(frozen=True, slots=True)
class _Strict:
    """Replies in the form that was asked for, and no others."""

    asker: Asker

    async def steps(self, ask: str) -> list[Any]:
        reply = await self.asker.ask(ask, _STEPS, name="steps")
        return list((reply.value or {}).get("steps") or ())

    async def score(self, ask: str) -> tuple[float | None, str]:
        found = (await self.asker.ask(ask, _SCORED, name="score")).value or {}
        return _number_or_none(found.get("score")), str(found.get("reason") or "")


@dataclass(frozen=True, slots=True)
class _Loose:
    """Replies of any form, of which promptfoo takes what stands in a line of its own as JSON."""

    asker: Asker

    async def steps(self, ask: str) -> list[Any]:
        found = _line_of(await self.asker.ask_for_text(ask, _STEPS, name="steps"), _DRAFTED).get("steps")
        steps = found if isinstance(found, list) else []
        return steps if all(isinstance(step, str) and step.strip() for step in steps) else []

    async def score(self, ask: str) -> tuple[float | None, str]:
        found = _line_of(await self.asker.ask_for_text(ask, _SCORED, name="score"), _RATED)
        score, reason = found.get("score"), found.get("reason")
        if isinstance(score, str) and _WHOLE_NUMBER.fullmatch(score.strip()):
            score = float(score)
        number = _number_or_none(score)
        if number is None or not (0 <= number <= _HIGHEST and isinstance(reason, str) and reason.strip()):
            return None, ""
        return number, reason


def _number_or_none(score: Any) -> float | None:
    return None if isinstance(score, bool) or not isinstance(score, (int, float)) else score


def _line_of(reply: JudgeReply, line: re.Pattern[str]) -> Mapping[str, Any]:
    """Return the object that stands in a line of a reply."""
    found = line.search(reply.text)
    try:
        value = strict_json(found[0]) if found else None
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {}
