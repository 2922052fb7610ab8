"""Private files: what is kept is for its owner alone, folders and files alike."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

FOLDER_MODE = 0o700
FILE_MODE = 0o600
_OTHERS = 0o077
_NAME = "turnwise"


def make_private_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for their owner alone. Raises OSError.

    One that is there is left as it is: it may be shared on purpose.
    """
    missing = []
    for above in (folder, *folder.parents):
        if above.exists():
            break
        missing.append(above)
    for one in reversed(missing):
        one.mkdir(mode=FOLDER_MODE, exist_ok=True)


def make_private_file(path: Path) -> None:
    """Make an empty file for its owner alone, in a folder made as needed. Raises OSError.

    A file that is there and holds nothing yet becomes private too.
    """
    if not path.exists():
        make_private_folder(path.parent)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, FILE_MODE))
        return
    status = path.stat()
    if stat.S_ISREG(status.st_mode) and not status.st_size:
        close_to_others(path)


def close_to_others(path: Path) -> None:
    """Take the rights of others away from a file or folder, where it is ours."""
    # Another's file is another's to close.
    with suppress(OSError):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & _OTHERS:
            path.chmod(mode & ~_OTHERS)


def data_folder() -> Path:
    """Return the user's data folder for turnwise, which may not be there yet."""
    # Whoever names another place does without it.
    from platformdirs import user_data_path

    return user_data_path(_NAME)


def close_data_folder(folder: Path) -> None:
    """Take the rights of others away from a folder where it is the data folder; any other may be shared."""
    if folder.name == _NAME and folder == data_folder():
        close_to_others(folder)


def lock_file(file: BinaryIO) -> bool:
    """Lock an open file until it is closed; return whether nobody else holds it. It never waits.

    Raises OSError where files cannot be locked.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
