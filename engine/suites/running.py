"""Running a suite: every case answered, checked and kept, several at once, told in the file's order.

async with Answerer(target) as answerer:
    async with aclosing(run_suite(suite, answerer, store=store)) as runs:
        async for run in runs:
            print(run.data())
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from turnwise.conversations.store import Store
from turnwise.conversations.suites import Suite, SuiteCase
from turnwise.conversations.templates import Templates
from turnwise.engine.checks.asker import NOTHING, Reach
from turnwise.engine.scoring.runner import work_through
from turnwise.engine.suites.answering import Answerer
from turnwise.engine.suites.asking import CaseRunner
from turnwise.engine.suites.earlier import AnswerBook, runs_to_reuse
from turnwise.engine.suites.grouping import Group, Order, ordered, pace_of
from turnwise.engine.suites.identity import FoundBefore, Prints
from turnwise.engine.suites.keeping import CaseRun, Keeper, Landed
from turnwise.engine.suites.rules import STRICT, SuiteRules
from turnwise.engine.suites.sharing import SharedCases

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge
    from turnwise.engine.suites.code.answers import CallableTarget
    from turnwise.engine.suites.code.hooks import Hooks
    from turnwise.engine.suites.code.suite_code import SuiteCode


async def run_suite(
    suite: Suite,
    answerer: Answerer,
    *,
    judge: Judge | None = None,
    graders: Mapping[str, Judge] | None = None,
    store: Store | None = None,
    rules: SuiteRules = STRICT,
    code: SuiteCode | None = None,
    program: CallableTarget | None = None,
    reach: Reach = NOTHING,
    environment: Mapping[str, str] | None = None,
    again: bool = False,
    resume: bool = False,
    stop: asyncio.Event | None = None,
    tell_of_others: Callable[[int], None] = lambda groups: None,
) -> AsyncGenerator[CaseRun]:
    """Run the cases of a suite and yield each, in the suite's order, once it and those before it are done.

    judge: for checks that need one; without it they are skipped. graders: judges that cases name as their own
    (`options.provider`), by that name. store: where every case that was asked is kept as a session with its
    scores before it is yielded, in batches; the cases of one conversation are one session. rules: strictly,
    or as promptfoo 0.123.1 grades. code: what runs the suite's code, where the user trusts it;
    without it nothing of a suite runs. program: the user's own code, which answers in the targets' place.
    reach: what checks may use beside the judge, such as a server for embeddings or the network. environment:
    what templates see as `env` beside the file's own; None where they may not.
    Where there is a store, what was answered and found before serves again: see AnswerBook. again: ask and
    check all anew; with resume, all but what the runs did since the last that came to its end.
    What another run of the suite does at the same time is waited for, and taken over from it, unless all is
    asked `again`. tell_of_others: hears how much is waited for.
    Cases run as many at once as their target takes and the file allows; `ordered` says which wait for others.
    stop: once it is set no case is begun, and those under way come to their end.
    Closing the iterator stops the run; what was done is kept. Raises JudgeUnavailableError where the target
    is away, BudgetSpentError, StoreError.
    """
    pace, order = pace_of(suite), ordered(suite, rules)
    prints = Prints(suite, rules)
    judges = _asked(judge, graders, reach)

    def who(case: SuiteCase) -> list[Any]:
        code_of_user = program.name if program is not None else ""
        return [
            answerer.target_of(case),
            [one.fingerprint for one in judges],
            rules.as_the_tool,
            code_of_user,
        ]

    def look_again() -> None:
        before.look_again(but_of=keeper.run_id)

    shared = SharedCases(
        suite,
        None if again else store,
        order.groups,
        who,
        look_again=look_again,
        stop=stop,
        tell=tell_of_others,
    )
    keeper = Keeper(suite, store, judges, prints, again=again, stop=stop, done=shared.give_back)
    runs_before = runs_to_reuse(suite, store, again=again, resume=resume)
    before = FoundBefore(prints, store, runs_before)
    templates = Templates(environment, suite.settings.get("env"))
    hooks = _hooks(suite, code, templates, rules)
    runner = CaseRunner(
        suite,
        answerer,
        judge,
        graders or {},
        AnswerBook(suite, store, keeper.add_answer, runs_before, resume=resume),
        before,
        rules=rules,
        delay=pace.delay,
        code=code,
        program=program,
        reach=replace(reach, templates=templates),
        templates=templates,
        hooks=hooks,
        secret=store.secret if store is not None else "",
    )
    judged_at_once = judge.settings.concurrency if judge else 1
    width = min(order.widest, max(answerer.at_once(suite.cases), judged_at_once))
    if pace.delay or pace.at_once:
        width = min(width, 1 if pace.delay else pace.at_once or width)

    async def work(group: Group, done: dict[int, CaseRun]) -> None:
        await runner.run(group.positions, done, is_talk=group.is_talk)

    async with aclosing(run_in_order(order, work, keeper, workers=width, shared=shared, stop=stop)) as runs:
        async for run in runs:
            if hooks is not None:
                hooks.take(run)
            yield run
    if hooks is not None and not (stop and stop.is_set()):
        await hooks.after_all()


def _hooks(suite: Suite, code: SuiteCode | None, templates: Templates, rules: SuiteRules) -> Hooks | None:
    """Return what calls the suite's own code around its cases, where it names some that may run."""
    names = suite.settings.get("extensions")
    if not names or code is None:
        return None
    # Few suites have such code.
    from turnwise.engine.suites.code.hooks import Hooks

    return Hooks(names, suite, code, templates, compat=rules.as_the_tool)


async def run_in_order(
    order: Order,
    work: Callable[[Group, dict[int, CaseRun]], Awaitable[None]],
    keeper: Keeper,
    *,
    workers: int,
    shared: SharedCases,
    stop: asyncio.Event | None = None,
) -> AsyncGenerator[CaseRun]:
    """Do the work of a suite's groups, keep it, and yield each case in the suite's order.

    work: puts what became of each case of a group among the done ones. What was done of a group that is
    stopped is kept too. shared: lets a group begin once no other run is doing it. stop: once it is set no
    group is begun.
    """
    waiting = _Waiting(order)

    async def do(group: Group) -> list[int]:
        done: dict[int, CaseRun] = {}
        try:
            if await shared.take(group):
                await work(group, done)
        except BaseException:
            waiting.stop()
            shared.stop()
            raise
        finally:
            if done:
                keeper.add(Landed(done, is_talk=group.is_talk))
        waiting.go_on(group)
        return list(done)

    landed: set[int] = set()
    position = 0
    async with shared, keeper:
        async with aclosing(work_through(waiting.groups(), do, workers=workers, stop=stop)) as landing:
            async for _, positions in landing:
                landed.update(positions)
                while position in landed and not keeper.failed:
                    yield await keeper.taken(position)
                    position += 1
                if keeper.failed:
                    break
        if not keeper.failed and not (stop and stop.is_set()):
            await keeper.finish()


class _Waiting:
    """The groups of a suite, each handed out once those that it waits for are done."""

    def __init__(self, order: Order) -> None:
        # The first chain runs alone: all the others wait for its end.
        self._alone = deque(order.alone)
        self._after = {id(group): following for chain in order.rest for group, following in pairwise(chain)}
        self._first = [chain[0] for chain in order.rest if chain]
        self._left = len(order.alone) + sum(map(len, order.rest))
        self._ready: asyncio.Queue[Group | None] = asyncio.Queue()
        self._go_on()

    async def groups(self) -> AsyncGenerator[Group]:
        """Yield groups as they may run."""
        while self._left and (group := await self._ready.get()) is not None:
            self._left -= 1
            yield group

    def go_on(self, done: Group) -> None:
        """Let go what waited for a group."""
        if following := self._after.get(id(done)):
            self._ready.put_nowait(following)
        else:
            self._go_on()

    def stop(self) -> None:
        """Hand nothing more out."""
        self._ready.put_nowait(None)

    def _go_on(self) -> None:
        if self._alone:
            self._ready.put_nowait(self._alone.popleft())
        else:
            for group in self._first:
                self._ready.put_nowait(group)
            self._first = []


def _asked(judge: Judge | None, graders: Mapping[str, Judge] | None, reach: Reach) -> list[Judge]:
    """Return all who are asked, each once, the judge of the run first."""
    embedding = reach.embedder.judge if reach.embedder else None
    judges = (judge, *(graders or {}).values(), embedding)
    return list({id(one): one for one in judges if one is not None}.values())
