"""Checks of an answer against an expected one or a criterion: factuality and closed questions."""

from __future__ import annotations

import re

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import yes_or_no
from turnwise.engine.suites.judged.asker import TEXT, Asker, object_of
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.values import as_text

_FACTS = """\
{question}
{expected}
{material}

How do the facts of the answer compare with those of the expert's answer? Leave style aside.
A: it says a part of them and contradicts none. B: it says all of them and more, and contradicts none.
C: it says the same. D: it contradicts them. E: they differ in ways that do not matter to the facts.

Answer with this JSON and nothing else: {{"reason": "...", "category": "A" to "E"}}"""

_CATEGORY = object_of(reason=TEXT, category={"enum": ["A", "B", "C", "D", "E"]})
_BARE_CATEGORY = re.compile(r"\s*\(?([A-E])\)?(?=\W|\Z)")
_CONTRADICTS = "D"

_CRITERION = """\
{question}
{material}

Does the answer meet this criterion?
{criterion}

Answer with this JSON and nothing else: {{"reason": "...", "verdict": "Y" or "N"}}"""

_VERDICT = object_of(reason=TEXT, verdict={"enum": ["Y", "N"]})


async def factuality(check: Check, answer: Answer, asker: Asker) -> CheckResult:
    """Whether the answer contradicts no fact of the value, as the judge sorts it (A to E; D contradicts)."""
    ask = _FACTS.format(
        question=asker.fenced("the question", answer.prompt),
        expected=asker.fenced("the expert's answer", _given(check)),
        material=asker.fenced("the answer", answer.text),
    )
    reply = await asker.ask(ask, _CATEGORY, name="factuality")
    found = reply.first_object() if asker.compat else reply.value
    category, reason = "", ""
    if found is not None:
        category, reason = str(found.get("category") or "").strip().upper(), str(found.get("reason") or "")
    elif bare := _BARE_CATEGORY.match(reply.text):
        category, reason = bare[1], reply.text.strip()
    if category not in tuple("ABCDE"):
        return CheckResult(passed=False, score=0.0, reason="The judge's reply names no category from A to E")
    result = yes_or_no(check, category != _CONTRADICTS, expected="contradict no fact")
    return CheckResult(passed=result.passed, score=result.score, reason=reason or result.reason)


async def closed_question(check: Check, answer: Answer, asker: Asker) -> CheckResult:
    """Whether the judge finds the criterion met: Y or N."""
    ask = _CRITERION.format(
        question=asker.fenced("the question", answer.prompt),
        material=asker.fenced("the answer", answer.text),
        criterion=_given(check),
    )
    reply = await asker.ask(ask, _VERDICT, name="closed_question")
    if reply.value is not None:
        verdict, reason = str(reply.value["verdict"]), str(reply.value["reason"])
    else:
        verdict, reason = reply.text.strip()[-1:], reply.text.strip()
    if verdict not in ("Y", "N"):
        return CheckResult(passed=False, score=0.0, reason="The judge's reply ends in neither Y nor N")
    result = yes_or_no(check, verdict == "Y", expected="meet the criterion")
    return CheckResult(passed=result.passed, score=result.score, reason=reason or result.reason)


def _given(check: Check) -> str:
    if not check.value:
        raise SettingError(f"{check.type} needs a text to go by", next_step="Give it a value.")
    return as_text(check.value)
