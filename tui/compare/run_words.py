"""Runs in words: what a run or a side of a comparison is called, and how its figures are written."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from math import isnan

from turnwise.conversations.marks import FAILED, PASSED, verdict_sign
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import RunRow
from turnwise.conversations.words import counted
from turnwise.engine.comparing.compare import WIDE, MetricChange, RunComparison, ScoredPair
from turnwise.engine.comparing.judging_changes import changes_in_words
from turnwise.engine.comparing.sides import Side
from turnwise.tui.parts.words import ago

MINUS = "−"
TOO_FEW = "too few cases"
CHANGE, MEAN_INTERVAL, POINTS = "mean change", "change, 95 %", "points, 95 %"
"""The heads over how far B is from A: the mean score, where that may lie, and how many more of 100 pass."""
SHORT_HEADS = {CHANGE: "change"}
"""The same where names would be cut for them."""
FLIPS = {"failed": f"{PASSED} → {FAILED}", "passed": f"{FAILED} → {PASSED}"}

# What is said where nothing can be compared: a title, and what to do.
NO_RUNS = (
    "No runs yet.",
    "A run judges sessions by metrics: `{library.score}` in the library, or `turnwise run` with a file of "
    "test cases. Two runs over the same cases are compared here.",
)
ONE_RUN = (
    "There is one run so far.",
    "Score the same sessions again, by another judge or a changed criterion (`{library.score}` in the "
    "library), or run a file of test cases once more; then what changed stands here.",
)
STRANGERS = (
    "The newest runs share no case.",
    "`{compare.choose_a}` and `{compare.choose_b}` choose two runs. Runs share the sessions that both "
    "judged, and the cases of a suite that both ran.",
)
NO_CASE = ("These two share no case.", "`{compare.choose_a}` and `{compare.choose_b}` choose other runs.")
NO_PAIR = (
    "Nothing was scored on both sides.",
    "They share cases, but no metric that scored the same case in both. `{compare.choose_a}` and "
    "`{compare.choose_b}` choose other runs.",
)


def side_words(side: Side) -> str:
    """Name a side in a few words: "run 8 · Bookings · gpt-4o"."""
    return " · ".join(part for part in (f"run {side.run.id}", side.run.name, side.target) if part)


def named_sides(comparison: RunComparison) -> tuple[Side, Side]:
    """Return both sides with the target that answered, also where it was not asked for by name."""
    return (
        replace(comparison.a, target=comparison.a.target or comparison.target_a),
        replace(comparison.b, target=comparison.b.target or comparison.target_b),
    )


def side_about(side: Side) -> str:
    """Say who judged on a side, and when."""
    return f"{judge_of(side.run)} · {when_words(side.run)}"


def judge_of(run: RunRow) -> str:
    """Say who judged in a run; one without a judge made checks only, or its file names none."""
    if has_judge(run):
        return run.judged_by
    # What is left is the file that says so.
    return f"no judge {run.judged_by.removeprefix('none')}".strip() if run.came_from else "checks only"


def has_judge(run: RunRow) -> bool:
    """Return whether a model judged in a run."""
    return run.judge not in ("", "none")


def when_words(run: RunRow) -> str:
    """Say when a run began, and whether it came to its end."""
    when = ago(run.created_at, time.time())
    return when if run.finished_at is not None else f"{when}, unfinished"


def score_words(score: float | None) -> str:
    """Return a score with two decimals, – where there is none."""
    return "–" if score is None or isnan(score) else f"{score:.2f}"


def delta_words(delta: float) -> str:
    """Return a difference with its sign: "+0.12", "−0.05", "0.00"; – where there is none."""
    if isnan(delta):
        return "–"
    text = f"{abs(delta):.2f}"
    if text == "0.00":
        return text
    return f"{'+' if delta > 0 else MINUS}{text}"


def interval_words(change: MetricChange) -> str:
    """Return the interval of a mean difference, "−0.10 to +0.02", or how many cases it lacks to say anything.

    Empty without pairs.
    """
    if not change.pairs:
        return ""
    if change.is_told:
        return span_words(change.low, change.high)
    return TOO_FEW if change.more is None else f"needs {counted(change.more, 'more case')}"


def signs_words(pair: ScoredPair) -> str:
    """Return how a pair came out on both sides, as signs: "✓ → ✗", or "both ✓" where it did not flip."""
    if pair.flip is not None:
        return FLIPS[pair.flip]
    a, b = verdict_sign(pair.a.passed), verdict_sign(pair.b.passed)
    return f"both {a}" if a == b else f"{a} → {b}"


def pair_name(pair: ScoredPair, names: tuple[str, str] | None = None) -> str:
    """Name the case of a pair, with the exchange where one was judged.

    names: of the sessions of both sides. Where they differ the case is called by the words that they share:
    the name of one side would stand over the other.
    """
    name = shared_words(*names) if names is not None else pair.name
    return f"{name} · exchange {pair.exchange}" if pair.exchange else name


def shared_words(a: str, b: str) -> str:
    """Return the words that two names begin or end with, whichever are more, else both names."""
    if a == b:
        return a
    first, second = a.split(), b.split()
    start = _alike(first, second)
    end = list(reversed(_alike(list(reversed(first)), list(reversed(second)))))
    return " ".join(start if len(start) >= len(end) else end) or f"{a} / {b}"


def _alike(a: Sequence[str], b: Sequence[str]) -> list[str]:
    """Return the words that both begin with."""
    return [one for one, _ in takewhile(lambda both: both[0] == both[1], zip(a, b, strict=False))]


def judged_otherwise(comparison: RunComparison) -> str:
    """Say by what the two runs judged differently; empty where nothing is known to differ."""
    return f"Judged otherwise: {changes_in_words(comparison.changed)}" if comparison.changed else ""


def prompt_words(comparison: RunComparison) -> str:
    """Say in how many cases both sides were answered by different system prompts; empty where in none."""
    apart, cases = comparison.prompts_apart, comparison.cases
    if not apart:
        return ""
    of = f"{apart:,} of {cases:,}" if apart < cases else f"all {cases:,}"
    return "The system prompt differs" if cases == 1 else f"The system prompt differs in {of} cases"


def left_out_words(comparison: RunComparison) -> str:
    """Say what of the two sides is not compared, and what failed; empty where all was scored in pairs."""
    told = (*_FAILURES, *_SKIPS)
    alone = sum(
        not change.pairs and not any(getattr(change, name) for name in told) for change in comparison.metrics
    )
    parts = [
        _both("only in", "session", comparison.only_a, comparison.only_b),
        _unscored("not judged in", comparison.metrics, _FAILURES),
        _unscored("skipped in", comparison.metrics, _SKIPS),
        f"{counted(alone, 'metric')} on one side only" if alone else "",
    ]
    return " · ".join(part for part in parts if part)


_FAILURES = ("failures_a", "failures_b")
_SKIPS = ("skipped_a", "skipped_b")


def _unscored(what: str, metrics: Sequence[MetricChange], names: tuple[str, str]) -> str:
    """Say of how many outcomes it is so on each side, and of which metric where it is one alone."""
    counts = [sum(getattr(change, name) for change in metrics) for name in names]
    of = [change.metric for change in metrics if any(getattr(change, name) for name in names)]
    told = _both(what, "outcome", *counts)
    return f"{make_safe_line(of[0].replace('_', ' '))}: {told}" if len(of) == 1 else told


def _both(what: str, noun: str, a: int, b: int) -> str:
    """Say of how many things it is so on each side; what they are is said once, as the line is soon full."""
    sides = [(count, side) for count, side in ((a, "A"), (b, "B")) if count]
    named = [counted(count, noun) if not place else f"{count:,}" for place, (count, _) in enumerate(sides)]
    return ", ".join(f"{count} {what} {side}" for count, (_, side) in zip(named, sides, strict=True))


def span_words(low: float, high: float) -> str:
    """Return what a difference lies between: "−0.10 to +0.02"."""
    return f"{delta_words(low)} to {delta_words(high)}"


def points_words(change: MetricChange) -> str:
    """Return by how many percentage points more may pass in B than in A, 95 % sure: "+6 to +43".

    Empty where the cases are too few to tell.
    """
    low, high = change.passes_low, change.passes_high
    if isnan(low) or (high - low > WIDE and low <= 0 <= high):
        return ""
    return f"{_points(low)} to {_points(high)}"


def _points(share: float) -> str:
    """Return a difference of shares in whole percentage points with its sign: "+9", "−25", "0"."""
    whole = round(abs(share) * 100)
    return f"{'+' if share > 0 else MINUS}{whole}" if whole else "0"


def rests_on_passes(changes: Iterable[MetricChange]) -> bool:
    """Whether any of these metrics is clearly better or worse by how many pass."""
    return any(change.is_sure and change.by_passes for change in changes)
