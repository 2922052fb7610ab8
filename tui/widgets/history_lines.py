"""History lines: every label that was given to a session, with who gave it, when, and whether blind."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.segment import Segment

from turnwise.conversations.store.rows import LabelRow
from turnwise.tui.labelling import Change, Labelling, Opinion, Step, change_words, opinion_of, subject_of
from turnwise.tui.widgets.label_lines import SIGNS
from turnwise.tui.widgets.lines_view import Tones, paragraph
from turnwise.tui.widgets.safe_text import make_safe_line
from turnwise.tui.widgets.turn_lines import Line
from turnwise.tui.widgets.wrapping import fit

WHEN = 20
MOST_WHO = 20


def history_lines(rows: Sequence[LabelRow], width: int, tones: Tones) -> list[Line]:
    """Return the labels in `width` cells, the newest first; notes stand under what changed them."""
    who = min(MOST_WHO, max((cell_len(make_safe_line(row.author)) for row in rows), default=0)) + 2
    lines: list[Line] = []
    for row, before, step in reversed(list(_with_before(rows))):
        sign, words = told(row, before, step)
        blind = "blind" if row.blind and row.label else ""
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.created_at))
        room = max(1, width - WHEN - who - 4 - len(blind) - 1)
        lines.append(
            [
                Segment(f"  {fit(when, WHEN - 2)}", tones.muted),
                Segment(fit(make_safe_line(row.author), who), tones.text),
                Segment(f"{sign} ", tones.of_sign(sign)),
                Segment(fit(make_safe_line(words), room), tones.text),
                Segment(f" {blind}", tones.muted),
            ]
        )
        if row.note and row.note != before.note:
            indent = " " * (WHEN + who + 2)
            lines += paragraph(row.note, width - 1, tones.muted, indent=indent, most=6)
    return lines


def told(row: LabelRow, before: Opinion, step: Step = "") -> tuple[str, str]:
    """Return the sign of a label and what it said that was new.

    before: what its author said till then. step: whether it went back or forth among what they had said.
    """
    now = opinion_of(row)
    if step == "undo":
        then = f": {now.word} again" if now.word and now.word != before.word else ""
        undone = change_words(Change(subject_of(row), before, now), step)
        noted = now.word == before.word and now.note != before.note
        return "✎" if noted else SIGNS[now.word] if now.word else "–", f"{undone} undone{then}"
    sign, words = _told_of(row, before, now)
    return sign, f"{words}, done again" if step == "redo" else words


def _told_of(row: LabelRow, before: Opinion, now: Opinion) -> tuple[str, str]:
    about = f"{row.metric.replace('_', ' ')}: " if row.metric else ""
    sign = SIGNS[now.word] if now.word else "–"
    turn = f" at turn {now.turn}" if now.turn and (row.metric or now.word == "fail") else ""
    value = f" ({now.value:.2f})" if now.value is not None else ""
    if now.word != before.word:
        return sign, f"{about}{now.word or 'taken back'}{value}{turn}"
    if now.note != before.note:
        return "✎", f"{about}{'note' if now.note else 'note taken away'}"
    if now.turn != before.turn:
        return sign, f"{about}first failure at {f'turn {now.turn}' if now.turn else 'no single turn'}"
    return sign, f"{about}{now.word or 'nothing'}{value}{turn}, again"


def _with_before(rows: Iterable[LabelRow]) -> Iterable[tuple[LabelRow, Opinion, Step]]:
    people: dict[str, Labelling] = {}
    for row in rows:
        person = people.setdefault(row.author, Labelling(row.author))
        before = person.of(subject_of(row))
        yield row, before, person.take(row)
