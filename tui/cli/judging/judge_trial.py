"""turnwise judge trial: what sways a judge, from pairs of your transcripts that differ in one thing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from turnwise.conversations.errors import SettingError
from turnwise.tui.cli.interrupts import run_async
from turnwise.tui.cli.judging.limits import JudgeLimits, limit_options
from turnwise.tui.cli.options import chosen_sessions, json_option, judge_or_usual, open_store
from turnwise.tui.cli.output import Progress, columns, emit, narrate, say

if TYPE_CHECKING:
    from turnwise.conversations.store import Store
    from turnwise.engine.certifying.certificate import JudgeCertificate
    from turnwise.engine.certifying.trial import TrialPlan

_EPILOG = """\b
Examples:
  turnwise judge trial embedded
  turnwise judge trial http://127.0.0.1:11434/v1 --query role:airline
  turnwise judge trial openai:gpt-4.1-mini --budget 0.50
  turnwise judge trial --plan
  turnwise judge trial openai:gpt-4.1-mini --json | jq '.named'

\b
Replies of your sessions are judged as they are, again and again, and changed in one
thing: other names, sentences in another order, an instruction planted, padding, other
wording, a user who agrees or not, a worse reply, the sides of two replies swapped.
A bias is named where that moves scores by more than chance; of an honest judge, less
than one in a hundred trials names one. What was found is kept with its date, and
`turnwise judge list` tells it; so is what was answered until ctrl+c. Nothing that is
asked here becomes a score.
"""


@click.command("trial", epilog=_EPILOG)
@click.argument("judge", required=False)
@click.option("--query", default="", help="Only replies of the sessions that this filter finds.")
@click.option("--plan", "only_plan", is_flag=True, help="Say what would be asked, and ask nothing.")
@limit_options(money=True)
@json_option
@click.pass_context
def trial_command(
    context: click.Context,
    judge: str | None,
    query: str,
    only_plan: bool,
    limits: JudgeLimits,
    as_json: bool,
) -> None:
    """Try JUDGE, or the usual one, with pairs of your transcripts; say what sways it. At most 300 calls."""
    from turnwise.engine.certifying.trial import MOST_CALLS, plan_trial

    store = open_store(context)
    plan = plan_trial(store, chosen_sessions(store, (query,)) if query.strip() else store.sessions.ids())
    if only_plan:
        if as_json:
            emit({"replies": len(plan.items), "calls": plan.probes, "own_samples": plan.own_samples})
        else:
            say(f"{len(plan.items)} replies, {plan.probes} calls, {MOST_CALLS} at most.")
        return
    stop = asyncio.Event()
    found = run_async(_hold(store, plan, judge, limits, stop), stop=stop)
    if found is None:
        raise KeyboardInterrupt
    if as_json:
        emit(found.data())
        return
    _tell(found)


async def _hold(
    store: Store, plan: TrialPlan, named: str | None, limits: JudgeLimits, stop: asyncio.Event
) -> JudgeCertificate | None:
    """Hold the trial and keep what it found; return nothing where it was stopped before any answer."""
    from turnwise.engine.certifying.trial import hold_trial, keep_certificate
    from turnwise.engine.models.choose import choose_model

    spec = judge_or_usual(named)
    settings = await choose_model(spec)
    if settings is None:
        raise SettingError(
            "There is no judge to try",
            next_step="Name one, or fetch one: `turnwise judge pull qwen2.5-coder-1.5b`.",
        )
    settings = limits.of(settings)
    narrate(f"Judge: {settings.model}; {len(plan.items)} replies, about {plan.probes} calls")
    progress, answered = Progress(), 0

    def show(done: int, of: int) -> None:
        nonlocal answered
        answered = done
        progress.show(f"answered {done:,} of {of:,} · ctrl+c stops and keeps them")

    try:
        found = await hold_trial(plan, settings, on_progress=show, stop=stop)
    finally:
        progress.clear()
    if not answered:
        return None
    keep_certificate(store, found)
    return found


def _tell(found: JudgeCertificate) -> None:
    from turnwise.tui.judging.certificate_words import certificate_lines, figure_rows

    for line in certificate_lines(found):
        say(line)
    say()
    for line in columns(figure_rows(found), right=frozenset({1, 3})):
        say(line)
