"""The runner: the one road from what is to be done to what came of it, streamed as it lands.

Things to do are pulled one by one by a fixed number of workers, so that a run of a hundred thousand holds
only those under way; how many calls are in flight is the judge's own limit. A metric on a subject goes this
road, and so do the cases of a test file, which are answered and checked on it.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from turnwise.conversations.errors import (
    JudgeError,
    JudgeRefusedError,
    JudgeUnavailableError,
    JudgeUnusableError,
)
from turnwise.conversations.results import Failure, Outcome, Score
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.models.faults import fault_title
from turnwise.engine.scoring.judges import Judges

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge

WORKERS_A_CALL = 2
"""Workers for each call that may be in flight, so that reading and storing do not hold up the judge."""
BREATH = 0.01
"""Seconds that workers go on for without a turn for others; to hand over costs more than many a check."""
HOPELESS = 3
"""After so many failures and no success, a judge that is away or would refuse anybody is taken to stay so."""
MOST_REFUSED_ALIKE = 5
"""One refusal more than that in a row, in the same words and without a success, is none of a conversation."""
_REFUSED = fault_title("refused", "judge")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Unit:
    """One thing to judge: a metric on a subject. kept: its outcome, where it is judged already."""

    metric: Metric
    subject: Subject
    kept: Outcome | None = None


@dataclass(frozen=True)
class PlacedUnit(Unit):
    """A unit of a case that is in no database. place: of its case, from 0."""

    place: int = field(kw_only=True)


U = TypeVar("U", bound=Unit)
_Thing = TypeVar("_Thing")
_Result = TypeVar("_Result")


async def work_through(
    things: AsyncIterator[_Thing],
    work: Callable[[_Thing], Awaitable[_Result]],
    *,
    workers: int,
    stop: asyncio.Event | None = None,
) -> AsyncGenerator[tuple[_Thing, _Result]]:
    """Do work on things, so many at once, and yield each with what came of it as it lands, in no fixed order.

    A JudgeError that `work` raises ends the run: nothing more is pulled, what is under way comes to its end
    and is yielded, and the error is raised. Closing the iterator cancels what is under way. stop: once it is
    set nothing more is pulled either, and what is under way comes to its end.
    """
    landed: asyncio.Queue[tuple[_Thing, _Result] | None] = asyncio.Queue()
    pulling = asyncio.Lock()
    errors: list[BaseException] = []
    idle: set[asyncio.Task[None] | None] = set()
    breath = _Breath()

    def pull_no_more() -> None:
        # The next thing may be minutes away.
        for waiting in filter(None, idle):
            waiting.cancel()

    async def pull() -> None:
        # Once a worker met an error that ends the run, the others finish what is paid for and pull no more.
        while not errors and not (stop and stop.is_set()):
            idle.add(asyncio.current_task())
            async with pulling:
                try:
                    thing = await anext(things)
                except StopAsyncIteration:
                    return
                finally:
                    idle.discard(asyncio.current_task())
            try:
                result = await work(thing)
            except JudgeError as error:
                errors.append(error)
                pull_no_more()
                return
            landed.put_nowait((thing, result))
            await breath.taken()

    async def pull_all() -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(workers):
                    group.create_task(pull())
        except BaseExceptionGroup as group_error:
            errors.append(group_error.exceptions[0])
        finally:
            landed.put_nowait(None)

    async def pull_until_stopped(stop: asyncio.Event) -> None:
        await stop.wait()
        pull_no_more()

    working = asyncio.create_task(pull_all())
    stopping = asyncio.create_task(pull_until_stopped(stop)) if stop is not None else None
    try:
        while (item := await landed.get()) is not None:
            yield item
    finally:
        for task in filter(None, (working, stopping)):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
    if errors:
        raise errors[0]


class _Breath:
    """Gives whoever listens a turn now and then, also where the work never waits for anything."""

    def __init__(self) -> None:
        self._since = time.monotonic()

    async def taken(self) -> None:
        if time.monotonic() - self._since > BREATH:
            await asyncio.sleep(0)
            self._since = time.monotonic()


class _Hope:
    """Notices a judge that will never answer, so that a run does not spend an hour to find out.

    What it refuses of one conversation says nothing of the next, but for refusals that are all alike and
    blame nothing that stands in a conversation. One that answered before and is away may come back; one that
    would refuse anybody, as after the last of the credit, does not.
    """

    def __init__(self, whose: str = "") -> None:
        """whose: the metrics that the judge was named for, where it is not the only one."""
        self._judge = f"the judge of {whose}" if whose else "the judge"
        self._answered = False
        self._failures = 0
        self._scored = False
        self._refused: list[Failure] = []
        self._alike = 0
        self._words = ""

    def lost(self, outcome: Outcome, *, kept: bool = False) -> JudgeError | None:
        """Take an outcome into account, and return the error that ends the run if going on is pointless.

        kept: it is of another run, and says nothing of the judge of now.
        """
        self._scored = self._scored or isinstance(outcome, Score)
        if isinstance(outcome, Score) and outcome.calls and not kept:
            self._answered, self._failures = True, 0
        if kept or not isinstance(outcome, Failure):
            return None
        if outcome.kind == JudgeRefusedError.kind and not self._scored:
            self._refused = [*self._refused[-HOPELESS:], outcome]
            words = _NUMBER.sub("", outcome.reason)
            alike = words == self._words and words.startswith(_REFUSED)
            self._alike, self._words = self._alike + 1 if alike else 1, words
            if self._alike > MOST_REFUSED_ALIKE:
                return self._stopped(JudgeRefusedError, "refuses all that it is asked", outcome)
        unusable = outcome.kind == JudgeUnusableError.kind
        away = outcome.kind == JudgeUnavailableError.kind and not self._answered
        if not unusable and not away:
            return None
        self._failures += 1
        if self._failures < HOPELESS:
            return None
        if unusable:
            return self._stopped(JudgeUnusableError, "refuses", outcome)
        return self._stopped(JudgeUnavailableError, "does not answer", outcome)

    def refused_all(self) -> JudgeError | None:
        """Return the error of a run that has come to its end with refusals alone, so that one sees why."""
        if self._scored or len(self._refused) < HOPELESS:
            return None
        last = self._refused[-1]
        return JudgeRefusedError(
            f"{self._judge[0].upper()}{self._judge[1:]} refuses all that it was asked",
            detail=last.reason,
            next_step=last.next_step,
        )

    def _stopped(self, kind: type[JudgeError], told: str, outcome: Failure) -> JudgeError:
        return kind(
            f"The run was stopped: {self._judge} {told}",
            detail=outcome.reason,
            next_step=outcome.next_step or "What is scored is kept; the next run goes on from there.",
        )


async def judge_units(
    units: AsyncIterator[U],
    judge: Judge | Judges | None,
    *,
    secret: str,
    at_once: int | None = None,
    stop: asyncio.Event | None = None,
) -> AsyncGenerator[tuple[U, Outcome]]:
    """Judge units and yield each with its outcome as it lands, in no fixed order.

    secret: what the fences around transcripts are derived from. at_once: the most units under way at once;
    the judge's own limit on calls stands beside it. Closing the iterator cancels what is under
    way. stop: once it is set nothing more is begun, and what is under way is judged to its end. Raises
    JudgeError where the judge is away, would refuse anybody, or the budget is spent, and at the end where it
    refused everything; what landed before was yielded.
    """

    judges = Judges.of_all(judge)
    hopes = {id(one): _Hope(", ".join(judges.metrics_of(one))) for one in judges.all}
    hopes.setdefault(id(None), _Hope())

    async def outcome_of(unit: U) -> Outcome:
        return unit.kept or await unit.metric.judge(unit.subject, judges.of(unit.metric), secret=secret)

    landing = work_through(units, outcome_of, workers=workers_of(judge, at_once), stop=stop)
    async with aclosing(landing) as landed:
        async for unit, outcome in landed:
            yield unit, outcome
            if error := hopes[id(judges.of(unit.metric))].lost(outcome, kept=unit.kept is not None):
                raise error
    if stop is not None and stop.is_set():
        return
    for hope in hopes.values():
        if error := hope.refused_all():
            raise error


def workers_of(judge: Judge | Judges | None, at_once: int | None = None) -> int:
    """Return how many units are under way at once. at_once: the most."""
    calls = sum(one.settings.concurrency for one in Judges.of_all(judge).all)
    workers = WORKERS_A_CALL * (calls or 1)
    return min(workers, at_once) if at_once else workers
