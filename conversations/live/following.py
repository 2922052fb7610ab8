"""Follower: takes in what programs write to files, round by round, until nobody asks for another.

Files are looked at again and again instead of asking the system to tell of changes: that works on every
disk, also one over a network, and looking at 5,000 files takes some hundredths of a second.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from turnwise.conversations.containers import Content
from turnwise.conversations.errors import (
    FormatError,
    InputError,
    NoConversationsError,
    NotFoundError,
    StoreBusyError,
)
from turnwise.conversations.formats import FORMATS, FilePart, Names
from turnwise.conversations.gathering import Gathering, Told
from turnwise.conversations.importing import ImportReport, import_file
from turnwise.conversations.live.followed_file import (
    SECONDS_AT_REST,
    FollowedFile,
    Identity,
    identity_of,
)
from turnwise.conversations.store import Store, file_source

MOST_FILES = 100_000
_ENDINGS_LEFT_OUT = ("~", ".tmp", ".swp", ".part", ".lock", "-wal", "-shm", "-journal")
_MOST_REMEMBERED = 100
_TIMES_AS_LONG = 5
"""A file that took long to read is left alone for so many times as long."""
_ALONE = {known.name for known in FORMATS if known.lines_stand_alone}


@dataclass(frozen=True, slots=True)
class FollowOptions:
    """How files are read, as `import_file` takes it."""

    format: str | None = None
    messages_key: str | None = None
    mapping: Names = field(default_factory=dict)
    assistant: Sequence[str] = ()
    split_after: float | None = None
    role: str | None = None
    role_from_system: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one file that has changed.

    report: what came in. error: why the file could not be read, as a whole. rejected: why records could not,
    where that was not said before. left: it is in no format, and was found in a folder. gone: it was deleted.
    """

    path: Path
    report: ImportReport = field(default_factory=ImportReport)
    error: InputError | None = None
    rejected: Sequence[FormatError] = ()
    left: bool = False
    gone: bool = False


class _StoppedError(Exception):
    """Reading was broken off because somebody asked for it."""


class Follower:
    """The files that are followed, and what is known of each.

    paths: files and folders. stopping: asked while a file is read; once it says so the reading ends, and
    nothing of that file is kept: the next follower reads it again. Raises NotFoundError where neither a path
    nor the folder that it would be in is there.
    """

    def __init__(
        self,
        store: Store,
        paths: Sequence[Path],
        options: FollowOptions,
        *,
        stopping: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        for path in paths:
            if not path.exists() and not path.absolute().parent.is_dir():
                raise NotFoundError(f"There is no file or folder {path}", next_step="Check the path.")
        self._store = store
        self._paths = [path.absolute() for path in paths]
        self._options = options
        self._stopping = stopping
        self._clock = clock
        self._wall_clock = wall_clock
        self._files: dict[Identity, FollowedFile] = {}

    @property
    def files(self) -> int:
        """How many files are followed."""
        return len(self._files)

    @property
    def missing(self) -> list[Path]:
        """The paths that are not there yet."""
        return [path for path in self._paths if not path.exists()]

    @property
    def unfinished(self) -> list[Path]:
        """The files of which something is not read, because it is not whole."""
        return sorted(
            file.path for file in self._files.values() if not file.unread and file.read_to < file.seen[0]
        )

    @property
    def left_alone(self) -> list[Path]:
        """The files that cannot be read."""
        return sorted(file.path for file in self._files.values() if file.unread)

    def look(self) -> Iterator[Taken]:
        """Go round once: yield what became of every file that has changed.

        Ends early where it was stopped. Raises StoreError where what came in cannot be kept.
        """
        found = self._found()
        yield from self._settle(found)
        for path, status in found:
            if self._stopping():
                return
            file = self._files[identity_of(status)]
            now = self._clock()
            size_and_time = (status.st_size, status.st_mtime_ns)
            if size_and_time != file.seen:
                first = file.seen == (-1, -1)
                file.seen, file.is_due = size_and_time, True
                age = self._wall_clock() - status.st_mtime
                file.changed = now - max(0.0, age) if first else now
            at_rest = now - file.changed >= SECONDS_AT_REST
            if not (file.is_due or (file.waits and at_rest)) or now < file.next_look:
                continue
            file.is_due = False
            taken = self._take(file, path, status.st_size, at_rest=at_rest)
            if taken is not None:
                yield taken

    def _take(self, file: FollowedFile, path: Path, size: int, *, at_rest: bool) -> Taken | None:
        """Read what is new in a file, and return what is worth telling."""
        began = self._clock()
        try:
            part = file.next_part(size, at_rest=at_rest)
            # What was read is read again only where it changed, or where its errors are still to be told.
            again = part is not None and part.end == file.read_to < size and file.goes_on(size)
            if part is None or (again and not file.failed):
                # Nothing more is whole; it is looked at once more when it is at rest.
                file.waits = not at_rest
                return None
            report = self._import(file, part)
        except OSError:
            # It was taken away, or is not for us to read, since it was listed.
            file.waits = not at_rest
            return None
        except _StoppedError:
            return None
        except StoreBusyError:
            if self._stopping():
                return None
            raise
        except InputError as error:
            return self._not_read(file, path, error, at_rest=at_rest)
        file.was_read(part)
        file.unread = ""
        if report.sessions:
            file.format, file.stands_alone = report.format, report.by_lines and report.format in _ALONE
        file.failed = bool(report.failed)
        file.waits = (part.end < size or file.failed) and not at_rest
        took = self._clock() - began
        file.next_look = self._clock() + _TIMES_AS_LONG * took if took > 0.2 else 0.0
        rejected: list[FormatError] = []
        if at_rest or file.stands_alone:
            # A conversation that is being written may be whole a moment later.
            rejected = [one for one in report.rejected if one.detail not in file.told]
            file.told.update(one.detail for one in rejected)
        if report.imported or report.grown or report.updated or rejected:
            return Taken(path, report, rejected=rejected)
        return None

    def _not_read(self, file: FollowedFile, path: Path, error: InputError, *, at_rest: bool) -> Taken | None:
        file.waits = not at_rest
        if not at_rest:
            return None
        new = file.unread != error.detail
        file.unread = error.detail or error.title
        left = path not in self._paths and isinstance(error, NoConversationsError)
        return Taken(path, error=error, left=left) if new else None

    def _import(self, file: FollowedFile, part: FilePart) -> ImportReport:
        if file.is_packed():
            gathering = Gathering([file.path])
            packed = gathering.run(
                lambda content, tell: self._import_one(content, f"{file.source}: {content.name}", tell)
            )
            if packed.unread and not packed.total.sessions:
                raise packed.unread[0]
            return packed.total
        # What is added to a log are other conversations, not more of the earlier ones.
        report = self._import_one(
            part, "" if part.start else file.source, format=file.format if part.start else None
        )
        if part.start and len(report.sessions) <= _MOST_REMEMBERED:
            # The file may be written anew as a whole, and hold more of them then.
            self._store.growing.note(file.source, report.sessions)
        return report

    def _import_one(
        self,
        content: Content,
        followed: str,
        tell: Told = lambda report: None,
        *,
        format: str | None = None,  # noqa: A002
    ) -> ImportReport:
        def go_on(report: ImportReport) -> None:
            tell(report)
            if self._stopping():
                raise _StoppedError

        options = self._options
        return import_file(
            self._store,
            content,
            format=format or options.format,
            messages_key=options.messages_key,
            mapping=options.mapping,
            assistant=options.assistant,
            split_after=options.split_after,
            role=options.role,
            role_from_system=options.role_from_system,
            followed=followed,
            on_progress=go_on,
        )

    # Which files there are

    def _settle(self, found: Sequence[tuple[Path, os.stat_result]]) -> Iterator[Taken]:
        """Tell which files are new, were renamed, were replaced or are gone."""
        here = {identity_of(status) for _, status in found}
        by_path = {file.path: identity for identity, file in self._files.items()}
        for path, status in found:
            identity = identity_of(status)
            known = self._files.get(identity)
            if known is not None and known.path == path:
                continue
            if known is not None and known.is_now(path, status.st_size):
                # Renamed, as logs are when a new one begins; the new one gives other conversations.
                self._store.growing.rename(known.source, file_source(path))
                known.path, known.source = path, file_source(path)
                continue
            before = by_path.get(path)
            if before is not None and before not in here and before in self._files:
                # Written anew under the same name, as many programs do to never leave half a file.
                file = self._files.pop(before)
                file.identity, file.seen = identity, (-1, -1)
                self._files[identity] = file
                continue
            self._files[identity] = FollowedFile(path, file_source(path), identity)
        for identity, file in list(self._files.items()):
            if identity not in here:
                del self._files[identity]
                yield Taken(file.path, gone=True)

    def _found(self) -> list[tuple[Path, os.stat_result]]:
        """Return the files that there are, each once, the one that changed first before the others."""
        found: dict[Identity, tuple[Path, os.stat_result]] = {}
        for root in self._paths:
            for path in self._listed(root):
                try:
                    status = path.stat()
                except OSError:
                    continue
                if stat.S_ISREG(status.st_mode):
                    found.setdefault(identity_of(status), (path, status))
        return sorted(found.values(), key=lambda one: (one[1].st_mtime_ns, str(one[0])))

    def _listed(self, root: Path) -> Iterator[Path]:
        if not root.is_dir():
            yield root
            yield from self._renamed(root)
            return
        count = 0
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                if self._is_wanted(folder, name):
                    count += 1
                    if count > MOST_FILES:
                        return
                    yield Path(folder, name)

    def _renamed(self, path: Path) -> Iterator[Path]:
        """Yield the files that a followed one became when it was renamed: more may be written to them."""
        known = {file.identity for file in self._files.values()}
        if not known:
            return
        with os.scandir(path.parent) as entries:
            for entry in entries:
                if entry.name.startswith(path.name) and entry.name != path.name:
                    status = entry.stat()
                    if identity_of(status) in known:
                        yield Path(entry.path)

    def _is_wanted(self, folder: str, name: str) -> bool:
        if name.startswith(".") or name.endswith(_ENDINGS_LEFT_OUT):
            return False
        # Our own database, and the files beside it, would be read for ever.
        own = self._store.path.absolute()
        return not (name.startswith(own.name) and Path(folder) == own.parent)
