"""Rewriting a line of text where it says something else now."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


def rewrite(part: Static, words: str | Content) -> None:
    """Let a line of text say other words; where they are the same nothing is laid out anew."""
    if part.content != (content := words if isinstance(words, Content) else Content(words)):
        part.update(content)
