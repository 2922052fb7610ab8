"""What got worse from one run to another, what got better, and how sure that is: in a few plain words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.words import counted
from turnwise.engine.comparing.compare import MetricChange, RunComparison
from turnwise.engine.people.statistics.many_comparisons import FALSE_SHARE
from turnwise.tui.compare.run_words import delta_words, points_words, span_words

WORSE, BETTER, SAME = -1, 1, 0
_ORDER = (WORSE, BETTER, SAME)
_WORDS = {WORSE: "worse", BETTER: "better"}


def way(change: MetricChange) -> int:
    """Return whether a metric got worse, better, or neither: by how many pass, else by its mean score."""
    if change.is_sure and change.direction:
        return change.direction
    # What is written as 0.00 is no change.
    moved = change.passed_b - change.passed_a or round(change.delta, 2)
    return (moved > 0) - (moved < 0)


def worst_first(changes: Iterable[MetricChange]) -> list[MetricChange]:
    """Return metrics that were scored on both sides: those that got worse, then better, then neither.

    Of each the sure ones come first, then those that most passes were lost or won by.
    """

    def key(change: MetricChange) -> tuple[int, bool, float, float]:
        moved = abs(change.passed_b - change.passed_a) / change.pairs
        return _ORDER.index(way(change)), not change.is_sure, -moved, -abs(change.delta)

    return sorted((change for change in changes if change.pairs), key=key)


def summary_words(comparison: RunComparison, *, brief: bool = False) -> str:
    """Say what got worse, then what got better, each with what is sure first; all metrics considered.

    brief: one metric of each is named and the others are counted, so that both have room.
    """
    if comparison.a == comparison.b:
        return "A and B are the same run."
    compared = worst_first(comparison.metrics)
    moved = [change for change in compared if way(change) != SAME]
    kept = _kept_words(compared)
    if not moved:
        told = f"No metric got better or worse.{_more(compared)}"
        # Of scores that are set beside themselves nothing else is to be said.
        return kept if compared and all(one.same == one.pairs for one in compared) else f"{told}{kept}"
    sentences = " ".join(_sentences(moved, len(compared), brief=brief))
    return sentences + _unsure_words(compared) + _more(compared) + kept


def _kept_words(compared: Sequence[MetricChange]) -> str:
    """Say how many scores are set beside themselves, as they were not judged again; empty where none is."""
    same, pairs = (sum(getattr(one, name) for one in compared) for name in ("same", "pairs"))
    if not same:
        return ""
    if same == pairs:
        return "A and B have the very same scores: they were kept, and nothing was judged again."
    whole = [one for one in compared if one.same == one.pairs]
    of = f", all of {_name(whole[0])}{_and_more(whole)}" if whole else ""
    return f" {same:,} of {counted(pairs, 'pair')} are the very same score, kept and not judged again{of}."


def _sentences(moved: Sequence[MetricChange], compared: int, *, brief: bool) -> Iterator[str]:
    # What a word means is said where it comes first.
    among = f", even among {compared:,} metrics" if compared > 1 else ""
    for direction, word in _WORDS.items():
        sure, unsure = (
            [change for change in moved if way(change) == direction and change.is_sure is wanted]
            for wanted in (True, False)
        )
        parts = []
        if sure:
            told = f"{_sure(sure[0])}{_and_more(sure)}" if brief else ", ".join(map(_sure, sure))
            parts.append(f"Clearly {word} (95 %){among}: {told}")
            among = ""
        if unsure:
            # What fell is to be read also where it may be chance; of what rose the sure ones tell enough.
            named = not sure or (direction == WORSE and not brief)
            parts.append(f"perhaps by chance: {_first_of(unsure) if named else f'{len(unsure):,} more'}")
        if parts:
            yield f"{'' if sure else f'{word.capitalize()}, '}{'; '.join(parts)}."


def _first_of(unsure: Sequence[MetricChange]) -> str:
    first = unsure[0]
    figures = _passes(first) if first.passed_a != first.passed_b else f"{delta_words(first.delta)} on average"
    return f"{_name(first)} ({figures}){_and_more(unsure)}"


def _and_more(changes: Sequence[MetricChange]) -> str:
    return f" and {len(changes) - 1:,} more" if len(changes) > 1 else ""


def _unsure_words(compared: Sequence[MetricChange]) -> str:
    """Say that nothing is sure, and why where one metric alone would be; empty where something is."""
    if any(change.is_sure for change in compared):
        return ""
    alone = any(change.p_value <= FALSE_SHARE for change in compared)
    why = f": among {len(compared):,} compared at once, one may seem so by chance" if alone else ""
    return f" No metric is clearly better or worse{why}."


def _more(compared: Sequence[MetricChange]) -> str:
    """Say how many more cases would tell of the metric that changed most, where there are too few of all."""
    untold = [change for change in compared if not change.is_told and change.more]
    if not untold or len(untold) < len(compared):
        return ""
    return f" Too few cases to say: about {counted(min(one.more or 0 for one in untold), 'more case')}."


def _sure(change: MetricChange) -> str:
    if not change.by_passes:
        mean = f"{delta_words(change.delta)} on average, {span_words(change.low, change.high)}"
        return (
            f"{_name(change)} ({mean}{f'; {_passes(change)}' if change.passed_a != change.passed_b else ''})"
        )
    by_mean = change.low > 0 or change.high < 0
    # The table holds the interval of the mean too, and whoever reads both must not take them for one.
    alone = "" if by_mean else "; its mean alone may be chance"
    return f"{_name(change)} ({_passes(change)}, {points_words(change)} points{alone})"


def _name(change: MetricChange) -> str:
    return make_safe_line(change.metric).replace("_", " ")


def _passes(change: MetricChange) -> str:
    return f"{change.passed_a:,} → {change.passed_b:,} of {change.pairs:,} pass"
