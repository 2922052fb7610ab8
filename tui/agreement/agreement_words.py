"""Agreement in words: what each figure says, in sentences that need no textbook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import Literal

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.words import counted, percent, percent_range
from turnwise.engine.people.agreement import NONE_PASSED, NOTHING_APART, Agreement, Figure
from turnwise.engine.people.labelled_scores import WEAK_KAPPA, MeasuredInShort
from turnwise.engine.people.statistics.intervals import share_interval
from turnwise.engine.people.statistics.rater_agreement import Confusion
from turnwise.tui.actions import Table
from turnwise.tui.settings.keymap import key_of

DASH = "–"
NO_LABELS = (
    "No session has both a score and a label of a person.\n"
    "To label: `{review.label_pass}` and `{review.label_fail}` while you read, "
    "or `turnwise label SESSION pass`.\n"
    "To score: `{library.score}` in the library, or `turnwise score --all --metric NAME`."
)
"""What to do where no session has both a score and a label."""


FEWEST = 4
"""Of fewer labels of a kind no interval is told: it would reach from nearly nothing to nearly all."""
FEWEST_TO_CORRECT = 10
"""Of fewer labels of either kind no rate is corrected: a label more would move it by half of the scale."""
TOO_FEW = "too few labels"
FEW = "?"
"""Stands behind a kappa that rests on fewer labels of a kind than that."""
FEW_IN_SHORT = f"({FEW} few ✗ or ✓)"
"""Says what that mark means in the head of a list, where there is no room to say it in full."""
FEW_WORDS = f"{FEW} fewer than {FEWEST} fails, or passes: too few labels to trust the kappa"
_PERHAPS = "perhaps for another reason"
_NOT_FAILED = "not failed for this"
"""Said of what counts as passed by people as to a metric, where they did not pass all of it as a whole."""
_IN_SHORT = {
    NONE_PASSED: "judge and people passed none of them",
    NOTHING_APART: "tells nothing apart: TPR + TNR ≤ 1",
}
"""Why there is no figure, where the reason is too long for a window of 80 columns."""
_TOO_FEW_FOR_A_MAJORITY = 2
"""Of so many people, two who differ are as many on either side."""


@dataclass(frozen=True, slots=True)
class FigureLine:
    """One figure as it is shown: what it says here, its name and value, and how sure they are at 95 %."""

    words: str
    interval: str
    name: str
    value: str


def who_labelled(found: Agreement, me: str) -> str:
    """Return whose labels these are, in a word: "you", a name, or "people" for a majority."""
    authors = {person.author for person in found.people}
    author = found.author if found.author is not None else next(iter(authors)) if len(authors) == 1 else None
    if author is None:
        return "people"
    return "you" if author == me else author


def right_or_wrong(actions: Table, place: Literal["agreement", "review"]) -> str:
    """Say by which keys one says of a score that it is right or wrong: "+ is right, - is wrong"."""
    right, wrong = (key_of(actions, place, name) for name in ("agree", "disagree"))
    return f"{right} is right, {wrong} is wrong"


def judged_by(found: Agreement) -> Literal["judge", "check"]:
    """Return what says pass or fail beside people, in a word."""
    return "check" if found.by_check else "judge"


def labels_words(found: Agreement, who: str) -> str:
    """Say what the metric is compared with: "24 labels of yours", "24 sessions labelled by 2 people".

    A majority is only spoken of where there can be one.
    """
    pairs, people = found.matrix.total, len(found.people)
    if who == "people" and people:
        sessions = counted(pairs, "session")
        if people == _TOO_FEW_FOR_A_MAJORITY:
            return f"{sessions} labelled by {people:,} people"
        return f"{sessions}, the majority of {people:,} people"
    many = counted(pairs, "label")
    if who == "people":
        return many
    return f"{many} of yours" if who == "you" else f"{many} by {who}"


def left_out_words(found: Agreement) -> str:
    """Say which sessions are not compared, and why; empty where all are."""
    parts = [
        (found.unscored, "labelled but not scored"),
        (found.undecided, _undecided_words(found)),
        (found.failures, f"the {judged_by(found)} failed on"),
        (found.skipped, "skipped by the metric"),
    ]
    return " · ".join(f"{count:,} {words}" for count, words in parts if count)


def _undecided_words(found: Agreement) -> str:
    """Say why people have no verdict on a session: two who differ are no majority, nor are equal halves."""
    differ = len(found.people) == _TOO_FEW_FOR_A_MAJORITY
    return "on which people differ" if differ else "that as many people pass as fail"


def replaced_words(replaced: Mapping[str, int]) -> str:
    """Say how many scores are of a model that no longer answers for its judge; empty where none is.

    replaced: how many, by the model that answers now.
    """
    return " ".join(
        make_safe_line(
            f"{counted(count, 'score')} {'was' if count == 1 else 'were'} given by another model: since then "
            f"{model} answers for that judge."
        )
        for model, count in replaced.items()
    )


def whole_words(found: Agreement) -> str:
    """Say how many fails are no labels of the metric; empty where all are, or nobody failed any.

    It begins with how many fails there are, as what is said of the passes does: both together are all labels.
    """
    fails, whole = found.matrix.people_failed, found.whole_fails
    if not whole or whole == fails:
        return whole_fails_words(whole, fails)
    named = f"{fails - whole:,} {'names' if fails - whole == 1 else 'name'} this metric"
    return f"{fails:,} failed: {named}, {whole:,} {'names' if whole == 1 else 'name'} none: {_PERHAPS}"


def whole_fails_words(whole: int, fails: int, among: str = "") -> str:
    """Say how many fails are labels of no metric or criterion; empty for none.

    Such a fail counts for each metric of which the person says nothing, at whichever turn it was given.
    among: which fails these are, where not all: "in dev".
    """
    if not whole:
        return ""
    of = f" {among}" if among else ""
    which = f"{whole:,} of {counted(fails, 'fail')}"
    if whole == fails:
        which = {1: "the only fail", 2: "both fails"}.get(fails, f"all {fails:,} fails")
    return f"{which}{of} {'names' if whole == 1 else 'name'} no metric: {_PERHAPS}"


def otherwise_words(found: Agreement) -> str:
    """Say which of the passes are of sessions that people did not pass as a whole; empty for none.

    It begins with the words that the figures of such passes have: "36 not failed for this: 26 passed, …".
    """
    if not _count_others(found):
        return ""
    passed = found.matrix.people_passed
    parts = [
        (passed - found.failed_otherwise - found.disputed_otherwise, "passed"),
        (found.failed_otherwise, "failed for something else"),
        (found.disputed_otherwise, "of the disputed"),
    ]
    return f"{passed:,} {_NOT_FAILED}: {', '.join(f'{count:,} {words}' for count, words in parts if count)}"


def _count_others(found: Agreement) -> bool:
    """Whether people passed some of the passes only as to this metric, as they did not fail them for it."""
    return bool(found.failed_otherwise or found.disputed_otherwise)


def failed_words(now: Confusion, who: str, was: Confusion | None = None) -> str:
    """Say how many failures the judge catches: "caught 2 of 4 that you failed", "1 → 2 of"."""
    caught = _moved(now.true_fail, None if was is None else was.true_fail)
    return f"caught {caught} of {now.people_failed:,} that {who} failed"


def passed_words(
    now: Confusion, who: str, was: Confusion | None = None, *, others_count: bool = False
) -> str:
    """Say how much that is good the judge passes: "passed 5 of 9 that you passed".

    others_count: whether sessions count that people passed as to this alone: that they passed them would be
    read as said of the whole.
    """
    passed = _moved(now.true_pass, None if was is None else was.true_pass)
    said = _NOT_FAILED if others_count else f"that {who} passed"
    return f"passed {passed} of {now.people_passed:,} {said}"


def same_words(now: Confusion, kappa: Figure, was: Confusion | None = None) -> str:
    """Say how often both say the same, and whether by chance: "agreed on 7 of 9, as by chance".

    kappa: of what is so now. Of too few labels nothing is said of chance.
    """
    same = now.true_pass + now.true_fail
    before = None if was is None else was.true_pass + was.true_fail
    beyond = "" if _are_few(now) else chance_words(kappa)
    return f"agreed on {_moved(same, before)} of {now.total:,}{f', {beyond}' if beyond else ''}"


def _are_few(matrix: Confusion) -> bool:
    return matrix.fewest_labels < FEWEST


def _moved(now: int, was: int | None) -> str:
    return f"{now:,}" if was is None else f"{was:,} → {now:,}"


def chance_words(kappa: Figure) -> str:
    """Say what a kappa means; empty where there is none.

    A judge that is good is said to be no better than it is at the low end of the interval.
    """
    value = kappa.value
    if value is None:
        return ""
    if value <= WEAK_KAPPA:
        return "as by chance" if value <= 0.0 else "little beyond chance"
    low = value if kappa.low is None else kappa.low
    if low <= 0.0:
        return "perhaps by chance"
    return "beyond chance" if low <= WEAK_KAPPA else f"{'well' if low <= 0.8 else 'far'} beyond chance"


def doubt_words(one: MeasuredInShort) -> str:
    """Say why a metric's figures are to be doubted; empty where they are not, or too few labels tell it.

    Such as "it agreed with people little beyond chance (kappa 0.21)": true of a judge and of a check alike.
    """
    kappa, counts = one.kappa.value, one.surely_meant
    if kappa is None or not one.is_doubted:
        return ""
    if not counts.people_failed:
        return f"it failed {counts.false_fail:,} of {counts.people_passed:,} that people passed"
    if not counts.people_passed:
        return f"it passed {counts.false_pass:,} of {counts.people_failed:,} that people failed as to it"
    return f"it agreed with people {chance_words(one.kappa)} (kappa {number_words(kappa)})"


def lacking_words(matrix: Confusion) -> str:
    """Say how many labels of which kind it takes until intervals are told, and how one comes to them.

    Empty where there are enough, or none at all: what is not there has no figure either.
    """
    counts = ((matrix.people_failed, "fail", "fails"), (matrix.people_passed, "pass", "passes"))
    lacking = [
        counted(FEWEST - count, f"more {one}", f"more {more}")
        for count, one, more in counts
        if 0 < count < FEWEST
    ]
    return f"too few labels for an interval: it takes {' and '.join(lacking)}" if lacking else ""


def range_words(part: int, whole: int) -> str:
    """Say between which percents a share may lie: "15 to 85 %"; or that too few labels tell it."""
    if whole < FEWEST:
        return TOO_FEW if whole else ""
    low, high = share_interval(part, whole)
    return percent_range(low, high)


def figure_lines(found: Agreement, who: str) -> list[FigureLine]:
    """Return all figures in the order in which they are read, each in plain words before its name."""
    measures, matrix = found.measures, found.matrix
    passes = passed_words(matrix, who, others_count=_count_others(found))
    kept = f"{who} passed {matrix.true_pass:,} of {matrix.judge_passed:,} it passed"
    if _count_others(found):
        kept = f"{matrix.true_pass:,} of {matrix.judge_passed:,} it passed {_NOT_FAILED}"
    rate = f"passed {measures.passed:,} of all {measures.scored:,} that are scored"
    lines = [
        _share("TNR", measures.tnr, failed_words(matrix, who), matrix.true_fail, matrix.people_failed),
        _share("TPR", measures.tpr, passes, matrix.true_pass, matrix.people_passed),
        _share("precision", measures.precision, kept, matrix.true_pass, matrix.judge_passed),
        _drawn("F1", measures.f1, "TPR and precision in one; 1 at best", matrix),
        _drawn("kappa", measures.kappa, same_words(matrix, measures.kappa), matrix),
        _share("pass rate", measures.pass_rate, rate, measures.passed, measures.scored),
        _corrected(found, who),
    ]
    if len(found.people) > 1:
        both = counted(found.alpha.sessions or 0, "session")
        lines.append(_drawn("alpha", found.alpha, f"people on this metric, {both}", matrix))
    return lines


def _why(figure: Figure) -> str:
    """Say why there is no figure, in words that have room beside its name."""
    return _IN_SHORT.get(figure.why, figure.why)


def _share(name: str, figure: Figure, words: str, part: int, whole: int) -> FigureLine:
    if figure.value is None:
        return FigureLine(_why(figure), "", name, DASH)
    # In the unit of its interval: a fraction beside percents would be two scales in one line.
    return FigureLine(words, range_words(part, whole), name, percent(figure.value))


def _drawn(name: str, figure: Figure, words: str, matrix: Confusion) -> FigureLine:
    if figure.value is None:
        return FigureLine(_why(figure), "", name, DASH)
    between = TOO_FEW if _are_few(matrix) else interval_words(figure)
    return FigureLine(words, between, name, number_words(figure.value))


def _corrected(found: Agreement, who: str) -> FigureLine:
    """Return the pass rate that people would find, but not where the labels are too few to tell it."""
    figure, matrix = found.measures.corrected_pass_rate, found.matrix
    if figure.value is None:
        return FigureLine(_why(figure), "", "corrected", DASH)
    if matrix.fewest_labels < FEWEST_TO_CORRECT:
        words = f"needs {FEWEST_TO_CORRECT} passes and {FEWEST_TO_CORRECT} fails"
        return FigureLine(words, "", "corrected", DASH)
    about = f"about {percent(figure.value)}"
    words = f"{who}: {about} {_NOT_FAILED}" if _count_others(found) else f"{who} would pass {about}"
    low, high = figure.low, figure.high
    between = "" if low is None or high is None else percent_range(low, high)
    return FigureLine(words, between, "corrected", percent(figure.value))


def number_words(value: float) -> str:
    """Return a figure with two decimals. One below 1 is never rounded up to 1.00."""
    text = f"{value:.2f}"
    return "0.99" if text == "1.00" and value < 1 else text.replace("-", "−")


def kappa_told(kappa: float, matrix: Confusion) -> str:
    """Return a kappa as a list tells it: "0.82", "1.00?" where labels of a kind are too few, – for none."""
    if isnan(kappa):
        return DASH
    return f"{number_words(kappa)}{FEW if _are_few(matrix) else ''}"


def rests_on_few(kappa: float, matrix: Confusion) -> bool:
    """Whether a list marks this kappa, as labels of a kind are too few."""
    return not isnan(kappa) and _are_few(matrix)


def interval_words(figure: Figure) -> str:
    """Return an interval: "0.68 to 0.99"; empty where there is none."""
    if figure.low is None or figure.high is None:
        return ""
    return f"{number_words(figure.low)} to {number_words(figure.high)}"
