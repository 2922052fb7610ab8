"""PlaceScreen: a screen with the line of places at its top."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from textual.screen import ScreenResultType

from turnwise.tui.drawing.still import StillScreen
from turnwise.tui.places.places_line import PlacesLine
from turnwise.tui.shell.last_reading import LastReading
from turnwise.tui.shell.shell import ShellOfApp
from turnwise.tui.textual_screens import make_ready_again


class PlaceScreen(StillScreen[ScreenResultType]):
    """Its actions are those of `places_but` and its own; it yields a PlacesLine before all else."""

    shell = ShellOfApp()
    _asked = ""
    """The filter of the sessions that it tells of; empty for all."""

    @cached_property
    def last_reading(self) -> LastReading:
        """What it tells of, as it was read last."""
        return LastReading()

    def find_outdated(self, *wanted: object) -> bool:
        """Return whether what it tells of may be otherwise than when this was asked last; at first it is.

        wanted: what it is about, where that may be another thing at another time.
        """
        return self.last_reading.find_outdated(self.shell, *wanted)

    @property
    def places(self) -> PlacesLine:
        """The line that answers the digits."""
        return self.query_one(PlacesLine)

    def on_screen_resume(self) -> None:
        """Count anew what the places hold: another screen may have made a queue, or named a failure mode."""
        if self.is_mounted:
            self.places.count_anew()

    def begin(self) -> None:
        """Take what it is about: nothing, unless a place says otherwise."""

    def take_query(self, query: str) -> None:
        """Take of which sessions it tells, as a filter says; what was read of others is outdated."""
        if query != self._asked:
            self._asked = query
            self.last_reading.forget()

    def open_again(self) -> None:
        """Open it, once it was made before anybody asked for it: what it has read by then is seen at once."""
        make_ready_again(self, self.clear if self.last_reading.is_empty else lambda: None)

    def clear(self) -> None:
        """Show nothing of what was read, where that is of other sessions than are asked for now."""

    def leave_then(self, go: Callable[[], None]) -> None:
        """Go elsewhere, at once where nothing is lost by it. A screen that holds more asks first."""
        go()
