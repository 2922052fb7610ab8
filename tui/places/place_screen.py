"""PlaceScreen: a screen with the line of places at its top."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import ScreenResultType

from turnwise.tui.drawing.still import StillScreen
from turnwise.tui.places.places_line import PlacesLine


class PlaceScreen(StillScreen[ScreenResultType]):
    """Its actions are those of `places_but` and its own; it yields a PlacesLine before all else."""

    @property
    def places(self) -> PlacesLine:
        """The line that answers the digits."""
        return self.query_one(PlacesLine)

    def on_screen_resume(self) -> None:
        """Count anew what the places hold: another screen may have made a queue, or named a failure mode."""
        if self.is_mounted:
            self.places.count_anew()

    def leave_then(self, go: Callable[[], None]) -> None:
        """Go elsewhere, at once where nothing is lost by it. A screen that holds more asks first."""
        go()
