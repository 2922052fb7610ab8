"""People lines: what others say of a session, beside a transcript or under it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from rich.cells import cell_len
from rich.segment import Segment

from turnwise.conversations.marks import LABEL_SIGNS
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import LabelRow
from turnwise.tui.drawing.lines_view import Tones, paragraph
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.labels.row import LabelLines, Row, Spot, to_turn
from turnwise.tui.parts.words import ago

MOST_OTHERS = 4
"""Of so many people each is told; the rest are counted."""
_MOST_SAID = 2
"""Lines of a note, where it stands for information alone."""
_MOST_READ = 6
"""Lines of it where one decides between notes."""
_FEW = 2
"""So many people have two lines each under a transcript; more of them have one."""


@dataclass(frozen=True, slots=True)
class SaidByOther:
    """What somebody else says of a session: their label, and the failure modes that they gave, in words."""

    label: LabelRow
    modes: Sequence[str] = ()

    @property
    def sign(self) -> str:
        """The sign of the label; that of notes where there is none."""
        return LABEL_SIGNS[self.label.label] if self.label.label else "✎"

    @property
    def at(self) -> str:
        """Where a fail shows first, in words; empty where it is no single turn."""
        return f" at turn {self.label.turn}" if self.label.turn and self.label.label == "fail" else ""

    @property
    def why(self) -> str:
        """Why they say it: what went wrong, who failed, and the note."""
        who = f"the {self.label.at_fault} failed" if self.label.at_fault else ""
        parts = (*self.modes, who, make_safe(self.label.note).strip())
        return " · ".join(filter(None, parts))


_HEAD = "  What others say"


def add_others(
    drawn: LabelLines,
    others: Mapping[str, SaidByOther],
    given: Sequence[str],
    width: int,
    tones: Tones,
    now: float,
    *,
    settles: bool,
) -> None:
    """Add what others say. settles: whether one decides between them, so that it is told whole.

    given: failure modes of people who are not among them, with their names.
    """
    # Without a head of their own they stood under “Your label”.
    drawn.lines.append([Segment(fit(_HEAD, min(width, cell_len(_HEAD))), tones.section)])
    for name, one in islice(others.items(), MOST_OTHERS):
        row = Row(drawn, width, tones)
        row.add(f"{one.sign} ", tones.of_sign(one.sign))
        row.add(make_safe_line(name), tones.text, "history")
        row.add(f" {one.label.said}", tones.muted)
        if one.at:
            row.add(" at ", tones.muted)
            row.add(f"turn {one.label.turn}", tones.link, to_turn(one.label.turn or 0))
        row.add(f", {ago(one.label.created_at, now)}", tones.muted)
        row.end()
        if why := one.why:
            most = _MOST_READ if settles else _MOST_SAID
            drawn.lines += paragraph(why, width - 1, tones.muted, indent="    ", most=most)
    if len(others) > MOST_OTHERS:
        row = Row(drawn, width, tones)
        row.add(f"and {len(others) - MOST_OTHERS:,} more", tones.muted, "history")
        row.end()
    if given:
        drawn.lines += paragraph(
            make_safe_line(" · ".join(given)), width - 1, tones.muted, indent="  ", most=_MOST_SAID
        )


def short_said(name: str, one: SaidByOther, *, worded: bool = False) -> str:
    """Return what somebody else says in few cells: by its sign and the turn of a fail.

    worded: whether there is room to say what the sign means: "✗ fail by Ben at turn 4".
    """
    what = f"{one.label.said} by " if worded else ""
    return f"{one.sign} {what}{make_safe_line(name)}{one.at}"


def add_people(
    drawn: LabelLines, others: Mapping[str, SaidByOther], history: str, width: int, tones: Tones
) -> None:
    """Add what those say who differ, and why, in the few lines that there are under a transcript.

    history: the key that shows it whole; it is named where anything is cut.
    """
    told = list(others.items())[:MOST_OTHERS]
    most = _MOST_SAID if len(others) <= _FEW else 1
    more = f"  {history} shows all" if history else ""
    for place, (name, one) in enumerate(told, 1):
        head = short_said(name, one)
        whole = paragraph(
            f"{head}  {make_safe_line(one.why)}".rstrip(), width - 1, tones.muted, indent="    "
        )
        texts = ["".join(piece.text for piece in line) for line in whole[:most]]
        texts[0] = texts[0].removeprefix("  ")
        left = len(others) - place if place == len(told) else 0
        if len(whole) > most or left:
            end = f"{'…' * (len(whole) > most)}{f'  and {left:,} more' if left else ''}{more}"
            texts[-1] = fit(texts[-1], max(1, width - 1 - cell_len(end))).rstrip().removesuffix("…") + end
            texts[-1] = fit(texts[-1], min(width, cell_len(texts[-1])))
        for text in texts:
            drawn.spots.append(Spot(len(drawn.lines), 2, min(width, cell_len(text)), "history"))
            if text.startswith(f"  {head}"):
                who, why = text[3 : 2 + len(head)], text[2 + len(head) :]
                sign = Segment(f"  {one.sign}", tones.of_sign(one.sign))
                drawn.lines.append([sign, Segment(who, tones.text), Segment(why, tones.muted)])
            else:
                drawn.lines.append([Segment(text, tones.muted)])
