"""Writing a file whole: it appears under its name when all of it is written, or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from turnwise.conversations.errors import InputError, TurnwiseError


@contextmanager
def whole_file(path: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """Open a file that takes its name when the block ends well; else nothing is left of it.

    force: take the place of a file that is there. Raises InputError where there is one, or where the place
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
    part = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
    out = _opened(part, path)
    try:
        with _told(path):
            with out:
                yield out
                out.flush()
                os.fsync(out.fileno())
            _check_free(path, force=force)
            part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _opened(part: Path, path: Path) -> BinaryIO:
    try:
        return part.open("xb")
    except OSError as error:
        raise InputError(
            f"{path} cannot be written",
            detail=f"The system says: {error.strerror or error}.",
            next_step="Name a file in a folder that is there and that you may write to.",
        ) from None


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
