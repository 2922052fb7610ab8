"""Rewriting a line of text where it says something else now."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


def rewrite(part: Static, words: str | Content) -> None:
    """Let a line of text say other words; only where these take more or less room all is laid out anew."""
    if part.content == (content := words if isinstance(words, Content) else Content(words)):
        return
    part.update(content, layout=False)
    part.clear_cached_dimensions()
    width, height = part.content_size
    takes_width = part.styles.width is not None and part.styles.width.is_auto
    if takes_width or not width or part.get_content_height(part.size, part.app.size, width) != height:
        part.refresh(layout=True)
