"""Whole cells: scroll bars whose handle begins and ends with a cell.

Textual draws its ends as eighths of a cell. In many fonts these leave a thin line below the handle, which is
read as a stray mark, and in a terminal of 16 colours, or without any, each end stands out.
"""

from __future__ import annotations

from typing import ClassVar

from textual.scrollbar import ScrollBarRender


class WholeCells(ScrollBarRender):
    """Draws the handle of a scroll bar."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]
