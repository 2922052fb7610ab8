"""LabelPane: shows one's own label of a session, what others say, and the keys that change it.

Every key and word in it can be clicked too, and then does what the key does.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from textual import events
from textual.message import Message

from turnwise.tui.actions import ACTIONS, Table
from turnwise.tui.drawing.jump_places import JumpPlace
from turnwise.tui.drawing.lines_view import DrawnLines
from turnwise.tui.labels.label_lines import SHORT_LINES, Keys, LabelView, label_lines, short_label_lines
from turnwise.tui.labels.row import TO_TURN, LabelLines


class LabelPane(DrawnLines):
    """Shows a LabelView, and is as high as its lines are; with the class -short it is always as high.

    clock: returns the time in seconds since 1970.
    """

    @dataclass
    class Resized(Message):
        """The labels take more lines, or fewer, than before."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    LabelPane { height: auto; padding: 1 0; max-height: 60%; }
    LabelPane.-short { padding: 0; max-height: 6; }
    """

    def __init__(self, clock: Callable[[], float] = time.time, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._clock = clock
        self._view = LabelView()
        self._drawn = LabelLines()
        self._keys_type = False

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

    def name_keys(self, *, do_something: bool) -> None:
        """Name the keys, or no key while they would be typed into a field."""
        if self._keys_type is do_something:
            self._keys_type = not do_something
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
        lines = len(self._drawn.lines)
        if self.has_class("-short"):
            lines = max(lines, SHORT_LINES)
        height = lines + self.gutter.height
        if self._keys_type and self.styles.height is not None:
            # With fewer words it may need fewer lines: what stands above would move, and move back.
            height = max(height, int(self.styles.height.value))
        if self.styles.height is None or self.styles.height.value != height:
            self.styles.height = height
            self.post_message(self.Resized())
        self.set_lines(self._drawn.lines)

    @property
    def _keys(self) -> Keys:
        table: Table = getattr(self.app, "actions", ACTIONS)
        return {action.name: "" if self._keys_type else action.key_text for action in table["review"]}

    async def on_click(self, event: events.Click) -> None:
        """Do what the word says that was clicked."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        for spot in self._drawn.spots:
            if spot.line == offset.y and spot.start <= offset.x < spot.end:
                event.stop()
                await self.app.run_action(spot.action, self.screen)
                return

    def jump_places(self) -> list[JumpPlace]:
        """Return the turns that are named; what a key is named for has that key, and needs no second one."""
        return [
            JumpPlace(spot.start, spot.line, partial(self._do, spot.action))
            for spot in self._drawn.spots
            if spot.action.startswith(TO_TURN)
        ]

    def _do(self, action: str) -> None:
        self.call_later(self.app.run_action, action, self.screen)
