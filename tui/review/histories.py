"""What a review tells of its session beside what stands there: earlier labels and scores, and the turn where
it was lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from turnwise.engine.comparing.score_history import score_histories
from turnwise.tui.parts.newest_reading import run_newest
from turnwise.tui.parts.notice import note
from turnwise.tui.parts.title_bar import named_in_title
from turnwise.tui.review.panes import Panes
from turnwise.tui.review.session_labels import SessionLabels
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.shell.shell import Shell

if TYPE_CHECKING:
    from turnwise.conversations.store import ScoreRow
    from turnwise.engine.criteria.criteria import Criterion

NOTHING = "No criterion of yours fails here. For one that does, this finds the turn from which on it does."


def tells_hidden(screen: Screen[Any], shell: Shell, labels: SessionLabels) -> bool:
    """Return whether the scores of a review are hidden, and say so where they are."""
    if labels.hides_scores:
        reveal = key_of(shell.actions, "review", "reveal")
        # Until when they are hidden stands in their place.
        note(screen, f"Not while the scores are hidden: {reveal} shows them.")
    return labels.hides_scores


class Histories:
    """Answers the actions that show what was said or found before; nothing that is hidden is shown."""

    def __init__(
        self,
        screen: Screen[Any],
        shell: Shell,
        labels: SessionLabels,
        panes: Panes,
        go_to_turn: Callable[[int], None],
    ) -> None:
        """screen: the review. labels: what is said and found of its session.

        panes: know the outcomes in sight. go_to_turn: shows a turn.
        """
        self._screen = screen
        self._shell = shell
        self._labels = labels
        self._panes = panes
        self._go_to_turn = go_to_turn

    def action_history(self) -> None:
        """Show who said what, and when."""
        from turnwise.tui.review.label_history import LabelHistoryDialog

        rows, modes = self._labels.session.in_sight, self._labels.session.modes_told
        if rows or modes:
            named = named_in_title(self._screen)
            self._screen.app.push_screen(self._shell.kept_dialogs.of(LabelHistoryDialog, named, rows, modes))
        elif self._labels.hides_scores:
            # Said whether others said anything or not: that too is hidden.
            note(self._screen, "What others said is hidden until you label.")
        else:
            note(self._screen, "Nothing was said of this session yet.")

    def action_judge_again(self) -> None:
        """Judge the session by another judge or criterion, and show what is found otherwise."""
        if tells_hidden(self._screen, self._shell, self._labels):
            return
        rows = self._labels.session.scores.rows
        if rows:
            metrics = list(dict.fromkeys(row.metric for row in rows))
            self._shell.score([self._labels.session.id], metrics=metrics, compared=True)
        else:
            score = key_of(self._shell.actions, "review", "score")
            note(self._screen, f"This session has no scores to compare with. {score} judges it.")

    def action_compare(self) -> None:
        """Show what metrics find now beside what they found before."""
        from turnwise.tui.review.score_history import ScoreHistoryDialog

        if tells_hidden(self._screen, self._shell, self._labels):
            return
        rows = self._shell.store.scores.of(self._labels.session.id)
        histories = score_histories(rows)
        if histories:
            once = len({(row.metric, row.exchange) for row in rows}) - len(histories)
            named = named_in_title(self._screen)
            dialog = self._shell.kept_dialogs.of(ScoreHistoryDialog, named, histories, once)
            self._screen.app.push_screen(dialog)
        else:
            name, then = ("judge_again", "does so") if rows else ("score", "judges it")
            said = "No metric judged this session twice" if rows else "This session has no scores"
            note(self._screen, f"{said}. {key_of(self._shell.actions, 'review', name)} {then}.")

    def action_locate(self) -> None:
        """Find where the session was lost by the criterion that is looked at, or by one that fails."""
        if not tells_hidden(self._screen, self._shell, self._labels):
            run_newest(self._screen, self._locate, group="ask")

    async def _locate(self) -> None:
        failing = [row for row in self._panes.rows_in_sight if row.passed is False]
        criterion = await asyncio.to_thread(self._criterion, failing)
        if criterion is None:
            note(self._screen, NOTHING)
            return
        from turnwise.tui.locating.begin_locating import begin_locating

        session = self._labels.session.id
        place = await begin_locating(self._screen.app, self._shell, criterion, [session])
        if place is not None and place.turn is not None and session == self._labels.session.id:
            self._go_to_turn(place.turn)

    def _criterion(self, failing: Sequence[ScoreRow]) -> Criterion | None:
        # Criteria bring pydantic along, which most reviews never need.
        from turnwise.engine.criteria.behind_scores import criterion_behind

        found = (criterion_behind(self._shell.store, row, Path.cwd()) for row in failing)
        return next((one for one in found if one is not None), None)
