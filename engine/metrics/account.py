"""Account: what a metric states of itself, for people and for programs alike."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

_WIDTH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What a metric states of itself beside what it is; each part is a phrase without a full stop.

    asks: the question that its verdicts yes and no answer, about one thing; empty where verdicts are other
    words. formula: how verdicts become the score. source: whose definition it is, with the paper where there
    is one. empty: what the score is where there is nothing to judge. calls: how many questions the judge is
    asked, as a function of turns, statements or passages. range: what the score may be. needs: what it needs
    beside the fields in `Metric.needs`.
    """

    asks: str = ""
    formula: str = ""
    source: str = ""
    empty: str = ""
    calls: str = ""
    range: str = "0 to 1"
    needs: str = ""

    def as_text(self, needs: Sequence[str], version: int) -> str:
        """Write the account as the lines that end a metric's docstring."""
        needed = ", ".join(needs) + (f", {self.needs}" if needs and self.needs else self.needs)
        parts = {
            "Asks": self.asks,
            "Formula": self.formula,
            "Source": self.source,
            "Needs": needed or "nothing but a reply",
            "Direction": "higher is better",
            "Range": self.range,
            "Empty": self.empty,
            "Judge calls": self.calls,
            "Version": str(version),
        }
        return "\n".join(_wrapped(f"{name}: {text}") for name, text in parts.items() if text)


def _wrapped(line: str) -> str:
    if not line.endswith("?"):
        line += "."
    return textwrap.fill(line, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
