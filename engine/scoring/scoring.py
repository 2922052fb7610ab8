"""Scoring stored sessions: plan what is not judged yet, judge it, keep every outcome as it lands.

A run that is stopped, even by kill -9, loses at most the outcomes of the last tenth of a second; their judge
calls were kept with them or are asked again. The next run takes up where it stopped.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from turnwise.conversations.results import Outcome, Score, outcome_passed, outcome_word
from turnwise.conversations.store import Batch, Identity, Store
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.engine.metrics.metric import Metric, check_names
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.scoring.runner import Unit, judge_units
from turnwise.engine.scoring.writing import Writer

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge

SESSIONS_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Scored:
    """One outcome of a run. kept: it was there from an earlier run and was not judged again."""

    session_id: int
    outcome: Outcome
    kept: bool

    def data(self) -> dict[str, Any]:
        """Return the outcome as the command line prints it."""
        outcome = self.outcome
        return {
            "session": self.session_id,
            "metric": outcome.metric,
            "outcome": outcome_word(outcome),
            "score": getattr(outcome, "score", None),
            "passed": outcome_passed(outcome),
            "reason": outcome.reason,
            "exchange": outcome.exchange,
            "kept": self.kept,
        }


async def score_sessions(
    store: Store,
    session_ids: Sequence[int],
    metrics: Sequence[Metric],
    judge: Judge | None,
    *,
    each_turn: bool = False,
    again: bool = False,
    run: int | None = None,
    at_once: int | None = None,
    pause: float = 0.0,
    stop: asyncio.Event | None = None,
) -> AsyncGenerator[Scored]:
    """Score sessions by metrics and yield every outcome once it is kept, those of earlier runs included.

    judge: its `book` should be `StoredCallBook(store)`, so that calls are kept and found again.
    each_turn: last-turn metrics judge every exchange. again: judge also what has a score already; with
    `StoredCallBook(store, anew=True)` the judge's kept replies do not serve either. run: the number of a run
    that these outcomes are a part of; its caller begins and ends it. at_once: the most units under way at
    once. pause: seconds before each session but the first. stop: once it is set nothing more is begun, and
    what is under way is judged to its end and kept. Closing the iterator cancels the run and keeps what
    landed.
    Raises SettingError where two metrics have one name, JudgeError where the judge is away or the budget is
    spent, StoreError where nothing can be kept.
    """
    check_names(metrics)
    run_id = _begin(store, metrics, judge) if run is None else run
    book = judge.book if judge else None
    books = [book] if isinstance(book, StoredCallBook) else []

    def pack(landed: Sequence[_Landed]) -> Batch:
        return Batch(
            run_id=run_id,
            outcomes=tuple((one.unit.identity, one.outcome) for one in landed if one.is_new),
            links=tuple(one.unit.kept_id for one in landed if one.unit.kept_id),
        )

    def write(landed: Sequence[_Landed]) -> None:
        batch = pack(landed)
        store.scores.add_all(run_id, batch.outcomes)
        store.scores.link(run_id, batch.links)

    kept: asyncio.Queue[_Landed | None] = asyncio.Queue()

    def hear(landed: Sequence[_Landed]) -> None:
        for one in landed:
            kept.put_nowait(one)

    plan = _Plan(store, session_ids, metrics, judge, each_turn=each_turn, again=again, pause=pause)
    landing = judge_units(plan.units(), judge, secret=store.secret, at_once=at_once, stop=stop)

    def all_in_file(landed: list[_Landed]) -> tuple[Batch, list[_Landed]]:
        return pack(landed), []

    async with Writer(store, books, write, pack=all_in_file, hear=hear, stop=stop) as writer:

        async def judge_all() -> None:
            try:
                async with aclosing(landing) as landed:
                    async for unit, outcome in landed:
                        if writer.failed:
                            break
                        # That nobody was there to judge says nothing of the conversation, and must hide no
                        # score.
                        is_new = not unit.kept_id and (judge is not None or not unit.metric.uses_judge)
                        writer.add(_Landed(unit, outcome, is_new=is_new))
            finally:
                await writer.flush()
                kept.put_nowait(None)

        judging = asyncio.create_task(judge_all())
        try:
            while (one := await kept.get()) is not None:
                yield Scored(one.unit.session_id, one.outcome, kept=one.unit.kept is not None)
        finally:
            judging.cancel()
            await asyncio.wait([judging])
        judging.result()
    if run is None and not (stop and stop.is_set()):
        await asyncio.to_thread(store.runs.finish, run_id)


def _begin(store: Store, metrics: Sequence[Metric], judge: Judge | None) -> int:
    settings = judge_settings(judge)
    names = [metric.name for metric in metrics]
    return store.runs.begin(judge=settings.get("model", "none"), metrics=names, judge_settings=settings)


def judge_settings(judge: Judge | None) -> dict[str, Any]:
    """Return what is worth remembering of a judge, without its key."""
    if judge is None:
        return {}
    settings = judge.settings
    return {
        "model": settings.model,
        "address": settings.address,
        "temperature": settings.temperature,
        "fingerprint": judge.fingerprint,
        **({"context_tokens": settings.context_tokens} if settings.context_tokens else {}),
    }


@dataclass(frozen=True, slots=True)
class _Done:
    """What some sessions have already: outcomes by the identity of the unit, and which are the newest."""

    outcomes: Mapping[tuple[int, int | None, str, str, str], tuple[int, Outcome]]
    newest: Mapping[tuple[int, str, int | None], int]


@dataclass(frozen=True)
class _StoredUnit(Unit):
    """A unit of a stored session. kept_id: the id of its outcome, where that is stored as it stands."""

    session_id: int = field(kw_only=True)
    identity: Identity = field(kw_only=True)
    kept_id: int = 0


@dataclass(frozen=True, slots=True)
class _Landed:
    """What came of a unit. is_new: it is to be kept as an outcome of its own."""

    unit: _StoredUnit
    outcome: Outcome
    is_new: bool


class _Plan:
    """Which units there are, and which of them are judged already."""

    def __init__(
        self,
        store: Store,
        session_ids: Sequence[int],
        metrics: Sequence[Metric],
        judge: Judge | None,
        *,
        each_turn: bool,
        again: bool,
        pause: float,
    ) -> None:
        self._store = store
        self._session_ids = session_ids
        self._metrics = metrics
        self._judge = judge
        self._each_turn = each_turn
        self._again = again
        self._pause = pause
        self._fingerprints = {id(metric): metric.fingerprint for metric in metrics}

    async def units(self) -> AsyncIterator[_StoredUnit]:
        """Yield all units: the metrics of a session together, or for a small judge the sessions of a metric.

        Either way questions that begin alike follow one another, and the judge's prompt cache holds: most
        judges are shown the transcript first, a small one the metric's worked examples.
        """
        small = self._judge is not None and self._judge.settings.is_small
        by_metric = small and not self._pause
        for start in range(0, len(self._session_ids), SESSIONS_AT_ONCE):
            part = self._session_ids[start : start + SESSIONS_AT_ONCE]
            done = _Done({}, {}) if self._again else await asyncio.to_thread(self._read_done, part)
            if by_metric:
                wholes = [(session_id, await self._read(session_id)) for session_id in part]
                for metric in self._metrics:
                    for session_id, whole in wholes:
                        for unit in self._of(metric, session_id, whole, done):
                            yield unit
            else:
                for session_id in part:
                    if self._pause and session_id != self._session_ids[0]:
                        await asyncio.sleep(self._pause)
                    whole = await self._read(session_id)
                    for metric in self._metrics:
                        for unit in self._of(metric, session_id, whole, done):
                            yield unit

    def _read_done(self, session_ids: Sequence[int]) -> _Done:
        scores = self._store.scores
        return _Done(scores.done(session_ids), scores.newest_ids(session_ids))

    async def _read(self, session_id: int) -> Subject:
        # A thread keeps the loop free while a long transcript is read.
        return Subject.of(await asyncio.to_thread(self._store.sessions.case, session_id))

    def _of(self, metric: Metric, session_id: int, whole: Subject, done: _Done) -> list[_StoredUnit]:
        units = []
        for subject in metric.subjects(whole, each_turn=self._each_turn) or [whole]:
            identity = self._identify(metric, session_id, subject)
            kept_id, kept = done.outcomes.get(identity.key, (0, None))
            if isinstance(kept, Score) and kept.threshold != metric.threshold:
                # The same finding measured against another threshold is an outcome of its own.
                kept_id, kept = 0, replace(kept, threshold=metric.threshold, cost=None)
            elif kept and kept_id != done.newest.get((session_id, metric.name, identity.exchange)):
                # Another judge or setting came after it. Asked for again, it is what stands now.
                kept_id, kept = 0, replace(kept, cost=None)
            unit = _StoredUnit(
                metric, subject, kept, session_id=session_id, identity=identity, kept_id=kept_id
            )
            units.append(unit)
        return units

    def _identify(self, metric: Metric, session_id: int, subject: Subject) -> Identity:
        judge = self._judge if metric.uses_judge else None
        return Identity(
            session_id=session_id,
            exchange=subject.exchange.number if subject.exchange else None,
            metric=metric.name,
            version=metric.version,
            metric_fingerprint=self._fingerprints[id(metric)],
            case_fingerprint=subject.reads(metric.reads),
            judge_fingerprint=judge.fingerprint if judge else "",
            judge=judge.settings.model if judge else "",
        )
