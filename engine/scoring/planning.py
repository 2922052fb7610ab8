"""Planning: which units a run has, and which of them are judged already."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from turnwise.conversations.results import Outcome, Score
from turnwise.conversations.store import Identity, Store
from turnwise.engine.metrics.masking import judged_print
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.scoring.judges import Judges
from turnwise.engine.scoring.runner import Unit

SESSIONS_AT_ONCE = 100
Place = tuple[int, str, int | None]
"""Where a unit stands in a plan: its session, its metric, and its exchange where all of them are judged."""


@dataclass(frozen=True, slots=True)
class _Done:
    """What some sessions have already: outcomes by the identity of the unit, and which are the newest."""

    outcomes: Mapping[tuple[int, int | None, str, str, str], tuple[int, Outcome]]
    newest: Mapping[tuple[int, str, int | None], int]


@dataclass(frozen=True)
class StoredUnit(Unit):
    """A unit of a stored session.

    kept_id: the id of its outcome, where that is stored as it stands. is_new: its outcome will be stored.
    """

    session_id: int = field(kw_only=True)
    identity: Identity = field(kw_only=True)
    kept_id: int = 0
    is_new: bool = True

    def with_kept(self, kept_id: int, kept: Outcome) -> Self:
        """Return the unit with the outcome that is stored of it."""
        if isinstance(kept, Score) and kept.threshold != self.metric.threshold:
            # The same finding measured against another threshold is an outcome of its own.
            return replace(self, kept=replace(kept, threshold=self.metric.threshold, cost=None))
        return replace(self, kept=kept, kept_id=kept_id, is_new=False)


class Plan:
    """Which units there are, and which of them are judged already."""

    def __init__(
        self,
        store: Store,
        session_ids: Sequence[int],
        metrics: Sequence[Metric],
        judges: Judges,
        *,
        each_turn: bool,
        again: bool,
        pause: float,
    ) -> None:
        self._store = store
        self._session_ids = session_ids
        self._metrics = metrics
        self._judges = judges
        self._each_turn = each_turn
        self._again = again
        self._pause = pause
        self._scores_read = sorted({name for metric in metrics for name in metric.reads_scores})
        self._fingerprints = {id(metric): metric.fingerprint for metric in metrics}

    async def units(self, places: Collection[Place] | None = None) -> AsyncIterator[StoredUnit]:
        """Yield all units: the metrics of a session together, or for a small judge the sessions of a metric.

        Either way questions that begin alike follow one another, and the judge's prompt cache holds: most
        judges are shown the transcript first, a small one the metric's worked examples.
        places: yield the units that stand there, read anew, and no others.
        """
        async for unit in self._units(
            self._session_ids if places is None else list(dict.fromkeys(place[0] for place in places))
        ):
            if places is None or self.place_of(unit) in places:
                yield unit

    def place_of(self, unit: StoredUnit) -> Place:
        """Return where a unit stands."""
        return (unit.session_id, unit.metric.name, unit.identity.exchange if self._each_turn else None)

    async def _units(self, session_ids: Sequence[int]) -> AsyncIterator[StoredUnit]:
        small = any(judge.settings.is_small for judge in self._judges.all)
        by_metric = small and not self._pause
        for start in range(0, len(session_ids), SESSIONS_AT_ONCE):
            part = session_ids[start : start + SESSIONS_AT_ONCE]
            done = _Done({}, {}) if self._again else await asyncio.to_thread(self._read_done, part)
            if by_metric:
                wholes: dict[int, Subject] = {}
                for metric in self._metrics:
                    for session_id in part:
                        if session_id not in wholes:
                            wholes[session_id] = await self._read(session_id)
                        for unit in self._of(metric, session_id, wholes[session_id], done):
                            yield unit
            else:
                for session_id in part:
                    if self._pause and session_id != session_ids[0]:
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
        return await asyncio.to_thread(self._read_whole, session_id)

    def _read_whole(self, session_id: int) -> Subject:
        whole = Subject.of(self._store.sessions.case(session_id))
        if any(metric.uses_judge for metric in self._metrics):
            # Here, in the thread, what speaks to the judge is found, which all units of the session go by.
            judged_print(whole, ())
        if not self._scores_read:
            return whole
        kept = self._store.learned.kept_scores([session_id]).get(session_id, {})
        return replace(whole, kept_scores={name: kept[name] for name in self._scores_read if name in kept})

    def _of(self, metric: Metric, session_id: int, whole: Subject, done: _Done) -> list[StoredUnit]:
        return [
            self._unit(metric, session_id, subject, done)
            for subject in metric.subjects(whole, each_turn=self._each_turn) or [whole]
        ]

    def _unit(self, metric: Metric, session_id: int, subject: Subject, done: _Done) -> StoredUnit:
        identity = self._identify(metric, session_id, subject)
        # That nobody was there to judge says nothing of the conversation, and must hide no score.
        is_new = self._judges.of(metric) is not None or not metric.uses_judge
        unit = StoredUnit(metric, subject, session_id=session_id, identity=identity, is_new=is_new)
        kept_id, kept = done.outcomes.get(identity.key, (0, None))
        if kept is None:
            return unit
        unit = unit.with_kept(kept_id, kept)
        if kept_id == done.newest.get((session_id, metric.name, identity.exchange)):
            return unit
        # Another judge or setting came after it. Asked for again, it is what stands now.
        return replace(unit, kept=replace(unit.kept or kept, cost=None), kept_id=0, is_new=is_new)

    def _identify(self, metric: Metric, session_id: int, subject: Subject) -> Identity:
        judge = self._judges.of(metric) if metric.uses_judge else None
        # A judge is not shown what speaks to it, so a case with such words is another one than before.
        reads = judged_print if metric.uses_judge else Subject.reads
        return Identity(
            session_id=session_id,
            exchange=subject.exchange.number if subject.exchange else None,
            metric=metric.name,
            version=metric.version,
            metric_fingerprint=self._fingerprints[id(metric)],
            case_fingerprint=reads(subject, metric.reads),
            judge_fingerprint=judge.fingerprint if judge else "",
            judge=judge.settings.model if judge else "",
        )
