"""The way from sessions that the library lists back to the line of the screen that lists them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from textual.app import App

from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.places.listing_screen import ListingScreen, View


@dataclass(frozen=True, slots=True)
class WayBack:
    """words: what the line of keys says of it; empty for no way. query: what the library lists meanwhile;
    once it lists something else, the way is gone.
    """

    words: str = ""
    go: Callable[[], None] = lambda: None
    query: str = ""

    def at(self, query: str) -> WayBack:
        """Return it where it leads back from what the library lists; else no way."""
        # The line of the filter shows it, and asks for it, as it can be written there.
        return self if query == make_safe_line(self.query) else NO_WAY


NO_WAY = WayBack()


class Library(Protocol):
    """What is asked of the screen that lists the sessions."""

    @property
    def app(self) -> App[Any]:
        """The app that it is shown in."""

    @property
    def asked(self) -> str:
        """The filter that was asked for last."""

    @property
    def way_back(self) -> WayBack:
        """The way back from what it lists."""

    @property
    def cursor_on(self) -> int | None:
        """The session under the cursor."""

    def show_query(self, query: str, way_back: WayBack, *, back_on: int | None = None) -> None:
        """Show the sessions that a query finds. way_back: what `esc` does there.

        back_on: the session that the cursor then stands on again, where the list holds it.
        """


def show_listing(library: Library, name: str, make: Callable[[View | None], ListingScreen[View]]) -> None:
    """Show a screen of which a line leads to sessions of the library; from these `esc` leads back to it.

    name: what the screen is called. make: makes it, as it was left where it is gone back to. The library then
    has the filter again that it has now, the session under its cursor, and what `esc` does there.
    """
    asked, way_back, cursor_on = library.asked, library.way_back, library.cursor_on

    def show(left: View | None) -> None:
        screen = make(left)

        def go_back() -> None:
            library.show_query(asked, way_back, back_on=cursor_on)
            show(screen.left)

        def list_sessions(query: str | None) -> None:
            if query is None:
                return
            # A review lies above the library, which is below all others, where the screen was opened from it.
            while len(library.app.screen_stack) > 1:
                library.app.pop_screen()
            library.show_query(query, WayBack(f"back to {name}", go_back))

        library.app.push_screen(screen, list_sessions)

    show(None)
