"""Why pairs came out as they did: what the judges of both sides said, beside a pair and below the list."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual.geometry import Size

from turnwise.conversations.marks import verdict_sign
from turnwise.conversations.store import Store
from turnwise.engine.comparing.compare import ScoredPair
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones, paragraph

_AT_ONCE = 64
"""The reasons of so many pairs are read together: those around one come in sight with it."""
_NONE = "no reason given"


class PairReasons:
    """Reads the reasons of pairs as they come in sight: to compare two runs takes their figures alone."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, str] = {}

    def of(self, pairs: Sequence[ScoredPair], place: int) -> tuple[str, str]:
        """Return what was said in A and in B of the pair at a place."""
        pair = pairs[place]
        if pair.a.id not in self._known or pair.b.id not in self._known:
            first = place - place % _AT_ONCE
            near = pairs[first : first + _AT_ONCE]
            self._known |= self._store.judgements.reasons(
                [one.id for both in near for one in (both.a, both.b)]
            )
        return self._known.get(pair.a.id, ""), self._known.get(pair.b.id, "")


def telling_reason(pair: ScoredPair, reasons: tuple[str, str]) -> str:
    """Return the reason that says most of a pair: the one of the side that fails, else the one of B."""
    a, b = reasons
    return f"A: {a}" if a and pair.a.passed is False and pair.b.passed is not False else b and f"B: {b}"


def reason_lines(pair: ScoredPair | None, reasons: tuple[str, str], size: Size, tones: Tones) -> list[Line]:
    """Return the lines on a pair: each side's outcome and why, one below the other."""
    if pair is None:
        return []
    lines: list[Line] = []
    for letter, outcome, reason in zip("AB", (pair.a, pair.b), reasons, strict=True):
        sign = verdict_sign(outcome.passed)
        head = f"  {letter} {sign} "
        body = paragraph(
            reason or _NONE, size.width - 1, tones.text, indent=" " * len(head), most=max(1, size.height // 2)
        )
        first = Segment(body[0][0].text[len(head) :], tones.text) if body else Segment("")
        lines += [
            [Segment(f"  {letter} ", tones.muted), Segment(f"{sign} ", tones.of_sign(sign)), first],
            *body[1:],
        ]
    return lines
