"""TitleBar: the top line of a screen: what it is, what it shows, and at the right what is so."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.message import Message
from textual.reactive import reactive
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from turnwise.conversations.safe_text import make_safe
from turnwise.tui.drawing.palette import component
from turnwise.tui.drawing.plain_prose import plain_title
from turnwise.tui.drawing.wrapping import fit

LEAST_TITLE = 13
"""So many cells of a title are never cut for what stands at the right: the name of any place."""
MOST_TITLE = 60
"""So many cells of a title go before its detail; more are shown where there is room beside that."""
LEAST_DETAIL = 16
"""A detail's first part is cut to no less than so many cells."""
MOST_DETAIL = 60
"""Of its first part so many cells are shown at the most."""
GAP = 3
MOST_NAMED = 40
"""So many cells of it stand in the title of a dialog over the screen."""


class TitleBar(Widget):
    """One line: title, then `detail` after it (dim), then `right` at the right end (dim).

        TitleBar("Library", right="no judge in use   100 sessions")
        TitleBar("Refund for cancelled flight", detail="airline agent · 14 turns", right="12 of 37")
        bar.right = "13 of 37"

    All texts may hold anything: they are made safe. Where the line is narrow what stands at the right loses
    its last parts, between which are gaps or commas. The first part of the detail is cut, up to a " · ", as
    it is where it is long; then the detail goes, and then the title is cut; one that is as long as a sentence
    leaves the detail its room. `aside` is what is said elsewhere on the screen too: it stands at the very
    right where a title has room beside it.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"title--title", "title--dim"}
    DEFAULT_CSS = """
    TitleBar {
        height: 1;
        background: $surface;
        color: $text;
        & .title--title { color: $text; text-style: bold; }
        & .title--dim { color: $text-muted; }
        &:ansi {
            .title--dim { text-style: dim; }
        }
    }
    """

    title: reactive[str] = reactive("")
    detail: reactive[str] = reactive("")
    right: reactive[str] = reactive("")
    aside: reactive[str] = reactive("")

    def __init__(
        self,
        title: str = "",
        *,
        detail: str = "",
        right: str = "",
        id: str | None = None,  # noqa: A002
    ) -> None:
        super().__init__(id=id)
        self.set_reactive(TitleBar.title, title)
        self.set_reactive(TitleBar.detail, detail)
        self.set_reactive(TitleBar.right, right)

    class Changed(Message):
        """The title is another one."""

    def watch_title(self) -> None:
        """Tell of it."""
        self.post_message(self.Changed())

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        width, base = self.size.width, self.rich_style
        title, detail = plain_title(self.title), plain_title(self.detail)
        right = make_safe(self.right).replace("\n", " ")
        room = max(0, width - 2)
        with_aside = (" " * GAP).join(filter(None, (right, self.aside)))
        if min(MOST_TITLE, cell_len(title)) + GAP + cell_len(with_aside) <= room:
            right = with_aside
        right = _first_parts(right, room - min(LEAST_TITLE, cell_len(title)) - GAP)
        room -= cell_len(right) + GAP if right else 0
        # A title that is cut tells less than the detail that would stand beside it.
        detail = _fitting(detail, room - min(MOST_TITLE, cell_len(title)) - GAP)
        room -= cell_len(detail) + GAP if detail else 0
        title = fit(title, min(room, cell_len(title))) if room > 0 else ""
        left = cell_len(title) + (GAP + cell_len(detail) if detail else 0)
        gap = max(0, width - 2 - left - cell_len(right))
        segments = [
            Segment(" "),
            Segment(title, component(self, "title--title")),
            Segment(f"   {detail}" if detail else "", component(self, "title--dim")),
            Segment(" " * gap),
            Segment(right, component(self, "title--dim")),
        ]
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(width, base)


def _first_parts(right: str, room: int) -> str:
    """Return as much of what stands at the right as has room: its parts, from the first on, or nothing."""
    while right and cell_len(right) > room:
        right = right[: max(0, right.rfind(", "), right.rfind(" " * GAP))]
    return right


def _fitting(detail: str, room: int) -> str:
    """Return a detail that has room: whole, with its first part cut, or nothing."""
    first, dot, rest = detail.partition(" · ")
    room = min(MOST_DETAIL, room - cell_len(dot + rest))
    if cell_len(first) <= room:
        return detail
    return fit(first, room) + dot + rest if room >= LEAST_DETAIL else ""


def named_in_title(screen: Screen[Any]) -> str:
    """Return what a screen's title names, in quotes and cut, for the title of a dialog over it.

    Without colour the screen is not seen below a dialog.
    """
    name = plain_title(screen.query_one(TitleBar).title)
    return f"“{fit(name, min(cell_len(name), MOST_NAMED))}”"
