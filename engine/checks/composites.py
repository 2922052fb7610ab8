"""composite: several checks of AgentV's files, and one finding out of theirs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from turnwise.conversations.errors import SettingError
from turnwise.conversations.results import Failure, Skipped
from turnwise.conversations.suites import Check
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import Asker
from turnwise.engine.checks.findings import CheckOutcome, Finding, clamped, scored

VerdictWord = Literal["pass", "borderline", "fail"]
Members = Sequence[CheckOutcome]

PASS_FROM = 0.8
"""The score from which an answer passes, where a file of AgentV sets none."""
_BORDERLINE_FROM = 0.6
_ASK = """\
Several checks of one answer found this:

{results}

{question}

{form}"""
_QUESTION = "How good is the answer on the whole?"
_RESULTS = re.compile(r"\{\{\s*EVALUATOR_RESULTS_JSON\s*\}\}")


def verdict_of(finding: Finding) -> VerdictWord:
    """Return AgentV's word for a finding: what the check itself says, else that for its score."""
    if finding.passed is not None:
        return "pass" if finding.passed else "fail"
    return verdict_of_score(finding.score)


def verdict_of_score(score: float) -> VerdictWord:
    """Return AgentV's word for a score."""
    if score >= PASS_FROM:
        return "pass"
    return "borderline" if score >= _BORDERLINE_FROM else "fail"


def first_undecided(members: Members) -> CheckOutcome | None:
    """Return the first member that could not be carried out, or was left out; None where all were."""
    undecided = (one for one in members if isinstance(one.outcome, (Failure, Skipped)))
    return next((one for one in undecided if not one.is_left_out), None)


def by_weight(check: Check, members: Members) -> Finding:
    """The weighted mean of the members, by aggregator.weights; a member without one weighs 1."""
    aggregator = aggregator_of(check)
    weights = aggregator.get("weights") or {}
    counted = _counted(members)
    if not counted:
        return _none_left(members)
    shares = [float(weights.get(_name(one), 1.0)) for one in counted]
    total = sum(shares)
    score = sum(share * one.score for share, one in zip(shares, counted, strict=True))
    mean = clamped(score / total) if total > 0 else 0.0
    unmet = any(one.finding is not None and one.finding.unmet for one in counted)
    return _with(replace(scored(mean), unmet=unmet), members)


def by_set(check: Check, members: Members) -> Finding:
    """The mean of the members by their own weights; it passes where that reaches aggregator.threshold.

    Without a threshold it passes where every member that weighs anything does.
    """
    counted = _counted(members)
    if not counted:
        return _none_left(members)
    total = sum(one.weight for one in counted)
    mean = clamped(sum(one.weight * one.score for one in counted) / total) if total > 0 else 0.0
    least = aggregator_of(check).get("threshold")
    if least is not None and (isinstance(least, bool) or not isinstance(least, (int, float))):
        raise SettingError(f"{check.metric}: the threshold is no number", next_step="Write one from 0 to 1.")
    unmet = any(one.finding is not None and one.finding.unmet for one in counted)
    passed = (
        mean >= least if least is not None else all(_verdict(one) == "pass" for one in counted if one.weight)
    )
    return _with(replace(scored(mean), passed=passed, unmet=unmet), members)


def by_count(check: Check, members: Members) -> Finding:
    """The share of the members that pass; it passes where that reaches aggregator.threshold."""
    threshold = aggregator_of(check).get("threshold")
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float)):
        raise SettingError("A threshold aggregator needs a threshold", next_step="Give it, from 0 to 1.")
    counted = _counted(members)
    if not counted:
        return _none_left(members)
    share = sum(1 for one in counted if _verdict(one) == "pass") / len(counted)
    return _with(replace(scored(share), passed=share >= threshold), members)


async def by_judge(check: Check, members: Members, answer: Answer, asker: Asker) -> Finding:
    """The score that the judge gives when it is shown what the members found.

    A prompt of the file's own may show more of the case; a mark that nothing stands for is an error.
    """
    from turnwise.engine.checks.grading.freeform import strict_finding

    found = await strict_finding(_question(check, members, asker, answer), asker)
    return replace(found, members=tuple(members))


async def by_judge_as_agentv(check: Check, members: Members, answer: Answer, asker: Asker) -> Finding:
    """The score that the judge gives, with its reply read as AgentV does."""
    from turnwise.engine.checks.grading.freeform import readable_finding

    found = await readable_finding(check, _question(check, members, asker), asker)
    return replace(found, members=tuple(members))


def _question(check: Check, members: Members, asker: Asker, answer: Answer | None = None) -> str:
    """Return the question to the judge. answer: what else a prompt may show; AgentV's knows results alone."""
    from turnwise.engine.checks.grading.freeform import FORM
    from turnwise.engine.checks.grading.shown import marks_filled

    shown = asker.fenced("what the checks found", json.dumps(_results(members), indent=2, ensure_ascii=False))
    aggregator = aggregator_of(check)
    own = aggregator.get("prompt_text") or aggregator.get("prompt")
    if not isinstance(own, str) or not own:
        return _ASK.format(results=shown, question=_QUESTION, form=FORM)
    results = {"EVALUATOR_RESULTS_JSON": shown}
    filled = (
        marks_filled(own, check, answer, asker, results)
        if answer is not None
        else _RESULTS.sub(lambda _: shown, own)
    )
    if _RESULTS.search(own):
        return f"{filled}\n\n{FORM}"
    return _ASK.format(results=shown, question=filled, form=FORM)


async def by_code(check: Check, members: Members, answer: Answer, asker: Asker) -> Finding:
    """The score that a command gives, told what the members found as {"results": {name: ...}}."""
    from turnwise.engine.checks.scripts import folder_of, found_by_code

    aggregator = aggregator_of(check)
    words = aggregator.get("path") or aggregator.get("script") or aggregator.get("command")
    folder = folder_of(aggregator, answer)
    found = await found_by_code(check, words, {"results": _results(members)}, asker, folder=folder)
    return replace(found, members=tuple(members))


def aggregator_of(check: Check) -> Mapping[str, Any]:
    """Return how a composite adds up. Raises SettingError where that is not said as it should be."""
    aggregator = check.config.get("aggregator") or {"type": "weighted_average"}
    if isinstance(aggregator, str):
        return {"type": aggregator}
    if not isinstance(aggregator, Mapping):
        raise SettingError(
            f"{check.metric or check.type}: the aggregator is no mapping",
            next_step="Write {type: weighted_average}.",
        )
    return aggregator


def _counted(members: Members) -> list[CheckOutcome]:
    return [one for one in members if not one.is_left_out]


def _none_left(members: Members) -> Finding:
    why = "The judge's replies on all members could not be read"
    return Finding(score=0.0, passed=False, reason=why, counts=False, members=tuple(members))


def _with(found: Finding, members: Members) -> Finding:
    """Return a finding with what its members met and missed, and why."""
    told = [(one, one.finding) for one in members]
    return replace(
        found,
        hits=tuple(f"{_name(one)}: {hit}" for one, its in told if its for hit in its.hits),
        misses=tuple(f"{_name(one)}: {miss}" for one, its in told if its for miss in its.misses),
        reason="; ".join(f"{_name(one)} {one.score:.2f}" for one in members),
        members=tuple(members),
    )


def _results(members: Members) -> dict[str, Any]:
    return {
        _name(one): {
            "score": one.score,
            "verdict": _verdict(one),
            "hits": list(one.finding.hits) if one.finding else [],
            "misses": list(one.finding.misses) if one.finding else [],
            "reasoning": one.finding.reason if one.finding else one.reason,
        }
        for one in members
    }


def _verdict(one: CheckOutcome) -> VerdictWord:
    return verdict_of(one.finding) if one.finding else "fail"


def _name(one: CheckOutcome) -> str:
    return one.check.metric or one.check.type
