"""Markdown as lines of segments, with nothing hidden.

Other viewers may leave out what a browser would: HTML, comments, link targets, reference definitions. A
reader who judges a reply needs all of it, so here everything the chatbot wrote is seen. Imported only when
the first Markdown turn is drawn: the parser and rich.markdown take 30 ms.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from functools import lru_cache
from io import StringIO
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, TableElement
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from turnwise.tui.drawing.palette import Palette
from turnwise.tui.reading.code_pieces import code_pieces

MOST_TABLE_COLUMNS = 24


class PlainHeading(Heading):
    """A heading at the left in one style: a transcript is no page to be set."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.text.justify = "left"
        yield self.text


class NamedCode(CodeBlock):
    """A code block under the name of its language, its words coloured where the language is known."""

    @classmethod
    def create(cls, markdown: Markdown, token: Token) -> NamedCode:
        """Return the block of a token, of which all is kept that was written behind its fence."""
        return cls(token.info.strip(), "")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        code = str(self.text).rstrip("\n")
        text = Text("", overflow="fold")
        if self.lexer_name:
            text.append(f"{self.lexer_name}\n", console.get_style("markdown.code_name"))
        for piece, part in code_pieces(code, self.lexer_name):
            text.append(piece, console.get_style(f"markdown.code_{part}") if part else None)
        yield Padding(text, (0, 1), style=console.get_style("markdown.code_block"))


class PlainTable(TableElement):
    """A table without the empty lines that a box's edges leave."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for table in super().__rich_console__(console, options):
            if isinstance(table, Table):
                table.show_edge = False
            yield table


class FaithfulMarkdown(Markdown):
    """Rich's Markdown over tokens of our own parser."""

    elements = Markdown.elements | {
        "heading_open": PlainHeading,
        "fence": NamedCode,
        "code_block": NamedCode,
        "table_open": PlainTable,
    }

    @classmethod
    def of(cls, text: str) -> FaithfulMarkdown:
        """Return the Markdown of a text."""
        # Each new one would make a parser of its own, which takes as long as to draw a text.
        markdown = copy(_without_text())
        markdown.parsed = [_faithful(token) for token in _parser().parse(text)]
        return markdown


def markdown_lines(text: str, width: int, palette: Palette) -> list[list[Segment]]:
    """Return safe Markdown text as lines of at most `width` cells.

    Raises ValueError where it is better shown as it was written: for a table of so many columns that laying
    it out would take seconds, and where letters of the text would not be seen (the parser drops what is
    nested too deep).
    """
    markdown = FaithfulMarkdown.of(text)
    columns = 0
    for token in markdown.parsed:
        columns = 0 if token.type == "tr_open" else columns + (token.type in {"th_open", "td_open"})
        if columns > MOST_TABLE_COLUMNS:
            raise ValueError(f"a table of more than {MOST_TABLE_COLUMNS} columns")
    console = _console(palette)
    lines = console.render_lines(markdown, console.options.update(width=max(1, width)), pad=False)
    seen = "".join(piece.text for line in lines for piece in line)
    if Counter(filter(str.isalpha, text)) - Counter(filter(str.isalpha, seen)):
        raise ValueError("letters that would not be seen")
    return lines


@lru_cache(maxsize=1)
def _without_text() -> FaithfulMarkdown:
    return FaithfulMarkdown("", hyperlinks=False)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])
    # An entity may stand for a control character that was made visible before; the others hide text.
    return parser.disable(["entity", "reference", "image", "autolink", "html_inline", "html_block"])


@lru_cache(maxsize=4)
def _console(palette: Palette) -> Console:
    styles = {
        "code": palette.code,
        "code_block": palette.code,
        "code_name": palette.muted,
        "code_word": palette.key,
        "code_value": palette.value,
        "code_remark": palette.muted,
        "block_quote": palette.quote,
        "list": palette.muted,
        "item.bullet": palette.muted,
        "item.number": palette.muted,
        "hr": palette.muted,
        "link": palette.link,
        "link_url": palette.muted,
        "table.border": palette.muted,
        "table.header": palette.heading,
        **{f"h{level}": palette.heading for level in range(1, 8)},
    }
    theme = Theme({f"markdown.{name}": style for name, style in styles.items()})
    return Console(
        file=StringIO(), theme=theme, force_terminal=True, color_system="truecolor", legacy_windows=False
    )


def _faithful(token: Token) -> Token:
    """Return the token so that drawing it shows all that was written."""
    for child in token.children or ():
        if child.type == "softbreak":
            # Chat programs show a line break where the model wrote one.
            child.type = "hardbreak"
        title: Any = child.attrs.get("title")
        if child.type == "link_open" and title:
            child.attrs["href"] = f'{child.attrs.get("href", "")} "{title}"'
    return token
