"""LabelHistoryDialog: every label that was given to a session: who, when, what, and whether blind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from turnwise.conversations.marks import LABEL_SIGNS
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import AssignedMode, LabelRow
from turnwise.engine.people.labelling import (
    CurrentLabel,
    LabelChange,
    LabelStep,
    PersonLabels,
    change_words,
    current_label_of,
)
from turnwise.tui.actions import Place, bindings
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import LinesView, Tones, paragraph
from turnwise.tui.drawing.wrapping import fit, wrap
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.history_lines import show_history
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.rewriting import rewrite
from turnwise.tui.parts.words import moment

MOST_LINES = 20
WHEN = 21
MOST_WHO = 20


def history_lines(
    rows: Sequence[LabelRow], width: int, tones: Tones, modes: Sequence[AssignedMode] = ()
) -> list[Line]:
    """Return labels and failure modes in `width` cells, the newest first; notes stand under their change.

    modes: those that the session has by now.
    """
    people = [*(row.author for row in rows), *(mode.author for mode in modes)]
    who = min(MOST_WHO, max((cell_len(make_safe_line(one)) for one in people), default=0)) + 2
    lines: list[Line] = []
    given = sorted(modes, key=lambda mode: mode.created_at)
    for row, before, step in reversed(list(_with_before(rows))):
        while given and given[-1].created_at >= row.created_at:
            lines += _mode_lines(given.pop(), width, who, tones)
        sign, words = told(row, before, step)
        blind = "blind" if row.blind and row.label else ""
        when = moment(row.created_at)
        room = max(1, width - WHEN - who - 4 - len(blind) - 1)
        indent = " " * (WHEN + who + 2)
        first, *rest = wrap(make_safe_line(words), room)
        lines.append(
            [
                Segment(f"  {fit(when, WHEN - 2)}", tones.muted),
                Segment(fit(make_safe_line(row.author), who), tones.text),
                Segment(f"{sign} ", tones.of_sign(sign)),
                Segment(fit(first, room), tones.text),
                Segment(f" {blind}", tones.muted),
            ]
        )
        lines += [[Segment(f"{indent}{line}", tones.text)] for line in rest]
        if row.came_from:
            lines += paragraph(f"says the file {row.came_from}", width - 1, tones.muted, indent=indent)
        if row.note and row.note != before.note:
            lines += paragraph(row.note, width - 1, tones.muted, indent=indent, most=6)
    for mode in reversed(given):
        lines += _mode_lines(mode, width, who, tones)
    return lines


def _mode_lines(mode: AssignedMode, width: int, who: int, tones: Tones) -> list[Line]:
    turn = f" at turn {mode.turn}" if mode.turn else ""
    words = make_safe_line(f"failure mode: {mode.name}{turn}")
    first, *rest = wrap(words, max(1, width - WHEN - who - 5))
    head = [
        Segment(f"  {fit(moment(mode.created_at), WHEN - 2)}", tones.muted),
        Segment(fit(make_safe_line(mode.author), who), tones.text),
        Segment(f"• {first}", tones.text),
    ]
    return [head, *([Segment(f"{' ' * (WHEN + who + 2)}{line}", tones.text)] for line in rest)]


def told(row: LabelRow, before: CurrentLabel, step: LabelStep = "") -> tuple[str, str]:
    """Return the sign of a label and what it said that was new.

    before: what its author said till then. step: whether it went back or forth among what they had said.
    """
    now = current_label_of(row)
    if step == "undo":
        then = f": {now.word} again" if now.word and now.word != before.word else ""
        undone = change_words(LabelChange(row.subject, before, now), step)
        noted = now.word == before.word and now.note != before.note
        return "✎" if noted else LABEL_SIGNS[now.word], f"{undone} undone{then}"
    sign, words = _told_of(row, before, now)
    return sign, f"{words}, done again" if step == "redo" else words


def _told_of(row: LabelRow, before: CurrentLabel, now: CurrentLabel) -> tuple[str, str]:
    about = f"{row.metric.replace('_', ' ')}: " if row.metric else ""
    sign = LABEL_SIGNS[now.word]
    turn = f" at turn {now.turn}" if now.turn and (row.metric or now.word == "fail") else ""
    value = f" ({now.value:.2f})" if now.value is not None else ""
    if now.word != before.word:
        return sign, f"{about}{now.word or 'taken back'}{value}{turn}"
    if now.note != before.note:
        return "✎", f"{about}{'note' if now.note else 'note taken away'}"
    if now.turn != before.turn:
        return sign, f"{about}first failure at {f'turn {now.turn}' if now.turn else 'no single turn'}"
    if now.at_fault != before.at_fault:
        return sign, f"{about}at fault: {f'the {now.at_fault}' if now.at_fault else 'not said'}"
    return sign, f"{about}{now.word or 'nothing'}{value}{turn}, again"


def _with_before(rows: Iterable[LabelRow]) -> Iterable[tuple[LabelRow, CurrentLabel, LabelStep]]:
    people: dict[str, PersonLabels] = {}
    for row in rows:
        person = people.setdefault(row.author, PersonLabels(row.author))
        before = person.of(row.subject)
        yield row, before, person.take(row)


class LabelHistoryDialog(Dialog[None]):
    """Shows the labels, the newest first. Nothing is ever taken out of it."""

    PLACE: ClassVar[Place] = "label_history"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("label_history"))
    AUTO_FOCUS = "LinesView"
    DEFAULT_CSS = """
    LabelHistoryDialog LinesView { height: auto; background: $surface; }
    """

    def begin(self, of: str, rows: Sequence[LabelRow], modes: Sequence[AssignedMode] = ()) -> None:
        """of: the session, in words. rows: the labels, oldest first. modes: its failure modes."""
        self._of = of
        self._rows, self._modes = rows, modes

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static(Content(""), classes="title")
            yield LinesView()
            yield KeyLine("label_history")

    def on_mount(self) -> None:
        """Show what it is about."""
        self.fill()

    def fill(self) -> None:
        """Show what it is about, from the first line on."""
        rewrite(self.query_one(".title", Static), f"Labels of {self._of}")
        self._draw(anew=True)

    def on_resize(self) -> None:
        """Wrap anew."""
        self.call_after_refresh(self._draw)

    def _draw(self, *, anew: bool = False) -> None:
        view = self.lines
        if width := view.size.width:
            lines = history_lines(self._rows, width - 1, view.tones, self._modes)
            show_history(view, lines, self.size.height, MOST_LINES, anew=anew)

    @property
    def lines(self) -> LinesView:
        """The lines that the keys scroll."""
        return self.query_one(LinesView)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)
