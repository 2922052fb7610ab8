"""What code is made of, as far as it can be seen: files that trust covers, and what cannot be looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

MOST_FILES = 2_000
MOST_BYTES = 200_000_000


@dataclass(slots=True)
class Seen:
    """The files that code is made of, by their paths, and why that is not all of it.

    hidden: empty where all of it was seen. A file is taken in once.
    """

    files: dict[Path, bytes] = field(default_factory=dict)
    hidden: str = ""

    def take(self, path: Path) -> bytes | None:
        """Take a file in; None where there is none to be read, or where it was taken in before."""
        try:
            path = path.resolve()
            if path in self.files or not path.is_file():
                return None
            if len(self.files) >= MOST_FILES or self.size + path.stat().st_size > MOST_BYTES:
                self.hide("it is made of too many files, or too large ones")
                return None
            content = path.read_bytes()
        except (OSError, ValueError, RuntimeError):
            return None
        self.files[path] = content
        return content

    def hide(self, why: str) -> None:
        """Note that not all can be seen; the first reason is told."""
        self.hidden = self.hidden or why

    @property
    def size(self) -> int:
        """The bytes of all files together."""
        return sum(map(len, self.files.values()))

    def contents(self) -> list[bytes]:
        """Return all that was seen, in an order of its own: paths, each with what stands there."""
        return [part for path in sorted(self.files) for part in (str(path).encode(), self.files[path])]
