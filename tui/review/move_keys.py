"""MoveKeys: what the keys do by which one goes about in a session that is reviewed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from textual.screen import Screen

from turnwise.tui.parts.notice import note
from turnwise.tui.reading.score_groups import worst_score
from turnwise.tui.review.finder import Finder
from turnwise.tui.review.histories import tells_hidden
from turnwise.tui.review.panes import Panes
from turnwise.tui.review.session_labels import SessionLabels
from turnwise.tui.review.session_reader import EarlyKeys
from turnwise.tui.shell.shell import Shell


class MoveKeys:
    """Answers the actions of a review that go to its scores, to what failed, to words, and behind a score.

    What needs scores waits until the session is read, and says why there are none to go to.
    """

    def __init__(
        self,
        screen: Screen[Any],
        shell: Shell,
        panes: Panes,
        labels: SessionLabels,
        finder: Finder,
        early: EarlyKeys,
        *,
        title: Callable[[], str],
        go_to_turn: Callable[[int], None],
    ) -> None:
        """screen: the review. labels: know whether its scores are hidden.

        finder: has the matches that are gone through while words are looked for. early: keeps what is asked
        for until the session is read. title: gives the session's name. go_to_turn: shows a turn.
        """
        self._screen = screen
        self._shell = shell
        self._panes = panes
        self._labels = labels
        self._finder = finder
        self._early = early
        self._title = title
        self._go_to_turn = go_to_turn

    def say_no_scores(self) -> None:
        """Say why there is nothing to go to."""
        if not tells_hidden(self._screen, self._shell, self._labels):
            # How they are made stands in their place.
            note(self._screen, "There are no scores to go to.")

    def action_other_pane(self) -> None:
        """Go to the scores, or back to the turns."""
        if self._early.holds(self.action_other_pane):
            return
        if self._panes.info_is_open:
            self._panes.cross_over()
        elif self._panes.in_scores:
            self._panes.leave_scores()
        elif not self._panes.scores.groups:
            self.say_no_scores()
        else:
            self._panes.scores.look_at_turn()
            self._panes.enter_scores()

    def action_info(self) -> None:
        """Show what is known of the session beside its words, or the scores again."""
        if self._panes.info_is_open:
            self._panes.close_info()
        else:
            self._panes.open_info()

    def action_next_failed(self) -> None:
        """Go to the next turn with a verdict that failed, or to the next match of a search."""
        self._step_failed(1)

    def action_previous_failed(self) -> None:
        """Go back to such a turn, or to the match before."""
        self._step_failed(-1)

    def _step_failed(self, by: int) -> None:
        if self._early.holds(partial(self._step_failed, by)):
            return
        if self._finder.finding:
            self._finder.step(by)
        elif not self._panes.scores.groups:
            self.say_no_scores()
        else:
            self._panes.step_failed(by)

    def action_find(self) -> None:
        """Ask for words."""
        self._finder.ask_words()

    def action_turn(self) -> None:
        """Ask for a turn's number."""
        self._finder.ask_turn()

    def action_why(self) -> None:
        """Show what is behind the score that is looked at: of the scores, of the turn, or the worst one."""
        if self._early.holds(self.action_why):
            return
        groups = self._panes.scores.groups
        if not groups:
            self.say_no_scores()
            return
        from turnwise.tui.review.why_screen import WhyScreen

        rows = [row for group in groups for row in group.rows]
        wanted = self._panes.chosen_score or worst_score(groups)
        shown = rows.index(wanted), self._panes.transcript.last_number
        screen = self._shell.kept_dialogs.of(WhyScreen, [self._title()] * len(rows), rows, *shown)
        self._screen.app.push_screen(screen, lambda turn: self._go_to_turn(turn) if turn else None)
