"""Error words: what is wrong stands out, also without colour; what to do about it is read as other words."""

from __future__ import annotations

from textual.content import Content

from turnwise.conversations.safe_text import make_safe


def error_words(text: str) -> Content:
    """Return the lines of an error for a widget in the colour of errors: only the first keeps that colour."""
    first, _, rest = make_safe(text).partition("\n")
    told = Content.styled(first, "bold")
    return Content.assemble(told, (f"\n{rest}", "$text")) if rest else told


_SAID_BEFORE = {"error": "Error: ", "warning": "! "}


def told_apart(severity: str, title: str, message: str) -> tuple[str, str]:
    """Return the title and words of a toast, made safe, which say what is an error or a warning."""
    before = _SAID_BEFORE.get(severity, "")
    title, message = make_safe(title), make_safe(message)
    return (f"{before}{title}", message) if title else ("", f"{before}{message}")
