"""PlacesLine: the top line of every place: where one can go, by which digit, and in which database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.actions import Place
from turnwise.tui.actions.places import NUMBERED, NumberedPlace, number_of
from turnwise.tui.drawing.palette import component
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.shell.shell import ShellOfApp

BRAND = "turnwise"
MOST_NAME = 32
"""Of the database's name so many cells are shown at the most."""


@dataclass(frozen=True, slots=True)
class PlacesDrawn:
    """How the line is drawn in the room there is.

    brand: what stands before the places. words: what each place is called, with its digit. gap: the cells
    between them. right: what stands at the right end.
    """

    brand: str
    words: Sequence[str]
    gap: int
    right: str

    @property
    def cells(self) -> int:
        """The cells that all of it takes, with one free at each end."""
        places = sum(map(cell_len, self.words)) + self.gap * (len(self.words) - 1)
        brand = cell_len(self.brand) + self.gap if self.brand else 0
        return brand + places + (cell_len(self.right) + self.gap if self.right else 0) + 2


def drawn_places(width: int, counts: Mapping[Place, int], database: str) -> PlacesDrawn:
    """Return the fullest line that fits: first the counts go, then the brand, then the database's name."""
    forms = list(_forms(counts, fit(database, min(MOST_NAME, cell_len(database)))))
    return next((form for form in forms if form.cells <= width), forms[-1])


def unnamed_database(width: int, name: str) -> str:
    """Return the database's name where the line of so many cells has no room for it, else nothing."""
    return "" if drawn_places(width, {}, name).right else name


def _forms(counts: Mapping[Place, int], database: str) -> Iterator[PlacesDrawn]:
    plain = [f"{one.number} {one.title}" for one in NUMBERED]
    counted = [f"{word}{_count(one, counts)}" for one, word in zip(NUMBERED, plain, strict=True)]
    short = [f"{one.number} {one.short}" for one in NUMBERED]
    yield PlacesDrawn(BRAND, counted, 3, database)
    yield PlacesDrawn(BRAND, counted, 2, database)
    yield PlacesDrawn(BRAND, plain, 3, database)
    yield PlacesDrawn(BRAND, plain, 2, database)
    yield PlacesDrawn("", plain, 2, database)
    yield PlacesDrawn("", plain, 2, "")
    yield PlacesDrawn("", plain, 1, "")
    yield PlacesDrawn("", short, 1, "")


def _count(one: NumberedPlace, counts: Mapping[Place, int]) -> str:
    return f" ({counts[one.place]:,})" if counts.get(one.place) else ""


class PlacesLine(Widget):
    """Draws `1 Library   2 Overview ...`; the place one is at is bold with a line under it.

    Digits and clicks go to the others: see `PlaceScreen`.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "places--brand",
        "places--here",
        "places--key",
        "places--other",
        "places--right",
    }
    DEFAULT_CSS = """
    PlacesLine {
        height: 1;
        background: $surface;
        color: $text;
        & .places--brand { color: $accent; text-style: bold; }
        & .places--here { color: $accent; text-style: bold underline; }
        & .places--key { color: $text; text-style: bold; }
        & .places--other { color: $text-muted; }
        & .places--right { color: $text-muted; }
        &:ansi {
            .places--other, .places--right { text-style: dim; }
        }
    }
    """

    shell = ShellOfApp()

    def __init__(self, place: Place) -> None:
        """place: the screen that the line is on."""
        super().__init__()
        self._here = number_of(place)
        self._spans: list[tuple[int, int, NumberedPlace]] = []

    def on_mount(self) -> None:
        """Count what each place holds, and count again when sessions change."""
        follow = self.shell.followers.follow
        follow(self.screen, self.shell.places.counted, lambda _: self.refresh())
        follow(self.screen, self.shell.sessions_changed, lambda _: self.count_anew())
        self.shell.places.count()

    def count_anew(self) -> None:
        """Count once more, unless a run is under way."""
        # A run tells of its outcomes all the time, and brings no sessions.
        if not self.shell.runs.under_way:
            self.shell.places.count()

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        base, width = self.rich_style, self.size.width
        database = make_safe_line(self.shell.store.path.name)
        drawn = drawn_places(width, self.shell.places.counts, database)
        gap = " " * drawn.gap
        segments, x = [Segment(" ")], 1
        if drawn.brand:
            segments += [Segment(drawn.brand, component(self, "places--brand")), Segment(gap)]
            x += cell_len(drawn.brand) + drawn.gap
        self._spans = []
        for one, words in zip(NUMBERED, drawn.words, strict=True):
            if self._spans:
                segments.append(Segment(gap))
                x += drawn.gap
            self._spans.append((x, x + cell_len(words), one))
            x += cell_len(words)
            if one.number == self._here:
                segments.append(Segment(words, component(self, "places--here")))
            else:
                key, name = words[: len(one.key)], words[len(one.key) :]
                segments.append(Segment(key, component(self, "places--key")))
                segments.append(Segment(name, component(self, "places--other")))
        if drawn.right:
            segments.append(Segment(" " * (width - 1 - x - cell_len(drawn.right))))
            segments.append(Segment(drawn.right, component(self, "places--right")))
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(width, base)

    def on_click(self, event: events.Click) -> None:
        """Go to the place that was clicked."""
        for start, end, one in self._spans:
            if start <= event.x < end:
                event.stop()
                self.shell.places.go(one.place)

    # What the digits do

    def action_library(self) -> None:
        """Go to all sessions."""
        self.shell.places.go("library")

    def action_overview(self) -> None:
        """See how the sessions came out."""
        self.shell.places.go("overview")

    def action_failure_modes(self) -> None:
        """Name the ways to go wrong, and count them."""
        self.shell.places.go("failure_modes")

    def action_criteria(self) -> None:
        """Write criteria, and try them against people's labels."""
        self.shell.places.go("criteria")

    def action_review_queues(self) -> None:
        """See the review queues, and go on with one."""
        self.shell.places.go("queues")

    def action_runs(self) -> None:
        """See what was judged, and go on with what was broken off."""
        self.shell.places.go("runs")

    def action_agreement(self) -> None:
        """Measure metrics against people's labels."""
        self.shell.places.go("agreement")
