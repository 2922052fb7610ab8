"""LabelHistoryDialog: every label that was given to a session: who, when, what, and whether blind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from turnwise.conversations.store.rows import LabelRow
from turnwise.tui.actions import Place, bindings
from turnwise.tui.screens.dialog import Dialog
from turnwise.tui.widgets.history_lines import history_lines
from turnwise.tui.widgets.key_line import KeyLine
from turnwise.tui.widgets.lines_view import LinesView, read_tones


class LabelHistoryDialog(Dialog[None]):
    """Shows the labels, the newest first. Nothing is ever taken out of it."""

    PLACE: ClassVar[Place] = "label_history"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("label_history"))
    AUTO_FOCUS = "LinesView"
    DEFAULT_CSS = """
    LabelHistoryDialog LinesView { height: auto; max-height: 20; background: $surface; }
    """

    def __init__(self, rows: Sequence[LabelRow]) -> None:
        """rows: the labels, oldest first."""
        super().__init__()
        self._rows = rows

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("Labels of this session", classes="title", markup=False)
            yield LinesView()
            yield KeyLine("label_history")

    def on_resize(self) -> None:
        """Wrap anew."""
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        view = self.query_one(LinesView)
        if width := view.size.width:
            lines = history_lines(self._rows, width - 1, read_tones(view))
            view.styles.height = min(len(lines), max(3, self.size.height - 8))
            view.set_lines(lines, keep_place=True)

    def action_scroll_down(self) -> None:
        """Scroll down."""
        self.query_one(LinesView).scroll_relative(y=3, animate=False)

    def action_scroll_up(self) -> None:
        """Scroll up."""
        self.query_one(LinesView).scroll_relative(y=-3, animate=False)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)
