"""Panes: a transcript, and beside it the scores or what is known of it, of which one has the keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from textual.screen import Screen

from turnwise.conversations.store import ScoreRow
from turnwise.engine.people.labelling import failing_turn
from turnwise.tui.parts.notice import note
from turnwise.tui.reading.info_pane import InfoPane
from turnwise.tui.reading.score_lines import ScoreItem
from turnwise.tui.reading.score_list import ScoreList
from turnwise.tui.reading.score_pane import ScorePane
from turnwise.tui.reading.transcript import TranscriptView

ROOM_FROM = 46
"""From so many lines up the scores and the verdicts about a turn have room for both."""

SCORES_TITLE, INFO_TITLE = "Scores and label", "Information"
"""What stands in the frame of the pane beside the transcript."""


class Panes:
    """Gives the keys to one of two panes of a screen, and goes through the turns whose verdicts failed.

    What goes with a place is shown right when it is gone to, so that it is drawn in the same frame.
    """

    def __init__(
        self,
        screen: Screen[Any],
        show_turn: Callable[[int | None], None],
        show_score: Callable[[ScoreItem | None], None],
    ) -> None:
        """screen: has one TranscriptView and one ScorePane.

        show_turn: shows what goes with the turn of a number; None is a message that has none. show_score:
        shows what goes with a score of the list; None where the turns have the keys.
        """
        self._screen = screen
        self._show_turn = show_turn
        self._show_score = show_score

    @property
    def transcript(self) -> TranscriptView:
        """The turns."""
        return self._screen.query_one(TranscriptView)

    @property
    def scores(self) -> ScorePane:
        """The scores and labels."""
        return self._screen.query_one(ScorePane)

    @property
    def is_roomy(self) -> bool:
        """Whether the scores stand beside the transcript, with room for all that may stand with them."""
        return self._screen.size.height >= ROOM_FROM and not self.scores.has_class("-under")

    @property
    def failing_number(self) -> int | None:
        """The number of the turn that a fail given here is about; None where it is no single one."""
        here = self.transcript.current
        if here is None:
            return None
        return failing_turn(here, self.transcript.rows_from(self.transcript.cursor + 1))

    @property
    def fails_in_reply(self) -> bool:
        """Whether that is the reply that follows the turn that is looked at."""
        here = self.transcript.current
        return here is not None and self.failing_number not in (None, here.number)

    @property
    def in_scores(self) -> bool:
        """Whether the scores have the keys."""
        # What has the focus now: the list itself hears of it later, and keys may come before.
        return self._screen.focused is self.scores.score_list

    @property
    def info_is_open(self) -> bool:
        """Whether what is known of the session stands in the place of the scores."""
        return self.scores.shows_info

    @property
    def with_keys(self) -> TranscriptView | ScoreList | InfoPane:
        """The turns, the list of scores or what is known of the session: whichever has the keys."""
        if self.keys_in == "info":
            return self.scores.info
        return self.scores.score_list if self.in_scores else self.transcript

    @property
    def keys_in(self) -> Literal["turns", "scores", "info"]:
        """What takes the keys, in a word."""
        if self._screen.focused is self.scores.info:
            return "info"
        return "scores" if self.in_scores else "turns"

    def open_info(self) -> None:
        """Show what is known of the session beside the turns, in place of the scores, with the keys in it."""
        self.leave_scores()
        self.scores.show_info()
        self.scores.border_title = INFO_TITLE
        self._screen.set_focus(self.scores.info)

    def close_info(self) -> None:
        """Show the scores again, and give the keys to the turns."""
        self.scores.show_scores()
        self.scores.border_title = SCORES_TITLE
        self._screen.set_focus(self.transcript)

    def cross_over(self) -> None:
        """Give the keys to the turns, or back to what is known of the session, which stays beside them."""
        self._screen.set_focus(self.transcript if self.keys_in == "info" else self.scores.info)

    @property
    def chosen_score(self) -> ScoreRow | None:
        """The score that is looked at: of the list where it has the keys, else of the turn."""
        if self.in_scores:
            item = self.scores.score_list.current
            return item.row if item else None
        return self.scores.row_for_turn()

    @property
    def rows_in_sight(self) -> list[ScoreRow]:
        """All outcomes that are shown, first the one that is looked at."""
        rows = [row for group in self.scores.groups for row in group.rows]
        return [self.chosen_score, *rows] if self.chosen_score is not None else rows

    def show_place(self) -> None:
        """Show what goes with the turn or the score that the keys are at."""
        if self.in_scores:
            self._show_score(self.scores.score_list.current)
        else:
            self._show_place_in_turns()

    def _show_place_in_turns(self) -> None:
        if (row := self.transcript.current) is not None:
            self._show_turn(row.number)

    def enter_scores(self) -> None:
        """Give the keys to the scores, and room where there is little: all is laid out anew for that."""
        self.scores.show_scores()
        self.scores.border_title = SCORES_TITLE
        if not self.is_roomy:
            self.scores.open()
        # What is asked for once the focus goes would be drawn a frame later.
        self._show_score(self.scores.score_list.current)
        self._screen.set_focus(self.scores.score_list)

    def leave_scores(self) -> None:
        """Give the keys back to the turns."""
        self.scores.close()
        self._show_score(None)
        self._screen.set_focus(self.transcript)

    def step_failed(self, by: int) -> None:
        """Go to the next turn with a verdict that failed for 1, to the one before for -1.

        Past the last one it goes round, and says so.
        """
        transcript = self.transcript
        moved = transcript.next_failed() if by > 0 else transcript.previous_failed()
        self._show_place_in_turns()
        if not moved:
            self._go_round(by)

    def _go_round(self, by: int) -> None:
        turns = self.transcript.failed_turns
        if not turns:
            note(self._screen, "No verdict about a turn failed.")
        elif turns == [self.transcript.cursor]:
            note(self._screen, "This is the only turn of which a verdict failed.")
        else:
            self.transcript.move_cursor(turns[0 if by > 0 else -1])
            self._show_place_in_turns()
            where = "last one on: this is the first" if by > 0 else "first one back: this is the last"
            note(self._screen, f"Round from the {where} of {len(turns):,} turns that failed.")
