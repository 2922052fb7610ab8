"""Styles that a widget has of its own, over what the style sheet says."""

from __future__ import annotations

from typing import Literal

from textual.widget import Widget

Height = str | int | None


def give_height(widget: Widget, height: Height, *, most: Height = None) -> None:
    """Give a widget a height of its own; None leaves it, and the most it may have, to the style sheet."""
    _give(widget, "height", height)
    _give(widget, "max_height", most)


def give_display(widget: Widget, display: Literal["block", "none"] | None) -> None:
    """Show a widget or take it away; None leaves it to the style sheet."""
    _give(widget, "display", display)


def _give(widget: Widget, name: Literal["height", "max_height", "display"], value: Height) -> None:
    # What is so already would lay all out anew.
    has = widget.styles.inline.get_rules().get(name)
    if (None if has is None else str(has)) != (None if value is None else str(value)):
        setattr(widget.styles, name, value)
