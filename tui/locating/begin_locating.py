"""Begins to locate where sessions are lost: with a judge, and while nothing else is judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual.app import App

from turnwise.conversations.errors import TurnwiseError
from turnwise.engine.criteria.lost_sessions import check_can_be_lost
from turnwise.tui.judging.begin_scoring import judge_asked_for
from turnwise.tui.settings.keymap import key_of

if TYPE_CHECKING:
    from turnwise.engine.criteria.criteria import Criterion
    from turnwise.tui.locating.locate_dialog import LostPlace
    from turnwise.tui.shell.shell import Shell

TAKES_JUDGE = "Finding the turn where it begins to fail needs a judge."


async def begin_locating(
    app: App[Any], shell: Shell, criterion: Criterion, session_ids: Sequence[int] | None = None
) -> LostPlace | None:
    """Open the dialog that searches; return the turn to go to, or None. Call it from a worker.

    session_ids: those to look at; None for all that fail by the criterion as it stands.
    """
    from turnwise.tui.locating.locate_dialog import LocateDialog

    if shell.runs.under_way:
        stop = key_of(shell.actions, "library", "stop")
        app.notify(f"A run is under way. Stop it with {stop} in the library, or wait for its end.")
        return None
    try:
        check_can_be_lost(criterion)
    except TurnwiseError as error:
        shell.tell_error(error)
        return None
    judge = await judge_asked_for(shell, TAKES_JUDGE)
    if judge is None:
        return None
    return await app.push_screen_wait(LocateDialog(criterion, judge, session_ids))
