"""TwoPanesScreen: a transcript and its scores; the keys move in the one that has the focus."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from turnwise.tui.key_words import fill_keys
from turnwise.tui.screens.finding import FindingScreen
from turnwise.tui.widgets.score_lines import Item
from turnwise.tui.widgets.score_list import ScoreList
from turnwise.tui.widgets.score_pane import ScorePane
from turnwise.tui.widgets.transcript import TranscriptView

if TYPE_CHECKING:
    from turnwise.tui.app import TurnwiseApp

ROOM_FROM = 46
"""From so many lines up the scores and the verdicts about a turn have room for both."""
UNSCORED = "No scores yet. {review.score} judges this session."
HIDDEN = "The scores are hidden until you label. {review.reveal} shows them."


class TwoPanesScreen(FindingScreen):
    """Goes through turns, failed verdicts and scores."""

    app: TurnwiseApp

    @property
    def pane(self) -> ScorePane:
        """The scores and labels."""
        return self.query_one(ScorePane)

    @property
    def hides_scores(self) -> bool:
        """Whether there are scores, and they are hidden."""
        return False

    def on_transcript_view_cursor_moved(self, event: TranscriptView.CursorMoved) -> None:
        """Show what goes with the turn."""
        self.show_with_turn(event.row.number)

    def show_with_turn(self, number: int | None) -> None:
        """Show the verdicts about a turn; None for what is no turn."""
        self.pane.show_turn(number)

    @property
    def is_roomy(self) -> bool:
        """Whether the scores stand beside the transcript, with room for all that may stand with them."""
        return self.size.height >= ROOM_FROM and not self.pane.has_class("-under")

    @property
    def in_scores(self) -> bool:
        """Whether the scores have the keys."""
        # What has the focus now: the list itself hears of it later, and keys may come before.
        return self.focused is self.pane.score_list

    def say_no_scores(self) -> None:
        """Say why there is nothing to go to."""
        self.note(fill_keys(HIDDEN if self.hides_scores else UNSCORED, self.app.actions))

    def _in_turns(self, move: Callable[[], bool | None]) -> bool | None:
        """Move in the transcript, and show the turn's verdicts in the same frame rather than in the next."""
        moved = move()
        if (row := self.transcript.current) is not None:
            self.show_with_turn(row.number)
        return moved

    def _in_list(self, move: Callable[[], None]) -> None:
        """Move in the scores, and show in the same frame what goes with the score."""
        move()
        self.show_with_score(self.pane.score_list.current)

    def show_with_score(self, item: Item | None) -> None:
        """Show what goes with the score that has the keys; None where the turns have them."""

    def action_cursor_down(self) -> None:
        """Go to the next turn or score."""
        if self.in_scores:
            self._in_list(lambda: self.pane.score_list.move(1))
        else:
            self._in_turns(self.transcript.cursor_down)

    def action_cursor_up(self) -> None:
        """Go to the turn or score before."""
        if self.in_scores:
            self._in_list(lambda: self.pane.score_list.move(-1))
        else:
            self._in_turns(self.transcript.cursor_up)

    def action_page_down(self) -> None:
        """Go down by a page."""
        if self.in_scores:
            self.pane.score_list.scroll_page_down(animate=False)
        else:
            self._in_turns(self.transcript.page_down)

    def action_page_up(self) -> None:
        """Go up by a page."""
        if self.in_scores:
            self.pane.score_list.scroll_page_up(animate=False)
        else:
            self._in_turns(self.transcript.page_up)

    def action_home(self) -> None:
        """Go to the first turn or score."""
        if self.in_scores:
            self._in_list(lambda: self.pane.score_list.move_to_end(-1))
        else:
            self._in_turns(self.transcript.home)

    def action_end(self) -> None:
        """Go to the last turn or score."""
        if self.in_scores:
            self._in_list(lambda: self.pane.score_list.move_to_end(1))
        else:
            self._in_turns(self.transcript.end)

    def action_next_failed(self) -> None:
        """Go to the next turn with a verdict that failed, or to the next match of a search."""
        self._next(self.transcript.next_failed, 1)

    def action_previous_failed(self) -> None:
        """Go back to such a turn, or to the match before."""
        self._next(self.transcript.previous_failed, -1)

    def _next(self, failed: Callable[[], bool], by: int) -> None:
        if self.finding:
            self.go_to_match(by)
        elif not self.pane.groups:
            self.say_no_scores()
        elif not self._in_turns(failed):
            self._go_round(by)

    def _go_round(self, by: int) -> None:
        turns = self.transcript.failed_turns
        if not turns:
            self.note("No verdict about a turn failed.")
        elif turns == [self.transcript.cursor]:
            self.note("This is the only turn of which a verdict failed.")
        else:
            self._in_turns(lambda: self.transcript.move_cursor(turns[0 if by > 0 else -1]))
            where = "last one on: this is the first" if by > 0 else "first one back: this is the last"
            self.note(f"Round from the {where} of {len(turns):,} turns that failed.")

    def action_fold(self) -> None:
        """Open or fold what is folded at the turn."""
        self.transcript.toggle_fold()

    def action_fold_all(self) -> None:
        """Open all that is folded in the conversation, or fold it again."""
        self.transcript.toggle_all_folds()

    def action_open(self) -> None:
        """In the scores follow what the cursor is on; in the turns open or fold."""
        item = self.pane.score_list.current
        if not self.in_scores:
            self.transcript.toggle_fold()
        elif item is not None and (item.turn or item.named):
            self.jump_to_turn(item.turn or item.named[0])
        else:
            self.action_why()

    def action_why(self) -> None:
        """Show what is behind a score: for those who have scores to show."""

    def on_score_list_chosen(self, event: ScoreList.Chosen) -> None:
        """Go to the turn that was clicked."""
        self.jump_to_turn(event.turn)

    def on_transcript_view_mark_chosen(self, event: TranscriptView.MarkChosen) -> None:
        """Go to what a metric says of a turn."""
        self.pane.score_list.go_to(event.letter, event.number)
        self._enter_scores()

    def on_score_pane_list_asked(self) -> None:
        """Show all scores where only their signs have room."""
        self.action_other_pane()

    def jump_to_turn(self, number: int) -> None:
        """Go to a turn by its number, or say that it is not there."""
        self.leave_scores()
        super().jump_to_turn(number)

    def action_jump_to_turn(self, number: int) -> None:
        """Go to a turn: for links."""
        self.jump_to_turn(number)

    def action_other_pane(self) -> None:
        """Go to the scores, or back to the turns."""
        if self.in_scores:
            self.leave_scores()
        elif not self.pane.groups:
            self.say_no_scores()
        else:
            self.pane.look_at_turn()
            self._enter_scores()

    def _enter_scores(self) -> None:
        """Give the keys to the scores, and room where there is little: all is laid out anew for that."""
        if not self.is_roomy:
            self.pane.add_class("-open")
        # What is asked for once the focus goes would be drawn a frame later.
        self.show_with_score(self.pane.score_list.current)
        self.set_focus(self.pane.score_list)

    def leave_scores(self) -> None:
        """Give the keys back to the turns."""
        self.pane.remove_class("-open")
        self.show_with_score(None)
        self.set_focus(self.transcript)
