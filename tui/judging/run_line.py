"""RunLine: how far the run under way is, above the line of keys, and for a while what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from turnwise.engine.scoring.progress import duration, others_words, rate_words
from turnwise.tui.drawing.bars import LEFT, progress
from turnwise.tui.drawing.palette import component
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.parts.typed_into import is_typed_into
from turnwise.tui.shell.runs import RunState

BAR_CELLS = (8, 32)
"""The least and the most cells of the bar."""
STOP = "x"
SECONDS_TO_TELL = 2.0
"""A judge that fails for so long is told of; a slip of a moment is not."""
READY = "getting ready"
"""What a run without a judge does until its first outcome."""
_APART = " · "
SECONDS_OF_THE_END = 8.0
"""How long the line says what came of a run."""


class RunLine(Widget):
    """One line that is there while a run is, and shortly after; `show` it the run's states."""

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
        self._ended: RunState | None = None
        self._taking_away: Timer | None = None

    def show(self, state: RunState | None) -> None:
        """Show a state. Of a run that ends while the line shows it, it tells what came of it."""
        under_way = state is not None and not state.over
        if under_way:
            self._forget_end()
        elif state is not None and self._state is not None and state.error is None:
            self._ended = state
            self._taking_away = self.set_timer(SECONDS_OF_THE_END, self._forget_end)
        self._state = state if under_way else None
        self._redraw()

    def _forget_end(self) -> None:
        if self._taking_away is not None:
            self._taking_away.stop()
        self._ended = self._taking_away = None
        self._redraw()

    def _redraw(self) -> None:
        self.set_class(self._state is not None or self._ended is not None, "-running")
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        base = self.rich_style
        width = self.size.width
        if self._ended is not None:
            style = component(self, "run--failed" if self._ended.failed else "run--text")
            text = Segment(f" {fit(ended_words(self._ended), max(1, width - 2)).rstrip()}", style)
            return Strip(Segment.apply_style([text], base)).adjust_cell_length(width, base)
        if self._state is None:
            return Strip.blank(width, base)
        state = self._state
        left = f" scoring {state.done:,} of {state.expected:,}  "
        retrying = state.retrying >= SECONDS_TO_TELL
        # That nothing went wrong yet is no news while nothing is answered.
        failed = (
            retrying_words(state.retrying)
            if retrying
            else f"{state.failed:,} not judged"
            if state.failed
            else ""
        )
        # Typed into a field it would stop nothing; the line is drawn many times a second as it is.
        stop, does = ("", "") if is_typed_into(self.screen) else (STOP, " stop")
        end = f"{stop}{does} "
        room = width - cell_len(left) - cell_len(failed) - cell_len(end) - 4
        pace = _fitting(_paces(state, retrying=retrying), room)
        if not failed:
            pace = pace.removesuffix(_APART)
        room -= cell_len(pace)
        cells = max(0, min(BAR_CELLS[1], room)) if room >= BAR_CELLS[0] else 0
        drawn = progress(state.done / state.expected if state.expected else 0.0, cells)
        full = drawn.rstrip(LEFT)
        gap = width - cell_len(left) - cells - 2 - cell_len(pace) - cell_len(failed) - cell_len(end)
        parts = (
            (left, "text"),
            (full, "bar"),
            (drawn[len(full) :], "rest"),
            ("  ", "text"),
            (pace, "dim"),
            (failed, "failed" if state.failed or retrying else "dim"),
            (" " * max(1, gap), "text"),
            (stop, "text"),
            (f"{does} ", "dim"),
        )
        segments = [Segment(text, component(self, f"run--{style}")) for text, style in parts]
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(width, base)

    async def on_click(self) -> None:
        """Stop, as the key does; where the run is over, take what came of it away."""
        if self._state is None:
            self._forget_end()
        else:
            await self.run_action("app.stop_run")


def _paces(state: RunState, *, retrying: bool) -> list[str]:
    """Return how fast a run is and how long it takes in several ways, each shorter than the one before."""
    others, gone, left = others_words(state.by_others), state.time_gone, state.time_left
    if retrying:
        ways: list[tuple[str, ...]] = [(gone, others), (gone,)]
    else:
        # Of a judge it is told by itself what it is waited for.
        begins = READY if not (state.done or state.asked) else ""
        fast = state.waiting or rate_words(state.rate) or begins
        ways = [(fast, gone, left, others), (gone, left, others), (gone, left), (left or gone,)]
    return ["".join(f"{words}{_APART}" for words in way if words) for way in ways]


def _fitting(ways: Sequence[str], room: int) -> str:
    """Return the first of several ways that leaves room for a bar, or else the last, which is worth more."""
    beside = (way for way in ways if cell_len(way) <= room - BAR_CELLS[0])
    return next(beside, ways[-1] if cell_len(ways[-1]) <= room else "")


def retrying_words(seconds: float) -> str:
    """Say that a judge is asked again and again: "retrying, no answer for 12 s"."""
    return f"retrying, no answer for {duration(seconds)}"


def left_words(state: RunState | None, key: str) -> str:
    """Say to one who leaves what of a run is left; nothing without a run. key: goes on in the runs screen."""
    if state is None or state.over:
        return ""
    left = max(0, state.expected - state.done)
    return f"{left:,} of {state.expected:,} are left to score; {key} in Runs goes on with them. "


def ended_words(state: RunState) -> str:
    """Return what came of a run, in a line."""
    if state.stopped:
        return f"Stopped: {state.summary()} The next run goes on from there."
    return f"Scored: {state.summary()}"
