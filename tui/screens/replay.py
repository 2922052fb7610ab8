"""ReplayScreen: a session played again, with turns, scores and labels as they came."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import BindingType

from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.review_keys import asking_key
from turnwise.tui.screens.playing import PlayingScreen
from turnwise.tui.widgets.prompt_line import PromptLine
from turnwise.tui.widgets.score_list import ScoreList
from turnwise.tui.widgets.score_pane import ScorePane
from turnwise.tui.widgets.timeline import Timeline
from turnwise.tui.widgets.transcript import TranscriptView

SECONDS_OF_A_NOTE = 2.5


class ReplayScreen(PlayingScreen):
    """Goes to any moment of a session, by keys or on the line of its events."""

    PLACE: ClassVar[Place] = "replay"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("replay"))

    # Playing

    def action_play(self) -> None:
        """Play or pause; at the end play from the start."""
        replay = self.replay
        if replay.playing:
            replay.playing = False
        else:
            if replay.at_end:
                replay.shown = min(1, len(replay.events))
                self.show()
            replay.playing, self.follows = True, True
            self.ticked = self.clock()
        self.show_moment()

    def action_forward(self) -> None:
        """Show the next turn, all of it; if it plays, it plays on from there."""
        self.go(self.replay.step_turn, pause=False)

    def action_back_step(self) -> None:
        """Go back by a turn, or to the start of the one that is being said."""
        if self.typed >= 0:
            self.go(lambda: None, pause=True)
        else:
            self.go(lambda: self.replay.step_turn(-1), pause=True)

    def action_event_forward(self) -> None:
        """Show the next event."""
        self.go(self.replay.step, pause=True)

    def action_event_back(self) -> None:
        """Go back by an event."""
        self.go(lambda: self.replay.step(-1), pause=True)

    def action_slower(self) -> None:
        """Play at half the speed."""
        self.replay.faster(-1)
        self.show_moment()

    def action_faster(self) -> None:
        """Play at twice the speed."""
        self.replay.faster()
        self.show_moment()

    def action_next_failed(self) -> None:
        """Go on to the next turn or score that failed."""
        place = next((place for place in self.failing if place >= self.replay.shown), None)
        self._seek(place, "Nothing fails after this.")

    def action_previous_failed(self) -> None:
        """Go back to the turn or score that failed before."""
        place = next((place for place in reversed(self.failing) if place < self.replay.shown - 1), None)
        self._seek(place, "Nothing fails before this.")

    def _seek(self, place: int | None, otherwise: str) -> None:
        if place is None:
            self.notify(otherwise, timeout=SECONDS_OF_A_NOTE)
        else:
            self.go(lambda: setattr(self.replay, "shown", place + 1), pause=True)

    def on_timeline_sought(self, event: Timeline.Sought) -> None:
        """Go to what was clicked on the line."""
        self.go(lambda: setattr(self.replay, "shown", event.shown), pause=True)

    def on_score_list_chosen(self, event: ScoreList.Chosen) -> None:
        """Look at the turn of a verdict that was clicked."""
        self.follows = False
        self.transcript.jump_to(event.turn)

    def action_home(self) -> None:
        """Go back to the start."""
        self.go(lambda: setattr(self.replay, "shown", min(1, len(self.replay.events))), pause=True)

    def action_end(self) -> None:
        """Show all."""
        self.go(lambda: setattr(self.replay, "shown", len(self.replay.events)), pause=True)

    def action_turn(self) -> None:
        """Ask for a turn's number."""
        hint = f"1 to {self.last_number}, g for the start"
        self.prompt.ask("turn", "turn", placeholder=hint, text="")

    def on_prompt_line_changed(self, event: PromptLine.Changed) -> None:
        """Go to the start by g g."""
        if event.text.lower() == "g":
            self._close_prompt()
            self.action_home()

    def on_prompt_line_submitted(self, event: PromptLine.Submitted) -> None:
        """Go to the turn."""
        self._close_prompt()
        number = event.text.strip()
        if number and not (number.isdecimal() and self._seek_turn(int(number))):
            self.notify(f"There is no turn {number[:20]}.", timeout=SECONDS_OF_A_NOTE, markup=False)

    def jump_to_turn(self, number: int) -> None:
        """Go to a turn by its number, or say that it is not there."""
        if not self._seek_turn(number):
            self.notify(f"There is no turn {number}.", timeout=SECONDS_OF_A_NOTE)

    def _seek_turn(self, number: int) -> bool:
        there = self.replay.seek_turn(number)
        if there:
            self.go(lambda: None, pause=True)
        return there

    def on_prompt_line_cancelled(self) -> None:
        """Close the line."""
        self._close_prompt()

    def _close_prompt(self) -> None:
        self.prompt.close()
        self.ticked = self.clock()
        self.set_focus(self.transcript)

    # Looking around while it plays

    def on_transcript_view_cursor_moved(self, event: TranscriptView.CursorMoved) -> None:
        """Show the verdicts about the turn that is looked at."""
        self.query_one(ScorePane).show_turn(event.row.number)

    def action_cursor_down(self) -> None:
        """Look at the next turn."""
        self._look(self.transcript.cursor_down)

    def action_cursor_up(self) -> None:
        """Look at the turn before."""
        self._look(self.transcript.cursor_up)

    def action_page_down(self) -> None:
        """Look down by a page."""
        self._look(self.transcript.page_down)

    def action_page_up(self) -> None:
        """Look up by a page."""
        self._look(self.transcript.page_up)

    def _look(self, move: Callable[[], None]) -> None:
        move()
        # Who comes back to the last turn wants to see what comes next.
        self.follows = self.transcript.cursor_is_last

    def action_fold(self) -> None:
        """Open or fold what is folded at the turn."""
        self.transcript.toggle_fold()

    def action_back(self) -> None:
        """Close the line that asks for a number, or leave."""
        if self.prompt.asking:
            self._close_prompt()
        else:
            self.dismiss()

    def key_now(self, action: Action) -> Action:
        """Return an action with the words and the rank that it has now."""
        return asking_key(action) if self.prompt.typing else action
