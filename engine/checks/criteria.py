"""Criteria that a judge goes by: checklists, scores from 0 to 10, and one score for the whole answer.

Replies are taken in the form that was asked for, or as AgentV reads them, with nothing mended or converted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import strict_json
from turnwise.conversations.texts import trimmed
from turnwise.conversations.words import did_you_mean
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import TEXT, Asker, Form, object_of
from turnwise.engine.checks.findings import Finding, clamped, scored

_FENCE = re.compile(r"```json\n?|```")
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
HIGHEST = 10

Reader = Callable[[str], Mapping[str, Any] | None]


def json_in(text: str) -> Any:
    """Return the data in a text: from its first brace to its last, else the whole. Raises ValueError."""
    plain = trimmed(_FENCE.sub("", text))
    found = _OBJECT.search(plain)
    return strict_json(found[0] if found else plain)


def read_freeform(text: str) -> Mapping[str, Any] | None:
    """Return a reply with a score from 0 to 1, and hits, misses, reasoning, assertions where it has them."""
    value = _object(text)
    if value is None or not _is_number(value.get("score"), 0, 1):
        return None
    fits = _texts_if_there(value, "hits") and _texts_if_there(value, "misses")
    return value if fits and _text_if_there(value, "reasoning") and _assertions_if_there(value) else None


def read_checklist(text: str) -> Mapping[str, Any] | None:
    """Return a reply with checks, each of id, satisfied and reasoning, and with an overall reasoning."""
    value = _object(text)
    if value is None or not isinstance(value.get("overall_reasoning"), str):
        return None
    return value if _all_checks(value, _is_checklist_entry) else None


def read_ranges(text: str) -> Mapping[str, Any] | None:
    """Return a reply with checks, each of id and a whole score from 0 to 10."""
    value = _object(text)
    if value is None or not _text_if_there(value, "overall_reasoning"):
        return None
    return value if _all_checks(value, _is_ranges_entry) else None


def _object(text: str) -> Mapping[str, Any] | None:
    try:
        value = json_in(text)
    except ValueError:
        return None
    return value if isinstance(value, Mapping) else None


def _all_checks(value: Mapping[str, Any], fits: Callable[[Mapping[str, Any]], bool]) -> bool:
    checks = value.get("checks")
    return isinstance(checks, list) and all(isinstance(one, Mapping) and fits(one) for one in checks)


def _is_checklist_entry(one: Mapping[str, Any]) -> bool:
    texts = isinstance(one.get("id"), str) and isinstance(one.get("reasoning"), str)
    return texts and isinstance(one.get("satisfied"), bool)


def _is_ranges_entry(one: Mapping[str, Any]) -> bool:
    score: Any = one.get("score")
    whole = _is_number(score, 0, HIGHEST) and score == int(score)
    return isinstance(one.get("id"), str) and whole and _text_if_there(one, "reasoning")


def _is_number(value: Any, low: float, high: float) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high


def _text_if_there(value: Mapping[str, Any], key: str) -> bool:
    return key not in value or isinstance(value[key], str)


def _texts_if_there(value: Mapping[str, Any], key: str) -> bool:
    listed = value.get(key, [])
    return isinstance(listed, list) and all(isinstance(item, str) for item in listed)


def _assertions_if_there(value: Mapping[str, Any]) -> bool:
    listed = value.get("assertions", [])
    return isinstance(listed, list) and all(
        isinstance(one, Mapping) and isinstance(one.get("text"), str) and isinstance(one.get("passed"), bool)
        for one in listed
    )


_MET_FROM = 7
"""The score from which a criterion is told as met."""
_UNANSWERED = "the judge says nothing of it"

_CHECKLIST_ASK = """\
{material}

Which of these criteria does the answer meet? Decide each by itself.
{criteria}

Answer with this JSON and nothing else: {{"checks": [{{"id": "...", "reasoning": "...", "satisfied": true or \
false}}], "overall_reasoning": "..."}}
checks: one for every criterion, with its id as it stands in brackets."""

_RANGES_ASK = """\
{material}

How well does the answer meet each of these criteria? Give each a whole number from 0 to 10, by what the \
numbers stand for.
{criteria}

Answer with this JSON and nothing else: {{"checks": [{{"id": "...", "reasoning": "...", "score": ...}}], \
"overall_reasoning": "..."}}
checks: one for every criterion, with its id as it stands in brackets."""

_OPERATORS = {
    "correctness": "met only where the answer says it; leaving it out is not enough",
    "contradiction": "met unless the answer says something against it; it need not say it",
}


@dataclass(frozen=True, slots=True)
class RubricItem:
    """One criterion. ranges: lowest and highest score with what they stand for. least: 0 to 10, or None."""

    id: str
    outcome: str
    weight: float
    required: bool
    ranges: tuple[tuple[float, float, str], ...]
    least: float | None
    operator: str


def rubrics_of(check: Check) -> list[RubricItem]:
    """Return the criteria of a check. Raises SettingError where there are none, or one is no criterion."""
    listed = check.config.get("rubrics")
    if not isinstance(listed, (list, tuple)) or not listed:
        raise SettingError(f"{check.type} needs rubrics", next_step="List what a good answer does.")
    return [_rubric(one, number, check) for number, one in enumerate(listed, start=1)]


def _rubric(one: Any, number: int, check: Check) -> RubricItem:
    if isinstance(one, str):
        return RubricItem(f"rubric-{number}", one, 1.0, True, (), None, "")
    if not isinstance(one, Mapping):
        raise SettingError(f"{check.type}: rubric {number} is no criterion", next_step="Write it as a text.")
    required = one.get("required") is True
    ranges = _ranges(one.get("score_ranges"))
    least: float | None
    if one.get("min_score") is not None:
        least = float(one["min_score"]) * HIGHEST
    elif one.get("required_min_score") is not None:
        least = float(one["required_min_score"])
    else:
        least = float(HIGHEST) if required else None
    name = str(one.get("id") or f"rubric-{number}")
    outcome = one.get("outcome") or one.get("expected_outcome") or one.get("description") or ""
    weight = one.get("weight", 1.0)
    return RubricItem(
        name, str(outcome), float(weight), required, ranges, least, str(one.get("operator") or "")
    )


def _ranges(given: Any) -> tuple[tuple[float, float, str], ...]:
    """Return score ranges from the list of them, or from a mapping of the scores at which each begins."""
    if isinstance(given, Mapping):
        starts = sorted((float(start), str(words)) for start, words in given.items())
        ends = [start - 1 for start, _ in starts[1:]] + [float(HIGHEST)]
        return tuple((start, end, words) for (start, words), end in zip(starts, ends, strict=True))
    found = []
    for one in given or ():
        bounds = one.get("score_range") if isinstance(one, Mapping) else None
        if isinstance(bounds, (list, tuple)) and len(bounds) == 2:
            words = str(one.get("outcome") or one.get("expected_outcome") or "")
            found.append((float(bounds[0]), float(bounds[1]), words))
    return tuple(found)


async def by_rubrics(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The weighted share of the criteria that are met; with score ranges, the weighted mean of score / 10.

    A criterion that the judge leaves out is asked for again, and is not met where it is left out again. A
    required one that is not met, or is below its least score, makes the check fail.
    """
    criteria = rubrics_of(check)
    kind = _kind_of(criteria)
    shown, _ = shown_to_judge(check, answer, asker)
    reply = await _strictly(asker, kind.question(criteria, shown), kind.form(criteria))
    found = await _completed(kind, criteria, list(reply["checks"]), shown, asker)
    return kind.finding(found, criteria, str(reply.get("overall_reasoning") or ""))


async def by_rubrics_as_agentv(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The weighted share of the criteria; those that the judge leaves out do not count."""
    criteria = rubrics_of(check)
    kind = _kind_of(criteria)
    shown, _ = shown_to_judge(check, answer, asker, as_agentv=True)
    ask = kind.question(criteria, shown)
    reply = await asker.first_readable(ask, kind.form(criteria))
    if reply is None:
        return _unreadable(check, "The judge's replies hold no checks")
    return kind.finding(list(reply["checks"]), criteria, str(reply.get("overall_reasoning") or ""))


def _kind_of(criteria: Sequence[RubricItem]) -> _Kind:
    return _RANGES if any(rubric.ranges for rubric in criteria) else _CHECKLIST


async def _strictly(asker: Asker, ask: str, form: Form) -> Mapping[str, Any]:
    """Return the judge's reply. Raises MalformedReplyError where it cannot be used, and as `Asker.ask`."""
    reply = await asker.ask(ask, form.schema, name=form.name, accept=form.accept)
    return reply.value or {}


async def _completed(
    kind: _Kind,
    criteria: Sequence[RubricItem],
    found: list[Mapping[str, Any]],
    shown: str,
    asker: Asker,
) -> list[Mapping[str, Any]]:
    """Return one check for each criterion; what is left out, or told in two ways, is asked for once more."""
    clear = _clear(found, criteria, kind)
    missing = [rubric for rubric in criteria if rubric.id not in clear]
    if missing:
        again = await _strictly(asker, kind.question(missing, shown), kind.form(missing))
        clear |= _clear(again["checks"], missing, kind)
    nothing = {"reasoning": _UNANSWERED, "satisfied": False, "score": 0}
    return [clear.get(rubric.id) or {"id": rubric.id, **nothing} for rubric in criteria]


def _clear(
    found: Sequence[Mapping[str, Any]], criteria: Sequence[RubricItem], kind: _Kind
) -> dict[str, Mapping[str, Any]]:
    """Return by id the criteria on which the judge says one thing."""
    said: dict[str, list[Mapping[str, Any]]] = {}
    for one in found:
        # The id is shown in brackets, and small judges write them too.
        said.setdefault(str(one["id"]).strip().strip("[]"), []).append(one)
    clear: dict[str, Mapping[str, Any]] = {}
    for rubric in criteria:
        checks = said.get(rubric.id, [])
        if checks and len({one[kind.key] for one in checks}) == 1:
            clear[rubric.id] = {**checks[0], "id": rubric.id}
    return clear


@dataclass(frozen=True, slots=True)
class _Kind:
    """One of the two ways to judge by criteria. key: what a check says of its criterion, a value."""

    key: str
    name: str
    value: Mapping[str, Any]
    read: Reader
    ask: str
    finding: Callable[[Sequence[Mapping[str, Any]], Sequence[RubricItem], str], Finding]

    def form(self, criteria: Sequence[RubricItem]) -> Form:
        """Return the form of a reply on some criteria."""
        ids = {"enum": list(dict.fromkeys(rubric.id for rubric in criteria))}
        check = object_of(id=ids, reasoning=TEXT, **{self.key: self.value})
        usable = {
            **object_of(id=TEXT, reasoning=TEXT, **{self.key: self.value}),
            "required": ["id", self.key],
        }
        # A small judge that is free to go on lists checks without end.
        listed = {"type": "array", "items": check, "minItems": len(criteria), "maxItems": len(criteria)}
        checks = {"type": "array", "items": usable}
        return Form(
            name=self.name,
            schema=object_of(checks=listed, overall_reasoning=TEXT),
            accept={
                "type": "object",
                "properties": {"checks": checks, "overall_reasoning": TEXT},
                "required": ["checks"],
            },
            read=self.read,
        )

    def question(self, criteria: Sequence[RubricItem], shown: str) -> str:
        """Return the question by some criteria. shown: what the judge sees of the case."""
        listed = "\n".join(_line(rubric) for rubric in criteria)
        return self.ask.format(material=shown, criteria=listed)


def _line(rubric: RubricItem) -> str:
    hint = f" ({_OPERATORS[rubric.operator]})" if rubric.operator in _OPERATORS else ""
    lines = [f"[{rubric.id}] {rubric.outcome}{hint}".rstrip()]
    for low, high, words in rubric.ranges:
        lines.append(f"  {low:g} to {high:g}: {words}" if high > low else f"  {low:g}: {words}")
    return "\n".join(lines)


def checklist_finding(
    found: Sequence[Mapping[str, Any]], criteria: Sequence[RubricItem], reason: str = ""
) -> Finding:
    """Return the finding of checks with `satisfied`; one of an unknown id counts nothing."""
    by_id = {rubric.id: rubric for rubric in criteria}
    hits: list[str] = []
    misses: list[str] = []
    met, weight, gate = 0.0, 0.0, False
    for check in found:
        if (rubric := by_id.get(check["id"])) is None:
            continue
        weight += rubric.weight
        if check["satisfied"]:
            met += rubric.weight
        else:
            gate = gate or rubric.required
        (hits if check["satisfied"] else misses).append(_told(rubric, check))
    return scored(clamped(met / weight) if weight > 0 else 0.0, hits, misses, reason, unmet=gate)


def ranges_finding(
    found: Sequence[Mapping[str, Any]], criteria: Sequence[RubricItem], reason: str = ""
) -> Finding:
    """Return the finding of checks with a `score` from 0 to 10; one of an unknown id counts nothing."""
    by_id = {rubric.id: rubric for rubric in criteria}
    hits: list[str] = []
    misses: list[str] = []
    total, weight, gate = 0.0, 0.0, False
    for check in found:
        if (rubric := by_id.get(check["id"])) is None:
            continue
        score = min(float(HIGHEST), max(0.0, float(check["score"])))
        weight += rubric.weight
        total += score / HIGHEST * rubric.weight
        below = rubric.least is not None and score < rubric.least
        gate = gate or below
        told = f"{_told(rubric, check)} ({score:g} of {HIGHEST})"
        (misses if below or score < _MET_FROM else hits).append(told)
    return scored(clamped(total / weight) if weight > 0 else 0.0, hits, misses, reason, unmet=gate)


def _told(rubric: RubricItem, check: Mapping[str, Any]) -> str:
    why = str(check.get("reasoning") or "")
    name = rubric.outcome or rubric.id
    return f"{name}: {why}" if why else name


_CHECKLIST = _Kind(
    "satisfied", "checklist", {"type": "boolean"}, read_checklist, _CHECKLIST_ASK, checklist_finding
)
_RANGES = _Kind(
    "score",
    "scores",
    {"type": "integer", "minimum": 0, "maximum": HIGHEST},
    read_ranges,
    _RANGES_ASK,
    ranges_finding,
)


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
_LATER_NAMES = ("llm-grader", "llm_grader", "llm-rubric", "rubrics")
_MARK = re.compile(r"\{\{\s*(\w+(?:\.\w+)*)\s*\}\}")
_SHOW_ANSWER = frozenset(("candidate_answer", "output", "output_messages"))


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
    return finding_of(await _strictly(asker, ask, FREEFORM))


async def readable_finding(check: Check, ask: str, asker: Asker) -> Finding:
    """Return what AgentV makes of the judge's replies to a question, also where it can read none."""
    reply = await asker.first_readable(ask, FREEFORM)
    if reply is not None:
        return finding_of(reply)
    return _unreadable(check, "The judge's replies hold no score")


def _unreadable(check: Check, reason: str) -> Finding:
    """Return what AgentV makes of a judge that it cannot read: 0, or nothing with its later types."""
    counts = check.type not in _LATER_NAMES
    return Finding(score=0.0, passed=None if counts else False, reason=reason, counts=counts)


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
