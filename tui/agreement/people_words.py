"""People side by side in words: how much each passed, how far they agree with the others, and who drifts."""

from __future__ import annotations

from turnwise.conversations.words import counted, percent
from turnwise.engine.people.agreement import Figure
from turnwise.engine.people.drifting import Drift
from turnwise.engine.people.side_by_side import PeopleTogether, PersonBeside
from turnwise.tui.agreement.agreement_words import (
    DASH,
    FEWEST,
    TOO_FEW,
    FigureLine,
    interval_words,
    number_words,
    range_words,
)


def person_lines(one: PersonBeside) -> list[str]:
    """Return what is said of one person: their labels, how far they agree with the others, their drift."""
    labels = f"{counted(one.labels, 'label')}, passed {_with_range(one.passed, one.labels)}"
    return [labels, _agreement_line(one), drift_words(one.drift)]


def _agreement_line(one: PersonBeside) -> str:
    matrix = one.matrix
    if not matrix.total:
        return one.agrees.why
    same = matrix.true_pass + matrix.true_fail
    words = (
        f"says what the others say of {same:,} of {counted(matrix.total, 'shared session')}: "
        f"{_with_range(same, matrix.total)}"
    )
    fewest = matrix.fewest_labels
    if one.kappa.value is None:
        return words
    kind = "pass" if matrix.people_passed == fewest else "fail"
    lacking = f"{TOO_FEW}: {FEWEST - fewest:,} more that the others {kind}"
    told = lacking if fewest < FEWEST else interval_words(one.kappa)
    return f"{words}, kappa {number_words(one.kappa.value)} ({told})"


def together_line(found: PeopleTogether) -> FigureLine | None:
    """Return how far people agree on whole sessions, and how many they dispute; None for one person."""
    if found.people < 2:
        return None
    alpha = found.alpha
    if alpha.value is None:
        return FigureLine(alpha.why, "", "alpha", DASH)
    # As short as words beside the metrics are in a window of 120 cells.
    disputed = f"{found.disputed:,}" if found.disputed else "none"
    words = f"people: {alpha.sessions or 0:,} whole sessions, {disputed} disputed"
    return FigureLine(words, interval_words(alpha), "alpha", number_words(alpha.value))


def alpha_line(found: PeopleTogether, key: str) -> str:
    """Say what alpha is and what is good, in one line for whoever meets it first; empty for one person.

    key: reviews the sessions that people dispute, to settle them.
    """
    if found.people < 2:
        return ""
    settle = f"; {key} settles the {found.disputed:,} disputed" if found.disputed else ""
    return f"alpha: 1 if all agree, good from 0.80{settle}"


def together_sentences(found: PeopleTogether) -> str:
    """Say in sentences how far people agree on whole sessions; empty for one person. A key is its action."""
    if found.people < 2:
        return ""
    on = f"{found.alpha.sessions:,} " if found.alpha.sessions else ""
    agreed = f"People among themselves, on {on}whole sessions: {_alpha(found.alpha)}."
    if found.alpha.value is not None:
        agreed += " Alpha is 1 where they always agree, 0 as by chance, and good from 0.80."
    if not found.disputed:
        return f"{agreed}\nThey dispute none."
    disputed = counted(found.disputed, "session")
    return f"{agreed}\n`{{agreement.settle}}` reviews the {disputed} that they dispute."


def alpha_words(alpha: Figure) -> str:
    """Say how far all people agree: "alpha between them on 21 sessions 0.71 (0.50 to 0.88): …"."""
    on = f" on {counted(alpha.sessions, 'session')}" if alpha.sessions else ""
    told = _alpha(alpha, f" between them{on}")
    return told if alpha.value is None else f"{told}: 1 is always alike, 0 as by chance, good from 0.80"


def _alpha(alpha: Figure, whose: str = "") -> str:
    if alpha.value is None:
        return f"no alpha{whose}: {alpha.why}"
    return f"alpha{whose} {number_words(alpha.value)} ({interval_words(alpha)})"


def _with_range(part: int, whole: int) -> str:
    if not whole:
        return ""
    more = f": {FEWEST - whole:,} more needed" if whole < FEWEST else ""
    return f"{percent(part / whole)} ({range_words(part, whole)}{more})"


def drift_words(drift: Drift) -> str:
    """Say whether somebody passes more or less than at first: "passes 15 points more than at first"."""
    if drift.change is None or drift.low is None or drift.high is None:
        need = counted(drift.more, "more session")
        who = "others labelled too" if drift.beside in ("", "others") else f"{drift.beside} scored"
        return f"too few labels to tell a drift: needs {need} that {who}"
    if not drift.is_sure:
        between = f"{_points(drift.low)} to {_points(drift.high)} points"
        return f"no drift that is sure ({between}, beside what {_yardstick(drift)})"
    grows = drift.change > 0
    low, high = (drift.low, drift.high) if grows else (-drift.high, -drift.low)
    return (
        f"passes {abs(_rounded(drift.change))} points {'more' if grows else 'less'} than at first, "
        f"{_rounded(low)} to {_rounded(high)}, beside what {_yardstick(drift)}"
    )


def _yardstick(drift: Drift) -> str:
    return "others say" if drift.beside == "others" else f"{drift.beside} says"


def _rounded(share: float) -> int:
    return round(100 * share)


def _points(share: float) -> str:
    return str(_rounded(share)).replace("-", "−")
