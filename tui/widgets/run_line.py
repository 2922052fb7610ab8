"""RunLine: how far the run under way is, above the line of keys; nothing where none is."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from turnwise.tui.runs import RunState
from turnwise.tui.widgets.palette import component

BAR_CELLS = (8, 32)
"""The least and the most cells of the bar."""
STOP = "x"


class RunLine(Widget):
    """One line that is there while a run is; `show` it the run's states."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"run--text", "run--bar", "run--rest", "run--dim", "run--failed"}
    DEFAULT_CSS = """
    RunLine {
        height: 1;
        display: none;
        background: $background;
        color: $text;
        &.-running { display: block; }
        & .run--text { color: $text; }
        & .run--bar { color: $accent; }
        & .run--rest { color: $text-muted; }
        & .run--dim { color: $text-muted; }
        & .run--failed { color: $text-error; text-style: bold; }
        &:ansi {
            .run--dim, .run--rest { text-style: dim; }
        }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._state: RunState | None = None

    def show(self, state: RunState | None) -> None:
        """Show a state; none and one that is over take the line away."""
        self._state = None if state is None or state.over else state
        self.set_class(self._state is not None, "-running")
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        base = self.rich_style
        if self._state is None:
            return Strip.blank(self.size.width, base)
        state, width = self._state, self.size.width
        left = f" scoring {state.done:,} of {state.expected:,}  "
        pace = f"{words} · " if (words := state.pace()) else ""
        failed = f"{state.failed:,} failed"
        end = f"{STOP} stop "
        room = width - cell_len(left) - cell_len(pace) - cell_len(failed) - cell_len(end) - 4
        if room < BAR_CELLS[0]:
            room += cell_len(pace)
            pace = ""
        cells = max(0, min(BAR_CELLS[1], room)) if room >= BAR_CELLS[0] else 0
        full = round(cells * state.done / state.expected) if state.expected else 0
        gap = width - cell_len(left) - cells - 2 - cell_len(pace) - cell_len(failed) - cell_len(end)
        parts = (
            (left, "text"),
            ("█" * full, "bar"),
            ("░" * (cells - full), "rest"),
            ("  ", "text"),
            (pace, "dim"),
            (failed, "failed" if state.failed else "dim"),
            (" " * max(1, gap), "text"),
            (STOP, "text"),
            (end[len(STOP) :], "dim"),
        )
        segments = [Segment(text, component(self, f"run--{style}")) for text, style in parts]
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(width, base)

    async def on_click(self) -> None:
        """Stop, as the key does."""
        await self.run_action("app.stop_run")
