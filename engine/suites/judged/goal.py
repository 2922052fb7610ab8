"""trajectory:goal-success: whether what was done and answered reached a goal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.judged.asker import Asker
from turnwise.engine.suites.judged.rubric import VERDICT, verdict_result
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.traces import Step, steps_of
from turnwise.engine.suites.values import as_json, as_text

_MOST_STEPS = 60
_LONGEST_ARGUMENTS = 300

_ASK = """\
{material}

Was this goal reached?
{goal}

Answer with this JSON and nothing else: {{"reason": "...", "pass": true or false, "score": ...}}
score: from 0, not at all, to 1, fully."""


async def goal_success(check: Check, answer: Answer, asker: Asker) -> CheckResult:
    """Whether the judge finds the goal in the value reached, by the steps that were taken and the answer.

    Where the case holds no steps it goes by the question and the answer alone, and the reason says so.
    """
    goal = check.value.get("goal") if isinstance(check.value, Mapping) else check.value
    if not isinstance(goal, str) or not goal.strip():
        raise SettingError(f"{check.type} needs a goal", next_step="Give it a value.")
    try:
        steps = _told(steps_of(answer))
    except NotFoundError:
        steps = ""
    material = [asker.fenced("the question", answer.prompt)]
    material += [asker.fenced("the steps taken", steps)] if steps else []
    material.append(asker.fenced("the answer", answer.text))
    reply = await asker.ask(_ASK.format(material="\n".join(material), goal=goal), VERDICT, name="goal")
    result = verdict_result(check, reply, compat=asker.compat)
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
