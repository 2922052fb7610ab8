"""The runner: the one road from units of judging to outcomes, streamed as they land.

A unit is a metric and a subject. Units are pulled one by one by a fixed number of workers, so that a run of
a hundred thousand holds only those under way; how many calls are in flight is the judge's own limit.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from turnwise.conversations.errors import JudgeError, JudgeRefusedError, JudgeUnavailableError
from turnwise.conversations.results import Failure, Outcome, Score
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.subject import Subject

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge

WORKERS_A_CALL = 2
"""Workers for each call that may be in flight, so that reading and storing do not hold up the judge."""
HOPELESS = 3
"""After so many failures and no success, a judge that is away or refuses is taken to stay so."""


@dataclass(frozen=True)
class Unit:
    """One thing to judge: a metric on a subject.

    session: the id of the session, or the place of the case. kept: its outcome, where it is judged already.
    """

    session: int
    metric: Metric
    subject: Subject
    kept: Outcome | None = None


U = TypeVar("U", bound=Unit)


class _Hope:
    """Notices a judge that will never answer, so that a run does not spend an hour to find out."""

    def __init__(self) -> None:
        self._answered = False
        self._failures = 0

    def lost(self, outcome: Outcome) -> JudgeError | None:
        """Take an outcome into account, and return the error that ends the run if going on is pointless."""
        self._answered = self._answered or (isinstance(outcome, Score) and bool(outcome.calls))
        if self._answered or not isinstance(outcome, Failure):
            return None
        refused = outcome.kind == "refused"
        if outcome.kind != "unavailable" and not refused:
            return None
        self._failures += 1
        if self._failures < HOPELESS:
            return None
        kind = JudgeRefusedError if refused else JudgeUnavailableError
        return kind(
            f"The run was stopped: the judge {'refuses' if refused else 'does not answer'}",
            detail=outcome.reason,
            next_step=outcome.next_step or "What is scored is kept; the next run goes on from there.",
        )


async def judge_units(
    units: AsyncIterator[U], judge: Judge | None, *, secret: str, at_once: int | None = None
) -> AsyncGenerator[tuple[U, Outcome]]:
    """Judge units and yield each with its outcome as it lands, in no fixed order.

    secret: what the fences around transcripts are derived from. at_once: the most units under way at once;
    the judge's own limit on calls stands beside it. Closing the iterator cancels what is under
    way. Raises JudgeError where the judge is away, refuses everything, or the budget is spent; what landed
    before was yielded.
    """
    landed: asyncio.Queue[tuple[U, Outcome] | None] = asyncio.Queue()
    pulling = asyncio.Lock()
    errors: list[BaseException] = []
    workers = WORKERS_A_CALL * (judge.settings.concurrency if judge else 1)

    async def work() -> None:
        # Once a worker met an error that ends the run, the others finish what is paid for and pull no more.
        while not errors:
            async with pulling:
                unit = await anext(units, None)
            if unit is None:
                return
            try:
                outcome = unit.kept or await unit.metric.judge(unit.subject, judge, secret=secret)
            except JudgeError as error:
                errors.append(error)
                return
            landed.put_nowait((unit, outcome))

    async def work_all() -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(workers, at_once) if at_once else workers):
                    group.create_task(work())
        except BaseExceptionGroup as group_error:
            errors.append(group_error.exceptions[0])
        finally:
            landed.put_nowait(None)

    working = asyncio.create_task(work_all())
    hope = _Hope()
    try:
        while (item := await landed.get()) is not None:
            yield item
            if error := hope.lost(item[1]):
                errors.append(error)
                break
    finally:
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working
    if errors:
        raise errors[0]
