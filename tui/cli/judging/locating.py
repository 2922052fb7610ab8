"""turnwise criteria locate: from which turn on conversations are no longer what a criterion asks for."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turnwise.conversations.errors import SettingError
from turnwise.conversations.results import Score, Skipped
from turnwise.conversations.store import Store
from turnwise.conversations.words import counted
from turnwise.tui.cli.interrupts import run_async
from turnwise.tui.cli.judging.limits import JudgeLimits, limit_options
from turnwise.tui.cli.judging.named_criteria import judge_for_criteria, named_criterion
from turnwise.tui.cli.options import chosen_sessions, json_option, judge_options, named_judge, open_store
from turnwise.tui.cli.output import Progress, emit, narrate, say
from turnwise.tui.cli.waiting import telling_waits

if TYPE_CHECKING:
    from turnwise.engine.criteria.criteria import Criterion
    from turnwise.engine.criteria.locating import Located
    from turnwise.engine.models.settings import ModelSettings

_EPILOG = """\b
Examples:
  turnwise criteria locate criteria/polite.yaml
  turnwise criteria locate criteria/polite.yaml tag:billing --judge openai:gpt-4.1-mini
  turnwise criteria locate criteria/polite.yaml 12 --curve

\b
Without a QUERY it looks at all sessions that fail by the criterion as it stands; those that a
QUERY finds are judged first where they were not. A reply that named the turn with certainty
costs nothing more; else the beginnings of the conversation are judged, log2 of its replies.
Exit code 1: something could not be judged.
"""


@click.command("locate", epilog=_EPILOG)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("query", nargs=-1)
@click.option("--name", help="Which criterion, where the file holds several.")
@click.option(
    "--curve", is_flag=True, help="Judge the conversation as of every reply, for the replay's curve."
)
@judge_options
@limit_options(money=True)
@json_option
@click.pass_context
def command(
    context: click.Context,
    file: Path,
    query: tuple[str, ...],
    name: str | None,
    curve: bool,
    judge_name: str | None,
    offline: bool,
    limits: JudgeLimits,
    as_json: bool,
) -> None:
    """Find from which turn on conversations are no longer what a criterion asks for."""
    from turnwise.engine.criteria.lost_sessions import check_can_be_lost, failing_sessions

    criterion = named_criterion(file, name).criterion
    store = open_store(context)
    check_can_be_lost(criterion)
    ids = list(chosen_sessions(store, query)) if query else failing_sessions(store, criterion)
    if not ids:
        narrate(f"No session fails by {criterion.name} as it stands. Name sessions, and they are judged.")
        return
    settings = limits.of(run_async(judge_for_criteria(judge_name, offline=offline)))
    context.exit(run_async(_locate(store, criterion, ids, settings, curve=curve, as_json=as_json)))


async def _locate(
    store: Store,
    criterion: Criterion,
    ids: list[int],
    settings: ModelSettings,
    *,
    curve: bool,
    as_json: bool,
) -> int:
    from turnwise.engine.criteria.lost_sessions import seek_lost
    from turnwise.engine.judge.evidence import StoredCallBook
    from turnwise.engine.judge.judge import open_judge

    narrate(f"Judge: {named_judge(settings)}; {criterion.name} on {counted(len(ids), 'session')}")
    progress = Progress()
    troubles, passed, skipped = 0, 0, 0

    def tell(words: str, done: int, of: int) -> None:
        progress.show(f"{words}: {done:,} of {of:,} · ctrl+c stops, what is found is kept")

    async with open_judge(settings, book=StoredCallBook(store)) as judge, telling_waits(judge, progress):
        if judge is None:
            raise SettingError("A criterion needs a judge", next_step="Name one with --judge.")
        try:
            seeking = seek_lost(store, criterion, ids, judge, whole_curve=curve, tell=tell)
            async with aclosing(seeking) as found:
                async for sought in found:
                    troubles += bool(sought.trouble)
                    passed += isinstance(sought.outcome, Score) and sought.outcome.passed is True
                    skipped += isinstance(sought.outcome, Skipped)
                    progress.clear()
                    if sought.trouble:
                        narrate(f"{sought.session_id}: {sought.trouble}")
                    if sought.located is not None:
                        _tell(sought.session_id, sought.located, as_json=as_json)
        except asyncio.CancelledError:
            progress.clear()
            narrate("Interrupted. What is found is kept; the same command goes on from here.")
            return 130
    progress.clear()
    if passed:
        narrate(f"{counted(passed, 'session')} of {len(ids):,} passed.")
    if skipped:
        narrate(f"{counted(skipped, 'session')} of {len(ids):,} skipped: the criterion does not apply there.")
    return 1 if troubles else 0


def _tell(session: int, located: Located, *, as_json: bool) -> None:
    if as_json:
        emit(_data(session, located))
        return
    where = f"fails from turn {located.lost.turn}" if located.lost.turn else "fails, nobody can tell where"
    how = (
        "the reply with the score says so"
        if not located.asked
        else f"{counted(located.asked, 'beginning')} of it judged"
    )
    say(f"{session:>5}  {where}  ({how})")


def _data(session: int, located: Located) -> dict[str, Any]:
    as_of = [{"turn": turn, "score": score} for turn, score in located.as_of]
    return {"session": session, **asdict(located.lost), "asked": located.asked, "as_of": as_of}
