"""White space as JavaScript knows it, for files that were written for a tool in JavaScript."""

from __future__ import annotations

# It has the byte order mark, and lacks U+001C to U+001F and U+0085, unlike Python's.
SPACES = (
    "\t\n\v\f\r \u00a0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def trimmed(text: str) -> str:
    """Return a text without white space around it."""
    return text.strip(SPACES)
