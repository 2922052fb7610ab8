"""Scoring stored sessions: plan what is not judged yet, judge it, keep every outcome as it lands.

A run that is stopped, even by kill -9, loses at most the outcomes of the last tenth of a second; their judge
calls were kept with them or are asked again. The next run takes up where it stopped.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from turnwise.conversations.results import Outcome, outcome_passed, outcome_word
from turnwise.conversations.store import AskedOfRun, Batch, Store
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.engine.metrics.metric import Metric, check_names
from turnwise.engine.scoring.claiming import Claimer
from turnwise.engine.scoring.judges import Judges
from turnwise.engine.scoring.planning import Plan, StoredUnit
from turnwise.engine.scoring.runner import judge_units, workers_of
from turnwise.engine.scoring.sharing import UNITS_WITHOUT_JUDGE, SharedUnits
from turnwise.engine.scoring.writing import Writer

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge


@dataclass(frozen=True, slots=True)
class _Landed:
    """What came of a unit."""

    unit: StoredUnit
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Scored:
    """One outcome of a run.

    kept: it was there from an earlier run and was not judged again. judge: the model that judged; empty where
    the metric asks none, and where there was none to ask.
    """

    session_id: int
    outcome: Outcome
    kept: bool
    judge: str = ""

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
            "next_step": getattr(outcome, "next_step", ""),
            "exchange": outcome.exchange,
            "kept": self.kept,
            "judge": self.judge,
        }


async def score_sessions(
    store: Store,
    session_ids: Sequence[int],
    metrics: Sequence[Metric],
    judge: Judge | Judges | None,
    *,
    each_turn: bool = False,
    again: bool = False,
    run: int | None = None,
    at_once: int | None = None,
    pause: float = 0.0,
    stop: asyncio.Event | None = None,
    tell_of_others: Callable[[int], None] = lambda units: None,
) -> AsyncGenerator[Scored]:
    """Score sessions by metrics and yield every outcome once it is kept, those of earlier runs included.

    What another run judges at the same time is left to the end; its outcomes then count as kept.
    judge: its `book`, or that of all, should be `StoredCallBook(store)`, so that calls are kept and found
    again.
    each_turn: last-turn metrics judge every exchange. again: judge also what has a score already; with
    `StoredCallBook(store, anew=True)` the judge's kept replies do not serve either. run: the number of a run
    that these outcomes are a part of; its caller begins and ends it. at_once: the most units under way at
    once. pause: seconds before each session but the first. stop: once it is set nothing more is begun, and
    what is under way is judged to its end and kept. tell_of_others: hears how many units are waited for
    because another run judges them, and 0 when none are. Closing the iterator cancels the run and keeps what
    landed.
    Raises SettingError where two metrics have one name, JudgeError where the judge is away or the budget is
    spent, StoreError where nothing can be kept.
    """
    check_names(metrics)
    judges = Judges.of_all(judge)
    run_id = _begin(store, AskedOfRun(session_ids, each_turn), metrics, judges) if run is None else run
    of_judges = {id(one.book): one.book for one in judges.all}
    books = [book for book in of_judges.values() if isinstance(book, StoredCallBook)]

    def pack(landed: Sequence[_Landed]) -> Batch:
        return Batch(
            run_id=run_id,
            outcomes=tuple((one.unit.identity, one.outcome) for one in landed if one.unit.is_new),
            links=tuple(one.unit.kept_id for one in landed if one.unit.kept_id),
        )

    def write(landed: Sequence[_Landed]) -> None:
        batch = pack(landed)
        ours, theirs = shared.settle(batch.outcomes)
        store.scores.add_all(run_id, ours)
        store.scores.link(run_id, [*batch.links, *theirs])

    kept: asyncio.Queue[_Landed | None] = asyncio.Queue()

    def hear(landed: Sequence[_Landed]) -> None:
        for one in landed:
            kept.put_nowait(one)

    plan = Plan(store, session_ids, metrics, judges, each_turn=each_turn, again=again, pause=pause)
    together = 1 if pause else workers_of(judges, at_once) if judges.all else UNITS_WITHOUT_JUDGE
    claimer = Claimer(store)

    shared = SharedUnits(store, plan, claimer, at_once=together, tell=tell_of_others)
    landing = judge_units(
        _loaded(shared.units(), judges), judges, secret=store.secret, at_once=at_once, stop=stop
    )

    def all_in_file(landed: list[_Landed]) -> tuple[Batch, list[_Landed]]:
        return pack(landed), []

    async with claimer, Writer(store, books, write, pack=all_in_file, hear=hear, stop=stop) as writer:

        async def judge_all() -> None:
            try:
                async with aclosing(landing) as landed:
                    async for unit, outcome in landed:
                        if writer.failed:
                            break
                        writer.add(_Landed(unit, outcome))
            finally:
                await writer.flush()
                kept.put_nowait(None)

        without_judge = 0
        judging = asyncio.create_task(judge_all())
        try:
            while (one := await kept.get()) is not None:
                without_judge += one.unit.kept is None and not one.unit.is_new
                yield Scored(
                    one.unit.session_id,
                    one.outcome,
                    kept=one.unit.kept is not None,
                    judge=one.unit.identity.judge,
                )
        finally:
            judging.cancel()
            await asyncio.wait([judging])
        judging.result()
    if run is None and not (stop and stop.is_set()):
        await asyncio.to_thread(store.runs.finish, run_id, without_judge=without_judge)


async def _loaded(units: AsyncIterator[StoredUnit], judges: Judges) -> AsyncIterator[StoredUnit]:
    """Yield units, with their judges ready to be asked before the next session is read and looked through."""
    async for unit in units:
        judge = judges.of(unit.metric) if unit.metric.uses_judge and unit.kept is None else None
        if judge is not None:
            await judge.load()
        yield unit


def _begin(store: Store, asked: AskedOfRun, metrics: Sequence[Metric], judges: Judges) -> int:
    return store.runs.begin(
        judge=judges.title,
        metrics=[metric.name for metric in metrics],
        judge_settings=judges.settings(),
        asked=asked,
    )
