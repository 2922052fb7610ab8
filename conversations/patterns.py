"""Patterns that somebody wrote: regular expressions of Python that cannot look for ever."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from importlib import import_module
from typing import Any

SECONDS = 2.0
"""How long one search may take; an expression that needs longer backtracks without end."""


class PatternTimeError(Exception):
    """A search took longer than it may."""


class WrittenPattern:
    """A regular expression of Python's re module, every search of which ends in time.

    Raises re.error (when made) for what is no regular expression. All its searches raise PatternTimeError.
    """

    def __init__(self, pattern: str, *, ignore_case: bool = False) -> None:
        # Loaded here: most runs of the program search for nothing that somebody wrote.
        regex: Any = import_module("regex")

        self.pattern = pattern
        with warnings.catch_warnings():
            # A warning about what a later Python may read differently would be printed over the screen.
            warnings.simplefilter("ignore")
            try:
                # What it means is Python's to say; that it ends is what the other engine is for.
                re.compile(pattern)
                self._compiled: Any = regex.compile(pattern, regex.IGNORECASE if ignore_case else 0)
            except (regex.error, OverflowError, RecursionError) as error:
                raise re.error(getattr(error, "msg", "") or "it is too large", pattern) from error

    def search(self, text: str) -> bool:
        """Whether it matches somewhere."""
        return self._in_time(self._compiled.search, text) is not None

    def matches_all(self, text: str) -> bool:
        """Whether it matches all of a text."""
        return self._in_time(self._compiled.fullmatch, text) is not None

    def finditer(self, text: str, *, seconds: float = SECONDS) -> Iterator[re.Match[str]]:
        """Yield every match, all of them within so many seconds."""
        try:
            yield from self._compiled.finditer(text, timeout=max(seconds, 0.001))
        except TimeoutError:
            raise PatternTimeError(self.pattern) from None

    def _in_time(self, search: Any, text: str) -> Any:
        try:
            return search(text, timeout=SECONDS)
        except TimeoutError:
            raise PatternTimeError(self.pattern) from None
