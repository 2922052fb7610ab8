"""The recorded judge of the demo: its scores, made from what the files say that it found.

It is no model. Its name says that these are kept verdicts, so that nobody takes them for a live result; a
judge that is asked later judges everything anew beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from turnwise.conversations.findings import PastRun, PastScore
from turnwise.conversations.results import Outcome, Score, Verdict
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.metrics.registry import make_metric
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import share_passed, turns_reason
from turnwise.tui.demo.help_desk import HelpDeskTalk, replies

JUDGE = "recorded (demo)"
THRESHOLD = 0.9
"""A reply that goes wrong is one too many here: a short conversation has four."""
SECONDS = 1.4
_SAID = {
    "knowledge_retention": ("forget nothing", "forget what the user said", "no"),
    "role_adherence": ("stay in the role", "break role", "yes"),
    "turn_relevancy": ("fit what was said", "talk past the user", "yes"),
}
"""A metric that judges every reply -> what good replies do, and bad ones, and its verdict on good ones."""
_OPPOSITE = {"yes": "no", "no": "yes"}
COMPLETENESS = "conversation_completeness"
METRICS = (*_SAID, COMPLETENESS)
KEPT, BROKEN = 0.9, 0.2
"""What a criterion scores a conversation at that keeps to it, and one that does not."""


def past_run(
    name: str, metrics: Sequence[str], began: float, parameters: Mapping[str, Any] | None = None
) -> PastRun:
    """Return a run of the recorded judge."""
    return PastRun(
        judge=JUDGE,
        metrics=tuple(metrics),
        settings={"model": JUDGE, "fingerprint": JUDGE},
        name=name,
        parameters=dict(parameters or {}),
        began=began,
        ended=began + 240.0,
    )


def metric_scores(talk: HelpDeskTalk, run: PastRun, at: float) -> Iterator[PastScore]:
    """Yield what the recorded judge found by each metric."""
    for metric, (good, bad, word) in _SAID.items():
        wrong = {flaw.turn: flaw for flaw in talk.flaws if flaw.metric == metric}
        verdicts = tuple(
            Verdict(
                turn=turn,
                passed=turn not in wrong,
                word=_OPPOSITE[word] if turn in wrong else word,
                reason=wrong[turn].reason if turn in wrong else "",
                quote=wrong[turn].quote if turn in wrong else None,
            )
            for turn in replies(talk)
        )
        yield _past(metric, verdicts, turns_reason(verdicts, good=good, bad=bad), run, at)
    left = next((flaw for flaw in talk.flaws if flaw.metric == COMPLETENESS), None)
    wants = [(want, left is None or place + 1 < len(talk.wants)) for place, want in enumerate(talk.wants)]
    verdicts = tuple(
        Verdict(
            turn=left.turn if left and not met else None,
            passed=met,
            word="yes" if met else "no",
            reason=left.reason if left and not met else "",
            about=want,
            quote=left.quote if left and not met else None,
        )
        for want, met in wants
    )
    reason = left.reason if left else "The user has what they came for."
    yield _past(COMPLETENESS, verdicts, reason, run, at)


def criterion_score(
    talk: HelpDeskTalk, criterion: Criterion, broken: str, runs: Sequence[PastRun], at: float
) -> PastScore:
    """Return the score of a criterion. broken: why the conversation breaks it, empty where it keeps to it."""
    flaw = next((one for one in talk.flaws if one.metric == criterion.name), None)
    reason = broken or "All that it grants is allowed."
    verdicts = (
        (Verdict(turn=flaw.turn, passed=False, word="lowers", reason=reason, quote=flaw.quote),)
        if broken and flaw is not None
        else ()
    )
    metric = criterion.metric()
    score = Score(
        metric=metric.name,
        score=BROKEN if broken else KEPT,
        threshold=criterion.threshold,
        reason=reason,
        seconds=SECONDS,
        verdicts=verdicts,
    )
    return PastScore(
        outcome=score,
        runs=tuple(runs),
        judge=JUDGE,
        version=metric.version,
        metric_fingerprint=metric.fingerprint,
        case_fingerprint=JUDGE,
        judge_fingerprint=JUDGE,
        at=at,
    )


def check_score(talk: HelpDeskTalk, outcome: Outcome, run: PastRun, at: float) -> PastScore:
    """Return what a check found, as of the day of the run: it was no more found today than the rest."""
    check = make_metric(outcome.metric)
    return PastScore(
        outcome=outcome,
        runs=(run,),
        judge="",
        version=check.version,
        metric_fingerprint=check.fingerprint,
        case_fingerprint=Subject.of(talk.case).reads(check.reads),
        at=at,
    )


def _past(metric: str, verdicts: tuple[Verdict, ...], reason: str, run: PastRun, at: float) -> PastScore:
    made = make_metric(metric)
    score = Score(
        metric=metric,
        score=share_passed(verdicts),
        threshold=THRESHOLD,
        reason=reason,
        seconds=SECONDS,
        verdicts=verdicts,
    )
    return PastScore(
        outcome=score,
        runs=(run,),
        judge=JUDGE,
        version=made.version,
        metric_fingerprint=made.fingerprint,
        case_fingerprint=JUDGE,
        judge_fingerprint=JUDGE,
        at=at,
    )
