"""What got worse from one run to another, what got better, and how sure that is: a few short lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.words import counted
from turnwise.engine.comparing.compare import MetricChange, RunComparison
from turnwise.engine.people.statistics.many_comparisons import FALSE_SHARE
from turnwise.tui.compare.run_words import delta_words, points_words, span_words
from turnwise.tui.drawing.wrapping import fit

WORSE, BETTER, SAME = -1, 1, 0
_ORDER = (WORSE, BETTER, SAME)
_WORDS = {WORSE: "worse", BETTER: "better"}
_HEAD = len("Clearly better  ")


def way(change: MetricChange) -> int:
    """Return whether a metric got worse, better, or neither: by how many pass, else by its mean score."""
    if change.is_sure and change.direction:
        return change.direction
    # What is written as 0.00 is no change.
    moved = change.passed_b - change.passed_a or round(change.delta, 2)
    return (moved > 0) - (moved < 0)


def clear_first(changes: Iterable[MetricChange]) -> list[MetricChange]:
    """Return metrics that were scored on both sides: those that changed for sure, then the others.

    Of each those that got worse come first, then the better ones, then neither, and of these those that most
    passes were lost or won by. So a low window shows what is sure, as the sentences above the table do.
    """

    def key(change: MetricChange) -> tuple[bool, int, float, float]:
        moved = abs(change.passed_b - change.passed_a) / change.pairs
        return not change.is_sure, _ORDER.index(way(change)), -moved, -abs(change.delta)

    return sorted((change for change in changes if change.pairs), key=key)


def summary_lines(comparison: RunComparison, width: int) -> list[str]:
    """Say what got clearly worse and better, then what did perhaps, a line each, all metrics considered.

    width: as many metrics are named in so many cells as fit, at least one in each line; the others are
    counted.
    """
    if comparison.a == comparison.b:
        return ["A and B are the same run."]
    compared = clear_first(comparison.metrics)
    moved = [change for change in compared if way(change) != SAME]
    kept = _kept_words(compared)
    if not moved:
        # Of scores that are set beside themselves nothing else is to be said.
        told = [] if compared and all(one.same == one.pairs for one in compared) else [_NONE_MOVED]
        return [f"{line}{_more(compared)}" for line in told] + kept
    return [*_unsure_words(compared), *_told(moved, width), *kept]


_NONE_MOVED = "No metric got better or worse."
_PERHAPS = ": may be chance"


def _told(moved: Sequence[MetricChange], width: int) -> Iterator[str]:
    """Yield a line for each way that metrics went, those that are sure first, with the figures of each."""
    some_sure = any(change.is_sure for change in moved)
    for sure in (True, False):
        for direction, word in _WORDS.items():
            of = [change for change in moved if way(change) == direction and change.is_sure is sure]
            if of:
                head = fit(f"{'Clearly' if sure else 'Perhaps'} {word}", _HEAD)
                # Where nothing is sure, a line above says so of all.
                end = _PERHAPS if some_sure and not sure else ""
                yield head + _named([_sure(one) if sure else _perhaps(one) for one in of], end, width - _HEAD)


def _named(parts: Sequence[str], end: str, width: int) -> str:
    """Return as many of these as fit, and how many more there are; the end gives way to the first of them."""
    for last in dict.fromkeys((end, "")):
        for count in range(len(parts), 0, -1):
            more = f" and {len(parts) - count:,} more" if count < len(parts) else ""
            told = f"{', '.join(parts[:count])}{more}{last}"
            if cell_len(told) <= width:
                return told
    return parts[0] + (f" and {len(parts) - 1:,} more" if len(parts) > 1 else "")


def _kept_words(compared: Sequence[MetricChange]) -> list[str]:
    """Say how many scores are set beside themselves, as they were not judged again; empty where none is."""
    same, pairs = (sum(getattr(one, name) for one in compared) for name in ("same", "pairs"))
    if not same:
        return []
    if same == pairs:
        return ["A and B have the very same scores: they were kept, and nothing was judged again."]
    whole = [one for one in compared if one.same == one.pairs]
    more = f" and {len(whole) - 1:,} more" if len(whole) > 1 else ""
    of = f", all of {_name(whole[0])}{more}" if whole else ""
    return [f"{same:,} of {counted(pairs, 'pair')} are the very same score, kept and not judged again{of}."]


def _unsure_words(compared: Sequence[MetricChange]) -> list[str]:
    """Say that nothing is sure, and why where one metric alone would be; empty where something is."""
    if any(change.is_sure for change in compared):
        return []
    alone = any(change.p_value <= FALSE_SHARE for change in compared)
    why = f": among {len(compared):,} compared at once, one may seem so by chance" if alone else ""
    return [f"No metric is clearly better or worse{why}.{_more(compared)}"]


def _more(compared: Sequence[MetricChange]) -> str:
    """Say how many more cases would tell of the metric that changed most, where there are too few of all."""
    untold = [change for change in compared if not change.is_told and change.more]
    if not untold or len(untold) < len(compared):
        return ""
    return f" Too few cases: about {min(one.more or 0 for one in untold):,} more needed."


def _sure(change: MetricChange) -> str:
    """Return a metric with what it is clearly better or worse by, and where that may lie."""
    if change.by_passes:
        return f"{_name(change)} ({_passes(change)}, {points_words(change)} points)"
    mean = f"{delta_words(change.delta)} on average, {span_words(change.low, change.high)}"
    return f"{_name(change)} ({mean}{f'; {_passes(change)}' if change.passed_a != change.passed_b else ''})"


def _perhaps(change: MetricChange) -> str:
    figures = (
        _passes(change) if change.passed_a != change.passed_b else f"{delta_words(change.delta)} on average"
    )
    return f"{_name(change)} ({figures})"


def _name(change: MetricChange) -> str:
    return make_safe_line(change.metric).replace("_", " ")


def _passes(change: MetricChange) -> str:
    return f"{change.passed_a:,} → {change.passed_b:,} of {change.pairs:,} pass"
