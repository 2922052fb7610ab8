"""Whether keys are typed into a field now: lines that name keys say then what is true of them."""

from __future__ import annotations

from typing import Any

from textual.screen import Screen


def is_typed_into(screen: Screen[Any]) -> bool:
    """Return whether a letter would be typed into the field that has the focus."""
    # Asked of the widget: to load every kind of field that could be meant would hold up the first paint.
    focused = screen.focused
    return focused is not None and focused.check_consume_key("a", "a")
