"""One score from 0 to 1 for the whole answer, by the case's criterion or a prompt of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.conversations.suites import Check
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import TEXT, Asker, Form, object_of
from turnwise.engine.checks.findings import Finding, clamped, scored
from turnwise.engine.checks.grading.replies import read_freeform, unreadable
from turnwise.engine.checks.grading.rubrics import by_rubrics, by_rubrics_as_agentv
from turnwise.engine.checks.grading.shown import shown_to_judge

_ASK = """\
{material}

How far does the answer do what is wanted of it?

{form}"""

_OWN = """\
{prompt}

{form}"""

FORM = """\
Answer with this JSON and nothing else: \
{"reasoning": "...", "hits": ["..."], "misses": ["..."], "score": ...}
reasoning: why, in one or two sentences. hits: what the answer does well, at most four short points. \
misses: what it lacks or has wrong, at most four. score: from 0, not at all, to 1, fully."""

_MOST_POINTS = 4
_TEXTS: Mapping[str, Any] = {"type": "array", "items": TEXT, "maxItems": _MOST_POINTS}
_SCORE: Mapping[str, Any] = {"type": "number", "minimum": 0, "maximum": 1}
_ASSERTION: Mapping[str, Any] = {
    "type": "object",
    "properties": {"text": TEXT, "passed": {"type": "boolean"}},
    "required": ["text", "passed"],
}
_KEYS = {"reasoning": TEXT, "hits": _TEXTS, "misses": _TEXTS, "score": _SCORE}
FREEFORM = Form(
    name="grade",
    schema=object_of(**_KEYS),
    accept={
        "type": "object",
        "properties": {**_KEYS, "assertions": {"type": "array", "items": _ASSERTION}},
        "required": ["score"],
    },
    read=read_freeform,
)


async def freeform(check: Check, answer: Answer, asker: Asker) -> Finding:
    """A score from 0 to 1 with hits and misses, by the case's criterion or the check's own prompt.

    config.prompt: the question to the judge, with {{candidate_answer}} and its like filled in; one without
    any such mark is taken as the criterion. With config.rubrics it goes by these. A mark that nothing stands
    for is an error.
    """
    if check.config.get("rubrics"):
        return await by_rubrics(check, answer, asker)
    return await strict_finding(question(check, answer, asker), asker)


async def freeform_as_agentv(check: Check, answer: Answer, asker: Asker) -> Finding:
    """A score from 0 to 1; a reply that cannot be read is 0, or counts for nothing with an llm-grader."""
    if check.config.get("rubrics"):
        return await by_rubrics_as_agentv(check, answer, asker)
    return await readable_finding(check, question(check, answer, asker, as_agentv=True), asker)


async def strict_finding(ask: str, asker: Asker) -> Finding:
    """Return what the judge replies to a question in the form of freeform. Raises as `Asker.ask` does."""
    return finding_of(await asker.strict(ask, FREEFORM))


async def readable_finding(check: Check, ask: str, asker: Asker) -> Finding:
    """Return what AgentV makes of the judge's replies to a question, also where it can read none."""
    reply = await asker.first_readable(ask, FREEFORM)
    if reply is not None:
        return finding_of(reply)
    return unreadable(check, "The judge's replies hold no score")


def finding_of(reply: Mapping[str, Any]) -> Finding:
    """Return the finding that a reply gives."""
    hits, misses = list(reply.get("hits") or ()), list(reply.get("misses") or ())
    for one in reply.get("assertions") or ():
        (hits if one["passed"] else misses).append(one["text"])
    return scored(
        clamped(reply["score"]),
        [hit for hit in hits if hit.strip()][:_MOST_POINTS],
        [miss for miss in misses if miss.strip()][:_MOST_POINTS],
        str(reply.get("reasoning") or ""),
    )


def question(check: Check, answer: Answer, asker: Asker, *, as_agentv: bool = False) -> str:
    """Return the question to the judge. as_agentv: as `shown_to_judge` takes it."""
    shown, is_own = shown_to_judge(check, answer, asker, as_agentv=as_agentv)
    return _OWN.format(prompt=shown, form=FORM) if is_own else _ASK.format(material=shown, form=FORM)
