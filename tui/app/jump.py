"""JumpScreen: a letter at every place of the screen below; pressing it, or clicking it, goes there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.errors import NoWidget
from textual.geometry import Offset, Region, Size
from textual.screen import ModalScreen, Screen
from textual.strip import Strip
from textual.widget import Widget

from turnwise.tui.actions import Place, bindings
from turnwise.tui.drawing.jump_places import HasPlaces, JumpPlace
from turnwise.tui.drawing.still import StillScreen
from turnwise.tui.parts.dims_below import dims_below
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.shell.shell import ShellOfApp
from turnwise.tui.textual_internals.kept_frames import pieces_of
from turnwise.tui.textual_screens import make_ready_again

LETTERS = "asdfghjklqwertyuiopzxcvbnmASDFGHJKLQWERTYUIOPZXCVBNM1234567890"
"""In the order they are given: those under the fingers first."""
_CELLS = 3
"""How wide a letter is where there is room, with a blank on either side."""
_NOT_READ = " ▌▏"
"""What a letter may cover: blanks, and the bars beside the row under the cursor."""


def _draw_letters(screen: JumpScreen, y: int, line: Strip) -> Strip:
    for start, piece in screen.pieces(y):
        line = Strip.join([line.crop(0, start), piece, line.crop(start + piece.cell_length)])
    return line


@dims_below("#panel", _draw_letters)
class JumpScreen(StillScreen[Callable[[], object]], ModalScreen[Callable[[], object]]):
    """Lies over a screen; ends with what goes to the place that was chosen, or None. See KeptDialogs.

    It has no parts: some fifty letters that are widgets would take three times as long as a key may.
    """

    PLACE: ClassVar[Place] = "jump"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("jump"))
    COMPONENT_CLASSES: ClassVar[set[str]] = {"jump--letter", "jump--keys", "jump--key"}
    DEFAULT_CSS = """
    JumpScreen {
        /* What is below steps back, so that letters stand off the words beside them. */
        background: $background 40%;
        & .jump--letter { background: $accent; color: $background; text-style: bold; }
        & .jump--keys { background: $surface; color: $text-muted; }
        & .jump--key { background: $surface; color: $text; text-style: bold; }
        &:ansi {
            background: transparent;
            .jump--letter { background: ansi_default; color: ansi_default; text-style: bold reverse; }
            .jump--keys { background: ansi_default; color: ansi_default; text-style: dim; }
            .jump--key { background: ansi_default; color: ansi_default; text-style: bold; }
        }
    }
    """

    shell = ShellOfApp()

    def begin(self, targets: Sequence[JumpPlace], key_lines: Sequence[Region], lines: Sequence[str]) -> None:
        """targets: places of the whole screen; those past the last letter have none.

        key_lines: where the lines of keys are. lines: what the screen shows, a character a cell.
        """
        self._key_lines = key_lines
        self._targets = dict(zip(LETTERS, targets, strict=False))
        spans = letter_spans(list(self._targets.values()), lines)
        self.regions = {
            letter: Region(start, target.y, width, 1)
            for (letter, target), (start, width) in zip(self._targets.items(), spans, strict=True)
        }
        """Where each letter stands."""
        self._on_line: dict[int, list[tuple[str, Region]]] = {}
        for letter, region in self.regions.items():
            self._on_line.setdefault(region.y, []).append((letter, region))
        self._size_seen: Size | None = None

    def open_again(self) -> None:
        """Show the letters of now, in the frame that opens it."""
        make_ready_again(self, self.refresh)

    def pieces(self, y: int) -> Iterator[tuple[int, Strip]]:
        """Yield what is drawn on a line, what letters do and letters, each with the cell it begins at."""
        for region in self._key_lines:
            if region.y == y:
                yield region.x, self._keys_meanwhile().adjust_cell_length(region.width, self._style("keys"))
        for letter, region in self._on_line.get(y, ()):
            text = letter.center(region.width)
            yield region.x, Strip([Segment(text, self._style("letter"))], region.width)

    def _keys_meanwhile(self) -> Strip:
        """Return what stands in place of the keys below, which are letters to go to places now."""
        key, words = self._style("key"), self._style("keys")
        leave = key_of(self.shell.actions, "jump", "cancel")
        said = ((" ", words), ("letter", key), (" go there   ", words), (leave, key), (" cancel", words))
        return Strip([Segment(text, style) for text, style in said])

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"jump--{name}")

    def on_key(self, event: events.Key) -> None:
        """Go to the place of a letter; any other key leaves."""
        target = self._targets.get(event.character or "")
        if target is not None:
            event.stop()
            event.prevent_default()
            self.dismiss(target.go)
        elif event.is_printable:
            event.stop()
            self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """Go to the place of the letter that was clicked, or leave."""
        at = Offset(event.screen_x, event.screen_y)
        # A letter of one cell is hard to hit: the cells after it are as good.
        wide = {name: Region(here.x, here.y, _CELLS, here.height) for name, here in self.regions.items()}
        hit = [*self.regions.items(), *wide.items()]
        over = next((name for name, here in hit if here.contains_point(at)), None)
        target = self._targets.get(over or "")
        self.dismiss(target.go if target else None)

    def on_resize(self, event: events.Resize) -> None:
        """Leave where the places have moved."""
        if self._size_seen not in (None, event.size):
            self.dismiss(None)
        self._size_seen = event.size

    def action_cancel(self) -> None:
        """Leave."""
        self.dismiss(None)


def targets_of(screen: Screen[object]) -> list[JumpPlace]:
    """Return the places of a screen that are in sight, from above and from the left."""
    found: dict[Offset, JumpPlace] = {}
    for widget in screen.walk_children(Widget):
        if not widget.visible or widget.disabled:
            continue
        # A part that a form has scrolled away lies below other things on the screen.
        seen = _in_sight(screen, widget)
        if isinstance(widget, HasPlaces):
            corner = widget.content_region.offset
            for place in widget.jump_places():
                at = corner + Offset(place.x, place.y)
                if seen.contains_point(at):
                    found[at] = JumpPlace(at.x, at.y, place.go)
        elif widget.focusable and seen and not any(isinstance(one, HasPlaces) for one in widget.ancestors):
            line = seen.y - widget.content_region.y
            at = seen.offset + Offset(_blank_cell(widget, line), 0)
            found[at] = JumpPlace(at.x, at.y, widget.focus)
    return [found[at] for at in sorted(found, key=lambda at: (at.y, at.x))]


def _in_sight(screen: Screen[object], widget: Widget) -> Region:
    """Return the part of a widget's content that can be seen, empty where none of it can."""
    try:
        place = screen.find_widget(widget)
    except NoWidget:
        return Region()
    return widget.content_region.intersection(place.visible_region)


def lines_of(screen: Screen[object]) -> list[str]:
    """Return what a screen shows, line by line: a character a cell, where the second of a wide one is `_`."""
    return ["".join(_a_character_a_cell(piece.text) for piece in line) for line in pieces_of(screen)]


def _a_character_a_cell(text: str) -> str:
    if text.isascii():
        return text
    return "".join(character + "_" * (cell_len(character) - 1) for character in text)


def letter_spans(targets: Sequence[JumpPlace], lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return where the letter of each place begins, and how wide it is, so that it covers nothing to be read.

    lines: what the screen shows. Where the place is not blank, the letter stands in the blanks before it, and
    where there are none in the one after; at the end of a line it covers the last of the word, which is known
    by its beginning. Those of one column are as wide as the narrowest of them, where they have its room.
    """
    shown = [[character in _NOT_READ for character in line] for line in lines]
    spans = []
    narrowest: dict[int, tuple[int, int]] = {}
    for target in targets:
        # A screen that is not drawn yet has no line there, and nothing to be covered.
        blank = shown[target.y] if target.y < len(shown) else []
        start, width = span = _span(blank, target.x)
        blank[start : start + width] = [False] * width
        spans.append(span)
        narrowest[target.x] = min(narrowest.get(target.x, span), span, key=lambda one: one[1])
    evened = zip(spans, (narrowest[one.x] for one in targets), strict=True)
    return [even if _holds(span, even) else span for span, even in evened]


def _holds(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return span[0] <= other[0] and sum(other) <= sum(span)


def _span(blank: Sequence[bool], x: int) -> tuple[int, int]:
    """blank: which cells of a line are not read, and have no letter yet."""
    here = blank[x : x + _CELLS]
    if all(here):
        return x, len(here) or _CELLS
    word = x + here.index(False)
    before = 0
    while before < _CELLS and word > before and blank[word - before - 1]:
        before += 1
    if before:
        return word - before, before
    after = next((cell for cell in range(word, len(blank)) if blank[cell]), None)
    return (len(blank) - 1 if after is None else after), 1


def key_lines_of(screen: Screen[object]) -> list[Region]:
    """Return where the lines of keys of a screen are."""
    return [line.region for line in screen.query(KeyLine) if line.is_on_screen and line.region]


def _blank_cell(widget: Widget, line: int) -> int:
    """Return the cell of a line of a widget from which on a letter touches no text; else the first."""
    width = widget.content_region.width
    x, y = widget.content_region.offset - widget.region.offset
    text = "".join(strip.text for strip in widget.render_lines(Region(x, y + line, width, 1)))
    end = max(0, width - _CELLS)
    if not text[:_CELLS].strip():
        return 0
    return end if not text[end:].strip() else max(0, text.find(" " * (_CELLS + 2)) + 1)
