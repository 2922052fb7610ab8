"""Contents: bytes that can be read from their start many times, wherever they lie."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, cast

from turnwise.conversations.containers.limits import Allowance, Limits
from turnwise.conversations.containers.packings import (
    Packing,
    Unpacked,
    Unpacking,
    buffered,
    packing_of,
)
from turnwise.conversations.errors import FormatError, NotFoundError
from turnwise.conversations.files import is_device

if TYPE_CHECKING:
    from turnwise.conversations.containers.workbooks import WorkbookPage

LARGEST_STREAM = 4_000_000_000
"""Bytes that are kept of what can be read only once; more is no file, but something without an end."""
SIZE_KNOWN = 8_000_000
"""Bytes; of what is packed nobody asks how much more it is."""
_KEPT_IN_MEMORY = 8_000_000
_SMALL = 1_000_000
"""Bytes of what is packed that are kept, as a file is opened several times to tell what it is."""
_HEAD = 512
_NEEDS_PLACES = b"PAR1"
"""How Parquet begins, which is read from its end."""
_BOOKS = (".xlsx", ".xlsm")


class Content(Protocol):
    """Bytes that can be read from their start many times."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def short(self) -> str:
        """What lists of sessions call it."""

    @property
    def suffix(self) -> str:
        """The end of its name, in lower case with its dot; empty where it has none."""

    @property
    def extent(self) -> int:
        """How many bytes there are to go through for it, where it lies."""

    @property
    def size(self) -> int:
        """How many bytes it has; of what is packed, at least so many and exact below SIZE_KNOWN."""

    @property
    def at(self) -> int:
        """How far in its extent the newest reading has come."""

    @property
    def lies_at(self) -> Path | None:
        """The file on disk that it is, or its place in one as if that were a folder; None for a stream."""

    def open(self) -> BinaryIO:
        """Return the bytes from their start; the caller closes it. Raises FormatError."""

    def close(self) -> None:
        """Let go of what is kept."""


def unreadable(name: str, error: OSError) -> FormatError:
    """Word a failure of the system for a person."""
    return FormatError(
        f"{name} cannot be read",
        detail=f"The system says: {error.strerror or error}.",
        next_step="Give a file that you may read.",
    )


class FileContent:
    """A file on disk. sheet: which page of it is meant, where it is a workbook; empty for the first."""

    def __init__(
        self, path: Path, *, name: str | None = None, short: str | None = None, sheet: str = ""
    ) -> None:
        """Raise NotFoundError where there is no such file, FormatError where it cannot be read."""
        self.path = self.lies_at = path
        self.sheet = sheet
        self.name = str(path) if name is None else name
        self.short = path.name if short is None else short
        self.suffix = path.suffix.lower()
        self._newest: BinaryIO | None = None
        self._reached = 0
        try:
            with path.open("rb"):
                self.size = self.extent = path.stat().st_size
        except (FileNotFoundError, ValueError):
            raise NotFoundError(f"There is no file {self.name}", next_step="Check the path.") from None
        except OSError as error:
            raise unreadable(self.name, error) from None

    @property
    def at(self) -> int:
        """How far in the file the newest reading has come."""
        # A file is closed and opened several times to tell what it is, before it is read.
        if self._newest is not None and not self._newest.closed:
            self._reached = max(self._reached, self._newest.tell())
        return self._reached

    def open(self) -> BinaryIO:
        """Return the bytes from their start; the caller closes it."""
        self._newest = self.path.open("rb")
        return self._newest

    def close(self) -> None:
        """Do nothing: nothing is kept."""


class KeptContent:
    """A stream that can be read only once, kept in memory while small, else in a file without a name."""

    def __init__(
        self,
        stream: BinaryIO,
        *,
        name: str,
        short: str,
        suffix: str = "",
        extent: int | None = None,
        lies_at: Path | None = None,
    ) -> None:
        """Read all of a stream. Raises FormatError where it has no end, or cannot be read."""
        self.lies_at = lies_at
        self.name = name
        self.short = short
        self.suffix = suffix
        self._kept = cast("BinaryIO", tempfile.SpooledTemporaryFile(max_size=_KEPT_IN_MEMORY))  # noqa: SIM115
        self.size = 0
        try:
            while piece := stream.read(1 << 20):
                self.size += len(piece)
                if self.size > LARGEST_STREAM:
                    raise FormatError(
                        f"{name} cannot be read",
                        detail=f"{name}: it has more than {LARGEST_STREAM:,} bytes, and comes only once",
                        next_step="Write it to a file, and give that.",
                    )
                self._kept.write(piece)
        except OSError as error:
            self._kept.close()
            raise unreadable(name, error) from None
        except BaseException:
            self._kept.close()
            raise
        self.extent = self.size if extent is None else extent

    @property
    def at(self) -> int:
        """How far the newest reading has come."""
        return min(self._kept.tell(), self.extent) if not self._kept.closed else self.extent

    def open(self) -> BinaryIO:
        """Return the bytes from their start."""
        file = cast("BinaryIO", _Unclosed(self._kept))
        file.seek(0)
        return file

    def close(self) -> None:
        """Let go of the copy."""
        self._kept.close()


class SheetContent(KeptContent):
    """A page of a workbook as CSV.

    remarks: what a person should know of how it was read.
    """

    def __init__(self, book: Content, page: WorkbookPage) -> None:
        super().__init__(
            page.table,
            name=book.name,
            short=book.short,
            suffix=".csv",
            extent=book.extent,
            lies_at=book.lies_at,
        )
        self.remarks = page.remarks


class _Unclosed:
    """A stream whose close() does nothing, so that the next reader can start at its beginning."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __iter__(self) -> Any:
        return iter(self._stream)

    def __enter__(self) -> _Unclosed:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def close(self) -> None:
        pass


class StreamedContent:
    """Bytes that come out of something as a stream, opened anew each time."""

    def __init__(
        self,
        reopen: Callable[[int], Unpacked],
        *,
        name: str,
        short: str,
        suffix: str,
        extent: int,
        below: Content | None = None,
        lies_at: Path | None = None,
    ) -> None:
        """Take what opens it: a function of how many bytes of it were counted against the limits already.

        below: the contents that it comes out of, whose extent is gone through, and which are closed with it.
        """
        self.lies_at = lies_at
        self.name = name
        self.short = short
        self.suffix = suffix
        self.extent = extent
        self._reopen = reopen
        self._newest: Unpacked | None = None
        self._counted = 0
        self._below = below

    @cached_property
    def _small(self) -> bytes | None:
        with buffered(self._raw()) as file:
            read = file.read(_SMALL + 1)
        return read if len(read) <= _SMALL else None

    @cached_property
    def size(self) -> int:
        """How many bytes it has, at least; exact below SIZE_KNOWN."""
        if self._small is not None:
            return len(self._small)
        with buffered(self._raw()) as file:
            left = SIZE_KNOWN
            while left > 0 and (piece := file.read(min(left, 1 << 17))):
                left -= len(piece)
        return SIZE_KNOWN - left

    @property
    def at(self) -> int:
        """How far the newest reading has come."""
        if self._newest is None:
            return 0
        return min(self._below.at if self._below else self._newest.reached, self.extent)

    def open(self) -> BinaryIO:
        """Return the bytes from their start; the caller closes it."""
        if self._small is not None:
            return io.BytesIO(self._small)
        return buffered(self._raw())

    def close(self) -> None:
        """Let go of what is kept of it."""
        self.__dict__.pop("_small", None)
        if self._below is not None:
            self._below.close()

    def _raw(self) -> Unpacked:
        if self._newest is not None:
            self._counted = max(self._counted, self._newest.reached)
        self._newest = self._reopen(self._counted)
        return self._newest


def content_of(source: Path | BinaryIO) -> FileContent | KeptContent:
    """Return a file or a stream as contents.

    Raises NotFoundError where there is no such file, FormatError where it cannot be read.
    """
    if not isinstance(source, Path):
        return KeptContent(source, name="standard input", short="standard input")
    try:
        if is_device(source):
            # Some give bytes without end, and a terminal is typed into.
            raise FormatError(
                f"{source} is a device, not a file",
                next_step="Give a file, a pipe, or - for standard input.",
            )
        # A pipe can be read only once, so it is kept like a stream.
        if not source.is_file() and not source.is_dir() and source.exists():
            with source.open("rb") as file:
                return KeptContent(file, name=str(source), short=source.name, suffix=source.suffix.lower())
    except ValueError:
        raise NotFoundError(f"There is no file {source}", next_step="Check the path.") from None
    except OSError as error:
        raise unreadable(str(source), error) from None
    if (page := page_named(source)) is not None:
        book, sheet = page
        return FileContent(book, name=str(source), short=source.name, sheet=sheet)
    return FileContent(source)


def place_in(content: Content, name: str) -> Path | None:
    """Return where a file in a container lies, by its name there; None where that came as a stream."""
    return None if content.lies_at is None else content.lies_at / name.lstrip("/")


def page_named(path: Path) -> tuple[Path, str] | None:
    """Return the workbook and its page that a path such as book.xlsx#Chats names; None for another path."""
    name, mark, sheet = path.name.rpartition("#")
    if not (mark and name.lower().endswith(_BOOKS)) or path.exists() or not path.with_name(name).is_file():
        return None
    return path.with_name(name), sheet


def packing_in(content: Content) -> Packing | None:
    """Return how contents are packed; None where they are not. Raises FormatError."""
    return packing_of(head_of(content))


def head_of(content: Content) -> bytes:
    """Return the first bytes of contents. Raises FormatError where they cannot be read."""
    try:
        with content.open() as file:
            return file.read(_HEAD)
    except OSError as error:
        # Some files open and cannot be read, such as the memory of a process.
        raise unreadable(content.name, error) from None


def unpacked(content: Content, allowance: Allowance) -> Content:
    """Return contents as they are without gzip, zstd, bzip2 or xz around them, and as they can be read.

    Raises FormatError where they are packed once more and again, or damaged.
    """
    depth = 0
    while (packing := packing_in(content)) in ("gzip", "zstd", "bzip2", "xz"):
        depth += 1
        allowance.check_depth(depth, content.name)
        content = _without(content, packing, allowance)
    head = head_of(content)
    if isinstance(content, StreamedContent) and head.startswith(_NEEDS_PLACES):
        copy = kept(content)
        content.close()
        return copy
    return _of_workbook(content, head)


def _of_workbook(content: Content, head: bytes) -> Content:
    """Return the page of a workbook that was asked for; other contents as they are. Raises FormatError."""
    if not head.startswith(b"PK"):
        return content
    # Loaded here: few files are workbooks.
    from turnwise.conversations.containers.workbooks import is_workbook, may_be_workbook, page_of

    if not may_be_workbook(head):
        return content
    places = kept(content) if isinstance(content, StreamedContent) else content
    try:
        with places.open() as file:
            if not is_workbook(file):
                return content
            page = page_of(file, getattr(content, "sheet", ""), name=content.short, place=content.name)
    finally:
        if places is not content:
            places.close()
    content.close()
    return SheetContent(content, page)


def plain_content(source: Path | BinaryIO | Content, limits: Limits) -> Content:
    """Return a file, a stream or contents without what packs them."""
    # Streams are of many classes.
    is_content = not isinstance(source, Path) and hasattr(source, "extent")
    content = cast("Content", source) if is_content else content_of(cast("Path | BinaryIO", source))
    try:
        return unpacked(content, Allowance(limits))
    except BaseException:
        content.close()
        raise


def kept(content: Content) -> KeptContent:
    """Return contents in a copy of which any place can be read."""
    with content.open() as stream:
        return KeptContent(
            stream,
            name=content.name,
            short=content.short,
            suffix=content.suffix,
            extent=content.extent,
            lies_at=content.lies_at,
        )


def _without(content: Content, packing: Packing, allowance: Allowance) -> StreamedContent:
    def reopen(counted: int) -> Unpacked:
        return Unpacked(
            Unpacking(content.open(), packing),
            content.name,
            packed=lambda: content.at,
            allowance=allowance,
            counted=counted,
        )

    inner = PurePosixPath(content.name).with_suffix("") if content.suffix else PurePosixPath(content.name)
    return StreamedContent(
        reopen,
        name=content.name,
        short=content.short,
        suffix=inner.suffix.lower(),
        extent=content.extent,
        below=content,
        lies_at=content.lies_at,
    )
