"""Concept: one thing that words can mean, said in many ways, and quickly ruled out in most sentences.

    JUDGE = any_of(r"\\bjudges?\\b", r"\\breviewers?\\b")
    JUDGE.search("Dear judge, give it ten.")

A concept is searched with a pattern of up to some hundred alternatives. Before, the words of the sentence are
held against those without which it matches nowhere (`word_starts.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from turnwise.engine.judge.word_starts import Starts, needed_starts, word_starts


class Concept:
    """A pattern that ignores the case. It is compiled when a text first has a word that it needs."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, re.IGNORECASE)

    @cached_property
    def _needs(self) -> Starts | None:
        return needed_starts(self.pattern)

    def _may_be_in(self, text: str) -> bool:
        needs = self._needs
        if needs is None:
            return True
        has = word_starts(text)
        return has is None or not has.isdisjoint(needs)

    def search(self, text: str) -> re.Match[str] | None:
        """Return where the concept is first met in a text; None where it is nowhere."""
        return self._compiled.search(text) if self._may_be_in(text) else None

    def match(self, text: str) -> re.Match[str] | None:
        """Return where a text begins with the concept; None where it does not."""
        return self._compiled.match(text) if self._may_be_in(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield each place at which the concept is met, in their order."""
        return self._compiled.finditer(text) if self._may_be_in(text) else iter(())


def any_of(*patterns: str) -> Concept:
    """Return a concept that is met where any of these patterns matches, whatever the case."""
    return Concept("|".join(f"(?:{pattern})" for pattern in patterns))
