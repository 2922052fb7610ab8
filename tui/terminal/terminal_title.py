"""What the terminal's title says: where one is, for tabs and for those to whom it is read aloud."""

from __future__ import annotations

from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.actions.places import NUMBERED

BRAND = "turnwise"
MOST = 120
"""Characters of a title; longer ones are cut by what shows them."""
SAVE, RESTORE = "\x1b[22;2t", "\x1b[23;2t"
"""The title is put on the terminal's stack, and taken from it; terminals that have none pass over that."""


def place_in_words(place: str, title: str = "") -> str:
    """Return where one is: "turnwise: Review, Refund for a cancelled flight".

    title: what the screen itself is called, which may hold anything.
    """
    numbered = {one.place: one.title for one in NUMBERED}
    name = next((title for there, title in numbered.items() if there == place), "")
    name = name or place.replace("_", " ").capitalize()
    said = make_safe_line(title).removeprefix(f"{name} · ").strip()
    words = f"{name}, {said}" if said and said.lower() != name.lower() else name
    words = f"{BRAND}: {words}" if words else BRAND
    return words if len(words) <= MOST else f"{words[: MOST - 1]}…"


def title_sequence(words: str) -> str:
    """Return what sets a terminal's title; what is no printable character would end it, or do worse."""
    clean = "".join(one for one in make_safe_line(words) if one.isprintable())
    # The bell ends it in every terminal; programs that read along may know no other end.
    return f"\x1b]2;{clean}\a"
