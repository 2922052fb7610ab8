"""Walking through files, folders and what is packed in them, one content after another."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from turnwise.conversations.containers.contents import (
    Content,
    StreamedContent,
    content_of,
    kept,
    packing_in,
    unpacked,
)
from turnwise.conversations.containers.folders import HIDDEN, LINK, FolderArchive, is_hidden
from turnwise.conversations.containers.limits import Allowance, Limits
from turnwise.conversations.errors import InputError

if TYPE_CHECKING:
    from turnwise.conversations.containers.archives import Archive, ZipArchive

_LAST = chr(0x10FFFF)
Claims = Callable[[Sequence[str]], bool]
"""Says of the names of an archive's files whether it is one file of a format."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What is in a container and not read. why: what it is, in words that may follow "passed over as"."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class FoundContent:
    """Contents to be read. within: the name of the container that holds them; empty where there is none."""

    content: Content
    within: str = ""


@dataclass(frozen=True, slots=True)
class Unopened:
    """A file that could not be opened, and why. within: as of FoundContent. size: its bytes, if known."""

    name: str
    error: InputError
    within: str = ""
    size: int = 0


Step = FoundContent | LeftOut | Unopened


class Walk:
    """All that some files, folders and standard input hold; go through it once.

    files, size: how many files and bytes there are to go through, as far as that is known by now. files_done,
    done: how many have been gone through.
    """

    def __init__(self, sources: Sequence[Path | BinaryIO], *, limits: Limits, claims: Claims) -> None:
        self._sources = sources
        self._limits = limits
        self._claims = claims
        self.files = len(sources)
        self.size = 0
        self.files_done = 0
        self._done = 0
        self._current: Content | None = None
        self._tar: Content | None = None

    @property
    def done(self) -> int:
        """How many bytes have been gone through."""
        # Of the files of a tar nobody knows how many there are, but how far the tar has been gone through.
        under_way = (content for content in (self._current, self._tar) if content is not None)
        return self._done + max((content.at for content in under_way), default=0)

    def __iter__(self) -> Iterator[Step]:
        self.size = sum(_size_of(source) for source in self._sources)
        for source in self._sources:
            allowance = Allowance(self._limits)
            try:
                if isinstance(source, Path) and source.is_dir():
                    yield from self._through_folder(source, allowance)
                    continue
                content = content_of(source)
                self.size += content.extent - _size_of(source)
            except InputError as error:
                yield Unopened(str(source), error, size=_size_of(source))
                self._finish(1, _size_of(source))
                continue
            yield from self._through(content, allowance, within="", depth=0)

    def _through_folder(self, folder: Path, allowance: Allowance) -> Iterator[Step]:
        # Of `.` and `..` the name is asked for, which sessions are told by.
        short = folder.name if folder.name not in ("", "..") else folder.resolve().name
        archive = FolderArchive(folder, allowance, name=str(folder), short=short)
        yield from (LeftOut(f"{folder}/{name}", why) for name, why in archive.left_out)
        self._enter(archive, 1, 0)
        yield from self._through_archive(
            archive, str(folder), short, allowance, lies_at=folder, within="", depth=0
        )

    def _through(self, content: Content, allowance: Allowance, *, within: str, depth: int) -> Iterator[Step]:
        """Go through contents that may be a container."""
        extent = content.extent
        try:
            allowance.check_depth(depth, content.name)
            plain = unpacked(content, allowance)
            packing = packing_in(plain)
            archive = self._zip_in(plain, allowance) if packing == "zip" else None
        except InputError as error:
            content.close()
            yield Unopened(content.name, error, within, extent)
            self._finish(1, extent)
            return
        if archive is not None:
            yield from (LeftOut(f"{content.name}/{name}", LINK) for name in archive.links)
            self._enter(archive, 1, extent)
            try:
                yield from self._through_archive(
                    archive,
                    content.name,
                    content.short,
                    allowance,
                    lies_at=content.lies_at,
                    within=within,
                    depth=depth,
                )
            finally:
                archive.close()
        elif packing == "tar":
            yield from self._through_tar(plain, allowance, depth)
            self._finish(1, extent)
        else:
            yield from self._give(plain, within)
            self._finish(1, extent)
        plain.close()

    def _zip_in(self, content: Content, allowance: Allowance) -> ZipArchive:
        """Open a zip. Raises FormatError where it is damaged or too large."""
        # Loaded here: few files are zips.
        from turnwise.conversations.containers.archives import ZipArchive

        file = kept(content) if isinstance(content, StreamedContent) else content
        try:
            return ZipArchive(file, allowance)
        except BaseException:
            file.close()
            raise

    def _give(self, content: Content, within: str) -> Iterator[FoundContent]:
        self._current = content
        yield FoundContent(content, within)

    def _through_archive(
        self,
        archive: Archive,
        name: str,
        short: str,
        allowance: Allowance,
        *,
        lies_at: Path | None,
        within: str,
        depth: int,
    ) -> Iterator[Step]:
        from turnwise.conversations.containers.archives import ArchiveContent, ArchivePart

        claimed = list(self._claimed(archive.names))
        for part in claimed:
            below = ArchivePart(archive, part)
            folder = part.rstrip("/")
            whole = ArchiveContent(
                below,
                name=f"{name}/{folder}" if folder else name,
                short=f"{short}/{folder}" if folder else short,
                lies_at=lies_at / folder if lies_at is not None else None,
            )
            yield from self._give(whole, name if folder else within)
            self._finish(len(below.names), whole.extent)
        prefixes = tuple(claimed)
        for file in sorted(one for one in archive.names if not one.startswith(prefixes or "\0")):
            if is_hidden(file):
                yield LeftOut(f"{name}/{file}", HIDDEN)
                self._finish(1, archive.size(file))
                continue
            try:
                content = archive.content(file)
            except InputError as error:
                yield Unopened(f"{name}/{file}", error, name, archive.size(file))
                self._finish(1, archive.size(file))
                continue
            yield from self._through(content, allowance, within=name, depth=depth + 1)

    def _claimed(self, names: Sequence[str]) -> Iterator[str]:
        """Yield the folders, the outermost first, whose files are one file of a format."""
        ordered = sorted(names)
        folders = {name[: at + 1] for name in ordered for at, letter in enumerate(name) if letter == "/"}
        found: list[str] = []
        for folder in sorted(("", *folders)):
            if folder.startswith(tuple(found) or "\0"):
                continue
            # All names of a folder stand together; those of many folders are not held at once.
            first, last = bisect_left(ordered, folder), bisect_left(ordered, f"{folder}{_LAST}")
            if self._claims([name[len(folder) :] for name in ordered[first:last]]):
                found.append(folder)
                yield folder

    def _through_tar(self, content: Content, allowance: Allowance, depth: int) -> Iterator[Step]:
        # Loaded here: few files are tars.
        from turnwise.conversations.containers.tars import files_of_tar

        left_out: list[tuple[str, str]] = []
        self._tar = content
        try:
            for file in files_of_tar(content, allowance, left_out):
                self.files += 1
                yield from self._through(file, allowance, within=content.name, depth=depth + 1)
                file.close()
        except InputError as error:
            yield Unopened(content.name, error, content.name)
        finally:
            self._tar = None
        yield from (LeftOut(f"{content.name}/{name}", why) for name, why in left_out)

    def _enter(self, archive: Archive, files: int, size: int) -> None:
        """Count an archive's files in the place of the one that it is."""
        self.files += len(archive.names) - files
        self.size += sum(map(archive.size, archive.names)) - size

    def _finish(self, files: int, size: int) -> None:
        self._current = None
        self.files_done += files
        self._done += size


def _size_of(source: Path | BinaryIO) -> int:
    try:
        return source.stat().st_size if isinstance(source, Path) and source.is_file() else 0
    except (OSError, ValueError):
        return 0
