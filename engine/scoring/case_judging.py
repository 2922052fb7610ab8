"""Judging cases that were made in Python: with nothing kept, or as a run in the database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.errors import CaseError
from turnwise.conversations.images import MLLMTestCase, as_conversation
from turnwise.conversations.models import shorten
from turnwise.conversations.results import Outcome, Score
from turnwise.engine.metrics.metric import Metric, check_names, check_pairing
from turnwise.engine.metrics.metric_names import same_name
from turnwise.engine.metrics.own_metric import AnyMetric, as_metric
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.scoring.evaluation_results import Case
from turnwise.engine.scoring.judges import JudgeFor, named_for
from turnwise.engine.scoring.runner import PlacedUnit, judge_units

if TYPE_CHECKING:
    from turnwise.conversations.store import Store
    from turnwise.engine.judge.judge import Judge, JudgeNamed

MOST_AT_ONCE = 100
_NAMED_AT_MOST = 5

Found = dict[tuple[int, str], list[Outcome]]
"""Outcomes by the place of their case and the name of their metric."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingRules:
    """How cases are judged, beside metrics and judge.

    each_turn: last-turn metrics judge every exchange. at_once: cases under way at once. one_by_one: nothing
    is asked before what was asked before it is answered. pause: seconds before each case but the first.
    skip_missing: a metric that lacks a field of the case is skipped; otherwise that is an error before
    anything is judged. ignore_errors: what could not be judged may stand beside passes. use_cache: what was
    judged before serves again.
    """

    each_turn: bool = False
    at_once: int = MOST_AT_ONCE
    one_by_one: bool = False
    pause: float = 0.0
    skip_missing: bool = False
    ignore_errors: bool = False
    use_cache: bool = False

    @property
    def workers(self) -> int:
        """How much may be under way at once."""
        return 1 if self.one_by_one else self.at_once


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where judged cases are kept.

    run: the number of a run that goes on; None begins one. identifier, hyperparameters: what a run that
    begins is called, and what is remembered of the chatbot.
    """

    store: Store
    run: int | None = None
    identifier: str = ""
    hyperparameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judged:
    """The outcomes of each case, in the order of cases and metrics, and the run they are kept in.

    judges: the models that judged, by the names of metrics.
    """

    outcomes: tuple[tuple[Outcome, ...], ...]
    run: int | None = None
    judges: Mapping[str, str] = field(default_factory=dict)


def check_cases(cases: Sequence[Case], given: Sequence[AnyMetric], rules: JudgingRules) -> list[Metric]:
    """Return the metrics to judge by.

    Raises CaseError or SettingError where these cases and metrics cannot be judged together.
    """
    for noun, listed in (("Test cases", cases), ("Metrics", given)):
        if not isinstance(listed, list | tuple):
            raise CaseError(f"{noun} are given as a list", detail=f"Given: {shorten(listed)}")
    if not cases:
        raise CaseError("There is no test case to judge")
    if not given:
        raise CaseError("There is no metric to judge by")
    metrics = [as_metric(metric) for metric in given]
    kinds = {type(case).__name__ for case in cases}
    if len(kinds) > 1:
        raise CaseError(
            "Cases of different kinds cannot be judged in one run",
            detail=f"Given: {' and '.join(sorted(kinds))}",
            next_step="Judge each kind in a run of its own.",
        )
    for case in cases:
        for metric in metrics:
            check_pairing(metric, case)
    check_names(metrics)
    if not rules.skip_missing:
        _check_fields(cases, metrics)
    return metrics


def _check_fields(cases: Sequence[Case], metrics: Sequence[Metric]) -> None:
    lacking = []
    for place, case in enumerate(cases, start=1):
        whole = Subject.of(case)
        for metric in metrics:
            subject = (metric.subjects(whole) or [whole])[0]
            if reason := metric.lacks(subject):
                lacking.append(f"{metric.name}, {_named(place, case)}: {reason}")
    if lacking:
        more = len(lacking) - _NAMED_AT_MOST
        raise CaseError(
            "A metric lacks what it needs",
            detail="\n".join([*lacking[:_NAMED_AT_MOST], *([f"and {more:,} more"] if more > 0 else [])]),
            next_step="Give the cases these fields, or skip such metrics with skip_on_missing_params=True.",
        )


async def judge_cases(
    cases: Sequence[Case],
    metrics: Sequence[Metric],
    judge: JudgeNamed,
    rules: JudgingRules,
    *,
    keeping: Keeping | None = None,
    judges_for: Sequence[JudgeFor] = (),
    replies: Store | None = None,
    advance: Callable[[], None] | None = None,
) -> Judged:
    """Judge every case by every metric; metrics that name a judge of their own are judged by that one.

    judges_for: judges of single metrics that name none; those of metrics that are not here mean nothing.

    replies: where the judge's replies are looked up and, where the run is kept, written. advance: called for
    every outcome. Raises JudgeError where a judge is away, StoreError where nothing can be kept.
    """
    from turnwise.engine.judge.evidence import StoredCallBook
    from turnwise.engine.judge.judge import open_judge

    groups: dict[int, tuple[JudgeNamed, list[Metric]]] = {}
    names = [metric.name for metric in metrics]
    named = named_for([one for one in judges_for if same_name(one.metric, names)], metrics)
    for metric in map(_one_by_one, metrics) if rules.one_by_one else metrics:
        chosen = named.get(metric.name, judge) if metric.model is None else metric.model
        groups.setdefault(id(chosen), (chosen, []))[1].append(metric)
    found: Found = {}
    if keeping:
        # Before a run begins, which would stay empty where a case cannot be kept; the images of all are not
        # held at once.
        for place, case in enumerate(cases, start=1):
            _storable(place, case)
    async with AsyncExitStack() as stack:
        opened: list[tuple[Judge | None, list[Metric]]] = []
        for chosen, group in groups.values():
            book = StoredCallBook(replies, anew=not rules.use_cache) if replies is not None else None
            needed = any(metric.uses_judge for metric in group)
            opened.append(
                (await stack.enter_async_context(open_judge(chosen, needed=needed, book=book)), group)
            )
        run = _begin(keeping, opened) if keeping else None
        for one, group in opened:
            road = (
                _stored(keeping.store, run, cases, group, one, rules)
                if keeping is not None and run is not None
                else _unstored(cases, group, one, rules)
            )
            async with aclosing(road) as landing:
                async for place, outcome in landing:
                    found.setdefault((place, outcome.metric), []).append(outcome)
                    if advance:
                        advance()
        if keeping is not None and run is not None and keeping.run is None:
            await asyncio.to_thread(keeping.store.runs.finish, run)
    ordered = tuple(
        tuple(
            _as_told(metric, outcome)
            for metric in metrics
            for outcome in _in_order(found.get((place, metric.name), []))
        )
        for place in range(len(cases))
    )
    judged_by = ((one, metric) for one, group in opened for metric in group if metric.uses_judge)
    models = {metric.name: one.settings.model for one, metric in judged_by if one is not None}
    return Judged(ordered, run, models)


def _one_by_one(metric: Metric) -> Metric:
    """Return a metric that asks one question at a time; the caller's own stays as it is."""
    alone = copy(metric)
    alone.async_mode = False
    return alone


def _as_told(metric: Metric, outcome: Outcome) -> Outcome:
    """Return an outcome as the metric's settings want it told; what is kept says all of it."""
    silent = isinstance(outcome, Score) and not metric.include_reason
    return replace(outcome, reason="") if silent else outcome


def _begin(keeping: Keeping, opened: Sequence[tuple[Judge | None, Sequence[Metric]]]) -> int:
    """Return the run that outcomes are kept in, begun here where none goes on."""
    from turnwise.engine.scoring.judges import judge_settings

    judges = [judge for judge, _ in opened if judge is not None]
    settings = judge_settings(judges[0] if judges else None)
    names = list(dict.fromkeys(judge.settings.model for judge in judges))
    metrics = [metric.name for _, group in opened for metric in group]
    title = ", ".join(names) or "none"
    if keeping.run is not None:
        keeping.store.runs.widen(keeping.run, judge=title, metrics=metrics, judge_settings=settings)
        return keeping.run
    return keeping.store.runs.begin(
        judge=title,
        metrics=metrics,
        judge_settings=settings,
        name=keeping.identifier,
        parameters=keeping.hyperparameters,
    )


async def _unstored(
    cases: Sequence[Case], metrics: Sequence[Metric], judge: Judge | None, rules: JudgingRules
) -> AsyncGenerator[tuple[int, Outcome]]:
    async def units() -> AsyncIterator[PlacedUnit]:
        for place, case in enumerate(cases):
            if place and rules.pause:
                await asyncio.sleep(rules.pause)
            whole = Subject.of(case)
            for metric in metrics:
                for subject in metric.subjects(whole, each_turn=rules.each_turn) or [whole]:
                    yield PlacedUnit(metric, subject, place=place)

    secret = judge.secret if judge else ""
    landing = judge_units(units(), judge, secret=secret, at_once=rules.workers)
    async with aclosing(landing) as outcomes:
        async for unit, outcome in outcomes:
            yield unit.place, outcome


async def _stored(
    store: Store,
    run: int,
    cases: Sequence[Case],
    metrics: Sequence[Metric],
    judge: Judge | None,
    rules: JudgingRules,
) -> AsyncGenerator[tuple[int, Outcome]]:
    from turnwise.engine.scoring.scoring import score_sessions

    places: dict[int, list[int]] = {}
    with store.writing():
        for place, case in enumerate(cases):
            stored = _storable(place + 1, case)
            added = store.sessions.add(stored, source="evaluate", format="python")
            places.setdefault(added.session_id, []).append(place)
    landing = score_sessions(
        store,
        list(places),
        metrics,
        judge,
        each_turn=rules.each_turn,
        again=not rules.use_cache,
        run=run,
        at_once=rules.workers,
        pause=rules.pause,
    )
    async with aclosing(landing) as outcomes:
        async for scored in outcomes:
            for place in places[scored.session_id]:
                yield place, scored.outcome


def _storable(place: int, case: Case) -> ConversationalTestCase | LLMTestCase:
    """Return a case as the database keeps it: local images by their content, since files come and go.

    Raises CaseError, which names the case by its place from 1, where an image cannot be read.
    """
    if not isinstance(case, MLLMTestCase):
        return case
    from turnwise.engine.judge.pictures import with_image_data

    try:
        return as_conversation(case, kept=with_image_data(case))
    except CaseError as error:
        named = f"{_named(place, case)}: {error.detail}"
        raise CaseError(error.title, detail=named, next_step=error.next_step) from None


def _named(place: int, case: Case) -> str:
    return case.name or f"case {place}"


def _in_order(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return sorted(outcomes, key=lambda outcome: outcome.exchange or 0)
