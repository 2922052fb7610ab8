"""turnwise criteria: what good means in your own words, tried against people's labels."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import asdict, replace
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turnwise.conversations.errors import JudgeError, SettingError
from turnwise.conversations.store import Store
from turnwise.conversations.words import counted
from turnwise.tui.cli.interrupts import run_async
from turnwise.tui.cli.judging import improving, locating
from turnwise.tui.cli.judging.held_back import ask_before_spending
from turnwise.tui.cli.judging.limits import JudgeLimits, limit_options
from turnwise.tui.cli.judging.named_criteria import judge_for_criteria, named_criterion
from turnwise.tui.cli.options import (
    CommandGroup,
    chosen_sessions,
    json_option,
    judge_options,
    named_judge,
    open_store,
)
from turnwise.tui.cli.output import Progress, columns, emit, narrate, say
from turnwise.tui.cli.waiting import telling_waits
from turnwise.tui.settings.settings import labeller

if TYPE_CHECKING:
    from turnwise.conversations.store import SplitName
    from turnwise.engine.criteria.criteria import Criterion
    from turnwise.engine.criteria.criterion_sample import Sample
    from turnwise.engine.criteria.criterion_trial import CriterionTrial
    from turnwise.engine.criteria.trial_change import TrialChange
    from turnwise.engine.models.settings import ModelSettings

MOST_LISTED = 20
_EPILOG = """\b
Examples:
  turnwise criteria list
  turnwise criteria try criteria/polite.yaml --judge openai:gpt-4.1-mini
  turnwise criteria try criteria/polite.yaml tag:billing --sample 20
  turnwise criteria draft criteria/polite.yaml
  turnwise criteria improve criteria/polite.yaml

\b
A criterion is a YAML file:
  name: Stays polite
  criteria: The assistant stays polite, also when the user is rude.
  threshold: 0.7
"""
_TRY_EPILOG = """\b
Examples:
  turnwise criteria try criteria/polite.yaml
  turnwise criteria try criteria/polite.yaml tag:billing --sample 20 --judge embedded
  turnwise criteria try criteria/polite.yaml --split test --yes --json

\b
Labelled sessions are divided for good: 20 % train, 40 % dev, 40 % test. Change the criterion
until it agrees with people on dev; look at test once, at the end. Without --split it is
tried on dev, and with a QUERY on the sessions that it finds, but those of the test.
Exit code 1: something could not be judged.
"""


@click.group("criteria", cls=CommandGroup, invoke_without_command=True, epilog=_EPILOG)
@json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List your criteria: those in files here, and every version that was tried."""
    if context.invoked_subcommand is None:
        _list_criteria(context, as_json=as_json)


@command.command("list")
@json_option
@click.pass_context
def list_command(context: click.Context, as_json: bool) -> None:
    """List your criteria, as `turnwise criteria` by itself does."""
    _list_criteria(context, as_json=as_json)


def _list_criteria(context: click.Context, *, as_json: bool) -> None:
    from turnwise.engine.criteria.criteria_files import find_criteria

    store = open_store(context, to_read=True)
    found = find_criteria(Path.cwd())
    rows = [_listed(store, file.criterion, _shown_path(file.path)) for file in found.files]
    in_files = {file.criterion.name for file in found.files}
    rows += [_stored(store, name) for name in store.criteria.names() if name not in in_files]
    for error in found.errors:
        narrate(f"{error.title}: {error.detail}" if error.detail else error.title)
    if as_json:
        for row in rows:
            emit(row)
        return
    if not rows:
        narrate("No criteria yet. Write one in the app (5), or as a file: `turnwise criteria --help`.")
        return
    from turnwise.tui.agreement.agreement_words import FEW, FEWEST, number_words

    table = [["criterion", "versions", "kappa", "fails", "file"]]
    for row in rows:
        few = FEW if min(row["fails"], row["n"] - row["fails"]) < FEWEST else ""
        kappa = "–" if row["kappa"] is None else f"{number_words(row['kappa'])}{few}"
        fails = f"{row['fails']:,} of {row['n']:,}"
        table.append([row["name"], str(len(row["versions"])), kappa, fails, row["file"] or "no file"])
    for line in columns(table, right=frozenset({1, 2, 3})):
        say(line)


def _shown_path(path: Path) -> str:
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def _listed(store: Store, criterion: Criterion, file: str) -> dict[str, Any]:
    from math import isnan

    from turnwise.engine.criteria.past_trials import standing

    stands = standing(store, criterion)
    return {
        "name": criterion.name,
        "file": file,
        "version": criterion.fingerprint,
        "kappa": None if isnan(stands.kappa) else stands.kappa,
        "n": stands.sessions,
        "fails": stands.matrix.people_failed,
        "versions": [_version(store, row) for row in store.criteria.versions(criterion.name)],
    }


def _stored(store: Store, name: str) -> dict[str, Any]:
    from turnwise.conversations.errors import FormatError
    from turnwise.engine.criteria.criterion_versions import criterion_of

    newest = store.criteria.versions(name)[-1]
    try:
        return {**_listed(store, criterion_of(newest), ""), "file": None}
    except FormatError:
        # Of another turnwise; its text is still worth showing.
        versions = [_version(store, row) for row in store.criteria.versions(name)]
        shared = {"version": newest.fingerprint, "kappa": None, "n": 0, "fails": 0}
        return {"name": name, "file": None, **shared, "versions": versions}


def _version(store: Store, row: Any) -> dict[str, Any]:
    told = asdict(row)
    scored = len(store.criteria.outcomes(row.name, row.metric_fingerprint))
    return {name: told[name] for name in ("number", "fingerprint", "text", "author", "created_at")} | {
        "scored": scored
    }


@command.command("try", epilog=_TRY_EPILOG)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("query", nargs=-1)
@click.option("--name", help="Which criterion, where the file holds several.")
@click.option(
    "--split", type=click.Choice(["dev", "test", "train"]), help="Which labelled sessions. Default: dev."
)
@click.option(
    "--sample", type=click.IntRange(min=1), metavar="N", help="At most N sessions, drawn by chance."
)
@judge_options
@limit_options(money=True)
@click.option("--yes", is_flag=True, help="Use the test split without being asked.")
@json_option
@click.pass_context
def try_command(
    context: click.Context,
    file: Path,
    query: tuple[str, ...],
    name: str | None,
    split: SplitName | None,
    sample: int | None,
    judge_name: str | None,
    offline: bool,
    limits: JudgeLimits,
    yes: bool,
    as_json: bool,
) -> None:
    """Score labelled sessions by a criterion and compare it with what people say."""
    from turnwise.engine.criteria.criterion_sample import draw_sample

    criterion = named_criterion(file, name).criterion
    store = open_store(context, to_read=True)
    among = chosen_sessions(store, query) if query else None
    drawn = draw_sample(
        store,
        criterion.name,
        split=split or (None if query else "dev"),
        among=among,
        query=" ".join(query),
        most=sample,
    )
    if not drawn.session_ids:
        raise _nothing_to_try(drawn)
    if split == "test" and not yes:
        ask_before_spending(store)
    settings = limits.of(run_async(judge_for_criteria(judge_name, offline=offline)))
    context.exit(run_async(_try(store, criterion, drawn, settings, _shown_path(file.resolve()), as_json)))


def _nothing_to_try(sample: Sample) -> SettingError:
    if sample.split is None:
        return SettingError(
            "All of these sessions are held back for the test",
            detail=f"{sample.held_back:,} sessions",
            next_step="Name others, or use them at the end with --split test.",
        )
    return SettingError(
        f"No session of {sample.split} is labelled{' among these' if sample.query else ''}",
        next_step="Label some: `turnwise label SESSION pass`, or p and f while you read one in the app. "
        "Or name sessions by a QUERY, to see scores without labels.",
    )


async def _try(
    store: Store, criterion: Criterion, sample: Sample, settings: ModelSettings, source: str, as_json: bool
) -> int:
    from turnwise.engine.criteria.criterion_trial import CriterionTrial, try_criterion
    from turnwise.engine.criteria.past_trials import last_trial, trial_before
    from turnwise.engine.criteria.trial_change import TrialChange
    from turnwise.engine.judge.evidence import StoredCallBook
    from turnwise.engine.judge.judge import open_judge
    from turnwise.engine.scoring.progress import Rate, Tally
    from turnwise.tui.criteria.criterion_words import sample_words

    narrate(f"Judge: {named_judge(settings)}; {criterion.name} on {sample_words(sample)}")
    trial, tally, rate, progress = (
        CriterionTrial(criterion, sample),
        Tally(len(sample.session_ids)),
        Rate(),
        Progress(),
    )
    try:
        async with open_judge(settings, book=StoredCallBook(store)) as judge:
            run = try_criterion(store, criterion, sample, judge, author=labeller(), source=source)
            async with telling_waits(judge, progress), aclosing(run) as outcomes:
                async for scored in outcomes:
                    trial, tally = trial.with_outcome(scored), tally.counted(scored, rate)
                    progress.show(f"{tally.line()} · ctrl+c stops")
    except asyncio.CancelledError:
        progress.clear()
        narrate("Interrupted. What is scored is kept; the same command goes on from here.")
        return 130
    except JudgeError:
        progress.clear()
        narrate(tally.summary())
        raise
    progress.clear()
    stored = last_trial(store, criterion)
    run_id = stored.run_id if stored is not None else None
    trial = replace(trial, judge=settings.model, run_id=run_id, seconds=rate.seconds)
    before = trial_before(store, trial)
    change = TrialChange(before, trial) if before is not None else None
    if as_json:
        emit({**trial.data(), "before": change.data() if change is not None else None})
    else:
        _tell(trial, change)
    return 1 if tally.failed else 0


def _tell(trial: CriterionTrial, change: TrialChange | None) -> None:
    from turnwise.tui.criteria.criterion_words import (
        figure_words,
        left_out_words,
        sample_words,
        spent_words,
        who_words,
    )
    from turnwise.tui.criteria.trial_words import plain_lines

    matrix, who = trial.matrix, who_words(trial.sample, labeller())
    parts = (sample_words(trial.sample), spent_words(trial), left_out_words(trial))
    say(f"{trial.criterion.name} on {' · '.join(part for part in parts if part)}")
    if matrix.total:
        table = [
            ["", f"{who} ✓", f"{who} ✗"],
            ["judge ✓", f"{matrix.true_pass:,}", f"{matrix.false_pass:,}"],
            ["judge ✗", f"{matrix.false_fail:,}", f"{matrix.true_fail:,}"],
        ]
        say()
        for line in columns(table, right=frozenset({1, 2})):
            say(line)
        say()
        for line in plain_lines(trial, change, who):
            say(line)
        measures = trial.measures()
        figures = (
            ("TPR", measures.tpr, matrix.people_passed),
            ("TNR", measures.tnr, matrix.people_failed),
            ("kappa", measures.kappa, matrix.fewest_labels),
        )
        say("   ".join(starmap(figure_words, figures)))
        if change is not None:
            _tell_change(change, who)
    for kind, title in (
        ("false pass", f"False passes: judge passed, {who} failed"),
        ("false fail", f"False fails: judge failed, {who} passed"),
    ):
        _list(title, [row for row in trial.differing if row.differing == kind])
    if not matrix.total:
        _list("Scores", trial.rows)


def _tell_change(change: TrialChange, who: str) -> None:
    from turnwise.tui.criteria.trial_words import difference_words, flipped_words

    was, now = change.matrices
    say(f"\nSince run {change.before.run_id}, on {counted(now.total, 'session')} that both scored:")
    say(flipped_words(change, who))
    rows = (
        ("TPR", was.tpr, now.tpr, change.tpr_change(), now.people_passed),
        ("TNR", was.tnr, now.tnr, change.tnr_change(), now.people_failed),
    )
    table = [
        [name, f"{first:.2f} → {second:.2f}", difference_words(figure, labels)]
        for name, first, second, figure, labels in rows
        if labels
    ]
    for line in columns(table):
        say(line)


def _list(title: str, rows: Any) -> None:
    if not rows:
        return
    say(f"\n{title}")
    shown = [
        [
            str(row.session),
            "–" if row.passed is None else "✓" if row.passed else "✗",
            "" if row.score is None else f"{row.score:.2f}",
            row.name,
            row.reason,
        ]
        for row in rows[:MOST_LISTED]
    ]
    for line in columns(shown, right=frozenset({0, 2}), most=70):
        say(f"  {line}")
    if len(rows) > MOST_LISTED:
        say(f"  and {len(rows) - MOST_LISTED:,} more: `turnwise agree` lists all")


@command.command("draft")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--name", help="Which criterion, where the file holds several.")
@click.option("--judge", "judge_name", metavar="JUDGE", help="The model that drafts.")
@json_option
@click.pass_context
def draft_command(
    context: click.Context, file: Path, name: str | None, judge_name: str | None, as_json: bool
) -> None:
    """Let a judge draft the steps of a criterion; put them into its file as you like them."""
    from turnwise.engine.criteria.criteria import draft_steps
    from turnwise.engine.criteria.criteria_files import written

    criterion = named_criterion(file, name).criterion
    store = open_store(context)
    settings = run_async(judge_for_criteria(judge_name))
    draft = run_async(draft_steps(store, criterion, settings))
    if as_json:
        emit({"criterion": criterion.name, "steps": list(draft.steps), "cost": draft.cost})
        return
    say(written({"steps": list(draft.steps)}).rstrip("\n"))


command.add_command(improving.command)
command.add_command(locating.command)
