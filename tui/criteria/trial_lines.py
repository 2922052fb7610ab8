"""Trial lines: the figures of a trial beside the one before, and why a session came out so, as drawn."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment

from turnwise.conversations.marks import FAILED, PASSED
from turnwise.conversations.safe_text import make_safe_line
from turnwise.engine.criteria.criterion_trial import TrialRow
from turnwise.engine.criteria.trial_change import TrialChange
from turnwise.engine.people.statistics.rater_agreement import kappa_of
from turnwise.tui.agreement.agreement_words import FEWEST
from turnwise.tui.criteria.criterion_words import kappa_words
from turnwise.tui.criteria.trial_words import difference_words, kappa_change
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones, paragraph
from turnwise.tui.drawing.wrapping import fit

_NAMES = 5
_VALUES = 6
_CHANCE = "may be chance"


def change_lines(change: TrialChange, width: int, tones: Tones, *, sides: tuple[str, str]) -> list[Line]:
    """Return the figures of both trials in a table with their paired differences. sides: name the two."""
    before, now = change.matrices
    heads = (*sides, "change, 95 %")
    widths = (max(_VALUES, cell_len(sides[0])), max(_VALUES, cell_len(sides[1])))
    lines: list[Line] = [[Segment(_cells("", *heads, widths=widths), tones.muted)]]
    rows = (
        ("TNR", before.tnr, now.tnr, change.tnr_change(), now.people_failed),
        ("TPR", before.tpr, now.tpr, change.tpr_change(), now.people_passed),
        ("kappa", kappa_of(before), kappa_of(now), kappa_change(before, now), now.fewest_labels),
    )
    for name, first, second, figure, labels in rows:
        text = _cells(name, kappa_words(first), kappa_words(second), "", widths=widths)
        sure = figure.low is not None and figure.high is not None and not figure.low <= 0 <= figure.high
        tone = tones.heading if sure else tones.muted
        words = difference_words(figure, labels)
        room = max(0, width - cell_len(text))
        chance = f"{words}  {_CHANCE}"
        fits = figure.low is not None and not sure and labels >= FEWEST and cell_len(chance) <= room
        lines.append([Segment(text, tones.text), Segment(fit(chance if fits else words, room), tone)])
    if by_another_judge(change):
        before_by, now_by = make_safe_line(change.before.judge), make_safe_line(change.now.judge)
        words = f"{sides[0]}: by {before_by}, now by {now_by}"
        lines.append([Segment(fit(words, width), tones.muted)])
    return lines


def by_another_judge(change: TrialChange) -> bool:
    """Return whether another judge scored the later trial; a line of its own says so."""
    before, now = change.before.judge, change.now.judge
    return bool(before and now) and before != now


def _cells(name: str, was: str, now: str, rest: str, *, widths: tuple[int, int]) -> str:
    return f"{name:<{_NAMES}}  {was:>{widths[0]}}  {now:>{widths[1]}}   {rest}"


def about_row(
    row: TrialRow | None, was: TrialRow | None, width: int, height: int, tones: Tones, *, named: bool = False
) -> list[Line]:
    """Return why the session under the cursor came out so, and why otherwise before.

    named: whether its whole name stands over that, as where the list has no room for it.
    """
    if row is None or height < 1:
        return []
    if named and height > 2:
        head_line = paragraph(make_safe_line(row.name), width - 1, tones.heading, indent=" ", most=1)
        return [*head_line, *about_row(row, was, width, height - 1, tones)]
    told = [("now" if was is not None else "why", row)] + ([("was", was)] if was is not None else [])
    most = max(1, height // len(told))
    lines: list[Line] = []
    for name, one in told:
        score = "" if one.score is None else f" {one.score:.2f}"
        head = f" {name} {_sign(one.passed)}{score}  "
        body = paragraph(
            one.reason or "no reason given", width - 1, tones.text, indent=" " * len(head), most=most
        )
        first = Segment(body[0][0].text[len(head) :], tones.text) if body else Segment("")
        lines += [[Segment(head, tones.muted), first], *body[1:]]
    return lines


def _sign(passed: bool | None) -> str:
    return "–" if passed is None else PASSED if passed else FAILED
