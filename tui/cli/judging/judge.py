"""turnwise judge: which judges there are, fetching a model, trying one."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from typing import TYPE_CHECKING

import click

from turnwise.conversations.errors import SettingError
from turnwise.engine.judge.usual_judge import JUDGE_VARIABLE, settings_path, shown_judge, usual_judge
from turnwise.engine.models.providers import PROVIDERS
from turnwise.tui.cli.interrupts import run_async
from turnwise.tui.cli.judging.judge_trial import trial_command
from turnwise.tui.cli.judging.limits import JudgeLimits, limit_options
from turnwise.tui.cli.options import CommandGroup, json_option, judge_or_usual, open_store
from turnwise.tui.cli.output import Progress, columns, emit, narrate, say
from turnwise.tui.drawing.bars import progress
from turnwise.tui.settings.settings import keep_setting, load_settings

if TYPE_CHECKING:
    from pathlib import Path

    from turnwise.conversations.store import KeptCertificate
    from turnwise.engine.models.embedded.pull import PullProgress
    from turnwise.engine.scoring.easy_questions import EasyAnswers

SECONDS_BETWEEN_TICKS = 0.25
_MEGABYTE = 1_000_000


@click.group(
    "judge",
    cls=CommandGroup,
    epilog="""\b
Examples:
  turnwise judge list
  turnwise judge pull qwen2.5-coder-1.5b
  turnwise judge use embedded:qwen2.5-coder-1.5b
  turnwise judge test http://127.0.0.1:11434/v1
  turnwise judge trial embedded
""",
)
def command() -> None:
    """See, choose, fetch and try judges: the models that judge."""


command.add_command(trial_command)


@command.command("list")
@json_option
@click.pass_context
def list_judges(context: click.Context, as_json: bool) -> None:
    """List embedded models, local servers that answer, and what the environment names."""
    from turnwise.engine.models.embedded.catalogue import KNOWN_MODELS
    from turnwise.engine.models.embedded.folder import installed
    from turnwise.engine.models.served import local_models

    here = {model.name: model for model in installed()}
    rows: list[dict[str, object]] = [
        {
            "judge": f"embedded:{model.name}",
            "state": "ready" if model.name in here else "to fetch",
            "megabytes": round(model.size_bytes / _MEGABYTE),
            "about": model.warning,
        }
        for model in KNOWN_MODELS
    ]
    rows += [
        {
            "judge": f"embedded:{name}",
            "state": "ready",
            "megabytes": round(model.size_bytes / _MEGABYTE),
            "about": "a model file of yours",
        }
        for name, model in here.items()
        if model.known is None
    ]
    for settings in run_async(local_models()):
        rows.append(
            {
                "judge": f"{settings.address}#{settings.model}",
                "state": "answers",
                "megabytes": None,
                "about": "a server on this machine",
            }
        )
    rows += _named_by_environment()
    tried = _tried(context)
    if as_json:
        for row in rows:
            emit(row)
        for kept in tried:
            trial = {"made_at": kept.made_at, "other_model": kept.other_model, **kept.data}
            emit({"judge": kept.judge, "state": "tried", "trial": trial})
        return
    table = [
        [
            str(row["judge"]),
            str(row["state"]),
            f"{row['megabytes']:,} MB" if row["megabytes"] else "",
            str(row["about"]),
        ]
        for row in rows
    ]
    for line in columns([["judge", "state", "size", "about"], *table], right=frozenset({2}), most=400):
        say(line)
    if tried:
        from turnwise.tui.judging.certificate_words import certificate_line

        say()
        for kept in tried:
            say(f"{kept.judge}: {certificate_line(kept)}")
    named, source = usual_judge(load_settings(), os.environ)
    if named:
        narrate(f"Where none is named: {shown_judge(named)}, {source}.")


def _tried(context: click.Context) -> list[KeptCertificate]:
    """Return the newest certificate of each judge; none where there is no database, and none is made."""
    from turnwise.conversations.store import default_path

    named: Path | None = context.find_root().obj
    if named is None and not default_path().exists():
        return []
    return open_store(context, to_read=True).certificates.standing()


def _named_by_environment() -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    if address := os.environ.get("OPENAI_BASE_URL"):
        from turnwise.engine.models.settings import shown_address

        about = "named by OPENAI_BASE_URL"
        rows.append({"judge": shown_address(address), "state": "named", "megabytes": None, "about": about})
    for name, entry in PROVIDERS.items():
        # An address of one's own goes before the usual one of the same API.
        if entry.key and os.environ.get(entry.key) and not (name == "openai" and address):
            about = f"{entry.key} is set"
            rows.append({"judge": f"{name}:MODEL", "state": "named", "megabytes": None, "about": about})
    return rows


@command.command("use")
@click.argument("judge")
@json_option
def use_judge(judge: str, as_json: bool) -> None:
    """Take JUDGE wherever none is named; it is kept in your settings. `none` is no judge."""
    from turnwise.engine.models.choose import choose_model, spec_of

    spec = spec_of(run_async(choose_model(judge)))
    if spec is None:
        raise SettingError(
            "An address with a password is not kept",
            detail="Settings hold no secrets.",
            next_step="Name the address without it; a key may stand in OPENAI_API_KEY.",
        )
    keep_setting("judge", spec)
    if as_json:
        emit({"judge": spec})
    narrate(f"Kept in {settings_path()}: {spec}")
    if os.environ.get(JUDGE_VARIABLE):
        narrate(f"{JUDGE_VARIABLE} is set, and goes before it.")


@command.command("pull")
@click.argument("name")
@json_option
def pull_model(name: str, as_json: bool) -> None:
    """Fetch the embedded model NAME; a fetch that was stopped goes on where it stopped."""
    from turnwise.engine.models.embedded.catalogue import find_model
    from turnwise.engine.models.embedded.pull import pull

    model = find_model(name)
    narrate(f"{model.title}, {model.size_bytes / _MEGABYTE:,.0f} MB, {model.licence}. {model.warning}")
    progress = Progress()

    def show(now: PullProgress) -> None:
        progress.show(progress_line(now))

    path = run_async(pull(model, on_progress=show))
    progress.clear()
    narrate(f"Ready: {path}")
    if as_json:
        emit({"judge": f"embedded:{model.name}", "path": str(path)})


def progress_line(now: PullProgress) -> str:
    """Return how far a pull is, with a bar."""
    return f"{now.phase}  {progress(now.share, 24)}  {now.size_words} · ctrl+c stops"


@command.command("test")
@click.argument("judge", required=False)
@limit_options()
@json_option
def test_judge(judge: str | None, limits: JudgeLimits, as_json: bool) -> None:
    """Ask JUDGE, or the usual one, three easy questions; say how it answers: form, speed, probabilities."""
    result = run_async(_ask_easy(judge, limits))
    if as_json:
        emit(result.data())
        return
    for line in result.lines():
        say(line)


async def _ask_easy(spec: str | None, limits: JudgeLimits) -> EasyAnswers:
    """Ask easy questions and tell meanwhile how far it is: a small model on a slow machine takes minutes."""
    from turnwise.engine.scoring.easy_questions import ask_easy_questions

    waiting = _Waiting()
    clock = asyncio.create_task(waiting.tick())
    try:
        return await ask_easy_questions(judge_or_usual(spec), on_progress=waiting.hear, limited=limits.of)
    finally:
        clock.cancel()
        waiting.progress.clear()


class _Waiting:
    """Tells which easy question a judge is asked, and for how long.

    At a terminal one line is written over again and again; elsewhere every question is a line.
    """

    def __init__(self) -> None:
        self.progress = Progress()
        self._words = ""
        self._since = 0.0

    def hear(self, question: int, questions: int) -> None:
        """Take in what is done now; question 0 is the loading of a model."""
        self._words = f"question {question} of {questions}" if question else "Loading the model…"
        self._since = time.monotonic()
        if not sys.stderr.isatty():
            narrate(self._words)

    async def tick(self) -> None:
        """Show the seconds that go by."""
        while True:
            if self._words:
                self.progress.show(f"{self._words} {time.monotonic() - self._since:.0f} s · ctrl+c stops")
            await asyncio.sleep(SECONDS_BETWEEN_TICKS)
