"""TourGuide: shows the line of the tour on every screen, hears what is done, and keeps how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from textual.app import App, SystemCommand
from textual.screen import Screen

from turnwise.conversations.errors import TurnwiseError
from turnwise.tui.actions import Place, Table
from turnwise.tui.parts.newest_reading import hand_over
from turnwise.tui.settings.keymap import key_of

if TYPE_CHECKING:
    from turnwise.conversations.store import Store
    from turnwise.tui.tour.tour_steps import TourProgress

KEPT_AS = "tour"
TURNS_IT = "tour"
"""The action that begins the tour and ends it; it is no step."""


class TourGuide:
    """Leads through the app on one database; where one left, one goes on."""

    def __init__(self, app: App[int], store: Store, actions: Table, show_all: Callable[[], None]) -> None:
        """store: keeps how far the tour is. actions: with the keys of the user's keymap.

        show_all: lets the library list all sessions.
        """
        self._app = app
        self._show_all = show_all
        self._store = store
        self._actions = actions
        self._progress: TourProgress | None = None

    @property
    def progress(self) -> TourProgress:
        """How far the tour is; not begun before that was read."""
        from turnwise.tui.tour.tour_steps import TourProgress

        return self._progress or TourProgress()

    @property
    def is_on(self) -> bool:
        """Whether the line of the tour is shown."""
        return self._progress is not None and self._progress.on

    def begin(self, *, at_first: bool) -> None:
        """Go on where the tour was left in this database. at_first: begin it where it never was."""

        def read() -> None:
            # What the steps say is of no use to the first screen.
            from turnwise.tui.tour.tour_steps import TourProgress

            try:
                kept = TourProgress.of(self._store.remembered.get(KEPT_AS))
            except TurnwiseError:
                # Without it the app is as it is otherwise.
                return
            progress = kept or TourProgress(on=at_first)
            # Once it was over it is not told again at every start.
            hand_over(self._app, self._take, progress.left() if progress.is_over else progress)

        self._app.run_worker(read, thread=True, group="tour", exit_on_error=False)

    def hear(self, place: Place, action: str) -> None:
        """Hear of an action that was taken at a place."""
        if self.is_on and action != TURNS_IT:
            hidden = self._hides_scores(place)
            self._go_on(self.progress.after(place, action.rpartition(".")[2], hidden=hidden))

    def _hides_scores(self, place: Place) -> bool:
        """Return whether the screen in front shows a session whose scores are hidden."""
        if place != "review":
            return False
        # Where a review is in front, it was loaded.
        from turnwise.tui.review.review_screen import ReviewScreen

        screen = self._app.screen
        return isinstance(screen, ReviewScreen) and screen.labels.hides_scores

    def follow(self) -> None:
        """Show the line on the screen that is in front now; coming there may do a step."""
        if self.is_on:
            self._go_on(self.progress.after(self._place))
            self._show()

    def take_up(self) -> None:
        """Show the tour, where it was left."""
        self._go_on(self.progress.taken_up())

    def leave(self) -> None:
        """Hide the tour."""
        self._go_on(self.progress.left())

    def turn(self) -> None:
        """Show the tour, or hide it."""
        if self.is_on:
            self.leave()
        else:
            self.take_up()

    def skip(self) -> None:
        """Leave this step out."""
        self._go_on(self.progress.skipped())

    def commands(self) -> Iterator[SystemCommand]:
        """Yield what the command palette offers of the tour."""
        if self.is_on:
            yield SystemCommand("tour: leave", "The line goes; it can be taken up again.", self.leave)
            yield SystemCommand("tour: next step", "Leave this step out.", self.skip)
        else:
            yield SystemCommand("tour", "Be led to what is wrong, and how sure that is.", self.take_up)

    @property
    def _how_to_leave(self) -> tuple[str, str]:
        key = key_of(self._actions, "everywhere", TURNS_IT)
        return f"{key} ends the tour", f"{key} ends it"

    @property
    def _place(self) -> Place:
        place: Place = getattr(self._app.screen, "PLACE", "everywhere")
        return place

    def _take(self, progress: TourProgress) -> None:
        self._progress = progress
        self._show()

    def _go_on(self, progress: TourProgress) -> None:
        if progress == self.progress:
            return
        self._take(progress)
        if progress.is_of_all:
            self._show_all()
        self._app.run_worker(self._keep, thread=True, group="tour", exit_on_error=False)

    def _keep(self) -> None:
        try:
            self._store.remembered.keep(KEPT_AS, self.progress.data())
        except TurnwiseError:
            # It only matters for the next time.
            return

    def _show(self) -> None:
        """Let every screen have the line, or none."""
        from turnwise.tui.tour.tour_line import TourLine

        if not self.is_on:
            for screen in self._app.screen_stack:
                screen.query(TourLine).remove()
            return
        screen = self._app.screen
        if screen.is_modal or not screen.is_mounted:
            # A dialog has its own words; a screen that is only coming is followed once it is there.
            # Letters to jump by lead to the very words of the line.
            is_over = screen.is_modal and self._place != "jump"
            for line in (line for below in self._app.screen_stack[:-1] for line in below.query(TourLine)):
                line.below = is_over
            screen.call_after_refresh(self._show_on, screen)
            return
        self._show_on(screen)

    def _show_on(self, screen: Screen[object]) -> None:
        from turnwise.tui.parts.key_line import KeyLine
        from turnwise.tui.tour.tour_line import TourLine, TourTurns
        from turnwise.tui.tour.tour_steps import words_while_typing

        if screen is not self._app.screen or screen.is_modal or not self.is_on:
            return
        heading = self.progress.heading()
        words = self.progress.words(self._place, self._actions)
        while_typing = words_while_typing(words, self._place, self._actions)
        if lines := list(screen.query(TourLine)):
            lines[0].heading, lines[0].words, lines[0].while_typing = heading, words, while_typing
            lines[0].below = False
        elif (below := screen.query(KeyLine).first(KeyLine)).parent is screen:
            turns = TourTurns(self.leave, self.skip, self._how_to_leave)
            screen.mount(TourLine(turns, heading, words, while_typing), before=below)
