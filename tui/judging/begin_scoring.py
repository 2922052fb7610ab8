"""Begins to score sessions: asks by what, and by which judge, and starts the run of the app."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.app import App

from turnwise.tui.judging.judge_words import CHECKS_INSTEAD, CHECKS_ONLY
from turnwise.tui.judging.metric_offers import USUAL_CHECKS
from turnwise.tui.judging.rejudging_request import RejudgedRun, RejudgingRequest
from turnwise.tui.judging.score_dialog import ScoreDialog
from turnwise.tui.parts.notice import tell_news
from turnwise.tui.session_lists.covered import covered_sessions
from turnwise.tui.settings.keymap import key_of

if TYPE_CHECKING:
    from textual.screen import Screen

    from turnwise.engine.models.settings import ModelSettings
    from turnwise.tui.shell.shell import Shell


TAKES_JUDGE = "What is ticked needs a judge."
NO_JUDGE = "Without a judge nothing is scored by what was ticked. What is ticked now needs none."


async def judge_asked_for(shell: Shell, why: str) -> ModelSettings | None:
    """Return the judge, asking for one where there is none; None where none was chosen.

    Call it from a worker. why: a sentence that says what takes a judge.
    """
    if shell.judge.settings is None:
        await shell.ask_judge(why)
    return shell.judge.settings


async def begin_scoring(
    app: App[Any],
    shell: Shell,
    session_ids: Sequence[int],
    metrics: Sequence[str],
    *,
    compared: bool,
    told: str = "",
    unlisted: str = "",
    blind: str = "",
) -> None:
    """Ask what to judge sessions by, and begin. Call it from a worker.

    metrics: those ticked at first. compared: shows at the end how the outcomes differ from those before.
    told: what the dialog says at first. unlisted: says which of the sessions are not in sight.
    blind: says how to label before the scores are seen.
    """
    if shell.runs.under_way:
        stop = key_of(shell.actions, "library", "stop")
        app.notify(f"A run is under way. Stop it with {stop} in the library, or wait for its end.")
        return
    if not session_ids:
        app.notify("There is no session to score.")
        return
    began_on = app.screen
    dialog = shell.kept_dialogs.of(
        ScoreDialog,
        session_ids,
        ticked=metrics,
        compared=compared,
        told=told,
        unlisted=unlisted,
        blind=blind,
    )
    request = await app.push_screen_wait(dialog)
    if request is None:
        return
    undecided = request.needs_judge and shell.judge.settings is None and not shell.judge.chosen
    takes_all = all(metric.uses_judge for metric in request.metrics)
    none = CHECKS_INSTEAD if takes_all else CHECKS_ONLY
    if undecided and not await shell.ask_judge(TAKES_JUDGE, none):
        return
    judge = shell.judge.settings
    if judge is None and takes_all:
        # All would be skipped, which tells nobody what to do.
        await begin_scoring(
            app,
            shell,
            session_ids,
            USUAL_CHECKS,
            compared=compared,
            told=NO_JUDGE,
            unlisted=unlisted,
            blind=blind,
        )
        return
    if not compared:
        shell.runs.start(request, judge, request.judges)
        return
    covered = partial(covered_sessions, shell, shell.store)
    show = partial(_show, app, shell, began_on)
    again = RejudgingRequest(request, judge.model if judge else "", covered, show)
    shell.runs.start(again, judge, request.judges)


def _show(app: App[Any], shell: Shell, began_on: Screen[Any], run: RejudgedRun) -> None:
    """Show what changed where the run was begun; elsewhere tell it in passing, so that no key goes astray."""
    from textual.widgets import Input, TextArea

    from turnwise.tui.judging.rejudged_dialog import RejudgedDialog

    if app.screen is began_on and run.found and not isinstance(app.focused, Input | TextArea):
        app.push_screen(RejudgedDialog(run))
    else:
        compare = key_of(shell.actions, "review", "compare")
        tell_news(app, f"{run.words} {compare} shows it in a review of the session.")
