"""SideTranscript: one of two transcripts side by side; where one goes, the other goes along."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.tui.widgets.marks import TurnMarks
from turnwise.tui.widgets.side_turns import SideTurns
from turnwise.tui.widgets.transcript import TranscriptView


class SideTranscript(TranscriptView):
    """A transcript whose place and cursor are those of its partner, whichever of the two is moved."""

    DEFAULT_CSS = "SideTranscript.-beside { scrollbar-size-vertical: 0; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._partner: SideTranscript | None = None
        self._follows = False
        self._shown = True
        self._alone = False

    def join(self, partner: SideTranscript) -> None:
        """Go together with another one from now on."""
        self._partner, partner._partner = partner, self

    def show_side(self, turns: SideTurns, verdicts: Mapping[int, TurnMarks]) -> None:
        """Show one side of a pair from its start."""
        turns.shown_alone = self._alone
        self.set_turns(turns, verdicts)

    def set_shown(self, shown: bool, *, alone: bool) -> None:
        """Say whether it is seen, and whether alone: its turns are then laid out for both."""
        was = self._shown, self._alone
        self._shown, self._alone = shown, shown and alone
        if isinstance(self._turns, SideTurns):
            self._turns.shown_alone = self._alone
        if shown and was != (self._shown, self._alone):
            self._lay_out()

    def _lay_out(self) -> None:
        if self._shown:
            super()._lay_out()

    def _settle(self) -> None:
        super()._settle()
        self._lead()

    def move_cursor(self, turn: int, *, reveal: bool = True) -> None:
        """Put the cursor on a slot on both sides, and by default bring it into sight."""
        super().move_cursor(turn, reveal=reveal)
        self._lead()

    def _lead(self) -> None:
        if self._partner is not None and not self._follows and len(self._turns.groups):
            self._partner._follow(self)

    def _follow(self, leader: SideTranscript) -> None:
        place = leader._turns.place
        if self._turns.shown != place.shown:
            # The other side shows its next pair before this one does.
            return
        self._follows = True
        try:
            self._cursor = leader._cursor
            if self.size.height and self._palette is not None:
                self._go(place.item, place.line)
            else:
                self._turns.place.item, self._turns.place.line = place.item, place.line
        finally:
            self._follows = False
