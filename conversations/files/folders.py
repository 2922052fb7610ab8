"""Folder: where a configuration's file names start from, and the border that none of them may cross."""

from __future__ import annotations

import glob
import json
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import FormatError

LARGEST_FILE = 256_000_000
"""Bytes; a larger file is none that a test would name."""
SCHEME = "file://"
CODE_SUFFIXES = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".py", ".rb", ".go", ".sh", ".exe", ".bat")
_PATTERN_MARKS = frozenset("*?[{")
_MOST_FILES = 10_000
_LONGEST_PATTERN = 1_000
_ANY_FOLDERS = re.compile(r"(?:\*\*/){2,}")
_OUTSIDE = "Move the file, or name a folder that holds both with --root."
_OF_HOME = (
    "The repository above it holds all of your home folder, which no file may open by itself. Move the file, "
    "or name a folder that holds both with --root."
)


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that file names are relative to.

    root: the folder that they may not leave. last_first: whether a pattern gives its files backwards, as
    promptfoo's does; otherwise they come in the order of their names. in_home: whether its repository would
    be all of the user's home folder, which is no border.
    """

    path: Path
    root: Path
    last_first: bool = False
    in_home: bool = False

    @classmethod
    def of(cls, config: Path, root: Path | None = None, *, last_first: bool = False) -> Folder:
        """Return the folder of a configuration, bordered by `root`, else its repository, else itself.

        A repository that holds the user's home folder, as one of settings does, is no border.
        """
        folder = config.resolve().parent
        border = root.resolve() if root else _repository(folder)
        in_home = root is None and holds_home(border)
        inside = folder.is_relative_to(border) and not in_home
        return cls(folder, border if inside else folder, last_first, in_home)

    def below(self, file: Path) -> Folder:
        """Return the folder that a file inside this one lies in, with the same border."""
        return replace(self, path=file.parent)

    def file(self, name: str, place: str) -> Path:
        """Return the file that a name means. Raises FormatError where it is not there or lies outside."""
        path = self._inside(name, place)
        try:
            is_file, size = path.is_file(), path.stat().st_size if path.exists() else 0
        except (OSError, ValueError):
            is_file, size = False, 0
        if not is_file:
            raise problem(place, f"expected a file that is there; got {name}", "Check the path.")
        if size > LARGEST_FILE:
            raise problem(place, f"expected a file under {LARGEST_FILE:,} bytes; got {name}", "Split it.")
        return path

    def matching(self, pattern: str, place: str) -> list[Path]:
        """Return the files that a name or pattern means; none where nothing matches."""
        bare = pattern.removeprefix(SCHEME)
        if not is_pattern(bare):
            path = self._inside(pattern, place)
            return [path] if _is_file(path) else []
        if len(bare) > _LONGEST_PATTERN:
            text = f"expected a pattern of at most {_LONGEST_PATTERN:,} characters; got {bare[:40]}…"
            raise problem(place, text, "Write a shorter pattern.")
        # Any number of folders, any number of times, is any number of folders.
        bare = _ANY_FOLDERS.sub("**/", bare)
        found: dict[Path, None] = {}
        try:
            for choice in _choices(bare):
                ours: set[Path] = set()
                whole = str(self._inside(choice, place, is_pattern=True))
                # Path.glob cannot begin at the root, where an absolute pattern does.
                for match in glob.iglob(whole, recursive=True):  # noqa: PTH207
                    path = Path(match).resolve()
                    if path.is_relative_to(self.root) and path.is_file():
                        ours.add(path)
                    if len(found) + len(ours) > _MOST_FILES:
                        raise problem(place, f"expected at most {_MOST_FILES:,} files; got {pattern}", "")
                if self.last_first:
                    # One choice of {a,b} after the other, and of each the folder before those in it.
                    in_turn = sorted(ours, reverse=True)
                    found |= dict.fromkeys(sorted(in_turn, key=lambda path: len(path.parts)))
                else:
                    found |= dict.fromkeys(ours)
        except (OSError, ValueError, RecursionError) as error:
            raise problem(place, f"expected a pattern of files; got {pattern}: {error}", "") from None
        return list(found) if self.last_first else sorted(found)

    def text(self, name: str, place: str) -> str:
        """Return the text of a file inside. Raises FormatError where it cannot be read as UTF-8."""
        return read_text(self.file(name, place), place)

    def _inside(self, name: str, place: str, *, is_pattern: bool = False) -> Path:
        bare = name.removeprefix(SCHEME)
        try:
            path = self.path / bare
            # A pattern's own part is resolved match by match.
            resolved = Path(_without_steps_up(path)) if is_pattern else path.resolve()
        except (OSError, ValueError, RuntimeError):
            raise problem(place, f"expected the name of a file; got {bare!r}", "Check the path.") from None
        if not resolved.is_relative_to(self.root):
            raise problem(
                place,
                f"expected a file inside {self.root.name or self.root}; got {bare}",
                _OF_HOME if self.in_home else _OUTSIDE,
            )
        return resolved


def holds_home(folder: Path) -> bool:
    """Whether a folder is the user's home folder, or holds it."""
    try:
        return Path.home().resolve().is_relative_to(folder)
    except (OSError, RuntimeError):
        # Nobody knows where that is, so the root of all folders alone can hold it for sure.
        return folder == Path(folder.anchor)


def problem(place: str, text: str, next_step: str) -> FormatError:
    """Return a FormatError that tells a person what is wrong at a place, and the next step."""
    return FormatError(
        f"{place.split(',')[0]} cannot be read as it stands",
        detail=f"{place}: {text}",
        next_step=next_step or "Correct the file.",
    )


def located(error: FormatError, place: str) -> FormatError:
    """Return the same error with the place where it happened before its detail."""
    return FormatError(error.title, detail=f"{place}: {error.detail}", next_step=error.next_step)


def without_place(error: FormatError) -> str:
    """Return what an error says, without the place before it."""
    return error.detail.partition(": ")[2] or error.title


def code_problem(place: str, what: str) -> FormatError:
    """Return the error for something that code makes, where no code is run because --trust is missing."""
    return FormatError(
        f"{place.split(',')[0]} needs code to run",
        detail=f"{place}: {what} is code, and code of a loaded file is not run without --trust",
        next_step="Read it first; --trust then runs it.",
    )


def no_code_here(place: str, what: str) -> FormatError:
    """Return the error for code at a place where turnwise never runs any, with --trust or without."""
    return FormatError(
        f"{place.split(',')[0]} names code where turnwise runs none",
        detail=f"{place}: {what} is code",
        next_step="Put what it makes into a file of data.",
    )


def read_text(path: Path, place: str) -> str:
    """Return the text of a file in UTF-8, without its byte order mark; line ends stay as they are."""
    try:
        if is_device(path):
            raise problem(place, f"{path.name} is a device, not a file", "Give a file.")
        return _bytes_of(path, place).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise problem(
            place, f"expected text in UTF-8; {path.name} has other bytes at {error.start}", ""
        ) from None
    except OSError as error:
        raise problem(place, f"{path.name} cannot be read: {error.strerror or error}", "") from None


def _bytes_of(path: Path, place: str) -> bytes:
    found, size = b"", path.stat().st_size
    if size <= LARGEST_FILE:
        with path.open("rb") as file:
            # A pipe has no size, and may have no end.
            found = file.read() if path.is_file() else file.read(LARGEST_FILE + 1)
    if max(size, len(found)) > LARGEST_FILE:
        raise problem(place, f"expected a file under {LARGEST_FILE:,} bytes; got {path.name}", "Split it.")
    return found


def is_device(path: Path) -> bool:
    """Whether a path leads to a device, such as /dev/zero; a terminal is none, as people type into it."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISBLK(mode):
            return True
        if not stat.S_ISCHR(mode):
            return False
        with path.open("rb") as file:
            return not file.isatty()
    except (OSError, ValueError):
        return False


def kind_of(value: Any) -> str:
    """Return words for a value as messages show what was given: an object, a list, the text "..."."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, str):
        return f"the text {json.dumps(value[:40], ensure_ascii=False)}"
    return "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else "a number"


def is_pattern(name: str) -> bool:
    """Whether a name is a glob pattern, which may mean several files."""
    return not _PATTERN_MARKS.isdisjoint(name)


def is_code(name: str) -> bool:
    """Whether a name is that of a program, with or without the name of a function after it."""
    lowered = name.lower()
    return any(lowered.endswith(suffix) or f"{suffix}:" in lowered for suffix in CODE_SUFFIXES)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _repository(folder: Path) -> Path:
    for parent in (folder, *folder.parents):
        if (parent / ".git").exists():
            return parent
    return folder


def _without_steps_up(path: Path) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and len(parts) > 1:
            parts.pop()
        else:
            parts.append(part)
    return str(Path(*parts))


def _choices(pattern: str) -> Sequence[str]:
    """Return the patterns that one with {a,b} stands for."""
    start = pattern.find("{")
    end = pattern.find("}", start)
    if start == -1 or end == -1:
        return [pattern]
    heads = [f"{pattern[:start]}{part}" for part in pattern[start + 1 : end].split(",")]
    return [head + tail for tail in _choices(pattern[end + 1 :]) for head in heads][:100]
