"""PanelLayout: how the parts of a dialog share its lines where the window is too low for all of them."""

from __future__ import annotations

from textual.containers import ScrollableContainer
from textual.geometry import Size
from textual.layout import ArrangeResult, WidgetPlacement
from textual.layouts.vertical import VerticalLayout
from textual.scroll_view import ScrollView
from textual.widget import Widget
from textual.widgets import Input

from turnwise.tui.parts.key_line import KeyLine

LEAST_LINES = 3
"""So many lines are left to a list that gives its room to what stands around it."""


class PanelLayout(VerticalLayout):
    """One below the other; where that is too high for the panel, what scrolls gives lines to all the rest.

    So the words below a list and the line of keys are in sight in most terminals. Where even that is too high
    and the dialog says what is wrong, this is shown, and of the rest what is needed most.
    """

    name = "panel"

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> ArrangeResult:
        """Place the children."""
        whole = super().arrange(parent, children, size, greedy)
        # Without a height it is only asked how high all of them are.
        if not size.height:
            return whole
        placed = _fitted(list(whole), _bottom(whole) - size.height)
        if _bottom(placed) <= size.height or not any(tells_what_is_wrong(one.widget) for one in placed):
            return placed
        return _with_what_is_wrong(list(whole), size.height)


def tells_what_is_wrong(widget: Widget) -> bool:
    """Whether it is the part of a dialog that says what is refused or warned of."""
    return widget.has_class("wrong") or any(line.display for line in widget.query(".wrong"))


def _bottom(placed: ArrangeResult) -> int:
    return max((one.region.bottom + one.margin.bottom for one in placed), default=0)


def _fitted(placed: list[WidgetPlacement], excess: int) -> list[WidgetPlacement]:
    """Take so many lines from what scrolls, the highest first, and move up what stands below it."""
    by_height = sorted(range(len(placed)), key=lambda place: -placed[place].region.height)
    for place in by_height:
        one = placed[place]
        taken = min(excess, one.region.height - LEAST_LINES)
        if taken <= 0 or not _gives_room(one.widget):
            continue
        placed[place] = one._replace(region=one.region.shrink((0, 0, taken, 0)))
        for below in range(place + 1, len(placed)):
            moved = placed[below]
            placed[below] = moved._replace(region=moved.region.translate((0, -taken)))
        excess -= taken
    return placed


def _with_what_is_wrong(placed: list[WidgetPlacement], room: int) -> list[WidgetPlacement]:
    """Leave out the empty lines, and the parts that are needed least until the others fit."""
    by_need = sorted(placed, key=lambda one: _need(one.widget))
    heights: dict[Widget, int] = {}
    left = room
    for place, one in enumerate(by_need):
        whole = one.region.height
        if place == 0:
            # A line stays for what is typed into or moved in, and one for keys where words are scrolled.
            height = min(whole, room - (2 if _gives_room(one.widget) else 1))
        elif place == 1 or _gives_room(one.widget):
            height = min(whole, 1)
        else:
            height = whole
        if 0 < height <= left:
            heights[one.widget] = height
            left -= height
    for one in by_need:
        if one.widget in heights:
            more = min(left, one.region.height - heights[one.widget])
            heights[one.widget] += more
            left -= more
    stacked: list[WidgetPlacement] = []
    top = 0
    for one in placed:
        if one.widget in heights:
            region = one.region._replace(y=top, height=heights[one.widget])
            stacked.append(one._replace(region=region))
            top = region.bottom
    return stacked


def _need(widget: Widget) -> int:
    """Return how early a part is placed where not all have room."""
    if tells_what_is_wrong(widget):
        return 0
    if widget.has_focus_within:
        return 1
    if isinstance(widget, KeyLine):
        return 2
    if widget.has_class("title"):
        return 3
    return 4 if isinstance(widget, Input) or widget.query(Input) else 5


def _gives_room(widget: Widget) -> bool:
    """Whether a widget scrolls, or passes on what it has too little of to one in it that does."""
    return isinstance(widget, (ScrollView, ScrollableContainer)) or isinstance(widget.layout, PanelLayout)
