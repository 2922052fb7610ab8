"""turnwise simulate: let simulated users talk to a chatbot, and keep every conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwise.conversations.errors import JudgeError
from turnwise.conversations.marks import FAILURE, PASSED
from turnwise.conversations.store import Store
from turnwise.conversations.words import counted, in_one_line
from turnwise.engine.models.providers import model_forms
from turnwise.tui.cli.interrupts import INTERRUPTED, run_async
from turnwise.tui.cli.judging.limits import JudgeLimits, limit_options
from turnwise.tui.cli.judging.score import score
from turnwise.tui.cli.options import chosen_metrics, gathered, json_option, judge_or_usual, open_store
from turnwise.tui.cli.output import Progress, emit, narrate, say
from turnwise.tui.cli.waiting import telling_waits
from turnwise.tui.record.simulation_plan import AT_ONCE, MOST_TURNS, SimulationPlan

if TYPE_CHECKING:
    from turnwise.conversations.scenarios import Scenario
    from turnwise.engine.metrics.metric import Metric
    from turnwise.engine.models.settings import ModelSettings
    from turnwise.engine.simulating import SimulatedSession, SimulationTally

_EPILOG = """\b
Examples:
  turnwise simulate bookings.yaml --target http://127.0.0.1:8080/v1 --user-model openai:gpt-4.1-mini
  turnwise simulate bookings.yaml --target python:bot.py:reply --seed 7 --at-once 16
  turnwise simulate goldens.json --target bot.yaml --metric conversation_completeness --judge embedded
  turnwise simulate script.yaml --target embedded

FILE is YAML of ours (persona, goal, facts, manner, when to stop; or a script, which needs no model),
deepeval's conversational goldens, AgentV's conversations, or tests with promptfoo's simulated user.
TARGET is what `turnwise record` takes: a URL, MODEL_FORMS, a .gguf file, python:FILE.py[:FUNCTION], or a
.yaml file that describes a chatbot behind HTTP.

\b
The same seed and the same replies give the same conversations. What is finished is not played again; what
was stopped, killed or failed goes on where it was: give the same command again. --again plays all anew.

\b
ctrl+c ends every talk with the reply under way; twice, and that is dropped. Exit code 1: a conversation
failed, or did not pass a metric.
""".replace("MODEL_FORMS", model_forms())


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """How the scenarios are to be played."""

    target: str | None
    user_model: str | None
    judge_name: str | None
    seed: int
    at_once: int
    max_turns: int
    seconds: float | None
    again: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """What the sessions are to be scored by."""

    metrics: tuple[str, ...]
    criteria: tuple[Path, ...]


def _asked_options(function: click.decorators.FC) -> click.decorators.FC:
    return gathered(
        function,
        "asked",
        PlayOptions,
        click.option("--target", metavar="TARGET", help="The chatbot that is tried."),
        click.option(
            "--user-model", metavar="MODEL", help="What plays the users. Default: what --judge names."
        ),
        click.option("--judge", "judge_name", metavar="JUDGE", help="The model that judges, or none."),
        click.option("--seed", type=int, default=0, help="What chance is decided by. Default: 0."),
        click.option(
            "--at-once",
            type=click.IntRange(1, 1000),
            default=AT_ONCE,
            help=f"Conversations at once. Default: {AT_ONCE}.",
        ),
        click.option(
            "--max-turns",
            type=click.IntRange(min=1),
            default=MOST_TURNS,
            help=f"Turns of the user at most, where a scenario names no number. Default: {MOST_TURNS}.",
        ),
        click.option(
            "--time",
            "seconds",
            type=click.FloatRange(min=0, min_open=True),
            metavar="SECONDS",
            help="How long a conversation goes on; looked at between turns.",
        ),
        click.option("--again", is_flag=True, help="Play anew what is finished; no kept reply serves."),
    )


def _measured_options(function: click.decorators.FC) -> click.decorators.FC:
    return gathered(
        function,
        "measured",
        ScoreOptions,
        click.option(
            "--metric",
            "metrics",
            multiple=True,
            metavar="NAME[:SETTINGS]",
            help="Score the sessions by it; may be given several times.",
        ),
        click.option(
            "--criteria",
            multiple=True,
            type=click.Path(dir_okay=False, path_type=Path),
            help="A YAML file of criteria to score them by.",
        ),
    )


@click.command(epilog=_EPILOG)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@_asked_options
@_measured_options
@limit_options(money=True, whom="a model")
@json_option
@click.pass_context
def command(
    context: click.Context,
    files: tuple[Path, ...],
    asked: PlayOptions,
    measured: ScoreOptions,
    limits: JudgeLimits,
    as_json: bool,
) -> None:
    """Let users that a model or a script plays talk to a chatbot, and keep every conversation."""
    from turnwise.conversations.scenarios import load_scenarios

    loaded = [load_scenarios(path) for path in files]
    for remark in (remark for one in loaded for remark in one.remarks):
        narrate(remark)
    scenarios = [scenario for one in loaded for scenario in one.scenarios]
    metrics = (
        chosen_metrics(measured.metrics, measured.criteria)
        if any((measured.metrics, measured.criteria))
        else []
    )
    store = open_store(context)
    stop = asyncio.Event()
    command = _Command(store, scenarios, metrics, asked, limits, stop, as_json=as_json)
    context.exit(run_async(command.run(), stop=stop))


class _Command:
    def __init__(
        self,
        store: Store,
        scenarios: Sequence[Scenario],
        metrics: Sequence[Metric],
        asked: PlayOptions,
        limits: JudgeLimits,
        stop: asyncio.Event,
        *,
        as_json: bool,
    ) -> None:
        self._store = store
        self._scenarios = scenarios
        self._metrics = metrics
        self._asked = asked
        self._limits = limits
        self._stop = stop
        self._as_json = as_json
        self._progress = Progress()
        self._sessions: list[int] = []

    async def run(self) -> int:
        from turnwise.engine.simulating import SimulationTally

        tally = SimulationTally(len(self._scenarios))
        spent = 0.0
        try:
            spent = await self._simulate(tally)
        except asyncio.CancelledError:
            self._stop.set()
        except JudgeError:
            self._progress.clear()
            narrate(f"{tally.line()}.")
            raise
        self._progress.clear()
        narrate(f"{tally.line()}{f' · ${spent:.4f}' if spent else ''}.")
        if self._stop.is_set():
            narrate("Interrupted. What was said is kept; the same command goes on from here.")
            return INTERRUPTED
        scored = 0
        if self._metrics and self._sessions:
            scored = await score(
                self._store,
                sorted(self._sessions),
                self._metrics,
                self._asked.judge_name,
                limits=self._limits,
                stop=self._stop,
                as_json=self._as_json,
            )
        return scored or (1 if tally.failed else 0)

    async def _simulate(self, tally: SimulationTally) -> float:
        """Play all, and return what it cost."""
        asked = self._asked
        plan = SimulationPlan(
            scenarios=self._scenarios,
            target=asked.target,
            user_model=await self._user_model(),
            seed=asked.seed,
            at_once=asked.at_once,
            turns=asked.max_turns,
            seconds=asked.seconds,
            budget=self._limits.budget,
            again=asked.again,
            limits=self._limits.of_chatbots,
        )
        async with plan.opened(self._store) as opened:
            talker = opened.talker
            narrate(f"{counted(len(self._scenarios), 'conversation')} with {talker.title}{_played_by(plan)}.")
            if talker.loads:
                narrate(f"Loading {talker.name} …")
            await talker.open()
            playing = opened.simulation.sessions(self._scenarios, at_once=asked.at_once, stop=self._stop)
            async with (
                telling_waits(opened.user_model, self._progress, [talker]),
                aclosing(playing) as landing,
            ):
                self._show(tally)
                async for one in landing:
                    tally.count(one)
                    self._tell(one)
                    self._show(tally)
            return opened.simulation.spent

    async def _user_model(self) -> ModelSettings | None:
        from turnwise.engine.models.choose import choose_model

        if all(scenario.script is not None for scenario in self._scenarios):
            return None
        named = self._asked.user_model or self._asked.judge_name
        found = await choose_model(judge_or_usual(named), noun="user model")
        return self._limits.of(found) if found is not None else None

    def _show(self, tally: SimulationTally) -> None:
        ends = "ctrl+c drops the replies under way" if self._stop.is_set() else "ctrl+c stops"
        self._progress.show(f"{tally.line()} · {ends}")

    def _tell(self, one: SimulatedSession) -> None:
        if one.session is not None and not one.failed:
            self._sessions.append(one.session)
        if self._as_json:
            emit(one.data())
            return
        self._progress.clear()
        mark = FAILURE if one.failed else PASSED
        number = "-" if one.session is None else one.session
        told = f"{one.failed} failed: {in_one_line(one.why)}" if one.failed else one.ended
        kept = ", as before" if one.kept else ""
        say(f"{number:>5}  {mark} {one.scenario[:60]}  {counted(one.turns, 'turn')}, {told}{kept}")


def _played_by(plan: SimulationPlan) -> str:
    if plan.user_model is None:
        return ", by scripts"
    return f"; users played by {plan.user_model.model}" + (
        f", {plan.scripts:,} by scripts" if plan.scripts else ""
    )
