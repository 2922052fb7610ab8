"""FileSearch: the files that an eval file names, looked for as AgentV does, and never outside its root."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from turnwise.conversations.files.folders import LARGEST_FILE, Folder, problem, read_text
from turnwise.conversations.files.git_files import GitFiles, git_file

_MOST_BROUGHT = 256_000_000
_SCHEME = "file://"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """What a name led to. shown: the name for messages and prompts. reason: why there is no path."""

    shown: str
    path: Path | None = None
    reason: str = ""


@dataclass(slots=True)
class FileTexts:
    """What the files of one eval file hold, each read once, with a limit to all text that cases are made of.

    The limit counts a text once for every case that uses it, because a file may be named by any number of
    cases.
    """

    _texts: dict[Path, str] = field(default_factory=dict)
    _brought: int = 0

    def text(self, path: Path, place: str) -> str:
        """Return the text of a file with line feeds as line ends. Raises FormatError where it is no text."""
        if path not in self._texts:
            _check_size(path, place)
            self._texts[path] = read_text(path, place).replace("\r\n", "\n")
        self.count(len(self._texts[path]), place)
        return self._texts[path]

    def data(self, path: Path, place: str) -> bytes:
        """Return the bytes of a file. Raises FormatError where they cannot be read."""
        _check_size(path, place)
        try:
            found = path.read_bytes()
        except OSError as error:
            raise problem(place, f"{path.name} cannot be read: {error.strerror or error}", "") from None
        self.count(len(found), place)
        return found

    def count(self, size: int, place: str) -> None:
        """Add to the characters that all cases hold. Raises FormatError where they are too many for
        memory.
        """
        if self._brought + size > _MOST_BROUGHT:
            raise problem(place, f"the cases hold over {_MOST_BROUGHT:,} characters", "Split the file.")
        self._brought += size


@dataclass(frozen=True, slots=True)
class FileSearch:
    """Finds files for one eval file.

    folder: the eval file's, with the border that no file may lie beyond. working: a folder that is searched
    last, as AgentV does with the one that a person stands in; None for none. strict_root: whether a name that
    begins with a slash starts at the border only. git: for files in public repositories; None where the
    network is not allowed. first: a folder that is searched before all others. texts: what the files hold.
    """

    folder: Folder
    working: Path | None
    strict_root: bool
    git: GitFiles | None
    first: Path | None = None
    texts: FileTexts = field(default_factory=FileTexts)

    def find(self, name: str, *, folders: bool = False) -> FoundFile:
        """Look for a file by its name or address. folders: whether a folder will do."""
        try:
            wanted = git_file(name)
        except ValueError as error:
            return FoundFile(name, reason=str(error))
        if wanted is not None:
            if self.git is None:
                return FoundFile(name, reason="it is on the network, and only --trust fetches it")
            try:
                return FoundFile(name, self.git.path(wanted))
            except ValueError as error:
                return FoundFile(name, reason=str(error))
        if name.startswith(("https://", "http://")):
            return FoundFile(name, reason="only files on GitHub, GitLab and Bitbucket are fetched")
        shown = name.removeprefix(_SCHEME).lstrip("/\\") or name
        outside = False
        for candidate in self._candidates(name.removeprefix(_SCHEME), shown):
            if not candidate.is_relative_to(self.folder.root):
                outside = True
            elif _exists(candidate, folders=folders):
                if candidate.resolve().is_relative_to(self.folder.root):
                    return FoundFile(shown, candidate)
                outside = True
        root = self.folder.root.name or str(self.folder.root)
        return FoundFile(
            shown, reason=f"there is no such file inside {root}" if outside else "it is not there"
        )

    def roots(self) -> list[Path]:
        """Return the folders that are searched, in order: the eval file's, its parents up to the border."""
        above = [parent for parent in self.folder.path.parents if parent.is_relative_to(self.folder.root)]
        return [*([self.first] if self.first else ()), self.folder.path, *above]

    def _candidates(self, name: str, shown: str) -> Iterator[Path]:
        if name.startswith("/"):
            yield _normal(Path(name))
            if self.strict_root:
                yield _normal(self.folder.root / shown)
                return
        roots = self.roots()
        if self.working is not None:
            working = self.working.resolve()
            if working.is_relative_to(self.folder.root) and working not in roots:
                roots.append(working)
        for root in roots:
            yield _normal(root / shown)


def _check_size(path: Path, place: str) -> None:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise problem(place, f"{path.name} cannot be read: {error.strerror or error}", "") from None
    if size > LARGEST_FILE:
        raise problem(place, f"expected a file under {LARGEST_FILE:,} bytes; got {path.name}", "")


def _normal(path: Path) -> Path:
    return Path(os.path.normpath(path))


def _exists(path: Path, *, folders: bool) -> bool:
    try:
        return path.is_file() or (folders and path.is_dir())
    except (OSError, ValueError):
        return False
