"""List totals: the row under the head of a list, which says how all that it shows came out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.segment import Segment
from textual.dom import DOMNode
from textual.timer import Timer

from turnwise.conversations.marks import DISPUTED, LABEL_SIGNS, LabelWord
from turnwise.conversations.store import Store
from turnwise.tui.drawing.lines_view import TONE_OF_SIGN
from turnwise.tui.drawing.wrapping import ELLIPSIS
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.session_lists.session_columns import GAP, SessionColumn
from turnwise.tui.session_lists.session_rows import Styles

if TYPE_CHECKING:
    from turnwise.conversations.store import ScoreTally

RATE_WORDS = "passed %"
APART = 3
"""Cells at the least between the labels and these words: "4 ✗ passed %" was read as one."""
POINTS = " →"
"""After the words, where there is room: they end beneath the head of another column than they are about."""
SECONDS_OF_QUIET = 0.2
REST = 2
"""How long after a count the same list is not counted anew, in times of what that took."""
_COUNTED: tuple[LabelWord, ...] = ("pass", "fail")


@dataclass(frozen=True, slots=True)
class ListTotals:
    """How the sessions of a list came out. labels: how many have each label. tallies: by metric.

    disputed: how many people see differently; they have none of these labels. hidden: the sessions that
    were not counted.
    """

    labels: Mapping[LabelWord, int] = field(default_factory=dict)
    tallies: Mapping[str, ScoreTally] = field(default_factory=dict)
    hidden: frozenset[int] = frozenset()
    disputed: int = 0

    @classmethod
    def read(cls, store: Store, query: str, hidden: Collection[int] = ()) -> ListTotals:
        """Count the sessions that a query finds. It takes up to a second: call it from a thread.

        hidden: those that are not counted, because the totals of a few would tell what is covered of one.
        """
        tallies = store.tallies.scores(query, without=hidden)
        labels = Counter(store.tallies.labels(query, without=hidden))
        disputed = Counter(store.tallies.disputed(query, without=hidden))
        by_metric = {tally.metric: tally for tally in tallies}
        return cls(labels - disputed, by_metric, frozenset(hidden), disputed.total())


class ListCounting:
    """Counts what a list shows in a thread, when nothing was asked for a moment: keys go before.

    What was counted holds until something is written: a dialog that closes over a list changes nothing.
    While much is written the counts come further apart, so that most of the time is left for the writing.
    """

    def __init__(
        self, node: DOMNode, hidden: Callable[[Store], Collection[int]], rests_on: Callable[[], Hashable]
    ) -> None:
        """node: what shows the list. hidden: says in a thread which sessions are not counted.

        rests_on: what that depends on beside the store.
        """
        self._node = node
        self._hidden = hidden
        self._rests_on = rests_on
        self._reading = NewestReading(node)
        self._timer: Timer | None = None
        self._counted: tuple[tuple[str, Hashable], ListTotals] | None = None
        self._seconds = 0.0
        self._ended = 0.0
        """When the last count ended, on the clock of `time.monotonic`, and how long it took."""
        self._asked_at: Hashable = None

    def is_outdated(self, store: Store) -> bool:
        """Whether something was written or is covered otherwise since the list was last asked about."""
        return self._asked_at != self._stands(store)

    def _stands(self, store: Store) -> Hashable:
        return store.growing.revision(), self._rests_on()

    def ask(self, store: Store, query: str, take: Callable[[ListTotals], None]) -> None:
        """Count the sessions that a query finds, and let `take` have the totals."""
        if self._timer is not None:
            self._timer.stop()
        self._asked_at = self._stands(store)
        state = (query, self._asked_at)
        if self._counted is not None and self._counted[0] == state:
            take(self._counted[1])
            return

        def read() -> tuple[ListTotals, float]:
            started = time.monotonic()
            return ListTotals.read(store, query, self._hidden(store)), time.monotonic() - started

        def keep(found: tuple[ListTotals, float]) -> None:
            totals, self._seconds = found
            self._ended = time.monotonic()
            self._counted = state, totals
            take(totals)

        same_list = self._counted is not None and self._counted[0][0] == query
        # From the end of the last count on: what was counted long ago is counted anew at once.
        left = self._ended + REST * self._seconds - time.monotonic()
        pause = max(SECONDS_OF_QUIET, left) if same_list else SECONDS_OF_QUIET
        self._timer = self._node.set_timer(pause, lambda: self._reading.ask(read, keep))


def rate_words(tally: ScoreTally | None) -> str:
    """Return the share that passed in whole percent, never 0 or 100 where not all failed or passed."""
    if tally is None or not tally.scores:
        return ""
    share = round(100 * tally.passed / tally.scores)
    if 0 < tally.passed < tally.scores:
        share = max(1, min(99, share))
    return str(share)


def totals_segments(
    totals: ListTotals | None, columns: Sequence[SessionColumn], styles: Styles
) -> list[Segment]:
    """Return the row, from where the columns begin. totals: None while they are counted."""
    metrics = [column for column in columns if column.kind == "metric"]
    room = (metrics[0].start if metrics else max((column.end for column in columns), default=0)) - GAP
    name = next((column for column in columns if column.kind == "name"), None)
    start = name.start if name is not None else 0
    segments = [Segment(" " * start), *_label_segments(totals, styles)]
    used = sum(cell_len(piece.text) for piece in segments)
    ways: Sequence[str] = ()
    if metrics and totals is not None and totals.tallies:
        ways = _rate_ways(totals, [column.metric for column in metrics])
    words = next((way for way in ways if used + APART + cell_len(way) <= room), "")
    if used > room:
        return segments
    segments.append(Segment(" " * (room - used - cell_len(words)) + words + " " * GAP, styles("header")))
    for column in metrics:
        rate = rate_words(totals.tallies.get(column.metric)) if totals is not None else ""
        segments.append(Segment(rate.rjust(2).ljust(column.width) + " " * column.gap, styles("text")))
    return segments


def _rate_ways(totals: ListTotals, metrics: Sequence[str]) -> Sequence[str]:
    """Return what the shares that passed are called, the first of which has room stands there.

    Where some scores are hidden it says of how many sessions they are: other screens count all.
    """
    if not totals.hidden:
        return (f"{RATE_WORDS}{POINTS}", RATE_WORDS)
    counts = {tally.scores for one in metrics if (tally := totals.tallies.get(one)) and tally.scores}
    of = f"{RATE_WORDS} of {counts.pop():,}" if len(counts) == 1 else ""
    long = f"{of or RATE_WORDS}, hidden left out"
    short = of or f"{RATE_WORDS} of shown"
    return (f"{long}{POINTS}", f"{short}{POINTS}", short, RATE_WORDS)


def _label_segments(totals: ListTotals | None, styles: Styles) -> list[Segment]:
    """Return how many are labelled, and how; those deferred beside them: "21 labelled: 12 ✓ 9 ✗ · 1 ~"."""
    if totals is None:
        return [Segment(ELLIPSIS, styles("header"))]
    signs = {LABEL_SIGNS[word]: totals.labels.get(word, 0) for word in _COUNTED}
    signs[DISPUTED] = totals.disputed
    deferred = LABEL_SIGNS["defer"], totals.labels.get("defer", 0)
    count = sum(signs.values())
    segments = [Segment(f"{count:,} labelled:", styles("text"))]
    if not count:
        segments = [Segment("none labelled yet", styles("header"))]
    for gap, sign, number in (*((" ", *one) for one in signs.items()), (" · ", *deferred)):
        if number:
            segments.append(Segment(f"{gap}{number:,} ", styles("text")))
            segments.append(Segment(sign, styles(TONE_OF_SIGN.get(sign, "muted"))))
    return segments
