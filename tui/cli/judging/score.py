"""turnwise score: judge stored conversations."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwise.conversations.errors import JudgeError, SettingError
from turnwise.conversations.marks import FAILED, FAILURE, PASSED, SKIPPED
from turnwise.conversations.store import Store
from turnwise.conversations.words import in_one_line
from turnwise.engine.models.providers import model_forms
from turnwise.tui.cli.interrupts import INTERRUPTED, run_async
from turnwise.tui.cli.judging.limits import JudgeLimits, limit_options
from turnwise.tui.cli.options import (
    chosen_metrics,
    chosen_sessions,
    json_option,
    judge_for_option,
    judge_options,
    judge_or_usual,
    named_judge,
    open_store,
    tell_of_spilled,
)
from turnwise.tui.cli.output import Progress, emit, narrate, say
from turnwise.tui.cli.run_ends import telling_end
from turnwise.tui.cli.waiting import telling_waits
from turnwise.tui.judging.rejudged_lines import RejudgedCount, rejudged_lines

if TYPE_CHECKING:
    from turnwise.engine.comparing.rejudging import Rejudging
    from turnwise.engine.metrics.metric import Metric
    from turnwise.engine.models.settings import ModelSettings
    from turnwise.engine.scoring.scoring import Scored

_EPILOG = """\b
Examples:
  turnwise score --all --metric role_adherence --metric answer_relevancy --judge embedded
  turnwise score tag:billing --criteria politeness.yaml --judge openai:gpt-4.1-mini
  turnwise score 12 13 --metric contains:refund --judge none
  turnwise score --all --metric faithfulness --each-turn --judge http://127.0.0.1:8080/v1
  turnwise score 12 --metric role_adherence:threshold=0.9 --judge openai:gpt-4.1 --compare
  turnwise score --all --metric faithfulness --metric role_adherence --judge openai:gpt-4.1 \\
      --judge-for faithfulness=http://127.0.0.1:11434/v1#bespoke-minicheck

JUDGE is a URL (URL#MODEL), MODEL_FORMS, a .gguf file, or none. Without
--judge: what TURNWISE_JUDGE names, else your settings (`turnwise judge use` writes them), else
OPENAI_BASE_URL or OPENAI_API_KEY, else a pulled model.

\b
offline:JUDGE, or --offline, is JUDGE by its kept replies alone: nothing is connected to, and what was never
asked is a failure that names the kept question that is nearest. With --again, the same scores come out again.

\b
What is judged already is not judged again. Stop with ctrl+c, which ends what is
under way; twice, and that is dropped. The next run goes on. Several runs at once on
one database share the work: each outcome is asked for once.
Exit code 1: something did not pass or could not be judged.
""".replace("MODEL_FORMS", model_forms())


@click.command(epilog=_EPILOG)
@click.argument("which", nargs=-1, metavar="[SESSION... | QUERY]")
@click.option("--all", "everything", is_flag=True, help="Score all sessions.")
@click.option(
    "--metric", "metrics", multiple=True, metavar="NAME[:SETTINGS]", help="May be given several times."
)
@click.option(
    "--criteria",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="A YAML file of criteria.",
)
@judge_options
@judge_for_option
@click.option(
    "--each-turn", is_flag=True, help="Let last-turn metrics judge every exchange, not only the last."
)
@click.option("--again", is_flag=True, help="Score anew what has a score already.")
@click.option(
    "--compare", "compare", is_flag=True, help="Print how each outcome differs from the one before."
)
@click.option(
    "--compare-with",
    "against",
    default="",
    metavar="METRIC",
    help="The same, beside what another metric or criterion found.",
)
@limit_options(money=True)
@json_option
@click.pass_context
def command(
    context: click.Context,
    which: tuple[str, ...],
    everything: bool,
    metrics: tuple[str, ...],
    criteria: tuple[Path, ...],
    judge_name: str | None,
    offline: bool,
    judge_for: tuple[str, ...],
    each_turn: bool,
    again: bool,
    compare: bool,
    against: str,
    limits: JudgeLimits,
    as_json: bool,
) -> None:
    """Judge conversations by metrics and criteria, and keep every outcome."""
    store = open_store(context, to_read=True)
    sessions = chosen_sessions(store, which, everything=everything)
    chosen = chosen_metrics(metrics, criteria, store)
    stop = asyncio.Event()
    scoring = score(
        store,
        sessions,
        chosen,
        judge_name,
        offline=offline,
        judge_for=judge_for,
        each_turn=each_turn,
        again=again,
        against=against if compare or against else None,
        limits=limits,
        stop=stop,
        as_json=as_json,
    )
    context.exit(telling_end("turnwise score", lambda: run_async(scoring, stop=stop)))


async def score(
    store: Store,
    sessions: Sequence[int],
    metrics: Sequence[Metric],
    judge_name: str | None,
    *,
    offline: bool = False,
    judge_for: Sequence[str] = (),
    each_turn: bool = False,
    again: bool = False,
    against: str | None = None,
    limits: JudgeLimits,
    stop: asyncio.Event,
    as_json: bool,
    tell: Callable[[str], None] = say,
) -> int:
    """Judge sessions and tell each outcome as it lands; return the exit code. Raises what a run raises.

    judge_for: judges of single metrics, each METRIC=JUDGE. against: a metric that each outcome is set beside,
    empty for its own; None to compare nothing.
    """
    from dataclasses import replace

    from turnwise.engine.judge.evidence import StoredCallBook
    from turnwise.engine.models.choose import choose_model
    from turnwise.engine.scoring.judges import open_judges
    from turnwise.engine.scoring.progress import Rate, Tally, others_words
    from turnwise.engine.scoring.scoring import score_sessions

    own = await _own_judges(metrics, judge_for, offline=offline, limits=limits)
    by_usual = [metric for metric in metrics if metric.name not in own]
    settings = None
    if any(metric.uses_judge for metric in by_usual):
        settings = await choose_model(judge_or_usual(judge_name, offline=offline))
        if (
            settings is None
            and judge_name is None
            and not own
            and all(metric.uses_judge for metric in metrics)
        ):
            raise SettingError(
                "There is no judge, and each metric that was named needs one",
                next_step="Name one with --judge, or fetch one: `turnwise judge pull qwen2.5-coder-1.5b`. "
                "`turnwise metrics` says which metrics need none.",
            )
        if settings is None:
            step = "" if judge_name else "; --judge names one, `turnwise judge use` keeps one"
            narrate(f"Judge: none; metrics that need one are skipped{step}")
        else:
            settings = limits.of(settings)
            _tell_of_judge(store, sessions, by_usual, settings)
    for name, one in own.items():
        _tell_of_judge(store, sessions, [metric for metric in metrics if metric.name == name], one, name)
    models = {name: one.model for name, one in own.items()}
    beside = _beside(store, metrics, settings.model if settings else "", models, against)
    count = RejudgedCount()
    tally, rate = Tally(len(sessions) * len(metrics)), Rate()
    progress = Progress()
    told = False

    def show() -> None:
        progress.show(f"{tally.line()} · {'ctrl+c drops the rest' if stop.is_set() else 'ctrl+c stops'}")

    def tell_of_others(units: int) -> None:
        nonlocal tally, told
        if not told:
            told = True
            progress.clear()
            narrate(f"{others_words(units)}; what it leaves is judged here.")
        tally = replace(tally, by_others=units)
        show()

    try:
        book = StoredCallBook(store, anew=again)
        async with open_judges(settings, own, book=book) as judges:
            run = score_sessions(
                store,
                sessions,
                metrics,
                judges,
                each_turn=each_turn,
                again=again,
                stop=stop,
                tell_of_others=tell_of_others,
            )
            async with telling_waits(None, progress, judges.all), aclosing(run) as outcomes:
                async for scored in outcomes:
                    tally = tally.counted(scored, rate)
                    if beside is not None:
                        rejudged = beside.beside(scored.session_id, scored.outcome)
                        count = count.counted(rejudged)
                        progress.clear()
                        if as_json:
                            emit({**scored.data(), **rejudged.data()})
                        else:
                            for line in rejudged_lines(rejudged):
                                say(line)
                    elif as_json:
                        emit(scored.data())
                    elif not scored.kept:
                        progress.clear()
                        tell(_line(scored, name_judge=bool(own)))
                    show()
    except asyncio.CancelledError:
        # What was under way is dropped, and what landed is kept by now.
        stop.set()
    except JudgeError:
        progress.clear()
        narrate(tally.summary())
        raise
    progress.clear()
    narrate(tally.summary())
    if beside is not None and count.words:
        narrate(f"Compared with what was found before: {count.words}.")
    if stop.is_set():
        tell_of_spilled(store)
        narrate("Interrupted. What is scored is kept; the same command goes on from here.")
        return INTERRUPTED
    return 1 if tally.not_passed else 0


async def _own_judges(
    metrics: Sequence[Metric], judge_for: Sequence[str], *, offline: bool, limits: JudgeLimits
) -> dict[str, ModelSettings]:
    """Return the judges of single metrics by their names. Raises SettingError where one means nothing."""
    if not judge_for:
        return {}
    from turnwise.engine.models.choose import choose_model
    from turnwise.engine.scoring.judges import JudgeFor, named_for

    found = {}
    for name, spec in named_for(map(JudgeFor.of, judge_for), metrics).items():
        settings = await choose_model(judge_or_usual(spec, offline=offline))
        if settings is None:
            raise SettingError(
                f"{name} would have no judge", next_step=f"Leave {name} out, or its --judge-for."
            )
        found[name] = limits.of(settings, priced=True)
    return found


def _tell_of_judge(
    store: Store, sessions: Sequence[int], metrics: Sequence[Metric], judge: ModelSettings, name: str = ""
) -> None:
    """Say who judges, and what that takes. name: the metric that it was named for."""
    from turnwise.engine.scoring.estimate import estimate_run

    of = f"Judge of {name}" if name else "Judge"
    narrate(f"{of}: {named_judge(judge)}; {estimate_run(store, sessions, metrics, judge).words()}")


def _beside(
    store: Store, metrics: Sequence[Metric], judge: str, judges: Mapping[str, str], against: str | None
) -> Rejudging | None:
    """Return what sets outcomes beside what stood before, where that was asked for.

    judges: those of metrics that have one of their own.
    """
    if against is None:
        return None
    from turnwise.engine.comparing.rejudging import Rejudging

    return Rejudging(store, metrics, judge, against, judges)


def _line(scored: Scored, *, name_judge: bool) -> str:
    data = scored.data()
    place = f" (exchange {data['exchange']})" if data["exchange"] else ""
    if data["outcome"] == "score":
        mark = PASSED if data["passed"] else FAILED
        found = f"{data['score']:.2f}"
    else:
        mark, found = (SKIPPED, "skipped") if data["outcome"] == "skipped" else (FAILURE, "not judged")
    told = data["reason"]
    if step := data["next_step"]:
        told = in_one_line(f"{told}\n{step}")
    judge = f", by {scored.judge}" if name_judge and scored.judge else ""
    return f"{scored.session_id:>5}  {mark} {data['metric']}{place}{judge}  {found}  {told}"
