"""WayBack: how `esc` leads from sessions that the library lists back to the line that lists them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from turnwise.conversations.safe_text import make_safe_line


@dataclass(frozen=True, slots=True)
class WayBack:
    """words: what the line of keys says of it; empty for no way. query: what the library lists meanwhile;
    once it lists something else, the way is gone.
    """

    words: str = ""
    go: Callable[[], None] = lambda: None
    query: str = ""

    def words_at(self, query: str) -> str:
        """Return the words where it leads back from what the library lists; else nothing."""
        # The line of the filter shows it, and asks for it, as it can be written there.
        return self.words if query == make_safe_line(self.query) else ""

    def is_gone_from(self, query: str) -> bool:
        """Go back where it leads back from what the library lists; return whether it does."""
        if leads := bool(self.words_at(query)):
            self.go()
        return leads


NO_WAY = WayBack()
