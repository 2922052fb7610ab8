"""RejudgedDialog: what a run found of sessions, beside what stood there before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from turnwise.conversations.marks import outcome_sign
from turnwise.conversations.safe_text import make_safe_line
from turnwise.engine.comparing.judging_changes import changes_in_words
from turnwise.engine.comparing.rejudging import Rejudged
from turnwise.tui.actions import Place, bindings
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import LinesView, Tones, paragraph
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.judging.rejudged_lines import now_sign, now_value, was_value
from turnwise.tui.judging.rejudging_request import RejudgedRun
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine

MOST_LISTED = 200
"""So many outcomes are listed, what changed first; all of them are counted."""
MOST_REASON = 3
"""Lines of a reason; the rest stands behind the score."""
_VALUE = 12
_INDENT = " " * 8


def most_changed_first(found: Sequence[Rejudged]) -> list[Rejudged]:
    """Return outcomes in the order in which they are told: flips, what else changed, first ones, the rest."""
    return sorted(found, key=lambda one: (one.flip is None, not one.is_changed, one.before is not None))


def rejudged_dialog_lines(
    found: Sequence[Rejudged], width: int, tones: Tones, *, name_session: bool
) -> list[Line]:
    """Return outcomes in `width` cells, each as it was and as it is now. name_session: says whose it is."""
    lines: list[Line] = []
    for one in found:
        if lines:
            lines.append([])
        lines += _outcome_lines(one, width, tones, name_session=name_session)
    return lines


def _outcome_lines(one: Rejudged, width: int, tones: Tones, *, name_session: bool) -> Iterator[Line]:
    after, before = one.after, one.before
    place = f", exchange {after.exchange}" if after.exchange else ""
    whose = f", session {one.session_id}" if name_session else ""
    yield [Segment(fit(make_safe_line(after.metric.replace("_", " ") + place + whose), width), tones.heading)]
    if by := changes_in_words(one.changed):
        yield from paragraph(make_safe_line(by), width, tones.muted, indent="  ")
    if before is None:
        yield from _side("now", now_sign(after), now_value(after), "nothing before", width, tones)
    elif one.is_changed or one.changed:
        yield from _side("was", outcome_sign(before), was_value(before), "", width, tones)
        yield from paragraph(before.reason, width, tones.muted, indent=_INDENT, most=MOST_REASON)
        yield from _side("now", now_sign(after), now_value(after), _moved(one), width, tones)
    else:
        yield from _side("now", now_sign(after), now_value(after), "as before", width, tones)
    if before is None or after.reason != before.reason or not one.is_changed:
        yield from paragraph(after.reason, width, tones.muted, indent=_INDENT, most=MOST_REASON)
    for turn in one.turns:
        said = f"  {turn.reason}" if turn.reason else ""
        words = make_safe_line(f"turn {turn.turn}: {turn.a} → {turn.b}{said}")
        yield from paragraph(words, width, tones.text, indent=_INDENT, most=MOST_REASON)


def _side(when: str, sign: str, value: str, told: str, width: int, tones: Tones) -> Iterator[Line]:
    yield [
        Segment(f"  {when}   ", tones.muted),
        Segment(f"{sign} ", tones.of_sign(sign)),
        Segment(fit(value, _VALUE), tones.text),
        Segment(fit(told, max(0, width - len(_INDENT) - 2 - _VALUE)), tones.muted),
    ]


def _moved(one: Rejudged) -> str:
    if one.delta:
        return f"{one.delta:+.2f}"
    return "" if one.is_changed else "as before"


class RejudgedDialog(Dialog[None]):
    """Shows what was found, and what is found now: scores, reasons, and the turns that are seen otherwise."""

    PLACE: ClassVar[Place] = "score_history"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("score_history"))
    AUTO_FOCUS = "LinesView"
    DEFAULT_CSS = """
    RejudgedDialog #panel { width: 112; }
    RejudgedDialog LinesView { height: auto; max-height: 32; background: $surface; padding: 0 1; }
    """

    def __init__(self, run: RejudgedRun) -> None:
        super().__init__()
        self._run = run
        self._found = most_changed_first(run.found)[:MOST_LISTED]

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("Found before, and now", classes="title", markup=False)
            yield LinesView()
            yield Static(f"\n{self._run.words}", classes="words", markup=False)
            yield KeyLine("score_history")

    def on_mount(self) -> None:
        """Remember that these scores are seen: a label given later is not blind."""
        for one in self._found:
            self.shell.sights.add(one.session_id, "in a list")

    def on_resize(self) -> None:
        """Wrap anew."""
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        view = self.lines
        if width := view.size.width:
            several = len({one.session_id for one in self._run.found}) > 1
            lines = rejudged_dialog_lines(self._found, width - 1, view.tones, name_session=several)
            view.styles.height = min(len(lines), max(3, self.size.height - 10))
            view.set_lines(lines, keep_place=True)

    @property
    def lines(self) -> LinesView:
        """The lines that the keys scroll."""
        return self.query_one(LinesView)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)
