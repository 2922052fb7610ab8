"""WhyScreen: the very prompts and replies behind the scores of a session."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store.rows import ScoreRow
from turnwise.tui.actions import Place, bindings
from turnwise.tui.call_words import call_text
from turnwise.tui.screens.still import StillScreen
from turnwise.tui.widgets.evidence_lines import Evidence, evidence_lines
from turnwise.tui.widgets.jump_places import JumpPlace
from turnwise.tui.widgets.key_line import KeyLine
from turnwise.tui.widgets.lines_view import LinesView, read_tones
from turnwise.tui.widgets.title_bar import TitleBar
from turnwise.tui.widgets.turn_lines import Line
from turnwise.tui.widgets.turn_links import link_turns, links_in, turn_at

if TYPE_CHECKING:
    from turnwise.tui.app import TurnwiseApp


class EvidenceView(LinesView):
    """What is behind a score; a turn that it names leads there."""

    @dataclass
    class Chosen(Message):
        """A turn that is named was clicked."""

        turn: int

    def __init__(self, last: int, *, id: str | None = None) -> None:  # noqa: A002
        """last: the number of the last turn."""
        super().__init__(id=id)
        self.last = last

    def set_lines(self, lines: Sequence[Line], *, keep_place: bool = False) -> None:
        """Show other lines, with the turns that they name as links."""
        link = read_tones(self).link
        super().set_lines([link_turns(line, link, self.last) for line in lines], keep_place=keep_place)

    def on_click(self, event: events.Click) -> None:
        """Go to the turn that was clicked."""
        offset = event.get_content_offset(self)
        if offset is None or self.text_selection is not None:
            return
        number = self.scroll_offset.y + offset.y
        line = self.lines[number] if number < len(self.lines) else []
        if (turn := turn_at(line, offset.x, self.last)) is not None:
            self.post_message(self.Chosen(turn))

    def jump_places(self) -> list[JumpPlace]:
        """Return the turns that are named in sight."""
        top = self.scroll_offset.y
        return [
            JumpPlace(start, y, partial(self.post_message, self.Chosen(turn)))
            for y, line in enumerate(self.lines[top : top + self.size.height])
            for start, _, turn in links_in(line, self.last)
        ]


class WhyScreen(StillScreen[int | None]):
    """Goes through scores and, within one, through the judge's calls it rests on.

    It ends with the number of a turn that was asked for, if any.
    """

    PLACE: ClassVar[Place] = "why"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("why"))
    AUTO_FOCUS = "LinesView"
    CSS = """
    WhyScreen {
        & LinesView { height: 1fr; margin: 1 0 0 0; }
    }
    """

    app: TurnwiseApp

    @dataclass
    class Drawn(Message):
        """The lines of an evidence are there."""

        evidence: Evidence
        lines: Sequence[Line]

    def __init__(self, name: str, rows: Sequence[ScoreRow], index: int = 0, last: int = 0) -> None:
        """name: the session's. rows: its outcomes. index: the one shown first. last: its last turn."""
        super().__init__()
        self._last = last
        self._session_name = name
        self._rows = list(rows)
        self._index = index
        self._call = 0
        self._evidence: Evidence | None = None

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield TitleBar("Why", detail=self._session_name)
        yield EvidenceView(self._last, id="evidence")
        yield KeyLine("why")

    @property
    def row(self) -> ScoreRow:
        """The outcome that is shown."""
        return self._rows[self._index]

    @property
    def view(self) -> LinesView:
        """The lines."""
        return self.query_one(LinesView)

    def on_resize(self) -> None:
        """Wrap anew."""
        self._show()

    def _show(self) -> None:
        if width := self.view.scrollable_content_region.width:
            self._draw(self.row, self._call, width - 1)

    @work(thread=True, exclusive=True, group="evidence")
    def _draw(self, row: ScoreRow, number: int, width: int) -> None:
        """Read a call and wrap its prompt, which may be as long as the whole conversation."""
        evidence = self._read(row, number)
        lines = evidence_lines(evidence, width, read_tones(self.view), time.time())
        self.post_message(self.Drawn(evidence, lines))

    def _read(self, row: ScoreRow, number: int) -> Evidence:
        if not row.calls:
            return Evidence(row)
        store = self.app.store
        key = row.calls[number]
        shared = sum(key in other.calls for other in self._rows if other.id != row.id)
        try:
            began: float | None = store.runs.get(row.run_id).created_at
        except NotFoundError:
            began = None
        try:
            call = store.calls.get(key)
        except NotFoundError:
            return Evidence(row)
        return Evidence(row, call, number + 1, len(row.calls), began, shared)

    def on_why_screen_drawn(self, event: Drawn) -> None:
        """Show what was drawn, unless another score was asked for meanwhile."""
        if event.evidence.row.id != self.row.id:
            return
        same = self._evidence == event.evidence
        self._evidence = event.evidence
        self.view.set_lines(event.lines, keep_place=same)
        metric = self.row.metric.replace("_", " ")
        calls = f"call {event.evidence.number} of {event.evidence.count}   " if event.evidence.call else ""
        bar = self.query_one(TitleBar)
        bar.title = f"Why · {metric}"
        bar.right = f"{calls}score {self._index + 1} of {len(self._rows)}"
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what has nowhere to go."""
        if action in ("next_call", "previous_call"):
            return len(self.row.calls) > 1
        if action in ("next_score", "previous_score"):
            return len(self._rows) > 1
        return True

    def action_next_call(self) -> None:
        """Show the next call."""
        self._go_to_call(self._call + 1)

    def action_previous_call(self) -> None:
        """Show the call before."""
        self._go_to_call(self._call - 1)

    def _go_to_call(self, number: int) -> None:
        if 0 <= number < len(self.row.calls):
            self._call = number
            self._show()

    def action_next_score(self) -> None:
        """Show what is behind the next score."""
        self._go_to_score(self._index + 1)

    def action_previous_score(self) -> None:
        """Show what is behind the score before."""
        self._go_to_score(self._index - 1)

    def _go_to_score(self, index: int) -> None:
        self._index = index % len(self._rows)
        self._call = 0
        self._show()

    def action_copy(self) -> None:
        """Copy the prompt and the reply, or the reason where nothing was asked."""
        if self._evidence is None:
            return
        call = self._evidence.call
        self.app.copy_to_clipboard(call_text(call) if call else self.row.reason)
        self.notify("Prompt and reply copied." if call else "Reason copied.", timeout=2)

    def action_cursor_down(self) -> None:
        """Go down by a line."""
        self.view.scroll_relative(y=1, animate=False)

    def action_cursor_up(self) -> None:
        """Go up by a line."""
        self.view.scroll_relative(y=-1, animate=False)

    def action_page_down(self) -> None:
        """Go down by a page."""
        self.view.scroll_relative(y=max(1, self.view.size.height - 2), animate=False)

    def action_page_up(self) -> None:
        """Go up by a page."""
        self.view.scroll_relative(y=-max(1, self.view.size.height - 2), animate=False)

    def action_home(self) -> None:
        """Go to the start."""
        self.view.scroll_to(y=0)

    def action_end(self) -> None:
        """Go to the end."""
        self.view.scroll_to(y=self.view.max_scroll_y)

    def action_back(self) -> None:
        """Go back."""
        self.dismiss(None)

    def on_evidence_view_chosen(self, event: EvidenceView.Chosen) -> None:
        """Go back to the turn that was chosen."""
        self.dismiss(event.turn)
