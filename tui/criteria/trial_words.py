"""Trial words: what a trial of a criterion comes to, and what moved since the trial before it."""

from __future__ import annotations

from math import isnan

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.words import counted
from turnwise.engine.criteria.criterion_trial import CriterionTrial
from turnwise.engine.criteria.trial_change import TrialChange
from turnwise.engine.people.agreement import Figure, kappa_between
from turnwise.engine.people.statistics.rater_agreement import Confusion, kappa_of
from turnwise.tui.agreement.agreement_words import (
    FEWEST,
    TOO_FEW,
    failed_words,
    number_words,
    passed_words,
    range_words,
    same_words,
)


def plain_lines(trial: CriterionTrial, change: TrialChange | None, who: str) -> list[str]:
    """Say what a trial comes to: what it finds, what it passes, how often it says what people say.

    Where the trial before was on all of the same labels, its counts stand before an arrow.
    """
    now = trial.matrix
    was = change.matrices[0] if change is not None and change.matrices[1] == now else None
    lines = matrix_lines(now, who, was, others_count=trial.sample.passed_otherwise > 0)
    if lines and trial.judge:
        # The shortest of them, so that it takes no line more. What agrees is worth as much as who judged.
        lines[-1] = f"{lines[-1]} · {judged_words(trial)}"
    return lines


def judged_words(trial: CriterionTrial) -> str:
    """Say who judged it: "judged by gpt-4o"; empty of one that asked nobody."""
    return f"judged by {make_safe_line(trial.judge)}" if trial.judge else ""


def matrix_lines(
    now: Confusion, who: str, was: Confusion | None = None, *, others_count: bool = False
) -> list[str]:
    """Say in a line each what a matrix finds, what it passes, and how often both say the same.

    Where labels are too few to know how sure that is, it says how many it takes. others_count: as in
    passed_words.
    """
    if not now.total:
        return []
    lines = []
    if now.people_failed:
        sure = _sure_words(now.true_fail, now.people_failed, "fails")
        lines.append(f"{failed_words(now, who, was)}, {sure}")
    if now.people_passed:
        sure = _sure_words(now.true_pass, now.people_passed, "passes")
        lines.append(f"{passed_words(now, who, was, others_count=others_count)}, {sure}")
    return [*lines, same_words(now, kappa_between(now, ""), was)]


def _sure_words(part: int, whole: int, kind: str) -> str:
    """Say between which percents a share may lie, or how many labels of its kind it takes to know.

    Not how many more: there may be some by now that the trial was not on.
    """
    return range_words(part, whole) if whole >= FEWEST else f"too few: it takes {FEWEST} {kind}"


def flipped_words(change: TrialChange, who: str) -> str:
    """Say how many sessions came out the other way, to whose side, and whether by chance.

    "6 verdicts changed, all to what you said; more than chance (p 0.031)": the test is McNemar's, which the
    change has. Of fewer than six on one side alone no test could be sure.
    """
    if not change.flips:
        return "no verdict changed"
    flips = len(change.flips)
    said = f"{counted(flips, 'verdict')} changed"
    sides = ((change.mended, f"to what {who} said"), (change.broken, f"away from what {who} said"))
    every = "all " if flips > 1 else ""
    parts = [f"{every if count == flips else f'{count:,} '}{words}" for count, words in sides if count]
    if not parts:
        return said
    told = f"{said}{':' if len(parts) > 1 else ','} {', '.join(parts)}"
    unsure = "too few to be sure" if len(parts) == 1 else "that may be chance"
    return f"{told}; {'more than chance' if change.is_sure else unsure} ({_p_words(change.p_value)})"


def _p_words(chance: float) -> str:
    """Say a p-value with as many digits as tell on which side of 5 % it is: "p 0.031", "p 0.25".

    It stays on one line: by itself its end tells nothing.
    """
    return "p\xa0<\xa00.001" if chance < 0.001 else f"p\xa0{chance:.2g}"


def kappa_change(before: Confusion, now: Confusion) -> Figure:
    """Return how far kappa moved; its interval would mean little on so few labels."""
    moved = kappa_of(now) - kappa_of(before)
    return Figure(None) if isnan(moved) else Figure(moved)


def difference_words(figure: Figure, labels: int) -> str:
    """Say a difference with its interval: "+0.25 (−0.10 to +0.58)"; or that there are too few labels.

    labels: that it rests on; of a figure of passes and fails alike, those of the kind that has fewer.
    """
    if figure.value is None:
        return ""
    signed = signed_words(figure.value)
    if labels < FEWEST:
        return f"{signed}, {TOO_FEW}"
    if figure.low is None or figure.high is None:
        return signed
    return f"{signed} ({signed_words(figure.low)} to {signed_words(figure.high)})"


def signed_words(value: float) -> str:
    """Return a difference with its sign: "+0.25", "−0.10", "0.00"."""
    text = number_words(value)
    return f"+{text}" if value > 0 and text != "0.00" else text.replace("−0.00", "0.00")
