"""Frames: panes with their title in a border, in a window that has room for it.

A frame takes two rows and two columns, which a small window needs for what is read.
"""

from __future__ import annotations

from typing import TypeVar

from textual.geometry import Size
from textual.widget import Widget

Pane = TypeVar("Pane", bound=Widget)

COLUMNS, ROWS = 120, 36
"""A window that is as large has frames."""
ROOMY, HIGH = "-roomy", "-high"
"""The classes of a screen that has so many columns, and so many rows."""
LOWER = "lower"
"""The class of a pane that stands under another one."""
# What stands off from the line above otherwise is held apart by the frame. It has the colour of scroll bars,
# which each theme chooses so that they stand out from the ground and do not compete with words.
FRAMES = f"""
    /* Without a ground of its own the lower of two panes is parted by a line from the one above. */
    &:ansi .{LOWER}, &:ansi .-under {{ border-top: solid ansi_bright_black; }}
    &:nocolor .{LOWER}, &:nocolor .-under {{ border-top: solid ansi_default; }}
    &.{ROOMY}.{HIGH} .framed {{
        border: round $scrollbar;
        border-title-color: $text-accent;
        border-title-style: bold;
        border-title-background: $background;
        padding: 0 !important;
        margin: 0 !important;
    }}
    &.{ROOMY}.{HIGH} LinesView.framed {{ padding: 0 1 !important; background: $background; }}
    &.{ROOMY}.{HIGH}:ansi .framed {{
        border: round ansi_bright_black;
        border-title-background: ansi_default;
    }}
    &.{ROOMY}.{HIGH}:nocolor .framed {{ border: round ansi_default; }}
"""


def framed(pane: Pane, title: str) -> Pane:
    """Return a pane that has a frame with this title where there is room."""
    pane.add_class("framed")
    pane.border_title = title
    return pane


FRAME = 2
"""The rows, and the columns, that a frame takes."""


def has_frames(size: Size) -> bool:
    """Return whether a window of this size has frames."""
    return size.width >= COLUMNS and size.height >= ROWS
