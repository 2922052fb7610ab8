"""Running a suite: every case answered, checked and kept, several at once, told in the file's order.

async with Answerer(target) as answerer:
    async with aclosing(run_suite(suite, answerer, store=store)) as runs:
        async for run in runs:
            print(run.data())
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from turnwise.conversations.errors import JudgeError, SettingError, TurnwiseError
from turnwise.conversations.formats.promptfoo import Templates, fill_prompt
from turnwise.conversations.store import Store
from turnwise.conversations.suites import Suite, SuiteCase
from turnwise.engine.evidence import StoredCallBook, row_of_call
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.answering import Answerer
from turnwise.engine.suites.grading import grade_case
from turnwise.engine.suites.messages import conversation_of, messages_of, plain
from turnwise.engine.suites.results import CaseResult

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge

HISTORY = "_conversation"
"""The variable in which a prompt finds what was said before."""
_WRITTEN_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRun:
    """What became of one case. prompt: as it was asked. output: None without an answer. session: its id."""

    case: SuiteCase
    prompt: str
    output: Any
    result: CaseResult
    session: int | None = None

    def data(self) -> dict[str, Any]:
        """Return the run as the command line prints it."""
        case, result = self.case, self.result
        return {
            "index": case.index,
            "description": case.description,
            "vars": plain(case.vars),
            "prompt": self.prompt,
            "output": plain(self.output),
            "outcome": result.outcome,
            "score": result.score,
            "reason": result.reason,
            "checks": [
                {
                    "type": check.type,
                    "metric": check.metric,
                    "passed": check.passed,
                    "score": check.score,
                    "reason": check.reason,
                }
                for check in result.checks
            ],
            "named_scores": dict(result.named_scores),
            "metadata": plain(case.metadata),
            "prompt_label": case.prompt_label,
            "target": case.target.id if case.target else None,
            "session": self.session,
        }


async def run_suite(
    suite: Suite,
    answerer: Answerer,
    *,
    judge: Judge | None = None,
    store: Store | None = None,
    compat: bool = False,
) -> AsyncGenerator[CaseRun]:
    """Run the cases of a suite and yield each, in the suite's order, once it and those before it are done.

    judge: for checks that need one; without it they are skipped. store: where every case that was asked is
    kept as a session before it is yielded, in batches. compat: grade as promptfoo 0.123.1 does where that is
    weaker. Cases that see what was said before (`_conversation`) wait for one another, all others run as many
    at once as their target takes. Closing the iterator stops the run; what was done is kept.
    Raises BudgetSpentError, StoreError.
    """
    groups = iter(_groups(suite))
    landed: asyncio.Queue[tuple[int, CaseRun]] = asyncio.Queue(_WRITTEN_AT_ONCE)
    judged_at_once = judge.settings.concurrency if judge else 1
    workers = min(len(suite.cases), max(answerer.at_once(suite.cases), judged_at_once))
    runner = _Runner(suite, answerer, judge, compat=compat)
    keeper = _Keeper(suite, store, judge)

    async def work() -> None:
        for group in groups:
            history: list[dict[str, Any]] = []
            for position in group:
                run = await runner.run(suite.cases[position], history)
                await landed.put((position, run))

    tasks = [asyncio.create_task(work()) for _ in range(workers)]
    waiting: dict[int, CaseRun] = {}
    try:
        for position in range(len(suite.cases)):
            while position not in waiting:
                batch = [await _next(landed, tasks)]
                while not landed.empty():
                    batch.append(landed.get_nowait())
                waiting |= keeper.keep(batch)
            yield waiting.pop(position)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # What landed while nobody listened any more was paid for.
        keeper.keep([landed.get_nowait() for _ in range(landed.qsize())])


async def _next(
    landed: asyncio.Queue[tuple[int, CaseRun]], tasks: list[asyncio.Task[None]]
) -> tuple[int, CaseRun]:
    """Return what lands next. Raises what ended a worker."""
    with suppress(asyncio.QueueEmpty):
        return landed.get_nowait()
    getting = asyncio.create_task(landed.get())
    try:
        while not getting.done():
            for task in tasks:
                if task.done():
                    task.result()
            going = [task for task in tasks if not task.done()]
            await asyncio.wait([getting, *going], return_when=asyncio.FIRST_COMPLETED)
        return getting.result()
    finally:
        getting.cancel()


def _groups(suite: Suite) -> Iterator[list[int]]:
    """Yield the positions of cases that wait for one another: those of one conversation, else one each."""
    talks: dict[tuple[str, int, str], list[int]] = {}
    order: list[list[int]] = []
    for position, case in enumerate(suite.cases):
        if not _sees_history(suite, case):
            order.append([position])
            continue
        key = (
            case.target.id if case.target else "",
            case.prompt_index,
            str(case.metadata.get("conversationId")),
        )
        if key not in talks:
            talks[key] = []
            order.append(talks[key])
        talks[key].append(position)
    yield from order


def _sees_history(suite: Suite, case: SuiteCase) -> bool:
    return HISTORY in _raw_prompt(suite, case)


def _raw_prompt(suite: Suite, case: SuiteCase) -> str:
    prompts = suite.settings.get("prompts") or ()
    raw = prompts[case.prompt_index]["raw"] if case.prompt_index < len(prompts) else ""
    return f"{case.options.get('prefix') or ''}{raw}{case.options.get('suffix') or ''}"


@dataclass(slots=True)
class _Runner:
    """Runs single cases: prompt, answer, checks."""

    suite: Suite
    answerer: Answerer
    judge: Judge | None
    compat: bool = field(kw_only=True)
    templates: Templates = field(default_factory=Templates)

    async def run(self, case: SuiteCase, history: list[dict[str, Any]]) -> CaseRun:
        """Run a case, and add what was said to the history. Raises only what stops the whole run."""
        prompt, output = case.prompt, None
        try:
            if problem := case.options.get("problem"):
                raise SettingError(problem)
            if case.options.get("assertScoringFunction"):
                raise SettingError(
                    "assertScoringFunction is code, which is not run",
                    next_step="Give a threshold and weights.",
                )
            variables = dict(case.options.get("filled_vars") or case.vars)
            if _sees_history(self.suite, case) and case.options.get("disableConversationVar") is not True:
                variables[HISTORY] = list(history)
                prompt = fill_prompt(self.templates, _raw_prompt(self.suite, case), variables)
            reply = await self.answerer.reply(case, prompt)
            output = reply.output
            history.append({"prompt": prompt, "input": _last_input(prompt), "output": output})
            answer = Answer(
                output=output,
                prompt=prompt,
                vars=variables,
                latency=reply.milliseconds,
                cost=reply.cost,
            )
            answer = _transformed(case, answer)
            output = answer.output
            return CaseRun(case=case, prompt=prompt, output=output, result=await self._graded(case, answer))
        except TurnwiseError as error:
            if isinstance(error, JudgeError) and error.stops_run:
                raise
            failed = CaseResult(outcome="failure", score=0.0, reason=in_one_line(str(error)))
            return CaseRun(case=case, prompt=prompt, output=output, result=failed)

    async def _graded(self, case: SuiteCase, answer: Answer) -> CaseResult:
        if self.judge is None:
            return grade_case(case.checks, case.threshold, answer, compat=self.compat)
        from turnwise.engine.suites.judging import judge_case

        return await judge_case(
            case.checks, case.threshold, answer, self.judge, options=case.options, compat=self.compat
        )


def in_one_line(told: str) -> str:
    """Return what an error tells in several lines as sentences of one."""
    return " ".join(line if line.endswith((".", ":")) else f"{line}." for line in told.splitlines() if line)


def _transformed(case: SuiteCase, answer: Answer) -> Answer:
    """Return the answer through the transforms of its target and its case, in that order."""
    own = case.target.config.get("transform") if case.target else None
    for code in (own, case.options.get("transform") or case.options.get("postprocess")):
        if not isinstance(code, str) or not code:
            continue
        if code.startswith("file://"):
            raise SettingError(
                "A transform in a file is code, which is not run", next_step="Write it inline."
            )
        from turnwise.engine.suites.javascript import transformed

        answer = replace(answer, output=transformed(code, answer))
    return answer


def _last_input(prompt: str) -> Any:
    """Return what a user said last: the content of the last message, or the whole text."""
    return messages_of(prompt)[-1].get("content") or prompt


@dataclass(slots=True)
class _Keeper:
    """Keeps what landed, a batch in one transaction: the judge's calls and a session for every case."""

    suite: Suite
    store: Store | None
    judge: Judge | None
    started: float = field(default_factory=time.time)

    def keep(self, batch: list[tuple[int, CaseRun]]) -> Mapping[int, CaseRun]:
        """Return the batch by position, each with the session that it is kept as."""
        if self.store is None or not batch:
            return dict(batch)
        book = self.judge.book if self.judge else None
        calls = book.held() if isinstance(book, StoredCallBook) else []
        with self.store.writing():
            self.store.calls.add_all([row_of_call(call) for call in calls])
            kept = {position: self._kept(self.store, run) for position, run in batch}
        if isinstance(book, StoredCallBook):
            book.forget(calls)
        return kept

    def _kept(self, store: Store, run: CaseRun) -> CaseRun:
        if not run.prompt and run.output is None:
            return run
        case = conversation_of(self.suite, run.case, run.prompt, run.output)
        source = self.suite.source.name
        added = store.sessions.add(case, source=source, format=self.suite.format, created_at=self.started)
        return replace(run, session=added.session_id)
