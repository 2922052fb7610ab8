"""Checks of an answer against an expected one or a criterion: factuality and closed questions."""

from __future__ import annotations

import re
from dataclasses import replace

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import yes_or_no
from turnwise.engine.suites.judged.asker import TEXT, Asker, Reply, object_of
from turnwise.engine.suites.results import CheckResult

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
_LETTER = re.compile(r"\(?([a-eA-E])\)")
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
        expected=asker.fenced("the expert's answer", _given(check, asker)),
        material=asker.fenced("the answer", answer.text),
    )
    reply = await asker.ask(ask, _CATEGORY, name="factuality")
    if asker.compat:
        # promptfoo does not negate this check.
        check = replace(check, negate=False)
        category, reason = _read_loosely(reply)
    elif reply.value is not None:
        category, reason = str(reply.value.get("category") or "").strip().upper(), str(reply.value["reason"])
    else:
        bare = _BARE_CATEGORY.match(reply.text)
        category, reason = (bare[1], reply.text.strip()) if bare else ("", "")
    if category not in tuple("ABCDE"):
        return CheckResult(passed=False, score=0.0, reason="The judge's reply names no category from A to E")
    result = yes_or_no(check, category != _CONTRADICTS, expected="contradict no fact")
    return CheckResult(passed=result.passed, score=result.score, reason=reason or result.reason)


def _read_loosely(reply: Reply) -> tuple[str, str]:
    """Return the category and reason of a reply: of its first object, else the first letter before a `)`."""
    found = reply.first_object() or {}
    category = found.get("category")
    if isinstance(category, str) and category:
        return category.strip().upper(), str(found.get("reason") or "")
    letter = _LETTER.search(reply.text)
    return (letter[1].upper(), reply.text.strip()) if letter else ("", "")


async def closed_question(check: Check, answer: Answer, asker: Asker) -> CheckResult:
    """Whether the judge finds the criterion met: Y or N."""
    ask = _CRITERION.format(
        question=asker.fenced("the question", answer.prompt),
        material=asker.fenced("the answer", answer.text),
        criterion=_given(check, asker),
    )
    reply = await asker.ask(ask, _VERDICT, name="closed_question")
    if asker.compat:
        check = replace(check, negate=False)
    if reply.value is not None and not asker.compat:
        verdict, reason = str(reply.value["verdict"]), str(reply.value["reason"])
    else:
        verdict, reason = reply.text.strip()[-1:], reply.text.strip()
    if verdict not in ("Y", "N"):
        return CheckResult(passed=False, score=0.0, reason="The judge's reply ends in neither Y nor N")
    result = yes_or_no(check, verdict == "Y", expected="meet the criterion")
    return CheckResult(passed=result.passed, score=result.score, reason=reason or result.reason)


def _given(check: Check, asker: Asker) -> str:
    if not isinstance(check.value, str) or not (check.value or asker.compat):
        raise SettingError(f"{check.type} needs a text to go by", next_step="Give it a value.")
    return check.value
