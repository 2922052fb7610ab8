"""FilePart: a part of a file that is read as if it were all, such as what is whole of a file that grows."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast


@dataclass(frozen=True, slots=True)
class FilePart:
    """The bytes of a file from `start` up to `end`.

    first_line: the number in the file of the line that the part begins in, from 1.
    """

    path: Path
    start: int
    end: int
    first_line: int = 1

    @property
    def size(self) -> int:
        """How many bytes it holds."""
        return self.end - self.start

    @property
    def extent(self) -> int:
        """How many bytes there are to go through for it."""
        return self.size

    @property
    def lies_at(self) -> Path:
        """The file that it is a part of."""
        return self.path

    @property
    def at(self) -> int:
        """Nothing: parts are small enough that nobody asks how far their reading has come."""
        return 0

    @property
    def name(self) -> str:
        """The file's name, as messages show it."""
        return str(self.path)

    @property
    def short(self) -> str:
        """The file's name, as lists of sessions show it."""
        return self.path.name

    @property
    def suffix(self) -> str:
        """The end of the file's name, in lower case with its dot."""
        return self.path.suffix.lower()

    def close(self) -> None:
        """Do nothing: nothing is kept."""

    def open(self) -> BinaryIO:
        """Return the bytes from the part's start; the caller closes it. Raises OSError."""
        file = self.path.open("rb", buffering=0)
        return cast("BinaryIO", io.BufferedReader(_Window(file, self.start, self.end), 1 << 16))


class _Window(io.RawIOBase):
    """A file of which nothing but a part is to be seen."""

    def __init__(self, file: io.FileIO, start: int, end: int) -> None:
        self._file = file
        self._start = start
        self._length = end - start
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override] # BufferedReader gives this
        wanted = min(len(buffer), max(0, self._length - self._at))
        self._file.seek(self._start + self._at)
        # A part of a bytearray would be a copy of it.
        read = self._file.readinto(memoryview(buffer)[:wanted]) or 0
        self._at += read
        return read

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._length}[whence]
        self._at = max(0, base + offset)
        return self._at

    def tell(self) -> int:
        return self._at

    def close(self) -> None:
        self._file.close()
        super().close()
