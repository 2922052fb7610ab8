"""turnwise goldens: scenarios for simulated users, drafted from sessions that took place."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwise.conversations.errors import SettingError
from turnwise.conversations.words import counted, did_you_mean
from turnwise.engine.models.providers import model_forms
from turnwise.tui.cli.interrupts import run_async
from turnwise.tui.cli.judging.limits import JudgeLimits, limit_options
from turnwise.tui.cli.options import (
    chosen_sessions,
    json_option,
    judge_options,
    judge_or_usual,
    open_store,
)
from turnwise.tui.cli.output import Progress, emit, narrate
from turnwise.tui.cli.waiting import telling_waits

if TYPE_CHECKING:
    from turnwise.conversations.store import Store
    from turnwise.engine.simulating import DraftedScenario

_YAML = (".yaml", ".yml")
_GOLDENS = (".json", ".jsonl", ".csv")
_EPILOG = """\b
Examples:
  turnwise goldens from label:fail --out failed.yaml --judge openai:gpt-4.1-mini
  turnwise goldens from 12 15-20 --out some.yaml --judge none
  turnwise goldens from tag:billing --out goldens.json

FILE is YAML of ours, or by its ending deepeval's conversational goldens (.json, .jsonl, .csv). The judge
drafts scenario, persona, facts and expected outcome; without one, what the session says of itself stands
there, and what its user said first. Either is marked as a draft: read it, edit it, then simulate it.

JUDGE is a URL (URL#MODEL), MODEL_FORMS, a .gguf file, or none.
""".replace("MODEL_FORMS", model_forms())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    judge_name: str | None
    offline: bool
    limits: JudgeLimits


@click.command("goldens", epilog=_EPILOG)
@click.argument("word", type=click.Choice(["from"]), metavar="from")
@click.argument("which", nargs=-1, metavar="[SESSION... | QUERY]")
@click.option("--all", "everything", is_flag=True, help="Draft of all sessions.")
@click.option(
    "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The file to write."
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@judge_options
@limit_options(money=True)
@json_option
@click.pass_context
def command(
    context: click.Context,
    word: str,
    which: tuple[str, ...],
    everything: bool,
    out: Path,
    force: bool,
    judge_name: str | None,
    offline: bool,
    limits: JudgeLimits,
    as_json: bool,
) -> None:
    """Draft scenarios from sessions, for people to edit and for `turnwise simulate` to play.

    Each stands in the file with the session that it came from.
    """
    from turnwise.conversations.files import whole_file

    known = (*_YAML, *_GOLDENS)
    if out.suffix.lower() not in known:
        raise SettingError(
            f"{out.name} has no ending that says what to write",
            next_step=did_you_mean(out.suffix, known) or f"Known are {', '.join(known)}.",
        )
    store = open_store(context, to_read=True)
    sessions = chosen_sessions(store, which, everything=everything)
    with whole_file(out, force=force) as file:
        wanted = _Wanted(judge_name=judge_name, offline=offline, limits=limits)
        drafted = run_async(_drafts(store, sessions, wanted))
        file.write(_written(drafted, out).encode())
    for one in drafted:
        if as_json:
            told = {"session": one.session, "scenario": one.scenario.name, "note": one.note}
            emit({**told, "failure": one.failure})
        elif one.failure:
            narrate(f"! session {one.session}: {one.failure}; what is known of it stands there.")
    narrate(f"{counted(len(drafted), 'draft')} in {out}. Edit them, then: turnwise simulate {out} --target …")
    context.exit(1 if any(one.failure for one in drafted) else 0)


async def _drafts(store: Store, sessions: list[int], wanted: _Wanted) -> list[DraftedScenario]:
    from turnwise.engine.judge.evidence import StoredCallBook
    from turnwise.engine.judge.judge import open_judge
    from turnwise.engine.models.choose import choose_model
    from turnwise.engine.simulating import drafted_scenarios

    settings = await choose_model(judge_or_usual(wanted.judge_name, offline=wanted.offline))
    if settings is None:
        narrate("Judge: none; what the sessions say of themselves stands in the drafts.")
    else:
        settings = wanted.limits.of(settings)
    book, progress = StoredCallBook(store), Progress()
    found: list[DraftedScenario] = []
    async with (
        open_judge(settings, needed=settings is not None, book=book) as judge,
        telling_waits(judge, progress),
    ):
        async for one in drafted_scenarios(store, sessions, judge, keep=book.write):
            found.append(one)
            progress.show(f"{len(found):,} of {counted(len(sessions), 'draft')} · ctrl+c stops")
    progress.clear()
    return sorted(found, key=lambda one: sessions.index(one.session))


def _written(drafted: list[DraftedScenario], out: Path) -> str:
    from turnwise.conversations.scenarios import goldens_of, written_scenarios

    if out.suffix.lower() in _YAML:
        notes = [f"{one.note} From session {one.session}." for one in drafted]
        return written_scenarios([one.scenario for one in drafted], notes)
    from turnwise.conversations.formats.deepeval import golden_text

    goldens = goldens_of([one.scenario for one in drafted], [one.note for one in drafted])
    return golden_text(goldens, out.suffix.lower())
