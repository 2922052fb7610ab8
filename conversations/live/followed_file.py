"""FollowedFile: a file that a program writes: how far it was read, and what of it can be read next.

A line without its end may be half written, and waits. Where records stand on lines of their own, only what
was added is read; any other file is read again. Whether a file goes on where it was left is told by what
stands there, never by its name or size alone.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from turnwise.conversations.containers import packing_of
from turnwise.conversations.files import decode_json
from turnwise.conversations.formats import FilePart

SECONDS_AT_REST = 2.0
"""A file that did not change for so long is taken as written to its end, for now."""
_PROBE = 512
_PIECE = 1 << 20
_LONGEST_PROBED_LINE = 8_000_000

Identity = tuple[int, int]
"""Of a file, whatever it is called: its device and its number there."""


def identity_of(found: os.stat_result) -> Identity:
    """Return by what a file is known when it gets another name."""
    return found.st_dev, found.st_ino


@dataclass(slots=True)
class FollowedFile:
    """One file.

    source: under which its sessions are remembered. read_to: up to which byte it was read. stands_alone:
    whether what is added can be read by itself, as `Format.lines_stand_alone` and the file's lines say.
    format: the name of the one it was read in. changed: when it was last seen to change, on the clock of the
    one who looks. seen: size and time of change. is_due: it has changed since it was read. waits: it is to be
    looked at once more when it is at rest. failed: whether records could not be read. told: why, where that
    was said. unread: why nothing could be read.
    """

    path: Path
    source: str
    identity: Identity
    read_to: int = 0
    stands_alone: bool = False
    format: str = ""
    changed: float = 0.0
    next_look: float = 0.0
    seen: tuple[int, int] = (-1, -1)
    is_due: bool = True
    waits: bool = False
    failed: bool = False
    told: set[str] = field(default_factory=set)
    unread: str = ""
    _begins: str = ""
    _ends: str = ""
    _counted_to: int = 0
    _lines: int = 0

    def next_part(self, size: int, *, at_rest: bool) -> FilePart | None:
        """Return what is to be read next; None where nothing is whole yet. Raises OSError."""
        start = self.read_to if self.stands_alone and self.goes_on(size) else 0
        end = _whole_up_to(self.path, start, size, at_rest=at_rest)
        if end <= start or (start and _is_blank(self.path, start, end)):
            return None
        return FilePart(self.path, start, end, self._line_at(start))

    def _line_at(self, start: int) -> int:
        """Return the number of the line in which a part begins; what was counted is not counted again."""
        if start:
            self._lines += _line_ends(self.path, self._counted_to, start)
            self._counted_to = start
        return self._lines + 1 if start else 1

    def goes_on(self, size: int) -> bool:
        """Say whether all that was read is still there. Raises OSError."""
        if not self.read_to or size < self.read_to:
            return False
        return (self._begins, self._ends) == _probes(self.path, self.read_to)

    def is_now(self, path: Path, size: int) -> bool:
        """Say whether a file under another name is this one: the numbers of deleted files are given again."""
        try:
            return replace(self, path=path).goes_on(size)
        except OSError:
            return False

    def is_packed(self) -> bool:
        """Say whether it holds others, such as a zip does. Raises OSError."""
        with self.path.open("rb") as file:
            return packing_of(file.read(_PROBE)) is not None

    def was_read(self, part: FilePart) -> None:
        """Remember how far it was read. Raises OSError."""
        if not part.start:
            # It may be another file than before, under the same name.
            self._counted_to = self._lines = 0
        self.read_to = part.end
        self._begins, self._ends = _probes(self.path, part.end)


def _probes(path: Path, length: int) -> tuple[str, str]:
    """Return prints of the beginning of a file and of what stands right before a place in it."""
    with path.open("rb") as file:
        begins = file.read(min(_PROBE, length))
        file.seek(max(0, length - _PROBE))
        ends = file.read(min(_PROBE, length))
    return sha256(begins).hexdigest(), sha256(ends).hexdigest()


def _line_ends(path: Path, start: int, end: int) -> int:
    """Return how many lines end between two places of a file. Raises OSError."""
    count, left = 0, end - start
    with path.open("rb") as file:
        file.seek(start)
        while left > 0 and (piece := file.read(min(_PIECE, left))):
            count += piece.count(b"\n")
            left -= len(piece)
    return count


def _is_blank(path: Path, start: int, end: int) -> bool:
    if end - start > _PROBE:
        return False
    with path.open("rb") as file:
        file.seek(start)
        return not file.read(end - start).strip()


def _whole_up_to(path: Path, start: int, size: int, *, at_rest: bool) -> int:
    """Return up to where a file can be read from `start`: a line that is half written is left out.

    JSON over several lines, and what is no text, are taken as they are: whether they are whole shows when
    they are read. Raises OSError.
    """
    if size <= start:
        return start
    with path.open("rb") as file:
        file.seek(start)
        first = file.readline(min(_LONGEST_PROBED_LINE, size - start))
        if b"\0" in first[:_PROBE]:
            return size
        line_begins, last = _last_line(file, start, size)
    if not last.strip() or _is_record(last):
        return size
    if first.lstrip()[:1] not in (b"{", b"["):
        return size if at_rest else line_begins
    if line_begins == start:
        # One line that has only begun; in a file that is left alone it is told what is wrong with it.
        return size if at_rest and not start else start
    return line_begins if _is_record(first) else size


def _last_line(file: BinaryIO, start: int, size: int) -> tuple[int, bytes]:
    """Return where the line without an end begins at the end of a file, and the line; empty where none is."""
    found, place = b"", size
    while place > start and size - place < _LONGEST_PROBED_LINE:
        step = min(1 << 16, place - start)
        place -= step
        file.seek(place)
        found = file.read(step) + found
        if (at := found.rfind(b"\n")) >= 0:
            return place + at + 1, found[at + 1 :]
    return place, found


def _is_record(line: bytes) -> bool:
    try:
        return isinstance(decode_json(line), dict | list)
    except ValueError:
        return False
