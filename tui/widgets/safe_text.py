"""Safe text, where the screens look for it; see turnwise.conversations.safe_text."""

from turnwise.conversations.safe_text import TAB_SIZE, make_safe, make_safe_line

__all__ = ["TAB_SIZE", "make_safe", "make_safe_line"]
