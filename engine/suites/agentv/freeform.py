"""llm_judge without rubrics: how far an answer does what was hoped for, by the judge's own lights."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.agentv.asking import Form, reply_to
from turnwise.engine.suites.agentv.grade import Grade, clamped, graded
from turnwise.engine.suites.agentv.replies import read_freeform
from turnwise.engine.suites.agentv.submission import Submission
from turnwise.engine.suites.judged.asker import TEXT, Asker, object_of

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
_LATER_NAMES = ("llm-grader", "llm_grader")
_MARK = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_SHOW_ANSWER = frozenset(("candidate_answer", "output", "output_messages"))


async def freeform(check: Check, submission: Submission, asker: Asker) -> Grade:
    """A score from 0 to 1 with hits and misses, by the case's criterion or the check's own prompt.

    config.prompt: the question to the judge, with {{candidate_answer}} and its like filled in; one without
    any such mark is taken as the criterion. A reply that cannot be read is a failure; compat: a score of 0,
    or nothing that counts for an llm-grader.
    """
    reply = await reply_to(asker, question(check, submission, asker), FREEFORM)
    if reply is None:
        return unread(check)
    return grade_of(reply)


def unread(check: Check) -> Grade:
    """Return what AgentV makes of replies that it cannot read."""
    if check.type in _LATER_NAMES:
        return Grade(score=0.0, verdict="fail", reason="The judge's replies hold no score", ignored=True)
    return graded(0.0, reason="The judge's replies hold no score")


def grade_of(reply: Mapping[str, Any]) -> Grade:
    """Return the grade that a reply gives."""
    hits, misses = list(reply.get("hits") or ()), list(reply.get("misses") or ())
    for one in reply.get("assertions") or ():
        (hits if one["passed"] else misses).append(one["text"])
    return graded(
        clamped(reply["score"]),
        [hit for hit in hits if hit.strip()][:_MOST_POINTS],
        [miss for miss in misses if miss.strip()][:_MOST_POINTS],
        str(reply.get("reasoning") or ""),
    )


def question(check: Check, submission: Submission, asker: Asker) -> str:
    """Return the question to the judge."""
    if check.config.get("prompt_argv"):
        raise NotFoundError(
            "A program that writes the question to the judge is not run",
            next_step="Write the prompt as text.",
        )
    own = check.config.get("prompt_text") or check.config.get("prompt")
    if not isinstance(own, str) or not own.strip():
        return _ASK.format(material=material(submission, asker), form=FORM)
    marks = set(_MARK.findall(own))
    values = _values(check, submission, asker)
    if not marks & values.keys() and not check.config.get("prompt_path"):
        return _ASK.format(material=material(submission, asker, criterion=own), form=FORM)
    filled = _MARK.sub(lambda mark: values.get(mark[1], mark[0]), own)
    if not marks & _SHOW_ANSWER:
        # A prompt that shows no answer would have the judge score what it cannot see.
        filled = f"{filled}\n\n{asker.fenced('the answer', submission.text)}"
    return _OWN.format(prompt=filled, form=FORM)


def material(submission: Submission, asker: Asker, *, criterion: str | None = None) -> str:
    """Return what the judge is shown: what was asked, what is wanted, a good answer, tools, the answer."""
    wanted = submission.criterion if criterion is None else criterion
    parts = [
        asker.fenced("what was asked", submission.question) if submission.question else "",
        f"What is wanted of the answer:\n{wanted.strip()}" if wanted.strip() else "",
        asker.fenced("a good answer, to compare with", submission.reference) if submission.reference else "",
        asker.fenced("the tools that were called", _tools(submission)) if submission.tools else "",
        asker.fenced("the answer", submission.text),
    ]
    return "\n\n".join(part for part in parts if part)


def _tools(submission: Submission) -> str:
    return "\n".join(
        f"- {use.name} {json.dumps(use.arguments, ensure_ascii=False, default=str)}"
        if use.arguments
        else f"- {use.name}"
        for use in submission.tools or ()
    )


def _values(check: Check, submission: Submission, asker: Asker) -> Mapping[str, str]:
    """Return what the marks of a prompt stand for, under the names of both forms of the file."""
    answer = asker.fenced("the answer", submission.text.strip())
    asked = asker.fenced("what was asked", submission.question.strip())
    reference = asker.fenced("a good answer", submission.reference.strip()) if submission.reference else ""
    said = [{"role": "assistant", "content": submission.text}]
    rubrics = check.config.get("rubrics") or []
    return {
        "candidate_answer": answer,
        "output": answer,
        "output_messages": asker.fenced("the answer", _json(said)),
        "question": asked,
        "input": asked,
        "input_messages": asker.fenced("what was asked", _json(submission.asked)),
        "reference_answer": reference,
        "expected_output": reference,
        "expected_messages": asker.fenced("good answers", _json(submission.expected)),
        "expected_outcome": submission.criterion.strip(),
        "criteria": submission.criterion.strip(),
        "metadata": _json(submission.metadata),
        "metadata_json": json.dumps(submission.metadata, ensure_ascii=False, default=str),
        "rubrics": _json(rubrics),
        "rubrics_json": json.dumps(rubrics, ensure_ascii=False, default=str),
        "tool_calls": asker.fenced("the tools that were called", _tools(submission)),
        "file_changes": "",
    }


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)
