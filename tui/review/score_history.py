"""ScoreHistoryDialog: what metrics found of a session each time they judged it, and what changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from turnwise.conversations.marks import outcome_sign
from turnwise.conversations.safe_text import make_safe_line
from turnwise.engine.comparing.judging_changes import changes_in_words
from turnwise.engine.comparing.score_history import JudgedOnce, ScoreHistory
from turnwise.tui.actions import Place, bindings
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import LinesView, Tones, paragraph
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.judging.rejudged_lines import was_value
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.history_lines import show_history
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.rewriting import rewrite
from turnwise.tui.parts.words import moment

MOST_LINES = 24
_WHEN = 21
_VALUE = 12
_INDENT = " " * (_WHEN + 2)
MOST_REASON = 3
"""Lines of a reason; the rest stands behind the score."""


def score_history_lines(histories: Sequence[ScoreHistory], width: int, tones: Tones) -> list[Line]:
    """Return histories in `width` cells: a metric, and each time that it judged, the newest first."""
    lines: list[Line] = []
    for history in histories:
        if lines:
            lines.append([])
        place = f", exchange {history.exchange}" if history.exchange else ""
        name = make_safe_line(history.metric.replace("_", " "))
        lines.append([Segment(fit(f"{name}{place}", width), tones.heading)])
        for once in history.times:
            lines += _time_lines(once, width, tones)
    return lines


def _time_lines(once: JudgedOnce, width: int, tones: Tones) -> Iterator[Line]:
    row = once.row
    when = moment(row.created_at)
    sign = outcome_sign(row)
    told = changes_in_words(once.changed) or ("as before" if once.before else row.judged_by)
    if once.before is None and row.threshold is not None:
        told = " · ".join(part for part in (told, f"needs {row.threshold:.2f} to pass") if part)
    told = make_safe_line(told)
    beside = told if cell_len(told) <= width - _WHEN - 2 - _VALUE else ""
    yield [
        Segment(f"  {fit(when, _WHEN - 2)}", tones.muted),
        *_flip(once, tones),
        Segment(f"{sign} ", tones.of_sign(sign)),
        Segment(fit(was_value(row), _VALUE - 4 if once.flip else _VALUE), tones.text),
        Segment(beside, tones.muted),
    ]
    if not beside:
        yield from paragraph(told, width, tones.muted, indent=_INDENT)
    for turn in once.turns:
        words = f"turn {turn.turn}: {turn.a} → {turn.b}"
        yield from paragraph(make_safe_line(words), width, tones.text, indent=_INDENT)
    if row.reason and (once.before is None or row.reason != once.before.reason):
        yield from paragraph(row.reason, width, tones.muted, indent=_INDENT, most=MOST_REASON)


def _flip(once: JudgedOnce, tones: Tones) -> Line:
    if once.flip is None or once.before is None:
        return []
    sign = outcome_sign(once.before)
    return [Segment(sign, tones.of_sign(sign)), Segment(" → ", tones.muted)]


class ScoreHistoryDialog(Dialog[None]):
    """Shows what was judged more than once: by another judge, threshold or prompt, or once more."""

    PLACE: ClassVar[Place] = "score_history"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("score_history"))
    AUTO_FOCUS = "LinesView"
    DEFAULT_CSS = """
    ScoreHistoryDialog LinesView { height: auto; background: $surface; padding: 0 1; }
    """

    def begin(self, of: str, histories: Sequence[ScoreHistory], once: int) -> None:
        """of: the session, in words. histories: what was judged more than once.

        once: how many metrics judged one time alone.
        """
        self._of = of
        self._histories = histories
        self._once = once

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static(Content(""), classes="title")
            yield LinesView()
            yield Static(Content(""), classes="words")
            yield KeyLine("score_history")

    def on_mount(self) -> None:
        """Show what it is about."""
        self.fill()

    def fill(self) -> None:
        """Show what it is about, from the first line on."""
        rewrite(self.query_one(".title", Static), f"Scores of {self._of}, now and before")
        words = self.query_one(".words", Static)
        rewrite(words, f"\n{self._once:,} more judged once.")
        words.display = bool(self._once)
        self._draw(anew=True)

    def on_resize(self) -> None:
        """Wrap anew."""
        self.call_after_refresh(self._draw)

    def _draw(self, *, anew: bool = False) -> None:
        view = self.lines
        if width := view.size.width:
            lines = score_history_lines(self._histories, width - 1, view.tones)
            show_history(view, lines, self.size.height, MOST_LINES, anew=anew)

    @property
    def lines(self) -> LinesView:
        """The lines that the keys scroll."""
        return self.query_one(LinesView)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)
