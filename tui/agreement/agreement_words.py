"""Agreement in words: what each figure says, in sentences that need no textbook."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.engine.people.agreement import Agreement, Figure

DASH = "–"
NO_LABELS = (
    "No session has both a score and a label of a person.\n"
    "To label: `{review.label_pass}` and `{review.label_fail}` while you read, "
    "or `turnwise label SESSION pass`.\n"
    "To score: `{library.score}` in the library, or `turnwise score --all --metric NAME`."
)
"""What to do where no session has both a score and a label."""


@dataclass(frozen=True, slots=True)
class FigureLine:
    """One figure as it is shown: its name, the value, its 95 % interval, and what that means here."""

    name: str
    value: str
    interval: str
    words: str


def who_labelled(found: Agreement, me: str) -> str:
    """Return whose labels these are, in a word: "you", a name, or "people" for a majority."""
    authors = {person.author for person in found.people}
    author = found.author if found.author is not None else next(iter(authors)) if len(authors) == 1 else None
    if author is None:
        return "people"
    return "you" if author == me else author


def labels_words(found: Agreement, who: str) -> str:
    """Say what the metric is compared with: "24 labels of yours", "24 labels, the majority of 3 people"."""
    pairs = found.matrix.total
    many = f"{pairs:,} label{'s' * (pairs != 1)}"
    if who == "people":
        people = len(found.people)
        return f"{many}, the majority of {people:,} people" if people else many
    return f"{many} of yours" if who == "you" else f"{many} by {who}"


def left_out_words(found: Agreement) -> str:
    """Say which sessions are not compared, and why; empty where all are."""
    parts = [
        (found.unscored, "labelled but not scored"),
        (found.undecided, "undecided between people"),
        (found.failures, "the judge failed on"),
        (found.skipped, "skipped by the metric"),
    ]
    return " · ".join(f"{count:,} {words}" for count, words in parts if count)


def figure_lines(found: Agreement, who: str) -> list[FigureLine]:
    """Return all figures in the order in which they are read."""
    measures, matrix = found.measures, found.matrix
    judge_right = f"judge passed {matrix.true_pass:,} of {matrix.people_passed:,} that {who} passed"
    judge_wrong = f"judge failed {matrix.true_fail:,} of {matrix.people_failed:,} that {who} failed"
    kept = f"{who} passed {matrix.true_pass:,} of {matrix.judge_passed:,} that judge passed"
    corrected = f"what {who} would pass of them"
    rate = f"judge passed {measures.passed:,} of {measures.scored:,} scored"
    lines = [
        _line("TPR", measures.tpr, judge_right),
        _line("TNR", measures.tnr, judge_wrong),
        _line("precision", measures.precision, kept),
        _line("F1", measures.f1, "precision and TPR in one; 1 at best"),
        _line("kappa", measures.kappa, "0 agrees as by chance, 1 always"),
        _line("pass rate", measures.pass_rate, rate),
        _line("corrected", measures.corrected_pass_rate, corrected),
    ]
    if len(found.people) > 1:
        lines.append(_line("alpha", found.alpha, "how far people agree with each other"))
    return lines


def _line(name: str, figure: Figure, words: str) -> FigureLine:
    if figure.value is None:
        return FigureLine(name, DASH, "", figure.why)
    return FigureLine(name, number_words(figure.value), interval_words(figure), words)


def number_words(value: float) -> str:
    """Return a figure with two decimals. One below 1 is never rounded up to 1.00."""
    text = f"{value:.2f}"
    return "0.99" if text == "1.00" and value < 1 else text.replace("-", "−")


def interval_words(figure: Figure) -> str:
    """Return an interval: "0.68 to 0.99"; empty where there is none."""
    if figure.low is None or figure.high is None:
        return ""
    return f"{number_words(figure.low)} to {number_words(figure.high)}"
