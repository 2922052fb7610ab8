"""ColumnsDialog: which metrics have a column in the list of sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from turnwise.tui.actions import Place, bindings
from turnwise.tui.screens.dialog import Dialog
from turnwise.tui.widgets.choice_list import Choice, ChoiceList
from turnwise.tui.widgets.key_line import KeyLine
from turnwise.tui.widgets.session_columns import abbreviations


class ColumnsDialog(Dialog[tuple[str, ...] | None]):
    """Tick metrics; ends with them in order, empty for those that were used last, or None."""

    PLACE: ClassVar[Place] = "columns"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("columns"))
    DEFAULT_CSS = """
    ColumnsDialog #panel { width: 72; }
    ColumnsDialog ChoiceList { max-height: 16; }
    """

    def __init__(self, metrics: Sequence[str], chosen: Sequence[str]) -> None:
        """metrics: all that have outcomes, those used last first. chosen: those that have a column."""
        super().__init__()
        self._metrics = [
            *(one for one in chosen if one in metrics),
            *(one for one in metrics if one not in chosen),
        ]
        self._ticked = {one for one in chosen if one in metrics}

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("Metrics that have a column", classes="title", markup=False)
            yield ChoiceList()
            yield Static("", id="about", classes="words", markup=False)
            yield KeyLine("columns")

    def on_mount(self) -> None:
        """Show what there is."""
        self._show()

    def _show(self) -> None:
        self.query_one(ChoiceList).show(
            [
                Choice(metric, metric.replace("_", " "), short, sign="✓" if metric in self._ticked else "·")
                for metric, short in zip(self._metrics, abbreviations(self._metrics), strict=True)
            ]
        )
        if not self._metrics:
            words = "No metric has outcomes yet. r in the library judges."
        elif not self._ticked:
            words = "None is ticked: those used last stand there, as many as fit."
        else:
            words = f"{len(self._ticked)} ticked; what has no room is counted at the right."
        self.query_one("#about", Static).update(f"\n{words}")

    def on_option_list_option_selected(self) -> None:
        """Tick what was clicked."""
        self.action_tick()

    def action_tick(self) -> None:
        """Show the metric under the cursor, or leave it out."""
        if (choice := self.query_one(ChoiceList).current) is not None:
            self._ticked ^= {choice.id}
            self._show()

    def action_usual(self) -> None:
        """Tick none, so that those stand there that were used last."""
        self._ticked = set()
        self._show()

    def action_keep(self) -> None:
        """Give the metrics back."""
        self.dismiss(tuple(metric for metric in self._metrics if metric in self._ticked))
