"""Histories: what a review tells of earlier labels and earlier scores of its session."""

from __future__ import annotations

from typing import Any

from textual.screen import Screen

from turnwise.engine.comparing.score_history import score_histories
from turnwise.tui.parts.notice import note
from turnwise.tui.review.session_labels import SessionLabels
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.shell.shell import Shell


class Histories:
    """Answers the actions that show what was said or found before; nothing that is hidden is shown."""

    def __init__(self, screen: Screen[Any], shell: Shell, labels: SessionLabels) -> None:
        """screen: the review. labels: what is said and found of its session."""
        self._screen = screen
        self._shell = shell
        self._labels = labels

    def action_history(self) -> None:
        """Show who said what, and when."""
        from turnwise.tui.review.label_history import LabelHistoryDialog

        rows, modes = self._labels.in_sight, self._labels.modes_in_sight
        if rows or modes:
            self._screen.app.push_screen(LabelHistoryDialog(rows, modes))
        else:
            note(self._screen, "Nothing was said of this session yet.")

    @property
    def _tells_hidden(self) -> bool:
        """Whether scores are hidden; says so where they are."""
        if self._labels.hides_scores:
            reveal = key_of(self._shell.actions, "review", "reveal")
            note(self._screen, f"The scores are hidden until you label. {reveal} shows them.")
        return self._labels.hides_scores

    def action_judge_again(self) -> None:
        """Judge the session by another judge or criterion, and show what is found otherwise."""
        if self._tells_hidden:
            return
        rows = self._labels.scores.rows
        if rows:
            metrics = list(dict.fromkeys(row.metric for row in rows))
            self._shell.score([self._labels.session_id], metrics=metrics, compared=True)
        else:
            score = key_of(self._shell.actions, "review", "score")
            note(self._screen, f"This session has no scores to compare with. {score} judges it.")

    def action_compare(self) -> None:
        """Show what metrics find now beside what they found before."""
        from turnwise.tui.review.score_history import ScoreHistoryDialog

        if self._tells_hidden:
            return
        rows = self._shell.store.scores.of(self._labels.session_id)
        histories = score_histories(rows)
        if histories:
            once = len({(row.metric, row.exchange) for row in rows}) - len(histories)
            self._screen.app.push_screen(ScoreHistoryDialog(histories, once))
        else:
            name, then = ("judge_again", "does so") if rows else ("score", "judges it")
            said = "No metric judged this session twice" if rows else "This session has no scores"
            note(self._screen, f"{said}. {key_of(self._shell.actions, 'review', name)} {then}.")
