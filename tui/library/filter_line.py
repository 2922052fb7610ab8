"""FilterLine: where a list is searched and filtered: what is typed, what it may become, what it found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static

from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.actions import bindings
from turnwise.tui.drawing.jump_places import JumpPlace
from turnwise.tui.drawing.palette import component
from turnwise.tui.drawing.wrapping import ELLIPSIS, fit

if TYPE_CHECKING:
    from turnwise.conversations.store import Completion, Vocabulary

SECONDS_OF_QUIET = 0.008
"""A query is asked when nothing was typed for so long."""
_UNFINISHED = re.compile(
    r"""(?:^|(?<=\s))-?(?:\w(?:[\w.]|"[^"]*")*(?::|[<>]=?)|meta\.(?:[^\s":<>=]|"[^"]*")*(?:"[^"]*)?)$"""
)
"""A last term that is a field and its sign and nothing yet, or a key of the metadata without a sign."""
_SIGN = 3
"""Cells of the sign before the query."""
_COUNT_EDGES = 2
"""Cells beside the count, one at each end."""
_DOT = " · "
HINT = "search what was said, or filter: such as label:none or user:refund"


def finished(query: str) -> str:
    """Return a query that is being typed without a last term that only begins."""
    return _UNFINISHED.sub("", query)


class FilterLine(Widget):
    """A line to type a query in: tells the query when typing pauses, shows what came of it.

    Under it is a line for what the term before the cursor may become, or for what is wrong with the query.
    """

    BINDINGS: ClassVar[list[BindingType]] = list(bindings("filter"))
    DEFAULT_CSS = """
    FilterLine {
        height: auto;
        background: $background;
        & Horizontal { height: 1; }
        & .filter--sign { width: 3; padding: 0 1; color: $text-muted; }
        & Input {
            width: 1fr; height: 1; border: none; padding: 0; background: $background;
            &:focus { border: none; background: $background; background-tint: transparent; }
            &>.input--placeholder, &>.input--suggestion { color: $text-muted; }
        }
        & .filter--count { width: auto; padding: 0 1; color: $text-muted; }
        & .filter--error {
            display: none; height: auto; max-height: 4; padding: 0 1 0 3; color: $text-error;
        }
        &.-wrong .filter--error { display: block; }
        &.-wrong Candidates { display: none; }
        &.-typing .filter--sign { color: $accent; text-style: bold; }
    }
    """

    @dataclass
    class Asked(Message):
        """Typing paused, or enter was pressed, at this query."""

        query: str

    @dataclass
    class Left(Message):
        """The list is wanted again."""

    @dataclass
    class WordsWanted(Message):
        """A query is about to be typed: `words` should be what there is by now."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._timer: Timer | None = None
        self._asked = ""
        self._words: Vocabulary | None = None
        self._start = 0
        """Where the term before the cursor begins."""
        self._offered: list[Completion] = []
        self._taken: int | None = None
        """Which of them stands in the line; the next tab takes the one after it."""
        self._wrong: tuple[str, tuple[int, int] | None] = ("", None)
        self._count = ""

    def compose(self) -> ComposeResult:
        """Lay the line out."""
        with Horizontal():
            yield Static("/", classes="filter--sign", markup=False)
            yield Input(placeholder=HINT, select_on_focus=False, compact=True)
            yield Static("", classes="filter--count", markup=False)
        yield Candidates()
        yield Static("", classes="filter--error", markup=False)

    @property
    def words(self) -> Vocabulary:
        """What completion knows."""
        from turnwise.conversations.store import Vocabulary

        return self._words or Vocabulary()

    @words.setter
    def words(self, words: Vocabulary) -> None:
        self._words = words
        if self._taken is None:
            self._offer()

    @property
    def query_text(self) -> str:
        """The query as it is typed."""
        return self.query_one(Input).value

    def jump_places(self) -> list[JumpPlace]:
        """Return the sign before the query: the letter that leads to the line stands at it."""
        return [JumpPlace(0, 0, self.focus_input)]

    def focus_input(self) -> None:
        """Let a query be typed, from the very next key on."""
        self.screen.set_focus(self.query_one(Input))

    def set_query(self, query: str) -> None:
        """Put a query there, and tell it."""
        self.query_one(Input).value = make_safe_line(query)
        self._ask()

    def clear(self) -> None:
        """Take the query away, and tell so."""
        self.query_one(Input).value = ""
        self._ask()

    def show_count(self, text: str) -> None:
        """Say how many sessions match."""
        self._count = text
        self._draw_count()
        self._wrong = ("", None)
        self._choose_line()

    def _draw_count(self) -> None:
        """Draw the count in the room that the query leaves, but always how many there are: its first part."""
        line = self.query_one(".filter--count", Static)
        room = self.size.width - _SIGN - cell_len(self.query_text) - 1 - _COUNT_EDGES
        least = cell_len(self._count.partition(_DOT)[0]) + len(ELLIPSIS)
        is_cut = bool(self.query_text) and self.size.width > 0 and cell_len(self._count) > max(room, least)
        line.update(fit(self._count, max(room, least)).rstrip() if is_cut else self._count)
        line.tooltip = self._count if is_cut else None

    def on_resize(self) -> None:
        """Let the query be read in another width, too."""
        self._draw_count()

    def show_error(self, text: str, place: tuple[int, int] | None = None) -> None:
        """Say what is wrong with the query, under it. place: from where to where in it, in characters."""
        self._count = ""
        self._draw_count()
        self._wrong = (make_safe_line(text), place)
        self._draw_error()
        self._choose_line()

    def _choose_line(self) -> None:
        # What is wrong may only be that it goes on: as long as there is something to complete, that is shown.
        self.set_class(bool(self._wrong[0]) and not self._offered, "-wrong")

    def _draw_error(self) -> None:
        text, place = self._wrong
        line = self.query_one(".filter--error", Static)
        line.tooltip = text
        field = self.query_one(Input)
        # Under the term where all of the query is in sight; else there is nothing to point at.
        if place is None or cell_len(self.query_text) >= field.size.width:
            line.update(text)
            return
        before = cell_len(self.query_text[: place[0]])
        mark = "▔" * max(1, cell_len(self.query_text[slice(*place)]))
        pointer = " " * before + mark
        fits = _SIGN + cell_len(pointer) + 1 + cell_len(text) < self.size.width
        line.update(f"{pointer} {text}" if fits else text)

    # Completion

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Show that keys are typed here, and ask for the words that complete."""
        self.add_class("-typing")
        self.post_message(self.WordsWanted())

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        """Offer nothing while nobody types."""
        self.remove_class("-typing")
        self._offered = []
        self.query_one(Candidates).show([])
        self._choose_line()

    def _offer(self) -> None:
        from turnwise.conversations.store import completions

        field = self.query_one(Input)
        self._taken = None
        self._offered = []
        if field.has_focus:
            self._start, self._offered = completions(field.value, field.cursor_position, self.words)
            typed = field.value[self._start : field.cursor_position]
            if [one.text for one in self._offered] == [typed]:
                self._offered = []
        self.query_one(Candidates).show([one.shown for one in self._offered])
        self._choose_line()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave tab to the screen where there is nothing to complete."""
        return bool(self._offered) if action in ("complete", "complete_back") else True

    def action_complete(self) -> None:
        """Take the first completion, or the next one."""
        self._complete(0 if self._taken is None else self._taken + 1)

    def action_complete_back(self) -> None:
        """Take the completion before."""
        self._complete(-1 if self._taken is None else self._taken - 1)

    def on_candidates_chosen(self, event: Candidates.Chosen) -> None:
        """Take the completion that was clicked."""
        event.stop()
        self._complete(event.place)
        self.query_one(Input).focus()

    def _complete(self, place: int) -> None:
        if not self._offered:
            return
        self._taken = place % len(self._offered)
        one, alone = self._offered[self._taken], len(self._offered) == 1
        field = self.query_one(Input)
        rest = field.value[field.cursor_position :]
        with self.prevent(Input.Changed):
            field.value = field.value[: self._start] + one.text + rest
        field.cursor_position = self._start + len(one.text)
        if alone:
            # The next tab goes on from there: after a field come its values.
            self._offer()
        else:
            self.query_one(Candidates).show([each.shown for each in self._offered], self._taken)
        self._wait()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Offer completions, and wait for a pause in typing."""
        event.stop()
        self._draw_count()
        self._offer()
        self._wait()

    def _wait(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(SECONDS_OF_QUIET, self._ask_for_finished)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Ask at once, and give the keys back to the list."""
        event.stop()
        self._ask()
        self.post_message(self.Left())

    def _ask_for_finished(self) -> None:
        # A field that has no value yet would find nothing, or be wrong, while somebody is about to write it.
        self._ask(finished(self.query_text))

    def _ask(self, text: str | None = None) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if (query := (self.query_text if text is None else text).strip()) != self._asked:
            self._asked = query
            self.post_message(self.Asked(query))


INDENT = 3
WORD_GAP = 2
MOST_CELLS = 30
MORE_HINT = ("tab", " completes")
_HINT_CELLS = sum(map(len, MORE_HINT))


class Candidates(Widget):
    """Draws as many as have room from the one that is taken on; what has none is hinted at."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "candidates--word",
        "candidates--taken",
        "candidates--hint",
    }
    DEFAULT_CSS = """
    Candidates {
        height: 1;
        background: $background;
        & .candidates--word { color: $text-muted; }
        & .candidates--hint { color: $text; text-style: bold; }
        & .candidates--taken { color: $accent; text-style: bold; }
        &:ansi {
            .candidates--word { text-style: dim; }
        }
    }
    """

    @dataclass
    class Chosen(Message):
        """A word was clicked. place: from 0."""

        place: int

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._words: Sequence[str] = ()
        self._taken: int | None = None
        self._spans: list[tuple[int, int, int]] = []

    def show(self, words: Sequence[str], taken: int | None = None) -> None:
        """Show these words. taken: the place of the one that stands in the line."""
        if (words, taken) != (self._words, self._taken):
            self._words, self._taken = words, taken
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        base, width = self.rich_style, self.size.width
        self._spans = []
        if not self._words or y:
            return Strip.blank(width, base)
        segments = [Segment(" " * INDENT)]
        x = INDENT
        for place in range(self._first(width), len(self._words)):
            text = make_safe_line(self._words[place])
            text = fit(text, MOST_CELLS).rstrip() if cell_len(text) > MOST_CELLS else text
            if x + cell_len(text) + WORD_GAP + _HINT_CELLS > width and self._spans:
                segments.append(Segment(ELLIPSIS, component(self, "candidates--word")))
                break
            name = "taken" if place == self._taken else "word"
            segments += [Segment(text, component(self, f"candidates--{name}")), Segment(" " * WORD_GAP)]
            self._spans.append((x, x + cell_len(text), place))
            x += cell_len(text) + WORD_GAP
        if self._taken is None:
            key, does = MORE_HINT
            segments.append(Segment(key, component(self, "candidates--hint")))
            segments.append(Segment(does, component(self, "candidates--word")))
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(width, base)

    def _first(self, width: int) -> int:
        """Return the first word to draw: the taken one is always in sight."""
        x = INDENT
        for place in range((self._taken or 0) + 1):
            x += min(MOST_CELLS, cell_len(self._words[place])) + WORD_GAP
        return 0 if x + _HINT_CELLS <= width else self._taken or 0

    def on_click(self, event: events.Click) -> None:
        """Choose a word."""
        for start, end, place in self._spans:
            if start <= event.x < end:
                event.stop()
                self.post_message(self.Chosen(place))
