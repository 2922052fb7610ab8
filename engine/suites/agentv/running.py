"""Running a suite of AgentV: every case answered by its target, graded and kept, told in the file's order.

async with Answerer(target) as answerer:
    async with aclosing(run_agentv(suite, answerer, judge=judge, store=store)) as runs:
        async for run in runs:
            print(run.data())
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from turnwise.conversations.errors import JudgeError, JudgeUnavailableError, SettingError, TurnwiseError
from turnwise.conversations.store import Store
from turnwise.conversations.suites import Check, Suite, SuiteCase
from turnwise.engine.suites.agentv.conversation import MODE, Talk, whole_checks
from turnwise.engine.suites.agentv.grading import Bench, asks_judge, grade_case
from turnwise.engine.suites.agentv.messages import (
    Message,
    as_prompt,
    as_sent,
    as_text,
    last_said,
    tool_uses,
)
from turnwise.engine.suites.agentv.outcome import case_result
from turnwise.engine.suites.agentv.scripts import RunCode
from turnwise.engine.suites.agentv.submission import Submission, Tokens, Trace
from turnwise.engine.suites.answering import ECHO, Answerer, Reply
from turnwise.engine.suites.case_run import CaseRun
from turnwise.engine.suites.keeping import Keeper, Landed
from turnwise.engine.suites.messages import spoken_output
from turnwise.engine.suites.results import CaseResult

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge
    from turnwise.engine.suites.code.answers import CallableTarget

_DEFAULT = Check(type="llm_judge", metric="llm_judge")


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentvRun(CaseRun):
    """What became of one case. verdict: pass, borderline or fail; empty where it could not be told."""

    verdict: str = ""

    def data(self) -> dict[str, Any]:
        """Return the run as the command line prints it, with the case's id and verdict."""
        # A dataclass with slots is another class than the one that super() without arguments means.
        return {**CaseRun.data(self), "id": self.case.id, "verdict": self.verdict}


def needs_judge(suite: Suite) -> bool:
    """Whether some evaluator of a suite puts a question to the judge."""
    return any(map(asks_judge, (check for case in suite.cases for check in _all_checks(case))))


async def run_agentv(
    suite: Suite,
    answerer: Answerer,
    *,
    judge: Judge | None = None,
    store: Store | None = None,
    compat: bool = False,
    run_code: RunCode | None = None,
    program: CallableTarget | None = None,
) -> AsyncGenerator[AgentvRun]:
    """Run the cases of a suite and yield each, in the suite's order, once it and those before it are done.

    judge: for evaluators that need one; without it they are skipped. store: where every case that was asked
    is kept as a session before it is yielded, a conversation as one. compat: grade as AgentV does where that
    is weaker. run_code: runs the commands of evaluators that are code; without it they are skipped. program:
    the user's own code, which answers in the target's place. Closing the iterator stops the run; what was
    done is kept.
    Raises JudgeUnavailableError where the target is away, BudgetSpentError, StoreError.
    """
    bench = Bench(judge=judge, run_code=run_code, compat=compat)
    keeper = Keeper(suite, store, [judge] if judge else [])
    judged_at_once = judge.settings.concurrency if judge else 1
    gate = asyncio.Semaphore(max(answerer.at_once(suite.cases), judged_at_once))
    landed: dict[int, AgentvRun] = {}

    async def one(position: int, case: SuiteCase) -> None:
        async with gate:
            landed[position] = await _run(suite, case, _Chatbot(answerer, program), bench)

    def kept() -> dict[int, CaseRun]:
        batch = [Landed({position: run}) for position, run in landed.items()]
        landed.clear()
        return keeper.keep(batch)

    tasks = [asyncio.create_task(one(position, case)) for position, case in enumerate(suite.cases)]
    waiting: dict[int, CaseRun] = {}
    try:
        for position, task in enumerate(tasks):
            await task
            if position not in waiting:
                waiting |= kept()
            run = waiting.pop(position)
            assert isinstance(run, AgentvRun)  # noqa: S101 - the keeper gives back what it was given
            yield run
        keeper.finish()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # What landed while nobody listened any more was paid for.
        kept()


@dataclass(frozen=True, slots=True)
class _Chatbot:
    """Who answers: the user's own code, else who the answerer finds."""

    answerer: Answerer
    program: CallableTarget | None

    async def reply(self, case: SuiteCase, asked: Sequence[Message]) -> Reply:
        """Return the answer to messages. Raises SettingError where nobody may answer, JudgeError."""
        if case.target is not None and case.target.id == ECHO:
            return Reply(last_said(asked), milliseconds=0.0, cost=0.0)
        # What another run was answered is taken up whole cases at a time, and a turn is less than one.
        label = MODE if case.options.get("mode") == MODE else case.prompt_label
        prompt, case = as_prompt(asked), replace(case, messages=tuple(asked), prompt_label=label)
        if self.program is None:
            # A target that keeps conversations itself knows this one by the case's name.
            return await self.answerer.reply(case, prompt, talk=f"{case.index}-{case.id}")
        started = time.perf_counter()
        said = await self.program.answer(case, prompt, case.vars)
        return Reply(said.output, (time.perf_counter() - started) * 1000, said.cost)


async def _run(suite: Suite, case: SuiteCase, chatbot: _Chatbot, bench: Bench) -> AgentvRun:
    """Run a case. Raises only what stops the whole run."""
    case = replace(case, threshold=_threshold(suite, case))
    messages = as_sent(case.messages)
    talk = Talk(case, bench) if case.options.get("mode") == MODE and case.options.get("turns") else None
    output: str | None = None
    verdict = ""

    async def say(asked: Sequence[Message]) -> Submission:
        reply = await chatbot.reply(case, asked)
        return _submission(suite, case, asked, reply)

    try:
        if problem := case.options.get("problem"):
            raise SettingError(problem)
        if talk is not None:
            result = await talk.hold(say)
            verdict = result.outcome if result.outcome in ("pass", "fail") else ""
        else:
            answer = await say(messages)
            output = answer.text
            grade = await grade_case(case.checks or (_DEFAULT,), answer, bench, threshold=case.threshold)
            result = case_result(grade, threshold=case.threshold)
            verdict = "" if grade.failure or grade.skipped else grade.verdict
    except TurnwiseError as error:
        # Without a target every further case would end the same way.
        if isinstance(error, JudgeUnavailableError) or (isinstance(error, JudgeError) and error.stops_run):
            raise
        told = " ".join(f"{part}." for part in (error.title, error.detail, error.next_step) if part)
        result = CaseResult(outcome="failure", score=0.0, reason=told)
    if talk is not None and talk.said:
        messages = [dict(one) for one in talk.said]
        output = messages.pop()["content"] if messages[-1].get("role") == "assistant" else None
    asked = replace(case, messages=tuple(messages))
    return AgentvRun(case=asked, prompt=as_prompt(messages), output=output, result=result, verdict=verdict)


def _submission(suite: Suite, case: SuiteCase, asked: Sequence[Message], reply: Reply) -> Submission:
    words, calls = spoken_output(reply.output)
    uses = tool_uses(calls)
    return Submission(
        text=words,
        question=case.prompt or as_text(asked),
        criterion=case.criterion,
        reference=case.reference,
        asked=tuple(asked),
        expected=case.expected,
        # A target that was given no tools may still have used some of its own.
        tools=uses if uses or reply.tools is not None else None,
        trace=Trace(
            model_calls=1,
            tokens=_tokens(reply.metadata.get("usage")),
            cost=reply.cost,
            milliseconds=reply.milliseconds,
        ),
        metadata=case.metadata,
        options=case.options,
        folder=suite.source.parent,
    )


def _threshold(suite: Suite, case: SuiteCase) -> float | None:
    """Return the score from which a case passes: its own, else the suite's; None for the usual one."""
    execution = suite.settings.get("execution")
    shared = execution.get("threshold") if isinstance(execution, Mapping) else None
    found = [case.threshold, suite.settings.get("threshold"), shared]
    numbers = (one for one in found if isinstance(one, (int, float)) and not isinstance(one, bool))
    return next(numbers, None)


def _tokens(usage: Any) -> Tokens | None:
    """Return the tokens that a target counted, in OpenAI's form."""
    told = usage if isinstance(usage, Mapping) else {}
    read, written = told.get("prompt_tokens"), told.get("completion_tokens")
    return Tokens(input=read, output=written) if isinstance(read, int) and isinstance(written, int) else None


def _all_checks(case: SuiteCase) -> list[Check]:
    if case.options.get("mode") != MODE:
        return list(case.checks) or [_DEFAULT]
    found = [*whole_checks(case)]
    for turn in case.options.get("turns") or ():
        checks = list(turn.get("assertions") or ())
        found += checks or ([_DEFAULT] if turn.get("expected_output") else [])
    return found
