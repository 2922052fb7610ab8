"""FindingScreen: a screen with a transcript in which words are found, and turns by their number."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textual import work
from textual.message import Message
from textual.worker import get_current_worker

from turnwise.conversations.store.rows import TurnRow
from turnwise.tui.screens.still import StillScreen
from turnwise.tui.widgets.finding import found_turns, pattern_of
from turnwise.tui.widgets.prompt_line import PromptLine
from turnwise.tui.widgets.transcript import TranscriptView

SECONDS_OF_A_NOTE = 2.5
FIND, TURN = "find", "turn"


class FindingScreen(StillScreen[int]):
    """Asks in its PromptLine, looks off the loop, and marks what it found in its TranscriptView."""

    @dataclass
    class Found(Message):
        """A search is over."""

        rows: Sequence[TurnRow]
        pattern: re.Pattern[str]
        turns: Mapping[int, int]

    def __init__(self) -> None:
        super().__init__()
        self._matches: Sequence[int] = ()
        self._count = 0
        self._began_at = 0
        """The turn the cursor was on when a search began."""

    @property
    def transcript(self) -> TranscriptView:
        """The turns."""
        return self.query_one(TranscriptView)

    @property
    def prompt(self) -> PromptLine:
        """The line that asks for words or a number."""
        return self.query_one(PromptLine)

    @property
    def finding(self) -> bool:
        """Whether a search is open."""
        return self.prompt.asking and self.prompt.purpose == FIND

    @property
    def last_number(self) -> int:
        """The number of the last turn; 0 without any."""
        return self.transcript.last_number

    def find_again(self) -> None:
        """Look for the same words in another transcript, if a search is open."""
        if self.finding:
            self._began_at = 0
            self._find(self.prompt.text)

    def note(self, text: str) -> None:
        """Say something in passing."""
        self.notify(text, timeout=SECONDS_OF_A_NOTE, markup=False)

    def action_find(self) -> None:
        """Ask for words."""
        self._began_at = self.transcript.cursor
        self.prompt.ask(FIND, "/", placeholder="words or a regular expression")
        self._find(self.prompt.text)

    def action_turn(self) -> None:
        """Ask for a turn's number."""
        self.stop_finding()
        self.prompt.ask(TURN, "turn", placeholder=f"1 to {self.last_number}, g for the first", text="")

    def jump_to_turn(self, number: int) -> None:
        """Go to a turn by its number, or say that it is not there."""
        self.set_focus(self.transcript)
        if not self.transcript.jump_to(number):
            self.note(f"There is no turn {number}.")

    def on_prompt_line_changed(self, event: PromptLine.Changed) -> None:
        """Find while words are typed; g g goes to the start."""
        if event.purpose == FIND:
            self._find(event.text)
        elif event.text.lower() == "g":
            self.prompt.close()
            self.set_focus(self.transcript)
            self.transcript.home()

    def on_prompt_line_submitted(self, event: PromptLine.Submitted) -> None:
        """Go to the turn; for a search give the keys back to the turns, with the matches marked."""
        self.set_focus(self.transcript)
        if event.purpose == FIND:
            if not event.text:
                self.stop_finding()
            elif self.transcript.cursor in self._matches:
                self.call_after_refresh(self._show_match, self.transcript.cursor)
            return
        self.prompt.close()
        number = event.text.strip()
        if number and not (number.isdecimal() and self.transcript.jump_to(int(number))):
            self.note(f"There is no turn {number[:20]}.")

    def on_prompt_line_cancelled(self, event: PromptLine.Cancelled) -> None:
        """Close the line; a search goes back to where it began."""
        if event.purpose == FIND:
            self.transcript.move_cursor(self._began_at)
        self.stop_finding()

    def stop_finding(self) -> None:
        """Close the line, and take the marks away."""
        self.transcript.highlight(None)
        self._matches = ()
        self.prompt.close()
        self.set_focus(self.transcript)

    def _find(self, text: str) -> None:
        self._matches = ()
        self.transcript.highlight(None)
        if not text:
            self.prompt.say("")
            return
        try:
            pattern = pattern_of(text)
        except ValueError as error:
            self.prompt.say(str(error), wrong=True)
            return
        self._look_for(self.transcript.rows, pattern)

    @work(thread=True, exclusive=True, group="find")
    def _look_for(self, rows: Sequence[TurnRow], pattern: re.Pattern[str]) -> None:
        worker = get_current_worker()
        turns = found_turns(rows, pattern, lambda: worker.is_cancelled)
        if not worker.is_cancelled:
            self.post_message(self.Found(rows, pattern, turns))

    def on_finding_screen_found(self, event: Found) -> None:
        """Mark the matches and go to the first one from where the search began."""
        same = self.finding and self.prompt.text == event.pattern.pattern
        # Another session may stand there by now, with the same words in the line.
        if not same or event.rows != self.transcript.rows:
            return
        self._matches, self._count = list(event.turns), sum(event.turns.values())
        self.transcript.highlight(event.pattern)
        if not event.turns:
            self.prompt.say("not found", wrong=True)
            return
        first = next((turn for turn in self._matches if turn >= self._began_at), self._matches[0])
        self._show_match(first)

    def go_to_match(self, by: int) -> None:
        """Go to the next match for 1, to the one before for -1; round at the ends."""
        if not self._matches:
            return
        if self.transcript.step_found(by):
            return
        here = self.transcript.cursor
        if by > 0:
            self._show_match(next((turn for turn in self._matches if turn > here), self._matches[0]))
        else:
            before = next((turn for turn in reversed(self._matches) if turn < here), self._matches[-1])
            self._show_match(before, last=True)

    def _show_match(self, turn: int, *, last: bool = False) -> None:
        self.transcript.reveal_found(turn, last=last)
        count = len(self._matches)
        turns = f"turn{'s' * (count != 1)}"
        matches = f"{self._count:,} match{'es' * (self._count != 1)}"
        keys = "enter" if self.prompt.typing else "n N · esc"
        place = bisect_left(self._matches, turn) + 1
        self.prompt.say(f"{place:,} of {count:,} {turns} · {matches} · {keys}")
