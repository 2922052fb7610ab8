"""Going: how the app goes from one numbered place to another, and what it counts for the line of places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import takewhile
from typing import Any

from textual.app import App
from textual.signal import Signal

from turnwise.conversations.store import Store
from turnwise.tui.actions import Place
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.library.way_back import show_listing
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.places.place_screen import PlaceScreen


def _list(library: LibraryScreen, name: str, kind: type[Any], *asked: str) -> None:
    """Show a listing as it was left, else as it was made ahead.

    asked: the filter, where it tells of what that finds; what was made ahead tells of all sessions.
    """

    def make(left: Any) -> Any:
        is_made = left is None and not any(asked)
        return library.shell.kept_dialogs.take(kind) if is_made else kind(*asked, left)

    show_listing(library, name, make)


def _overview(library: LibraryScreen) -> None:
    from turnwise.tui.overview.overview_screen import OverviewScreen

    _list(library, "Overview", OverviewScreen, library.asked)


def _failure_modes(library: LibraryScreen) -> None:
    from turnwise.tui.failure_modes.failure_modes_screen import FailureModesScreen

    _list(library, "Modes", FailureModesScreen)


def _criteria(library: LibraryScreen) -> None:
    from turnwise.tui.criteria.criteria_screen import CriteriaScreen

    screen = library.shell.kept_dialogs.take(CriteriaScreen, library.provider, library.asked)
    library.app.push_screen(screen)


def _agreement(library: LibraryScreen) -> None:
    from turnwise.tui.agreement.agreement_screen import AgreementScreen

    library.app.push_screen(library.shell.kept_dialogs.take(AgreementScreen))


def _queues(library: LibraryScreen) -> None:
    from turnwise.tui.queues.queues_screen import QueuesScreen

    screen = library.shell.kept_dialogs.take(QueuesScreen, library.asked)
    library.app.push_screen(screen, library.go_to_session)


def _runs(library: LibraryScreen) -> None:
    from turnwise.tui.runs.runs_screen import RunsScreen

    _list(library, "Runs", RunsScreen)


def _compare(library: LibraryScreen) -> None:
    from turnwise.tui.compare.compare_screen import CompareScreen

    library.app.push_screen(library.shell.kept_dialogs.take(CompareScreen))


def _heat_map(library: LibraryScreen) -> None:
    from turnwise.tui.overview.heat_map_screen import HeatMapScreen

    library.app.push_screen(library.shell.kept_dialogs.take(HeatMapScreen, library.asked))


OPENERS: Mapping[Place, Callable[[LibraryScreen], None]] = {
    "overview": _overview,
    "failure_modes": _failure_modes,
    "criteria": _criteria,
    "agreement": _agreement,
    "queues": _queues,
    "runs": _runs,
    "compare": _compare,
}
"""What opens each place but the library, which is below all others."""

ABOVE: Mapping[str, Callable[[LibraryScreen], None]] = {"heat_map": _heat_map}
"""What opens a screen above whatever is open, to which it leads back, by the action that shows it."""

COUNTS: Mapping[Place, Callable[[Store], int]] = {
    "library": lambda store: store.sessions.count(),
    "queues": lambda store: len(store.queues.all()),
    "failure_modes": lambda store: len(store.modes.all(counted=False)),
    "runs": lambda store: store.runs.count(),
}
"""What is counted in the line of places, as cheaply as can be."""


class Going:
    """Goes to places for the app: at most one of them lies above the library, or above what is read."""

    def __init__(self, app: App[Any], store: Store) -> None:
        """app: whose screens they are. store: what is counted."""
        self._app = app
        self._store = store
        self._reading = NewestReading(app)
        self.counts: Mapping[Place, int] = {}
        """How much each place holds, where that is known."""
        self.counted: Signal[None] = Signal(app, "counted")
        """Tells that the counts changed."""

    def count(self) -> None:
        """Count what the places hold, in a thread, once what is to be drawn now is drawn."""
        self._app.call_after_refresh(self._count)

    def _count(self) -> None:
        self._reading.ask(lambda: {place: count(self._store) for place, count in COUNTS.items()}, self._take)

    def _take(self, counts: Mapping[Place, int]) -> None:
        if counts != self.counts:
            self.counts = counts
            self.counted.publish(None)

    def go(self, place: Place) -> None:
        """Go to a place. What is open there now is left first, which may ask and stay."""
        library, *above = self._app.screen_stack
        screen = self._app.screen
        if place == getattr(screen, "PLACE", ""):
            return
        if any(getattr(one, "PLACE", "") == "record" for one in above[:-1]):
            self._app.notify("A recording is open below: go back and end it first.")
        elif isinstance(screen, PlaceScreen) and screen is not library:
            self._leaving(partial(self._open, place))()
        else:
            self._open(place)

    def show(self, action: str) -> bool:
        """Show a screen above what is open, where it can stand above any; return whether it is such a one.

        action: the name of the action that shows it at its place.
        """
        if (opens := ABOVE.get(action)) is None:
            return False
        library = self._app.screen_stack[0]
        assert isinstance(library, LibraryScreen)  # noqa: S101
        if getattr(self._app.screen, "PLACE", "") != action:
            opens(library)
        return True

    def _leaving(self, go: Callable[[], None]) -> Callable[[], None]:
        """Return what goes once all screens of places in front are left, which may ask and stay."""
        leaving = takewhile(lambda one: isinstance(one, PlaceScreen), reversed(self._app.screen_stack[1:]))
        for screen in reversed(list(leaving)):
            assert isinstance(screen, PlaceScreen)  # noqa: S101
            go = partial(screen.leave_then, go)
        return go

    def _open(self, place: Place) -> None:
        app, library = self._app, self._app.screen_stack[0]
        assert isinstance(library, LibraryScreen)  # noqa: S101
        # In one go, so that nothing is drawn of what lies between.
        while app.screen is not library and (place == "library" or isinstance(app.screen, PlaceScreen)):
            app.pop_screen()
        if place != "library":
            OPENERS[place](library)
