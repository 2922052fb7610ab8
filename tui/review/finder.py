"""Finder: words found in a transcript, and turns gone to by their number, as a prompt line asks for them.

Words are taken as a regular expression. They are looked for off the loop, as a conversation may be long.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from time import monotonic
from typing import Any

from textual.screen import Screen
from textual.worker import get_current_worker

from turnwise.conversations.patterns import PatternTimeError, WrittenPattern
from turnwise.conversations.store import TurnRow
from turnwise.tui.parts.notice import note
from turnwise.tui.parts.prompt_line import PromptLine
from turnwise.tui.reading.transcript import TranscriptView

FIND, TURN = "find", "turn"
"""What the line is asked for."""
PROMPT_LINES = 1
"""So much of the transcript the line covers."""
MOST_MATCHES = 1_000
"""So many matches of one message are counted."""
SECONDS = 10.0
"""How long one search of a whole transcript may take."""
_REPEATED_REPEAT = re.compile(r"[*+}]\)[*+{]")


class Finder:
    """Asks in the PromptLine of a screen, and marks what it found in its TranscriptView.

    The screen hands over the messages of its line: `typed`, `submitted` and `cancelled` take them.
    """

    def __init__(self, screen: Screen[Any]) -> None:
        """screen: has one TranscriptView and one PromptLine."""
        self._screen = screen
        self._matches: Sequence[int] = ()
        self._count = 0
        self._began_at = 0
        """The turn the cursor was on when a search began."""

    @property
    def _transcript(self) -> TranscriptView:
        return self._screen.query_one(TranscriptView)

    @property
    def prompt(self) -> PromptLine:
        """The line that asks for words or a number."""
        return self._screen.query_one(PromptLine)

    @property
    def finding(self) -> bool:
        """Whether a search is open."""
        return self.prompt.asking and self.prompt.purpose == FIND

    @property
    def found(self) -> bool | None:
        """Whether the search that is open found anything; None while none is."""
        return bool(self._matches) if self.finding else None

    # What is asked

    def ask_words(self) -> None:
        """Ask for words."""
        self._began_at = self._transcript.cursor
        self._ask(FIND, "/", placeholder="(words or a regular expression)")
        self._find(self.prompt.text)

    def ask_turn(self) -> None:
        """Ask for a turn's number."""
        self.stop()
        last = self._transcript.last_number
        self._ask(TURN, "turn", placeholder=f"(1 to {last}, g for the first)", text="", at_once="g")

    def _ask(
        self, purpose: str, label: str, *, placeholder: str, text: str | None = None, at_once: str = ""
    ) -> None:
        self.prompt.ask(purpose, label, placeholder=placeholder, text=text, at_once=at_once)
        # To lay the screen out anew would take longer than a key may: the line lies over the last turns.
        self._transcript.cover(PROMPT_LINES)

    def _close(self) -> None:
        self.prompt.close()
        self._transcript.cover(0)
        # How to leave is another key's work again.
        self._screen.refresh_bindings()

    def typed(self, event: PromptLine.Changed) -> None:
        """Find while words are typed; g g goes to the start."""
        if event.purpose == FIND:
            self._find(event.text)
        elif event.text.lower() == "g":
            self._close()
            self._screen.set_focus(self._transcript)
            self._transcript.home()

    def submitted(self, event: PromptLine.Submitted) -> None:
        """Go to the turn; for a search give the keys back to the turns, with the matches marked."""
        self._screen.set_focus(self._transcript)
        if event.purpose == FIND:
            if not event.text:
                self.stop()
            elif self._transcript.cursor in self._matches:
                self._show_match(self._transcript.cursor)
            return
        self._close()
        number = event.text.strip()
        if number and not (number.isdecimal() and self._transcript.jump_to(int(number))):
            note(self._screen, f"There is no turn {number[:20]}.")

    def cancelled(self, event: PromptLine.Cancelled) -> None:
        """Close the line; a search goes back to where it began."""
        # Where nothing moved all would be drawn anew.
        moved = self._transcript.cursor != self._began_at or self._matches
        if event.purpose == FIND and moved:
            self._transcript.move_cursor(self._began_at)
        self.stop()

    def stop(self) -> None:
        """Close the line, take the marks away, and fold again what was opened for them."""
        self._transcript.highlight(None)
        self._transcript.fold_after_search()
        self._close()
        self._take_matches(())
        self._screen.set_focus(self._transcript)

    # Turns

    def jump_to_turn(self, number: int) -> None:
        """Go to a turn by its number, or say that it is not there."""
        self._screen.set_focus(self._transcript)
        if not self._transcript.jump_to(number):
            note(self._screen, f"There is no turn {number}.")

    # Words

    def find_again(self) -> None:
        """Look for the same words in another transcript, if a search is open."""
        if self.finding:
            self._began_at = 0
            self._find(self.prompt.text)

    def _find(self, text: str) -> None:
        self._take_matches(())
        self._transcript.highlight(None)
        if not text:
            self.prompt.say("")
            return
        try:
            pattern = pattern_of(text)
        except ValueError as error:
            self.prompt.say(str(error), wrong=True)
            return
        look = partial(self._look_for, self._transcript.rows, pattern)
        self._screen.run_worker(look, thread=True, exclusive=True, group="find")

    def _look_for(self, rows: Sequence[TurnRow], pattern: WrittenPattern) -> None:
        """Look for a pattern, in a thread."""
        worker = get_current_worker()
        try:
            turns = found_turns(rows, pattern, lambda: worker.is_cancelled)
        except PatternTimeError:
            self._screen.call_later(self.prompt.say, "that takes too long to look for", wrong=True)
            return
        if not worker.is_cancelled:
            self._screen.call_later(self._take, rows, pattern, turns)

    def _take(self, rows: Sequence[TurnRow], pattern: WrittenPattern, turns: dict[int, int]) -> None:
        """Mark the matches and go to the first one from where the search began."""
        same = self.finding and self.prompt.text == pattern.pattern
        # Another session may stand there by now, with the same words in the line.
        if not same or rows != self._transcript.rows:
            return
        self._count = sum(turns.values())
        self._take_matches(list(turns))
        self._transcript.highlight(pattern)
        if not turns:
            self._transcript.fold_after_search()
            self.prompt.say("not found", wrong=True)
            return
        first = next((turn for turn in self._matches if turn >= self._began_at), self._matches[0])
        # What fewer letters found and opened is not what is looked for.
        self._transcript.fold_after_search(first)
        self._show_match(first)

    def _take_matches(self, turns: Sequence[int]) -> None:
        """Keep where the matches are, and offer the keys that lead to them, or no longer."""
        changed = bool(turns) != bool(self._matches)
        self._matches = turns
        if changed:
            self._screen.refresh_bindings()

    def step(self, by: int) -> None:
        """Go to the next match for 1, to the one before for -1; round at the ends."""
        if not self._matches:
            return
        if self._transcript.step_found(by):
            return
        here = self._transcript.cursor
        if by > 0:
            self._show_match(next((turn for turn in self._matches if turn > here), self._matches[0]))
        else:
            before = next((turn for turn in reversed(self._matches) if turn < here), self._matches[-1])
            self._show_match(before, last=True)

    def _show_match(self, turn: int, *, last: bool = False) -> None:
        self._transcript.reveal_found(turn, last=last)
        count = len(self._matches)
        turns = f"turn{'s' * (count != 1)}"
        matches = f"{self._count:,} match{'es' * (self._count != 1)}"
        keys = "enter" if self.prompt.typing else "n N · esc"
        place = bisect_left(self._matches, turn) + 1
        self.prompt.say(f"{place:,} of {count:,} {turns} · {matches} · {keys}")


def pattern_of(text: str) -> WrittenPattern:
    """Return what was typed as a pattern; small letters match capitals too.

    Raises ValueError, in words, for what is no regular expression or could take forever.
    """
    if _REPEATED_REPEAT.search(text):
        raise ValueError("a repeat of a repeat could take forever")
    try:
        return WrittenPattern(text, ignore_case=not any(map(str.isupper, _plain(text))))
    except re.error as error:
        raise ValueError(f"no regular expression: {error.msg}") from error


def _plain(text: str) -> str:
    """Return a pattern without its escapes: the S of \\S is no capital letter."""
    return re.sub(r"\\.", "", text)


def found_turns(
    rows: Sequence[TurnRow], pattern: WrittenPattern, stop: Callable[[], bool] = lambda: False
) -> dict[int, int]:
    """Return which messages hold a match, by their place in `rows`: in words, tools or passages.

    Each with the number of its matches, MOST_MATCHES at the most. stop: says that nobody waits any longer.
    Raises PatternTimeError where one text takes too long.
    """
    found: dict[int, int] = {}
    until = monotonic() + SECONDS
    for index, row in enumerate(rows):
        if stop():
            break
        if count := _matches(row, pattern, until):
            found[index] = count
    return found


def _matches(row: TurnRow, pattern: WrittenPattern, until: float) -> int:
    texts = [row.content, *row.reasoning, *row.passages]
    texts += [text for call in row.tools_called for text in (call.name, call.arguments, call.output or "")]
    matches = (
        match
        for text in texts
        if text
        for match in pattern.finditer(text, seconds=until - monotonic())
        if match[0]
    )
    return sum(1 for _ in islice(matches, MOST_MATCHES))
