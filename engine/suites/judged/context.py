"""Checks of an answer against the context it was to rest on: faithfulness, recall and relevance.

Source of the three shares: Es and others 2023, "RAGAS: Automated Evaluation of Retrieval Augmented
Generation".
"""

from __future__ import annotations

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.grading import Transformed
from turnwise.engine.suites.judged.asker import TEXT, Asker, object_of
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.values import as_text

_ASK = """\
{material}

{task}

Answer with this JSON and nothing else:
{{"statements": [{{"statement": "...", "verdict": "yes" or "no"}}]}}"""

_FAITHFUL = "List each statement of fact in the answer. Verdict: yes if it rests on the context, else no."
_RECALLED = "List each statement of fact in the expected answer. Verdict: yes if the context has it, else no."
_RELEVANT = "List each sentence of the context. Verdict: yes if it helps to answer the question, else no."

_SCHEMA = object_of(
    statements={
        "type": "array",
        "items": object_of(statement=TEXT, verdict={"enum": ["yes", "no"]}),
    }
)


async def context_faithfulness(check: Check, answer: Answer, asker: Asker) -> CheckResult:
    """The share of the answer's statements that follow from the context; 1 where it states nothing."""
    material = {"the context": _context(check, answer), "the answer": answer.text}
    return await _share(check, asker, material, _FAITHFUL, empty=1.0)


async def context_recall(check: Check, answer: Answer, asker: Asker) -> CheckResult:
    """The share of the expected answer's statements that the context holds."""
    if not check.value:
        raise SettingError("context-recall needs an expected answer", next_step="Give it a value.")
    material = {"the context": _context(check, answer), "the expected answer": as_text(check.value)}
    return await _share(check, asker, material, _RECALLED, empty=0.0)


async def context_relevance(check: Check, answer: Answer, asker: Asker) -> CheckResult:
    """The share of the context's sentences that help to answer the question."""
    question = as_text(answer.vars.get("query") or answer.prompt)
    material = {"the question": question, "the context": _context(check, answer)}
    return await _share(check, asker, material, _RELEVANT, empty=0.0)


async def _share(
    check: Check, asker: Asker, material: dict[str, str], task: str, *, empty: float
) -> CheckResult:
    fenced = "\n".join(asker.fenced(noun, text) for noun, text in material.items())
    reply = await asker.ask(_ASK.format(material=fenced, task=task), _SCHEMA, name="context")
    if reply.value is None:
        return CheckResult(passed=False, score=0.0, reason="The judge's reply lists no statements")
    statements = reply.value["statements"]
    against = [str(item["statement"]) for item in statements if item["verdict"] == "no"]
    score = 1 - len(against) / len(statements) if statements else empty
    return CheckResult(
        passed=(score >= (check.threshold or 0)) != check.negate,
        score=1 - score if check.negate else score,
        reason="; ".join([f"{len(statements) - len(against)} of {len(statements)} statements", *against]),
    )


def _context(check: Check, answer: Answer) -> str:
    """Return what the answer was to rest on: what the check's own script finds, else the variable context."""
    code = check.options.get("contextTransform")
    if isinstance(code, Transformed):
        return "\n".join(map(as_text, code.output)) if isinstance(code.output, list) else as_text(code.output)
    if not isinstance(code, str):
        context = answer.vars.get("context")
        if not context:
            raise SettingError(f"{check.type} needs a context", next_step="Give the variable context.")
        return "\n".join(map(as_text, context)) if isinstance(context, (list, tuple)) else as_text(context)
    if code.startswith("file://"):
        raise NotFoundError(
            "A transform in a file is not run without --trust",
            next_step="Read it first; --trust then runs it. Or write it into the check.",
        )
    from turnwise.engine.suites.javascript import transformed

    found = transformed(code, answer)
    return "\n".join(map(as_text, found)) if isinstance(found, list) else as_text(found)
