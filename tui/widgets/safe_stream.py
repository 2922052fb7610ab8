"""SafeStream: text that comes in pieces, made safe as if it had come whole."""

from __future__ import annotations

import re

from turnwise.tui.widgets.safe_text import make_safe

# What a later piece can change: a last sign that may have variants, and whatever is no plain letter or sign.
_VARIED = "0-9#*\u3400-\u9fff"
_PLAIN = "\n -~\u00c0-\u024f\u0370-\u052f\u3040-\u9fff\uac00-\ud7af"
_OPEN_END = re.compile(f"[{_VARIED}]?[^{_PLAIN}]*\\Z")
_LONGEST_OPEN = 64


class SafeStream:
    """Makes pieces safe. The last few characters wait until it is certain what they belong to."""

    def __init__(self) -> None:
        self._waiting = ""

    def feed(self, piece: str) -> str:
        """Take a piece; return what can be shown now."""
        text = self._waiting + piece
        end = _OPEN_END.search(text)
        start = end.start() if end else len(text)
        if len(text) - start > _LONGEST_OPEN:
            start = len(text)
        self._waiting = text[start:]
        return make_safe(text[:start])

    def end(self) -> str:
        """Return what still waited."""
        rest, self._waiting = self._waiting, ""
        return make_safe(rest)
