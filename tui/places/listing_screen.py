"""ListingScreen: a screen of which a line leads to the sessions that it is about, in the library."""

from __future__ import annotations

from typing import Generic, TypeVar

from turnwise.tui.places.place_screen import PlaceScreen

View = TypeVar("View")
"""How such a screen stands: what it needs to be opened again as it was."""


class ListingScreen(PlaceScreen["str | None"], Generic[View]):
    """It ends with the query of the sessions that were asked for, or None."""

    left: View | None = None
    """How it stood when it was left for the sessions of a line."""

    def list_sessions(self, query: str, view: View) -> None:
        """Leave for the sessions that a query finds. view: how it is to be opened again from there."""
        self.left = view
        self.dismiss(query)
