"""Export: what the registry knows of one format that conversations go out in."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, Literal, TextIO, cast, get_args

from turnwise.conversations.exports.stored import Selection

RowsWord = Literal["turns", "sessions", "scores"]
ROWS: tuple[RowsWord, ...] = get_args(RowsWord)


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What a writer was told. rows: what a row of a table is."""

    rows: RowsWord = "turns"


@dataclass(frozen=True, slots=True)
class Export:
    """One format: how it is named, and how it is written.

    name: as given on the command line. title: what it is. Sessions are written one at a time by one of two:
    write, to a stream of text that leaves line ends as they are, or write_bytes. takes_rows: whether
    `ExportOptions.rows` means something to it.
    """

    name: str
    title: str
    write: Callable[[Selection, TextIO, ExportOptions], None] | None = None
    write_bytes: Callable[[Selection, BinaryIO, ExportOptions], None] | None = None
    takes_rows: bool = False

    def write_to(self, out: BinaryIO, sessions: Selection, options: ExportOptions) -> None:
        """Write the sessions to a stream of bytes, text in UTF-8."""
        if self.write_bytes:
            self.write_bytes(sessions, out, options)
        elif self.write:
            text = codecs.getwriter("utf-8")(out)
            self.write(sessions, cast("TextIO", text), options)
