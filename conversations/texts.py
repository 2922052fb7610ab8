"""Texts that UTF-8 can carry: what SQLite, files and terminals take."""

from __future__ import annotations


def mend_text(text: str) -> str:
    """Return a text with whole characters only: an emoji that came in two halves is whole again, and half
    a one, as programs leave behind that cut text by length, becomes the replacement character.
    """
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
