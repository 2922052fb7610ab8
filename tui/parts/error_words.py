"""Error words: what is wrong stands out in colour, and what to do about it is read as all other words are."""

from __future__ import annotations

from textual.content import Content

from turnwise.conversations.safe_text import make_safe


def error_words(text: str) -> Content:
    """Return the lines of an error for a widget in the colour of errors: only the first keeps that colour."""
    first, _, rest = make_safe(text).partition("\n")
    return Content.assemble(first, (f"\n{rest}", "$text")) if rest else Content(first)
