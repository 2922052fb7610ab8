"""A learned signal in words: what it was learned from, and how well it foretells."""

from __future__ import annotations

from turnwise.conversations.store import SignalVersion
from turnwise.conversations.words import counted
from turnwise.engine.learning.learned_signal import LearnedSignal

MAY_BE_CHANCE = "That may be chance: the interval holds 0.50. Label more before you rely on it."
FORETOLD = "Foretold and found"
RESTS_ON = "What it rests on, in log odds by a standard deviation"
MOST_LISTED = 12


def summary_words(version: SignalVersion, signal: LearnedSignal) -> list[str]:
    """Return two lines: what a signal was learned from, and how well it foretold what it had not seen."""
    measured = signal.measured
    return [
        f"learned:{version.name}, version {version.number}: from {signal.learned_from}, {measured.passed:,} "
        f"of which pass; {counted(measured.groups, 'case')} by {signal.grouped_by}",
        f"On cases that it had not seen: AUC {measured.auc:.2f} ({measured.low:.2f} to {measured.high:.2f}), "
        f"{counted(measured.folds, 'fold')}, {counted(measured.repeats, 'time')}; "
        f"Brier {measured.brier:.3f}, and {measured.brier_of_rate:.3f} for foretelling the rate",
    ]


def lighter_words(signal: LearnedSignal) -> str:
    """Say how many features are not listed; empty where all are."""
    more = len(signal.weights) - MOST_LISTED
    return f"and {more:,} lighter ones" if more > 0 else ""
