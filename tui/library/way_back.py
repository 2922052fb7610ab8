"""The way from sessions that the library lists back to the line of the screen that lists them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.places.listing_screen import ListingScreen, View

if TYPE_CHECKING:
    from turnwise.tui.library.library_screen import LibraryScreen


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


def show_listing(
    library: LibraryScreen, name: str, make: Callable[[View | None], ListingScreen[View]]
) -> None:
    """Show a screen of which a line leads to sessions of the library; from these `esc` leads back to it.

    name: what the screen is called. make: makes it, as it was left where it is gone back to. The library then
    has the filter again that it has now, and what `esc` does there.
    """
    asked, way_back = library.asked, library.way_back

    def show(left: View | None) -> None:
        screen = make(left)

        def go_back() -> None:
            library.show_query(asked, way_back)
            show(screen.left)

        def list_sessions(query: str | None) -> None:
            if query is None:
                return
            # A review lies between where the screen was opened from it.
            while library.app.screen is not library:
                library.app.pop_screen()
            library.show_query(query, WayBack(f"back to {name}", go_back))

        library.app.push_screen(screen, list_sessions)

    show(None)
