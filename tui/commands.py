"""What the command palette offers beside the actions of a screen: any session by its number."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

if TYPE_CHECKING:
    from turnwise.tui.app import TurnwiseApp

_NUMBER = re.compile(r"\d+")


class SessionCommands(Provider):
    """Opens the session whose number is typed."""

    async def search(self, query: str) -> Hits:
        """Offer the session of the number in the query."""
        if match := _NUMBER.search(query):
            number = int(match[0])
            app = cast("TurnwiseApp", self.app)
            yield Hit(
                1.0,
                f"open session {number}",
                partial(app.open_session, number),
                help="Read it and its scores.",
            )

    async def discover(self) -> Hits:
        """Say that a number may be typed."""
        yield DiscoveryHit("open session …", lambda: None, help="Type its number.")
