"""What a judge is shown of a case, and what the marks in a prompt of one's own stand for."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.conversations.words import did_you_mean
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import Asker

_MARK = re.compile(r"\{\{\s*(\w+(?:\.\w+)*)\s*\}\}")
_SHOW_ANSWER = frozenset(("candidate_answer", "output", "output_messages"))


def shown_to_judge(
    check: Check, answer: Answer, asker: Asker, *, as_agentv: bool = False
) -> tuple[str, bool]:
    """Return what the judge sees of a case, and whether that is a prompt of the file's own.

    A prompt without a mark is what is wanted of the answer. as_agentv: marks stand for what AgentV's
    templates know alone, and any other is left as it is.
    """
    if check.config.get("prompt_argv"):
        raise NotFoundError(
            "A program that writes the question to the judge is not run",
            next_step="Write the prompt as text.",
        )
    own = check.config.get("prompt_text") or check.config.get("prompt")
    if not isinstance(own, str) or not own.strip():
        return material(answer, asker), False
    marks = set(_MARK.findall(own))
    values = _values(check, answer, asker, marks)
    if not as_agentv:
        values = _with_all(marks, values, check, answer, asker)
    if not marks & values.keys() and not check.config.get("prompt_path"):
        return material(answer, asker, criterion=own), False
    filled = _MARK.sub(lambda mark: values.get(mark[1], mark[0]), own)
    if not marks & _SHOW_ANSWER:
        # A prompt that shows no answer would have the judge score what it cannot see.
        filled = f"{filled}\n\n{asker.shown('the answer', answer.text, prompt=answer.prompt)}"
    return filled, True


def marks_filled(prompt: str, check: Check, answer: Answer, asker: Asker, also: Mapping[str, str]) -> str:
    """Return a prompt with its marks filled. also: marks beside the usual. Raises SettingError for others."""
    marks = set(_MARK.findall(prompt))
    values = _with_all(marks, {**_values(check, answer, asker, marks), **also}, check, answer, asker)
    return _MARK.sub(lambda mark: values[mark[1]], prompt)


def material(answer: Answer, asker: Asker, *, criterion: str | None = None) -> str:
    """Return what the judge is shown: what was asked, what is wanted, a good answer, tools, the answer."""
    wanted = answer.criterion if criterion is None else criterion
    parts = [
        asker.fenced("what was asked", answer.prompt) if answer.prompt else "",
        f"What is wanted of the answer:\n{wanted.strip()}" if wanted.strip() else "",
        asker.fenced("a good answer, to compare with", answer.reference) if answer.reference else "",
        asker.shown("the tools that were called", _tools(answer)) if answer.tools_used else "",
        asker.shown("the answer", answer.text, prompt=answer.prompt),
    ]
    return "\n\n".join(part for part in parts if part)


def _tools(answer: Answer) -> str:
    return "\n".join(
        f"- {use.name} {json.dumps(use.arguments, ensure_ascii=False, default=str)}"
        if use.arguments
        else f"- {use.name}"
        for use in answer.tools_used or ()
    )


def _values(check: Check, answer: Answer, asker: Asker, marks: Collection[str]) -> Mapping[str, str]:
    """Return what the marks of a prompt stand for, under the names of both forms of the file."""
    read = "metadata" in marks or "metadata_json" in marks
    metadata = asker.masked_data("metadata field", answer.case_metadata) if read else {}
    shown = asker.shown("the answer", answer.text.strip(), prompt=answer.prompt)
    asked = asker.fenced("what was asked", answer.prompt.strip())
    reference = asker.fenced("a good answer", answer.reference.strip()) if answer.reference else ""
    text = asker.masked("the answer", answer.text, prompt=answer.prompt)
    said = [{"role": "assistant", "content": text}]
    rubrics = check.config.get("rubrics") or []
    wanted = str(check.config.get("criterion") or answer.criterion).strip()
    return {
        "candidate_answer": shown,
        "output": shown,
        "output_messages": asker.fenced("the answer", _json(said)),
        "question": asked,
        "input": asked,
        "input_messages": asker.fenced("what was asked", _json(answer.asked)),
        "reference_answer": reference,
        "expected_output": reference,
        "expected_messages": asker.fenced("good answers", _json(answer.expected)),
        "expected_outcome": wanted,
        "criteria": wanted,
        "rubric": _json(rubrics) if rubrics else wanted,
        "metadata": _json(metadata),
        "metadata_json": json.dumps(metadata, ensure_ascii=False, default=str),
        "rubrics": _json(rubrics),
        "rubrics_json": json.dumps(rubrics, ensure_ascii=False, default=str),
        "tool_calls": asker.shown("the tools that were called", _tools(answer)),
        "file_changes": "",
    }


def _with_all(
    marks: Iterable[str], values: Mapping[str, str], check: Check, answer: Answer, asker: Asker
) -> Mapping[str, str]:
    """Return what the marks stand for, those beside AgentV's own by what the case says of itself.

    {{sidecar.language}}, {{metadata.language}} and {{language}} are one entry of its metadata, and
    {{vars.name}} is a variable. Raises SettingError for a mark that nothing stands for.
    """
    found = dict(values)
    beside = {**answer.vars, **answer.case_metadata}
    known = {**beside, "sidecar": answer.case_metadata, "metadata": answer.case_metadata, "vars": answer.vars}
    # A reference that the file gives as a variable alone is no message of the case.
    given = {name for name in answer.vars if not values.get(name)}
    for mark in sorted(set(marks) - (values.keys() - given)):
        value: Any = known
        for step in mark.split("."):
            if not isinstance(value, Mapping) or step not in value:
                raise _unknown_mark(mark, check, [*values, *beside])
            value = value[step]
        if mark.partition(".")[0] in ("metadata", "sidecar") or mark in answer.case_metadata:
            value = asker.masked_data("metadata field", value)
        found[mark] = value if isinstance(value, str) else _json(value)
    return found


def _unknown_mark(mark: str, check: Check, known: Sequence[str]) -> SettingError:
    likely = did_you_mean(mark.rpartition(".")[2], known)
    return SettingError(
        f"{check.metric or check.type}: nothing stands for {{{{{mark}}}}} in the judge's prompt",
        detail=f"Known: {', '.join(dict.fromkeys(known))}",
        next_step=likely or "Write what it stands for into the sidecar of the case, or leave it out.",
    )


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)
