"""Terminals: what is read from a terminal, what is sent to it, and how wide it draws."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

import rich.cells
from rich._unicode_data import load as load_cell_table
from rich.segment import Segment
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter, Monochrome, NoColor

if TYPE_CHECKING:
    from turnwise.tui.terminal.graphics import Graphics

SequenceParser = XTermParser
"""Reads keys and the mouse out of what a terminal sends: `feed` takes text, `tick` tells that time went by.

EscapeDriver needs it to ask for the escape key as soon as ESCDELAY is over. Textual's own driver asks ten
times a second, so that every dialog takes a tenth of a second to close. ESCDELAY came with
https://github.com/Textualize/textual/issues/4816; of the time until it is looked at no issue was found.
"""


def draw_without_colour(app: App[Any]) -> None:
    """Draw all in the terminal's own two colours, whether or not Textual saw NO_COLOR itself.

    Textual draws in shades of grey, which the terminal may not show well:
    https://github.com/Textualize/textual/issues/839.
    """
    app._filters = [*_filters_without_grey(app), NoColor()]


def draw_in_colour(app: App[Any]) -> None:
    """Draw in colours, also where Textual saw a NO_COLOR that asks for nothing because it is empty."""
    app._filters = _filters_without_grey(app)


class _Unlinked(LineFilter):
    """Takes the links out of what is drawn."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            Segment(text, style.update_link(None) if style is not None and style.link else style, control)
            for text, style, control in segments
        ]


def draw_without_links(app: App[Any]) -> None:
    """Draw links as the text that they are."""
    app._filters = [*app._filters, _Unlinked()]


def _filters_without_grey(app: App[Any]) -> list[LineFilter]:
    return [one for one in app._filters if not isinstance(one, Monochrome | NoColor)]


def clear_terminal(app: App[Any]) -> None:
    """Wipe the terminal, so that nothing stays that was drawn beside the cells where Textual thinks it is.

    Textual draws only what it knows to have changed. No issue was found.
    """
    send_code(app, "\x1b[2J")


def send_code(app: App[Any], code: str) -> None:
    """Send a terminal a code that draws nothing, such as one that makes it tell its user something.

    Textual offers the bell alone. No issue was found.
    """
    if code and app._driver is not None and not app.is_headless:
        app._driver.write(code)
        app._driver.flush()


def ask_graphics(app: App[Any], heard: Callable[[Graphics], object]) -> None:
    """Ask the terminal which pictures it draws; `heard` is called in another thread, where it answers.

    Only the driver reads what the terminal sends, and Textual offers no way to it. No issue was found.
    """
    if (ask := getattr(app._driver, "ask_graphics", None)) is not None:
        ask(heard)


def count_spacing_marks(*, as_cells: bool) -> None:
    """Count vowel signs that stand beside their letter, as in Hindi, as a cell each, or as none.

    Terminals do the one or the other; Rich takes them to have no width, and has no way to be told otherwise.
    No issue was found.
    """
    load = _table_with_marks if as_cells else load_cell_table
    rich.cells.load_cell_table = load  # type: ignore[attr-defined]
    rich.cells.get_character_cell_size.cache_clear()
    rich.cells.cached_cell_len.cache_clear()


@cache
def _table_with_marks(version: str = "auto") -> rich.cells.CellTable:
    table = load_cell_table(version)
    return table._replace(widths=[row for given in table.widths for row in _without_marks(*given)])


def _without_marks(first: int, last: int, width: int) -> Iterator[tuple[int, int, int]]:
    """Leave the marks out of a row of the table: what stands in no row takes a cell."""
    if width:
        yield first, last, width
        return
    codes = (code for code in range(first, last + 1) if unicodedata.category(chr(code)) != "Mc")
    for _, run in groupby(enumerate(codes), key=lambda pair: pair[1] - pair[0]):
        kept = [code for _, code in run]
        yield kept[0], kept[-1], width
