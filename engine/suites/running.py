"""Running a suite: every case answered, checked and kept, several at once, told in the file's order.

async with Answerer(target) as answerer:
    async with aclosing(run_suite(suite, answerer, store=store)) as runs:
        async for run in runs:
            print(run.data())
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from turnwise.conversations.store import Store
from turnwise.conversations.suites import Suite
from turnwise.engine.suites.answering import Answerer
from turnwise.engine.suites.asking import CaseRunner
from turnwise.engine.suites.case_run import CaseRun
from turnwise.engine.suites.grouping import Chain, ordered
from turnwise.engine.suites.keeping import Keeper, Landed
from turnwise.engine.suites.pace import pace_of
from turnwise.engine.suites.reach import NOTHING, Reach

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge
    from turnwise.engine.suites.code.answers import CallableTarget
    from turnwise.engine.suites.code.suite_code import SuiteCode

_WRITTEN_AT_ONCE = 500


async def run_suite(
    suite: Suite,
    answerer: Answerer,
    *,
    judge: Judge | None = None,
    graders: Mapping[str, Judge] | None = None,
    store: Store | None = None,
    compat: bool = False,
    code: SuiteCode | None = None,
    program: CallableTarget | None = None,
    reach: Reach = NOTHING,
) -> AsyncGenerator[CaseRun]:
    """Run the cases of a suite and yield each, in the suite's order, once it and those before it are done.

    judge: for checks that need one; without it they are skipped. graders: judges that cases name as their own
    (`options.provider`), by that name. store: where every case that was asked is kept as a session with its
    scores before it is yielded, in batches; the cases of one conversation are one session. compat: grade as
    promptfoo 0.123.1 does where that is weaker. code: what runs the suite's code, where the user trusts it;
    without it nothing of a suite runs. program: the user's own code, which answers in the targets' place.
    reach: what checks may use beside the judge, such as a server for embeddings or the network.
    Cases run as many at once as their target takes and the file allows; `ordered` says which wait for others.
    Closing the iterator stops the run; what was done is kept. Raises JudgeUnavailableError where the target
    is away, BudgetSpentError, StoreError.
    """
    pace, order = pace_of(suite), ordered(suite, compat=compat)
    runner = CaseRunner(
        suite,
        answerer,
        judge,
        graders or {},
        compat=compat,
        delay=pace.delay,
        code=code,
        program=program,
        reach=reach,
    )
    keeper = Keeper(suite, store, _asked(judge, graders, reach))
    judged_at_once = judge.settings.concurrency if judge else 1
    width = min(order.widest, max(answerer.at_once(suite.cases), judged_at_once))
    if pace.delay or pace.at_once:
        width = min(width, 1 if pace.delay else pace.at_once or width)
    landing = _Landing(runner, order.alone, order.rest, width)
    waiting: dict[int, CaseRun] = {}
    try:
        for position in range(len(suite.cases)):
            while position not in waiting:
                waiting |= keeper.keep(await landing.batch())
            yield waiting.pop(position)
        keeper.finish()
    finally:
        # What landed while nobody listened any more was paid for.
        keeper.keep(await landing.stop())


def _asked(judge: Judge | None, graders: Mapping[str, Judge] | None, reach: Reach) -> list[Judge]:
    """Return all who are asked, each once, the judge of the run first."""
    embedding = reach.embedder.judge if reach.embedder else None
    judges = (judge, *(graders or {}).values(), embedding)
    return list({id(one): one for one in judges if one is not None}.values())


class _Landing:
    """The chains under way, and what has landed of them."""

    def __init__(self, runner: CaseRunner, alone: Chain, rest: Sequence[Chain], width: int) -> None:
        self._runner = runner
        self._landed: asyncio.Queue[Landed] = asyncio.Queue(_WRITTEN_AT_ONCE)
        self._cut_short: list[Landed] = []
        self._chains = iter(rest)
        self._begun = asyncio.Event()
        self._tasks = [asyncio.create_task(self._alone(alone))]
        self._tasks += [asyncio.create_task(self._work()) for _ in range(width)]

    async def _alone(self, chain: Chain) -> None:
        await self._run(chain)
        self._begun.set()

    async def _work(self) -> None:
        await self._begun.wait()
        for chain in self._chains:
            await self._run(chain)

    async def _run(self, chain: Chain) -> None:
        for group in chain:
            done: dict[int, CaseRun] = {}
            try:
                await self._runner.run(group.positions, done, is_talk=group.is_talk)
                await self._landed.put(Landed(done, is_talk=group.is_talk))
            except BaseException:
                # The turns of a conversation that were answered before it was stopped are kept too.
                self._cut_short += [Landed(done, is_talk=group.is_talk)] if done else []
                raise

    async def batch(self) -> list[Landed]:
        """Return what has landed, waiting for the first. Raises what ended a worker."""
        batch = [await self._next()]
        while not self._landed.empty():
            batch.append(self._landed.get_nowait())
        return batch

    async def _next(self) -> Landed:
        with suppress(asyncio.QueueEmpty):
            return self._landed.get_nowait()
        getting = asyncio.create_task(self._landed.get())
        try:
            while not getting.done():
                for task in self._tasks:
                    if task.done():
                        task.result()
                going = [task for task in self._tasks if not task.done()]
                await asyncio.wait([getting, *going], return_when=asyncio.FIRST_COMPLETED)
            return getting.result()
        except asyncio.CancelledError:
            if getting.done():
                self._cut_short.append(getting.result())
            raise
        finally:
            getting.cancel()

    async def stop(self) -> list[Landed]:
        """End what is under way, and return what landed that nobody has taken."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        return [*(self._landed.get_nowait() for _ in range(self._landed.qsize())), *self._cut_short]


__all__ = ["CaseRun", "run_suite"]
