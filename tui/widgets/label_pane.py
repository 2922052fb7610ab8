"""LabelPane: where one labels: pass, fail, defer, a note, and what others say; each word is one to click."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from textual import events

from turnwise.tui.actions import ACTIONS, Table
from turnwise.tui.widgets.jump_places import JumpPlace
from turnwise.tui.widgets.label_lines import Keys, LabelLines, LabelView, label_lines, short_label_lines
from turnwise.tui.widgets.lines_view import DrawnLines


class LabelPane(DrawnLines):
    """As high as what it shows. With the class -short it takes a line or two. clock: seconds since 1970."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    LabelPane { height: auto; padding: 1 0; max-height: 60%; }
    LabelPane.-short { padding: 0; max-height: 2; }
    """

    def __init__(self, clock: Callable[[], float] = time.time, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._clock = clock
        self._view = LabelView()
        self._drawn = LabelLines()

    @property
    def view(self) -> LabelView:
        """What is shown."""
        return self._view

    @property
    def spots(self) -> LabelLines:
        """The lines, and which of their cells do what."""
        return self._drawn

    def show(self, view: LabelView) -> None:
        """Show what is said now."""
        self._view = view
        self.redraw()

    def on_resize(self) -> None:
        """Wrap anew."""
        self.redraw()

    def redraw(self) -> None:
        """Draw all lines anew."""
        width = self.size.width
        if not self.is_mounted or not width:
            return
        if self.has_class("-short"):
            self._drawn = short_label_lines(self._view, self._keys, width, self.tones)
        else:
            self._drawn = label_lines(self._view, self._keys, width, self.tones, self._clock())
        height = len(self._drawn.lines) + self.gutter.height
        if self.styles.height is None or self.styles.height.value != height:
            self.styles.height = height
        self.set_lines(self._drawn.lines)

    @property
    def _keys(self) -> Keys:
        table: Table = getattr(self.app, "actions", ACTIONS)
        return {action.name: action.key_text for action in table["review"]}

    async def on_click(self, event: events.Click) -> None:
        """Do what the word says that was clicked."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        for spot in self._drawn.spots:
            if spot.line == offset.y and spot.start <= offset.x < spot.end:
                event.stop()
                await self.run_action(f"screen.{spot.action}")
                return

    def jump_places(self) -> list[JumpPlace]:
        """Return what can be clicked."""
        return [
            JumpPlace(spot.start, spot.line, partial(self._do, spot.action)) for spot in self._drawn.spots
        ]

    def _do(self, action: str) -> None:
        self.call_later(self.run_action, f"screen.{action}")
