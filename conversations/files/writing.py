"""Writing a file whole: it appears under its name when all of it is written, or not at all.

Until then it stands beside, for its owner alone and locked by whoever writes it. What a killed program left
there has no such lock, and is taken away when the next file is written into that folder.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from turnwise.conversations.errors import InputError, TurnwiseError
from turnwise.conversations.private_files import FILE_MODE, lock_file

_PART = re.compile(r"\..+\.[0-9a-f]{8}\.part")


@contextmanager
def whole_file(path: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """Open a file that takes its name when the block ends well; else nothing is left of it.

    A new file is for its owner alone; one that is written over keeps its mode. force: take the place of a
    file that is there. Raises InputError where there is one, or where the place
    cannot be written to, and TurnwiseError where writing fails later.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        # A device or a pipe cannot be replaced, and is there to be written to.
        with _told(path), path.open("wb") as stream:
            yield stream
        return
    _check_free(path, force=force)
    # The file itself is replaced, not a link to it.
    target = path.resolve()
    _sweep(target.parent)
    part, out = _opened(target, path)
    try:
        with _told(path):
            with out:
                yield out
                out.flush()
                os.fsync(out.fileno())
            _check_free(path, force=force)
            with suppress(FileNotFoundError):
                part.chmod(stat.S_IMODE(target.stat().st_mode))
            part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _opened(target: Path, path: Path) -> tuple[Path, BinaryIO]:
    try:
        while True:
            part = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
            out = os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE), "wb")
            # Before it was locked, another program may have taken it for one that was left behind.
            if _is_ours(out) and part.exists():
                return part, out
            out.close()
    except OSError as error:
        raise InputError(
            f"{path} cannot be written",
            detail=f"The system says: {error.strerror or error}.",
            next_step="Name a file in a folder that is there and that you may write to.",
        ) from None


def _is_ours(out: BinaryIO) -> bool:
    try:
        return lock_file(out)
    except OSError:
        # Where nothing can be locked, nothing is taken away either.
        return True


def _sweep(folder: Path) -> None:
    """Take away what killed programs left half written in a folder."""
    with suppress(OSError):
        for entry in os.scandir(folder):
            if _PART.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                # One that is being written is locked, and another's cannot be opened.
                with suppress(OSError), open(entry.path, "ab") as left:  # noqa: PTH123 - of a scan
                    if lock_file(left):
                        Path(entry.path).unlink()


def _check_free(path: Path, *, force: bool) -> None:
    if path.is_dir():
        raise InputError(f"{path} is a folder", next_step="Name a file in it.")
    if not force and path.exists():
        raise InputError(
            f"There is a file {path} already", next_step="Give another name, or --force to write over it."
        )


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn a failure of the system into a TurnwiseError. BrokenPipeError passes, for the caller to handle."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise TurnwiseError(
            f"{path} could not be written",
            detail=f"The system says: {error.strerror or error}.",
            next_step="Make room, or name a file elsewhere. What was there before is as it was.",
        ) from None
