"""llm-rubric: whether an answer satisfies a rubric in plain words."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.conversations.white_space import trimmed
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.judged.asker import RULES, TEXT, Asker, Reply, object_of
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.values import as_text, item_text

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


async def llm_rubric(check: Check, answer: Answer, asker: Asker) -> CheckResult:
    """Whether the judge finds the rubric satisfied, and the score it gives reaches the threshold.

    Strictly, pass and score must both be there and in range. With compat, as promptfoo reads a reply: the
    first object wins, pass is true where it is absent, a score is whatever it is.
    """
    if check.value is not None and not isinstance(check.value, (str, dict, list, tuple)):
        raise SettingError(f"{check.type} needs a text", next_step="Write its value as one.")
    rubric = as_text(check.value) if check.value else ""
    rules, ask = _prompt(check, rubric, answer, asker)
    reply = await asker.ask(ask, VERDICT, name="rubric", rules=rules)
    return verdict_result(check, reply, compat=asker.compat)


def verdict_result(check: Check, reply: Reply, *, compat: bool) -> CheckResult:
    """Return what a reply with pass, score and reason makes of a check, by its threshold and negation."""
    found = _leniently(reply) if compat else _strictly(reply)
    if found is None:
        return CheckResult(passed=False, score=0.0, reason="The judge's reply holds no object")
    passed, score, reason = found
    if check.threshold is not None:
        passed = passed and score >= check.threshold
    if check.negate:
        passed, score = not passed, min(1.0, max(0.0, 1 - score))
    return CheckResult(passed=passed, score=score, reason=reason)


def _prompt(check: Check, rubric: str, answer: Answer, asker: Asker) -> tuple[str, str]:
    """Return the rules and the question: the file's own prompt for judges, where it has one."""
    own = check.options.get("rubricPrompt")
    if own is None:
        if not rubric and not asker.compat:
            raise SettingError(f"{check.type} needs a rubric", next_step="Give it a value.")
        return RULES, _ASK.format(material=asker.fenced("the answer", answer.text), rubric=rubric)
    if isinstance(own, str) and own.startswith("file://"):
        raise NotFoundError(
            "The file's prompt for the judge was not read", next_step="Write it into the suite."
        )
    # Templates come with the formats; they take a while to load and few files bring a prompt of their own.
    from turnwise.conversations.formats.promptfoo.templates import Templates

    values = {**answer.vars, "output": answer.text, "rubric": rubric}
    given = own if isinstance(own, str) else json.dumps(own)
    try:
        messages = json.loads(given)
    except ValueError:
        messages = None
    if not isinstance(messages, list):
        return "You check answers.", Templates().fill(given, values)
    texts = [
        (str(one.get("role")), as_text(one.get("content"))) for one in messages if isinstance(one, Mapping)
    ]
    filled = [(role, Templates().fill(text, values)) for role, text in texts]
    system = "\n\n".join(text for role, text in filled if role == "system")
    return system or "You check answers.", "\n\n".join(text for role, text in filled if role != "system")


def _strictly(reply: Reply) -> tuple[bool, float, str] | None:
    value = reply.value
    if value is None:
        return None
    return bool(value["pass"]), float(value["score"]), str(value["reason"])


def _leniently(reply: Reply) -> tuple[bool, float, str] | None:
    value = reply.first_object()
    if value is None:
        return None
    given = value.get("pass")
    passed = given if isinstance(given, bool) else given is None or item_text(given).lower() in _YES
    score = _number(value["score"]) if "score" in value else math.nan
    return passed, score if math.isfinite(score) else float(passed), str(value.get("reason") or "")


def _number(given: Any) -> float:
    """Return the number that JavaScript makes of a value: 0 of nothing, and of a list what its text is."""
    if isinstance(given, dict):
        return math.nan
    text = "" if given is None else given if isinstance(given, str) else item_text(given)
    words = {"true": "1", "false": "0"}.get(text, text) if isinstance(given, bool) else trimmed(text)
    return float(words or 0) if _NUMBER.fullmatch(words or "0") else math.nan
