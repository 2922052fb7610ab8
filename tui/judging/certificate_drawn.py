"""A certificate as drawn lines: what was found of a judge, and the figures behind it with their intervals."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment

from turnwise.conversations.marks import FAILED
from turnwise.engine.certifying.certificate import JudgeCertificate
from turnwise.tui.drawing.bars import SHARE_WIDTH, bar_with_interval, interval_legend, share_with_interval
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones, paragraph
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.judging.certificate_words import certificate_lines

_BAR = (10, 40)
"""The fewest and the most cells of a bar."""


def certificate_drawing(found: JudgeCertificate, width: int, tones: Tones) -> list[Line]:
    """Return a certificate in `width` cells."""
    lines: list[Line] = []
    for place, text in enumerate(certificate_lines(found)):
        if not text:
            lines.append([])
            continue
        style = tones.heading if not place else tones.of_sign(text[0]) if text[0] in "✗!" else tones.text
        lines += paragraph(text, width, tones.failed if text[0] == FAILED else style)
    told = [one for one in found.figures if one.whole]
    if not told:
        return lines
    names = max(cell_len(one.name) for one in told)
    room = width - names - SHARE_WIDTH - len(" of 000") - 4
    cells = min(_BAR[1], room) if room >= _BAR[0] else 0
    lines.append([])
    for one in told:
        share, interval = one.part / one.whole, (one.low, one.high)
        lines.append(
            [
                Segment(f"{fit(one.name, names)}  ", tones.text),
                Segment(f"{bar_with_interval(share, interval, cells)}  " if cells else "", tones.bar),
                Segment(f"{share_with_interval(share, interval):<{SHARE_WIDTH}}", tones.text),
                Segment(f" of {one.whole}", tones.muted),
            ]
        )
    if cells:
        lines += [[], interval_legend(tones.bar, tones.muted)]
    return lines
