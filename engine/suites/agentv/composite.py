"""composite: several evaluators, and one score out of theirs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.agentv.grade import Grade, clamped, graded
from turnwise.engine.suites.agentv.scoring import name_of
from turnwise.engine.suites.agentv.scripts import RunCode, folder_of, graded_by_code
from turnwise.engine.suites.agentv.submission import Submission

if TYPE_CHECKING:
    from turnwise.engine.suites.judged.asker import Asker

Members = Sequence[tuple[Check, Grade]]

_ASK = """\
Several checks of one answer found this:

{results}

{question}

{form}"""
_QUESTION = "How good is the answer on the whole?"
_RESULTS = re.compile(r"\{\{\s*EVALUATOR_RESULTS_JSON\s*\}\}")


def undecided(members: Members) -> Grade | None:
    """Return the grade of a composite one of whose members could not be carried out, or was left out."""
    for check, grade in members:
        if grade.failure or grade.skipped:
            return replace(grade, reason=f"{name_of(check)}: {grade.reason}", members=tuple(members))
    return None


def by_weight(check: Check, members: Members) -> Grade:
    """The weighted mean of the members, by aggregator.weights; a member without one weighs 1."""
    aggregator = aggregator_of(check)
    weights = aggregator.get("weights") or {}
    counted = [(child, grade) for child, grade in members if not grade.ignored]
    if not counted:
        return _none_left(members)
    shares = [float(weights.get(name_of(child), 1.0)) for child, _ in counted]
    total = sum(shares)
    score = sum(share * grade.score for share, (_, grade) in zip(shares, counted, strict=True))
    mean = clamped(score / total) if total > 0 else 0.0
    return _with(graded(mean), members, gate=any(grade.gate for _, grade in counted))


def by_count(check: Check, members: Members) -> Grade:
    """The share of the members that pass; it passes where that reaches aggregator.threshold."""
    threshold = aggregator_of(check).get("threshold")
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float)):
        raise SettingError("A threshold aggregator needs a threshold", next_step="Give it, from 0 to 1.")
    counted = [(child, grade) for child, grade in members if not grade.ignored]
    if not counted:
        return _none_left(members)
    share = sum(1 for _, grade in counted if grade.verdict == "pass") / len(counted)
    found = replace(graded(share), verdict="pass" if share >= threshold else "fail")
    return _with(found, members, gate=False)


async def by_judge(check: Check, members: Members, asker: Asker) -> Grade:
    """The score that the judge gives when it is shown what the members found."""
    # Asking comes with the judge, which takes a while to load.
    from turnwise.engine.suites.agentv.asking import reply_to
    from turnwise.engine.suites.agentv.freeform import FORM, FREEFORM, grade_of, unread

    shown = asker.fenced("what the checks found", json.dumps(_results(members), indent=2, ensure_ascii=False))
    aggregator = aggregator_of(check)
    own = aggregator.get("prompt_text") or aggregator.get("prompt")
    if isinstance(own, str) and _RESULTS.search(own):
        ask = f"{_RESULTS.sub(lambda _: shown, own)}\n\n{FORM}"
    else:
        ask = _ASK.format(results=shown, question=own or _QUESTION, form=FORM)
    reply = await reply_to(asker, ask, FREEFORM)
    return replace(unread(check) if reply is None else grade_of(reply), members=tuple(members))


async def by_code(check: Check, members: Members, submission: Submission, run_code: RunCode | None) -> Grade:
    """The score that a command gives, told what the members found as {"results": {name: ...}}."""
    aggregator = aggregator_of(check)
    words = aggregator.get("path") or aggregator.get("script") or aggregator.get("command")
    folder = folder_of(aggregator, submission)
    found = await graded_by_code(check, words, {"results": _results(members)}, run_code, folder=folder)
    return replace(found, members=tuple(members))


def aggregator_of(check: Check) -> Mapping[str, Any]:
    """Return how a composite adds up. Raises SettingError where that is not said as it should be."""
    aggregator = check.config.get("aggregator") or {"type": "weighted_average"}
    if isinstance(aggregator, str):
        return {"type": aggregator}
    if not isinstance(aggregator, Mapping):
        raise SettingError(
            f"{name_of(check)}: the aggregator is no mapping", next_step="Write {type: weighted_average}."
        )
    return aggregator


def _none_left(members: Members) -> Grade:
    why = "The judge's replies on all members could not be read"
    return Grade(score=0.0, verdict="fail", reason=why, ignored=True, members=tuple(members))


def _with(found: Grade, members: Members, *, gate: bool) -> Grade:
    """Return a grade with what its members met and missed, and why."""
    return replace(
        found,
        gate=gate,
        hits=tuple(f"{name_of(child)}: {hit}" for child, grade in members for hit in grade.hits),
        misses=tuple(f"{name_of(child)}: {miss}" for child, grade in members for miss in grade.misses),
        reason="; ".join(f"{name_of(child)} {grade.score:.2f}" for child, grade in members),
        members=tuple(members),
    )


def _results(members: Members) -> dict[str, Any]:
    return {
        name_of(child): {
            "score": grade.score,
            "verdict": grade.verdict,
            "hits": list(grade.hits),
            "misses": list(grade.misses),
            "reasoning": grade.reason,
        }
        for child, grade in members
    }
