"""Archives: files that hold files by name. What is read of one comes as a stream, and never lands on disk."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Protocol

from turnwise.conversations.containers.contents import Content, StreamedContent, place_in
from turnwise.conversations.containers.limits import Allowance
from turnwise.conversations.containers.packings import Unpacked, Unpacking, buffered, damaged
from turnwise.conversations.errors import FormatError

_ENCRYPTED = 0x1
_ZSTD = 93
_LOCAL_HEADER = 30
_LOCAL_SIGNATURE = b"PK\x03\x04"
_CENTRAL_SIGNATURE = b"PK\x01\x02"
_END_SIGNATURE = b"PK\x05\x06"
_LONGEST_END = 22 + 65_535
_END_64 = b"PK\x06\x07"
_END_64_LENGTH = 20
_UNTOLD = 0xFFFF_FFFF
_BYTES_A_MEMBER = 300
"""In the directory of a zip; a name of more is none that a program gives."""


class Archive(Protocol):
    """Files by name, as a format sees them whose one file is such an archive."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the files, with /, in the order in which they stand in it."""

    def size(self, name: str) -> int:
        """Return how many bytes a file says that it has."""

    def open(self, name: str) -> BinaryIO:
        """Return a file's bytes from their start; the caller closes it. Raises FormatError."""

    def content(self, name: str) -> Content:
        """Return a file as contents that can be read many times."""

    def close(self) -> None:
        """Let go of it."""


class ZipArchive:
    """The files of a zip. Its folders, links and other things that are no files are left out."""

    def __init__(self, content: Content, allowance: Allowance) -> None:
        """Read the directory of a zip, which can be read at any place.

        Raises FormatError where it has none, or holds too much. `links` are the names of what was left out.
        """
        self._content = content
        self._name = content.name
        self._allowance = allowance
        self._members: dict[str, zipfile.ZipInfo] = {}
        self._counted: dict[str, int] = {}
        self.links: list[str] = []
        self._file = content.open()
        try:
            self._zip = self._opened()
        except BaseException:
            self._file.close()
            raise

    def _opened(self) -> zipfile.ZipFile:
        self._refuse_endless_directory()
        try:
            found = zipfile.ZipFile(self._file)
        except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, EOFError) as error:
            raise damaged(self._name, f"expected a zip; {str(error).lower()}") from None
        for member in found.infolist():
            if not member.filename or member.is_dir():
                continue
            if stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG):
                self.links.append(member.filename)
                continue
            self._members[member.filename] = member
        self._allowance.take_members(len(self._members), self._name)
        return found

    @property
    def names(self) -> Sequence[str]:
        """The names of the files, in the order in which they stand in it."""
        return tuple(self._members)

    def size(self, name: str) -> int:
        """Return how many bytes a file says that it has."""
        return self._members[name].file_size

    def content(self, name: str) -> StreamedContent:
        """Return a file as contents that can be read many times."""
        return StreamedContent(
            lambda counted: self._raw(name, counted),
            name=f"{self._name}/{name}",
            short=f"{self._content.short}/{name}",
            suffix=PurePosixPath(name).suffix.lower(),
            extent=self.size(name),
            lies_at=place_in(self._content, name),
        )

    def open(self, name: str) -> BinaryIO:
        """Return a file's bytes from their start; the caller closes it.

        Raises FormatError where it is encrypted, or packed in a way that is not read; while reading, where
        it is damaged or too large.
        """
        counted = self._counted.get(name, 0)
        raw = self._raw(name, counted)
        self._counted[name] = self.size(name)
        return buffered(raw)

    def close(self) -> None:
        """Let go of the zip."""
        self._zip.close()
        self._file.close()
        self._content.close()

    def _raw(self, name: str, counted: int) -> Unpacked:
        member = self._members[name]
        shown = f"{self._name}/{name}"
        if member.flag_bits & _ENCRYPTED:
            raise FormatError(
                f"{shown} is encrypted",
                detail=f"{shown}: it opens with a password alone.",
                next_step="Unpack it with the program that asks for the password, and import the folder.",
            )
        # What it says that it has is looked at before it is read.
        self._allowance.check_ratio(member.file_size, member.compress_size, shown)
        try:
            stream: Any = self._zstd(member) if member.compress_type == _ZSTD else self._zip.open(member)
        except (zipfile.BadZipFile, OSError, ValueError, EOFError) as error:
            raise damaged(shown, f"expected a file in a zip; {str(error).lower()}") from None
        except NotImplementedError:
            raise damaged(
                shown, f"it is packed by method {member.compress_type}, which is not read"
            ) from None
        return Unpacked(
            stream,
            shown,
            packed=lambda: member.compress_size,
            allowance=self._allowance,
            counted=counted,
            most=member.file_size,
        )

    def _zstd(self, member: zipfile.ZipInfo) -> Any:
        """Return the stream of a member that Python's own zip reader does not unpack before 3.14."""
        self._file.seek(member.header_offset)
        header = self._file.read(_LOCAL_HEADER)
        if len(header) < _LOCAL_HEADER or not header.startswith(_LOCAL_SIGNATURE):
            raise zipfile.BadZipFile("a file has no header")
        begins = member.header_offset + _LOCAL_HEADER
        begins += int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
        return Unpacking(buffered(_Part(self._file, begins, member.compress_size)), "zstd")

    def _refuse_endless_directory(self) -> None:
        """Raise FormatError where the directory alone would fill the memory, before it is read."""
        size = self._file.seek(0, 2)
        start = max(size - _LONGEST_END, 0)
        self._file.seek(start)
        end = self._file.read(_LONGEST_END)
        at = end.rfind(_END_SIGNATURE)
        if at < 0:
            raise damaged(self._name, "it ends in the middle, as a file that was not fetched whole")
        length = min(self._directory_length(end, at), size)
        most = self._allowance.limits.members
        count = 0
        if length <= most * _BYTES_A_MEMBER:
            self._file.seek(max(start + at - length, 0))
            count = self._file.read(length).count(_CENTRAL_SIGNATURE)
        if count > most or length > most * _BYTES_A_MEMBER:
            self._allowance.take_members(max(count, most + 1), self._name)
        self._file.seek(0)

    def _directory_length(self, end: bytes, at: int) -> int:
        length = int.from_bytes(end[at + 12 : at + 16], "little")
        longer = end[max(at - _END_64_LENGTH, 0) : at]
        if length < _UNTOLD or not longer.startswith(_END_64):
            return length
        # Of a zip that is larger than its usual end can tell, a second end tells it.
        self._file.seek(int.from_bytes(longer[8:16], "little"))
        return int.from_bytes(self._file.read(48)[40:48], "little")


class ArchivePart:
    """The files of an archive below one of its folders, by their names from there on."""

    def __init__(self, archive: Archive, folder: str) -> None:
        """Take a folder's name with / at its end; empty for the whole archive."""
        self._archive = archive
        self._folder = folder
        length = len(folder)
        self.names = tuple(name[length:] for name in archive.names if name.startswith(folder))

    def size(self, name: str) -> int:
        """Return how many bytes a file says that it has."""
        return self._archive.size(self._folder + name)

    def open(self, name: str) -> BinaryIO:
        """Return a file's bytes from their start; the caller closes it."""
        return self._archive.open(self._folder + name)

    def content(self, name: str) -> Content:
        """Return a file as contents that can be read many times."""
        return self._archive.content(self._folder + name)

    def close(self) -> None:
        """Do nothing: the archive is another's."""


class ArchiveContent:
    """An archive, or a folder of one, that is one file of a format which claims it."""

    def __init__(self, archive: Archive, *, name: str, short: str, lies_at: Path | None = None) -> None:
        self.archive = archive
        self.lies_at = lies_at
        self.name = name
        self.short = short
        self.suffix = ""
        self.size = self.at = self.extent = sum(map(archive.size, archive.names))

    def open(self) -> BinaryIO:
        """Return no bytes: what it holds is read by name."""
        return io.BytesIO()

    def close(self) -> None:
        """Do nothing: the archive is another's."""


class _Part(io.RawIOBase):
    """A stretch of a file, read beside others who read the same file."""

    def __init__(self, file: BinaryIO, start: int, length: int) -> None:
        self._file = file
        self._at = start
        self._end = start + length

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._file.seek(self._at)
        piece = self._file.read(min(len(buffer), self._end - self._at))
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)
