"""Checks of facts: an answer against an expected one, and against the context it was to rest on.

Source of the three shares of context: Es and others 2023, "RAGAS: Automated Evaluation of Retrieval
Augmented Generation".
"""

from __future__ import annotations

import re
from dataclasses import replace

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import as_text
from turnwise.engine.checks.answer import Answer, Transformed
from turnwise.engine.checks.asker import TEXT, Ask, Asker, JudgeReply, object_of
from turnwise.engine.checks.findings import Finding, failed, lacks_text, yes_or_no
from turnwise.engine.checks.json_checks import first_object

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


async def factuality(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the answer contradicts no fact of the value, as the judge sorts it (A to E; D contradicts)."""
    if not check.value:
        raise lacks_text(check)
    reply = await asker.ask(_question(check, answer, asker), _CATEGORY, name="factuality")
    if reply.value is not None:
        category, reason = str(reply.value.get("category") or "").strip().upper(), str(reply.value["reason"])
    else:
        bare = _BARE_CATEGORY.match(reply.text)
        category, reason = (bare[1], reply.text.strip()) if bare else ("", "")
    return _sorted(check, category, reason)


async def factuality_read_loosely(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the answer contradicts no fact, with the reply read as promptfoo does; it negates nothing."""
    reply = await asker.ask_for_text(_question(check, answer, asker), _CATEGORY, name="factuality")
    return _sorted(replace(check, negate=False), *_read_loosely(reply))


def _question(check: Check, answer: Answer, asker: Asker) -> str:
    if not isinstance(check.value, str):
        raise lacks_text(check)
    return _FACTS.format(
        question=asker.fenced("the question", answer.prompt),
        expected=asker.fenced("the expert's answer", check.value),
        material=asker.shown("the answer", answer.text, prompt=answer.prompt),
    )


def _sorted(check: Check, category: str, reason: str) -> Finding:
    if category not in tuple("ABCDE"):
        return failed("The judge's reply names no category from A to E")
    found = yes_or_no(check, category != _CONTRADICTS, expected="contradict no fact")
    return replace(found, reason=reason, expected="" if reason else found.expected)


def _read_loosely(reply: JudgeReply) -> tuple[str, str]:
    """Return the category and reason of a reply: of its first object, else the first letter before a `)`."""
    found = first_object(reply) or {}
    category = found.get("category")
    if isinstance(category, str) and category:
        return category.strip().upper(), str(found.get("reason") or "")
    letter = _LETTER.search(reply.text)
    return (letter[1].upper(), reply.text.strip()) if letter else ("", "")


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


async def context_faithfulness(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The share of the answer's statements that follow from the context; 1 where it states nothing."""
    return await _context_faithfulness(check, answer, asker, asker.ask)


async def context_faithfulness_read_loosely(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The same share; a reply that lists nothing fails, as with promptfoo."""
    return await _context_faithfulness(check, answer, asker, asker.ask_for_text)


async def _context_faithfulness(check: Check, answer: Answer, asker: Asker, ask: Ask) -> Finding:
    material = {"the context": _context(check, answer), "the answer": answer.text}
    return await _share(check, ask, asker, material, _FAITHFUL, empty=1.0)


async def context_recall(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The share of the expected answer's statements that the context holds."""
    return await _context_recall(check, answer, asker, asker.ask)


async def context_recall_read_loosely(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The same share; a reply that lists nothing fails, as with promptfoo."""
    return await _context_recall(check, answer, asker, asker.ask_for_text)


async def _context_recall(check: Check, answer: Answer, asker: Asker, ask: Ask) -> Finding:
    if not check.value:
        raise SettingError("context-recall needs an expected answer", next_step="Give it a value.")
    material = {"the context": _context(check, answer), "the expected answer": as_text(check.value)}
    return await _share(check, ask, asker, material, _RECALLED, empty=0.0)


async def context_relevance(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The share of the context's sentences that help to answer the question."""
    return await _context_relevance(check, answer, asker, asker.ask)


async def context_relevance_read_loosely(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The same share; a reply that lists nothing fails, as with promptfoo."""
    return await _context_relevance(check, answer, asker, asker.ask_for_text)


async def _context_relevance(check: Check, answer: Answer, asker: Asker, ask: Ask) -> Finding:
    question = as_text(answer.vars.get("query") or answer.prompt)
    material = {"the question": question, "the context": _context(check, answer)}
    return await _share(check, ask, asker, material, _RELEVANT, empty=0.0)


async def _share(
    check: Check, ask: Ask, asker: Asker, material: dict[str, str], task: str, *, empty: float
) -> Finding:
    of_file = ("the question", "the expected answer")
    fenced = "\n".join(
        asker.fenced(noun, text) if noun in of_file else asker.shown(noun, text)
        for noun, text in material.items()
    )
    reply = await ask(_ASK.format(material=fenced, task=task), _SCHEMA, name="context")
    if reply.value is None:
        return failed("The judge's reply lists no statements")
    statements = reply.value["statements"]
    against = [str(item["statement"]) for item in statements if item["verdict"] == "no"]
    score = 1 - len(against) / len(statements) if statements else empty
    return Finding(
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
    from turnwise.engine.checks.scripts import transformed

    found = transformed(code, answer)
    return "\n".join(map(as_text, found)) if isinstance(found, list) else as_text(found)
