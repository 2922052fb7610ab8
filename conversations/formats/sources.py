"""Source: the bytes that records are read from, a file or standard input, and what kind of text they are."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from turnwise.conversations.containers import (
    Allowance,
    Content,
    Limits,
    packing_of,
    plain_content,
    unreadable,
)
from turnwise.conversations.errors import FormatError, NoConversationsError
from turnwise.conversations.files import decode_json, json_beginning
from turnwise.conversations.formats.encodings import Encoding, as_utf8, encoding_of

if TYPE_CHECKING:
    from turnwise.conversations.containers import Archive

SourceKind = Literal["json", "jsonl", "text", "binary"]

SMALL_FILE = 8_000_000
"""Bytes; a JSON document below this is read at once, which is faster and knows line and column."""
LONGEST_LINE = 64_000_000
"""Bytes; a longer line is no record but a file without line ends."""
LONGEST_TEXT_LINE = 8_000_000
"""Bytes; what somebody says in a transcript is shorter."""
HEAD = 65_536
_TELLING = 1_000_000
"""Bytes that are looked at together to tell the encoding."""
SAMPLE_LINES = 20
# A line that begins with a time in brackets, as chats have it, and that no JSON begins with.
_STAMP = re.compile(rb"\[(?:\d{1,2}:\d{2}|\d{1,4}[-/.]\d{1,2}[-/.]\d)")
_LINE_SUFFIXES = (".jsonl", ".ndjson")


class Source:
    """A file, a stream or a file in a container, that can be read from its start many times.

    name: as messages show it. suffix: in lower case, with its dot; empty for a stream. first_line: the number
    of its first line, which of a part of a file is the number there. remarks: what a person should know of
    how its bytes came to be.
    """

    def __init__(self, source: Path | BinaryIO | Content, limits: Limits | None = None) -> None:
        """Unpack what is packed, within limits.

        Raises NotFoundError where there is no such file, FormatError where it cannot be read.
        """
        self.listener: Callable[[Any, int | None], None] | None = None
        self._limits = limits or Limits()
        self._content = plain_content(source, self._limits)
        self._archive: Archive | None = None
        self.suffix = self._content.suffix
        self.name = self._content.name
        self.first_line: int = getattr(self._content, "first_line", 1)
        self.remarks: tuple[str, ...] = getattr(self._content, "remarks", ())

    def hear(self, value: Any, at: int | None) -> None:
        """Tell whoever accounts for the texts of the source what its reader has read.

        at: the number of the record or line, from 1, so that what is read twice is told once; None where the
        reader does not count.
        """
        if self.listener is not None:
            self.listener(value, at)

    @cached_property
    def encoding(self) -> Encoding | None:
        """The encoding of a text that is in another one than UTF-8. Raises FormatError."""
        try:
            with self._content.open() as file:
                head = _telling(file)
        except OSError as error:
            # Some files open and cannot be read, such as the memory of a process.
            raise self.unreadable(error) from None
        return None if packing_of(head) else encoding_of(head, whole=len(head) < _TELLING)

    def open(self) -> BinaryIO:
        """Return the bytes from their start, a text as UTF-8 without a byte order mark; the caller closes it.

        Raises FormatError where they cannot be read.
        """
        encoding = self.encoding
        file = self._content.open()
        if encoding is not None:
            return as_utf8(file, encoding)
        try:
            if file.read(3) != codecs.BOM_UTF8:
                if file.seekable():
                    file.seek(0)
                else:
                    file.close()
                    file = self._content.open()
        except OSError as error:
            file.close()
            raise self.unreadable(error) from None
        return file

    def lines(self, *, heard: bool = True, escaped: bool = False) -> Iterator[str]:
        """Yield the lines of a text, with their ends, in constant memory.

        heard: whether whoever accounts for the texts hears the lines; else their reader tells what they say.
        escaped: keep bytes that are not UTF-8 as what `has_halves` finds, so that they spoil their own
        conversation only. Raises FormatError, which names the line, where there are others, or a line has no
        end for long.
        """
        errors = "surrogateescape" if escaped else "strict"
        with self.open() as file:
            for number, raw in enumerate(iter(lambda: file.readline(LONGEST_TEXT_LINE), b""), start=1):
                if len(raw) == LONGEST_TEXT_LINE:
                    raise self.broken(
                        f"line {number}: expected a line of text; got {LONGEST_TEXT_LINE:,} bytes"
                    )
                try:
                    line = raw.decode(errors=errors)
                except UnicodeDecodeError:
                    raise self.broken(f"line {number}: expected text in UTF-8; got other bytes") from None
                if heard and self.listener is not None:
                    self.hear(raw.decode("utf-8", "replace"), number)
                yield line

    def close(self) -> None:
        """Let go of the copy of a stream, and of a zip."""
        if self._archive:
            self._archive.close()
        self._content.close()

    def unreadable(self, error: OSError) -> FormatError:
        """Word a failure of the system for a person."""
        return unreadable(self.name, error)

    def broken(self, problem: str) -> FormatError:
        """Word a problem that concerns the whole file."""
        return FormatError(
            f"{self.name} cannot be read",
            detail=f"{self.name}: {problem}",
            next_step="Correct the file, or write it again with the program that made it.",
        )

    @property
    def size(self) -> int:
        """How many bytes there are; of what is packed at least so many, and exact where `is_small`."""
        return self._content.size

    @property
    def is_small(self) -> bool:
        """Whether a JSON document of this size is read at once."""
        return self.size < SMALL_FILE

    @cached_property
    def kind(self) -> SourceKind:
        """What the bytes are, by their content; the suffix decides only where that is not clear.

        Raises FormatError for an empty file.
        """
        head = self.beginning
        if packing_of(head) or self.archive is not None:
            return "binary"
        start = head.lstrip()
        if not start and self.size <= HEAD:
            raise NoConversationsError.of(
                "an empty file",
                f"{self.name} is empty",
                detail=f"{self.name}: expected at least one record; got no text.",
                next_step="Check that the program that wrote it had finished.",
            )
        if start.startswith((b"[", b"{")) and not _STAMP.match(start):
            return self._kind_of_json()
        if self.suffix in _LINE_SUFFIXES:
            return "jsonl"
        if self.suffix == ".json":
            return "json"
        if b"\0" in head:
            return "binary"
        return "jsonl" if self._is_mostly_json_lines() else "text"

    def _kind_of_json(self) -> SourceKind:
        with self.open() as file:
            first = next((line for line in iter(lambda: file.readline(SMALL_FILE), b"") if line.strip()), b"")
            more = any(line.strip() for line in iter(lambda: file.readline(HEAD), b""))
        if _is_json_record(first):
            return "jsonl" if more else "json"
        if self.is_small:
            with suppress(ValueError):
                _ = self.document
                return "json"
        elif first.strip() in (b"[", b"{"):
            return "json"
        return "jsonl" if self.suffix in _LINE_SUFFIXES or self._is_mostly_json_lines() else "json"

    def _is_mostly_json_lines(self) -> bool:
        lines = self._first_lines()
        return len(lines) > 1 and 2 * sum(map(_is_json_record, lines)) >= len(lines)

    def _first_lines(self, longest: int = SMALL_FILE) -> list[bytes]:
        """Return the first lines that hold something; lines over `longest` bytes come in pieces."""
        lines: list[bytes] = []
        with self.open() as file:
            for line in iter(lambda: file.readline(longest), b""):
                if line.strip():
                    lines.append(line)
                if len(lines) == SAMPLE_LINES or sum(map(len, lines)) >= SMALL_FILE:
                    break
        return lines

    @cached_property
    def document(self) -> Any:
        """The value of a small JSON document. Raises ValueError where it is not JSON."""
        with self.open() as file:
            return decode_json(file.read())

    @cached_property
    def sample(self) -> tuple[Any, ...]:
        """The first values: of JSON Lines the first lines that can be read, of JSON the document.

        A large JSON document ends early, and is of the right shape up to there. Empty for other text.
        Raises FormatError for JSON that cannot be read.
        """
        if self.kind == "jsonl":
            return tuple(
                decode_json(line) for line in self._first_lines(LONGEST_LINE) if _is_json_record(line)
            )
        if self.kind != "json":
            return ()
        try:
            if self.is_small:
                return (self.document,)
            with self.open() as file:
                return (json_beginning(file),)
        except ValueError as error:
            raise self.broken(str(error)) from None

    @cached_property
    def beginning(self) -> bytes:
        """The first bytes, at most 64 KB of them."""
        with self.open() as file:
            return file.read(HEAD)

    @cached_property
    def head(self) -> str:
        """The first text, at most 64 KB of it; what is not UTF-8 in it is replaced."""
        return self.beginning.decode("utf-8", "replace")

    @cached_property
    def archive(self) -> Archive | None:
        """The files within, where it is a zip. Raises FormatError where it is damaged or holds too much."""
        # Loaded here: few files are zips.
        from turnwise.conversations.containers import ArchiveContent, ZipArchive

        if isinstance(self._content, ArchiveContent):
            return self._content.archive
        if packing_of(self.beginning) != "zip":
            return None
        self._archive = ZipArchive(self._content, Allowance(self._limits))
        return self._archive


def _telling(file: BinaryIO) -> bytes:
    """Return the first stretch of a file in which something else than ASCII stands, else its first."""
    first = file.read(_TELLING)
    piece, read = first, len(first)
    # The first letter with an accent may come late, in a long text in English.
    while len(piece) == _TELLING and piece.isascii() and b"\0" not in piece and read < SMALL_FILE:
        piece = file.read(_TELLING)
        read += len(piece)
    return (
        first
        if piece.isascii() or not piece
        else piece[_cut_character(piece) :]
        if read > _TELLING
        else piece
    )


def _cut_character(piece: bytes) -> int:
    """Return how many bytes at the start of a stretch belong to a character that began before it."""
    return next((at for at, byte in enumerate(piece[:4]) if byte & 0xC0 != 0x80), 0)


def _is_json_record(line: bytes) -> bool:
    try:
        return isinstance(decode_json(line), dict | list)
    except ValueError:
        return False
