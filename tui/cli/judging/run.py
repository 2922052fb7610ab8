"""turnwise run: a file of test cases, answered, checked and kept."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwise.conversations.errors import JudgeError, JudgeUnavailableError
from turnwise.conversations.store import Store
from turnwise.conversations.suites import Suite
from turnwise.engine.models.providers import model_forms
from turnwise.tui.cli.interrupts import INTERRUPTED, run_async
from turnwise.tui.cli.judging.limits import JudgeLimits, limit_options
from turnwise.tui.cli.judging.reaching import Reaching, reaching_options
from turnwise.tui.cli.judging.run_choices import CaseChoice, choice_options, chosen_cases
from turnwise.tui.cli.judging.run_files import Reading, SuiteFile, folder_of, reading_options
from turnwise.tui.cli.judging.run_lines import Lines, SuiteTally, metric_lines
from turnwise.tui.cli.options import (
    json_option,
    judge_options,
    judge_or_usual,
    named_judge,
    open_store,
    tell_of_spilled,
)
from turnwise.tui.cli.output import Progress, emit, narrate, say
from turnwise.tui.cli.run_ends import telling_end
from turnwise.tui.cli.waiting import telling_waits

if TYPE_CHECKING:
    from turnwise.engine.chatbots.choose import Chatbot
    from turnwise.engine.judge.evidence import StoredCallBook
    from turnwise.engine.judge.judge import Judge
    from turnwise.engine.models.settings import ModelSettings
    from turnwise.engine.suites.answering import Answerer
    from turnwise.engine.suites.code import SuiteCode
    from turnwise.engine.suites.code.answers import CallableTarget
    from turnwise.engine.suites.keeping import CaseRun
    from turnwise.engine.suites.rules import SuiteRules

_AGENTV = "agentv"
_MOST_WARNINGS = 10
_KEPT = "What was answered and found is kept; the same command goes on from here."
_KEPT_ANEW = "What was answered and found is kept; the same command with --resume goes on from here."

_EPILOG = """\b
Examples:
  turnwise run promptfooconfig.yaml
  turnwise run promptfooconfig.yaml --target http://127.0.0.1:11434/v1#llama3 --judge embedded
  turnwise run promptfooconfig.yaml --target bot.yaml --filter-failing
  turnwise run promptfooconfig.yaml --filter-metadata category=billing --json
  turnwise run tests.csv --prompt 'Answer in one word: {{question}}' --target openai:gpt-4.1-mini

\b
FILE is a configuration of promptfoo, or an eval file of AgentV, or promptfoo's tests by themselves: CSV, XLSX
(FILE#SHEET), JSON, JSONL, YAML, or code that makes them (FILE.py:FUNCTION, FILE.js, FILE.ts). Without prompts
the prompt is the test's variable prompt; --prompt gives another. A file names files of its repository, or of
its own folder where it lies in none, wherever you stand; --root names another folder for that.

\b
An answer that the file holds is taken; else
--target answers, or what the file names: echo, or openai:MODEL (groq:, openrouter: and others likewise) where
its key is set. Keys come from the environment, never from a file, and go to the host alone that they belong
to; --send-key NAME=HOST names another. An address that the file names, and plain HTTP, are asked with --trust
alone, one of this machine or a local network with --allow-private too.

TARGET is a URL (URL#MODEL), MODEL_FORMS, a .gguf file, echo, or a .yaml
file that describes a chatbot behind HTTP (`turnwise record --help` shows one), or python:FILE.py[:FUNCTION],
your own code: it is given the prompt (or, in a parameter `messages`, the messages) and returns the answer.

\b
Filters apply in this order: metadata, failing, pattern, range, first, sample. One that selects nothing is an
error. Cases that share a conversationId and a prompt with _conversation become one session.

\b
Every case is kept as a session, and what was answered and found is not asked again: where file, target,
prompt, variables, options and number of repetition are the same, the answer that is kept serves, and only a
check that is new or has changed is judged. That the chatbot behind an address is another by now cannot be
seen from here: --again asks all targets and judges anew, as in `turnwise run FILE --filter-failing --again`
once a chatbot was mended. Each repetition has an answer of its own. What failed is always asked again. Stop
with ctrl+c, which ends what is under way; twice, and that is dropped. The next run goes on. Several runs of a
file at once on one database ask each case once, but for those with --again.

\b
Code that a file names is not run, but for inline JavaScript in a sandbox.
--trust runs it as you, with all that you may do: Python and JavaScript files, python: checks, commands. Read
it first. The same code of the same file then runs without --trust; a script that has changed asks again, and
so does one whose own modules have changed, or a command that names a file that has. Code that cannot be seen
whole asks each time: a module run by its name (python -m), what is piped into a shell, packages in
node_modules, npm and the like. What is installed on this machine is not looked at.
--trust, given anew each time, also lets templates see the environment ({{env.NAME}}), fetches tests from
Hugging Face or a Google sheet, and sends answers to the addresses of webhook and classifier checks.

\b
Exit code 1: a case did not pass, or could not be run or checked. 3: the target or the judge went away; what
was answered is kept, and the same command goes on.
""".replace("MODEL_FORMS", model_forms())


@click.command(epilog=_EPILOG)
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(dir_okay=False, path_type=Path)
)
@click.option(
    "--target",
    "target_name",
    metavar="TARGET",
    help="The chatbot that answers, for all cases; also one that AgentV's targets.yaml names.",
)
@judge_options
@limit_options(whom="the chatbot or the judge")
@click.option("--compat", is_flag=True, help="Do as the file's own tool does where turnwise is stricter.")
@reading_options
@choice_options
@click.option("--again", is_flag=True, help="Ask and judge anew what was answered and judged already.")
@click.option(
    "--resume", is_flag=True, help="Take up the last run where it stopped, also one that asked --again."
)
@click.option("--trust", is_flag=True, help="Run the code that FILE names. See below.")
@reaching_options
@json_option
@click.pass_context
def command(
    context: click.Context,
    files: tuple[Path, ...],
    target_name: str | None,
    judge_name: str | None,
    offline: bool,
    limits: JudgeLimits,
    compat: bool,
    reading: Reading,
    choice: CaseChoice,
    again: bool,
    resume: bool,
    trust: bool,
    reaching: Reaching,
    as_json: bool,
) -> None:
    """Run a file of test cases: load, let the target answer, check."""
    choice.filters()
    named = [SuiteFile.of(path) for path in files]
    codes = [reading.code(file, trusted=trust) for file in named]
    for code in codes:
        context.call_on_close(code.close)
    network = reaching.network()
    whole = [
        reading.suite(file, code, network, compat=compat, target=target_name or "")
        for file, code in zip(named, codes, strict=True)
    ]
    store, stop = open_store(context), asyncio.Event()
    suites = [chosen_cases(suite, choice, store, target_name, compat=compat) for suite in whole]
    running = _run(
        store,
        suites,
        codes,
        target_name,
        judge_name,
        reaching,
        limits,
        offline=offline,
        compat=compat,
        again=again,
        resume=resume,
        stop=stop,
        as_json=as_json,
    )
    context.exit(telling_end("turnwise run", lambda: run_async(running, stop=stop)))


async def _run(
    store: Store,
    suites: Sequence[Suite],
    codes: Sequence[SuiteCode],
    target_name: str | None,
    judge_name: str | None,
    reaching: Reaching,
    limits: JudgeLimits,
    *,
    offline: bool,
    compat: bool,
    again: bool,
    resume: bool,
    stop: asyncio.Event,
    as_json: bool,
) -> int:
    from turnwise.engine.judge.evidence import StoredCallBook
    from turnwise.engine.suites.answering import ECHO, Answerer
    from turnwise.engine.suites.rules import rules_of
    from turnwise.engine.suites.running import run_suite

    needed = any(map(_needs_judge, suites))
    settings = await _judge(judge_name, limits, offline=offline) if needed else None
    kept = _KEPT_ANEW if again else _KEPT
    tally, progress = SuiteTally(sum(len(suite.cases) for suite in suites)), Progress()
    program = _program(target_name, limits)
    is_named = target_name is not None and target_name != ECHO and program is None
    asks = is_named and any(target_name not in suite.known_targets for suite in suites)
    target = await _named_chatbot(target_name, limits) if asks else None
    rejected = sum(len(suite.settings.get("rejected") or ()) for suite in suites)
    book = StoredCallBook(store, anew=again)
    told = False

    def tell_of_others(groups: int) -> None:
        nonlocal told
        if not told:
            told = True
            progress.clear()
            narrate(
                "Another run of these cases is under way. What it does serves here; what it leaves is done."
            )
        tally.by_others = groups
        progress.show(tally.line())

    try:
        async with AsyncExitStack() as stack:
            judge = await stack.enter_async_context(_open_judge(settings, book)) if settings else None
            answerers: list[Answerer] = []
            await stack.enter_async_context(telling_waits(judge, progress, answerers))
            if target is not None and tally.expected:
                await stack.enter_async_context(target)
                await target.open()
            if program is not None:
                stack.callback(program.close)
            embedding = StoredCallBook(store, anew=again)
            reach = await stack.enter_async_context(reaching.open(suites, judge, embedding))
            for suite, code in zip(suites, codes, strict=True):
                if resume:
                    _tell_of_stopped(suite, store, again=again)
                answerer = Answerer(
                    None if target_name in suite.known_targets else target,
                    trust=code.trust,
                    folder=folder_of(suite),
                    named_keys=reaching.named_keys,
                    private=reaching.allow_private,
                    run_program=code.run_program,
                    limits=limits.of_chatbots,
                )
                answerers.append(answerer)
                await stack.enter_async_context(answerer)
                graders = (
                    await _graders(suite, code, store, stack, reaching, limits, offline=offline, anew=again)
                    if needed and not judge_name
                    else {}
                )
                _warn(suite, answerer)
                lines = Lines(suite)
                runs: AsyncGenerator[CaseRun] = (
                    _agentv_runs(
                        suite,
                        answerer,
                        judge,
                        store,
                        code,
                        program,
                        rules=rules_of("agentv", compat=compat),
                        again=again,
                        resume=resume,
                        stop=stop,
                        tell_of_others=tell_of_others,
                    )
                    if suite.format == _AGENTV
                    else run_suite(
                        suite,
                        answerer,
                        judge=judge,
                        graders=graders,
                        store=store,
                        rules=rules_of("promptfoo", compat=compat),
                        code=code,
                        program=program,
                        reach=reach,
                        environment=code.trust.environment,
                        again=again,
                        resume=resume,
                        stop=stop,
                        tell_of_others=tell_of_others,
                    )
                )
                async with aclosing(runs) as landing:
                    async for run in landing:
                        tally.add(run)
                        if as_json:
                            emit({"source": suite.source.name, **run.data()})
                        else:
                            progress.clear()
                            for line in lines.of(run):
                                say(line)
                        progress.show(tally.line())
                if stop.is_set():
                    break
    except asyncio.CancelledError:
        stop.set()
    except JudgeError as error:
        progress.clear()
        narrate(tally.summary())
        if isinstance(error, JudgeUnavailableError):
            error.next_step = f"{error.next_step} {kept}".strip()
        raise
    progress.clear()
    if stop.is_set():
        narrate(tally.summary())
        tell_of_spilled(store)
        narrate(f"Interrupted. {kept}")
        return INTERRUPTED
    for line in (*metric_lines(suites, tally), *tally.check_lines()):
        narrate(line)
    narrate(tally.summary())
    passed = tally.outcomes["pass"] == tally.outcomes.total() and not rejected
    return 0 if passed else 1


def _needs_judge(suite: Suite) -> bool:
    """Whether some check of a suite needs a judge."""
    if suite.format == _AGENTV:
        from turnwise.engine.suites.agentv.running import needs_judge as agentv_needs_judge

        return agentv_needs_judge(suite)
    from turnwise.engine.suites.asking import needs_judge

    return any(needs_judge(check) for case in suite.cases for check in case.checks)


def _agentv_runs(
    suite: Suite,
    answerer: Answerer,
    judge: Judge | None,
    store: Store,
    code: SuiteCode,
    program: CallableTarget | None,
    *,
    rules: SuiteRules,
    again: bool,
    resume: bool,
    stop: asyncio.Event,
    tell_of_others: Callable[[int], None],
) -> AsyncGenerator[CaseRun]:
    """Run a suite of AgentV, whose evaluators and scores are others than promptfoo's."""
    from turnwise.engine.suites.agentv.running import run_agentv

    return run_agentv(
        suite,
        answerer,
        judge=judge,
        store=store,
        rules=rules,
        run_code=code.run_code,
        program=program,
        again=again,
        resume=resume,
        stop=stop,
        tell_of_others=tell_of_others,
    )


def _program(target: str | None, limits: JudgeLimits) -> CallableTarget | None:
    """Return the user's own code, where the command line names it as target."""
    if target is None or not target.startswith("python:"):
        return None
    from turnwise.engine.suites.code.answers import CallableTarget

    return CallableTarget.of(target, limits.of_chatbots)


async def _named_chatbot(name: str | None, limits: JudgeLimits) -> Chatbot | None:
    from turnwise.engine.chatbots.choose import find_chatbot

    return await find_chatbot(name, limits=limits.of_chatbots)


def _open_judge(settings: ModelSettings, book: StoredCallBook) -> Judge:
    """Return the judge, to be opened. What reaches it takes as long to load as many a suite to run."""
    from turnwise.engine.judge.judge import Judge

    return Judge(settings, book)


async def _judge(name: str | None, limits: JudgeLimits, *, offline: bool) -> ModelSettings | None:
    from turnwise.engine.models.choose import choose_model

    settings = await choose_model(judge_or_usual(name, offline=offline))
    if settings is None:
        step = "" if name else "; --judge names one, `turnwise judge use` keeps one"
        narrate(f"Judge: none; checks that need one are skipped{step}")
    else:
        settings = limits.of(settings)
        narrate(f"Judge: {named_judge(settings)}")
    return settings


def _tell_of_stopped(suite: Suite, store: Store, *, again: bool) -> None:
    """Say how much of the last run of a suite is taken up, where that did not come to its end."""
    from turnwise.engine.suites.earlier import KeptAnswers

    if count := len(KeptAnswers(suite, store)):
        narrate(f"{suite.source.name}: {count:,} answers of the run that was stopped are taken up.")
    else:
        asked = ", so all cases are asked" if again else ""
        narrate(f"{suite.source.name}: no run was stopped{asked}.")


async def _graders(
    suite: Suite,
    code: SuiteCode,
    store: Store,
    stack: AsyncExitStack,
    reaching: Reaching,
    limits: JudgeLimits,
    *,
    offline: bool,
    anew: bool,
) -> dict[str, Judge]:
    """Return the judges that a suite's cases name for themselves, opened."""
    from turnwise.engine.judge.evidence import StoredCallBook
    from turnwise.engine.judge.judge import Judge
    from turnwise.engine.models.offline import unreached
    from turnwise.engine.suites.asking import named_graders
    from turnwise.engine.suites.providers import TargetRules

    rules = TargetRules(os.environ, code.trust, folder_of(suite), reaching.named_keys, reaching.allow_private)
    found, warnings = named_graders(suite, rules)
    for warning in warnings:
        narrate(f"Warning: {warning}")
    reached = {name: limits.of(settings) for name, settings in found.items()}
    judges = {name: unreached(settings) if offline else settings for name, settings in reached.items()}
    return {
        name: await stack.enter_async_context(Judge(settings, StoredCallBook(store, anew=anew)))
        for name, settings in judges.items()
    }


def _warn(suite: Suite, answerer: Answerer) -> None:
    from turnwise.conversations.words import in_one_line

    warnings = [*suite.warnings, *answerer.warnings(suite.targets)]
    for warning in warnings[:_MOST_WARNINGS]:
        narrate(f"Warning: {in_one_line(warning)}")
    if len(warnings) > _MOST_WARNINGS:
        narrate(f"Warning: and {len(warnings) - _MOST_WARNINGS:,} more")
