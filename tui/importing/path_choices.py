"""Path choices: folders and importable files that a path that is being typed may mean."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from turnwise.tui.drawing.wrapping import shared_start

PACKED = frozenset({".zip", ".gz", ".tgz", ".zst", ".bz2", ".xz", ".tar"})
SUFFIXES = PACKED | frozenset(
    {".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".xlsx", ".parquet", ".eml", ".eval", ".mbox"}
    | {".srt", ".vtt"}
)
TEXTS = frozenset({".txt", ".md", ".log"})
"""Ends of files that may be transcripts, and mostly are something else: they come last."""
_LOOKED_AT = 200
MOST = 200
"""Entries looked at are not limited, entries shown are."""


def paths_for(typed: str, folder: Path, *, data: frozenset[str] = SUFFIXES) -> list[Path]:
    """Return what `typed` may go on to: folders, data files, then texts; hidden ones where a dot was typed.

    folder: what a path is relative to. data: the ends of the files that are data.
    """
    base, start = _parted(typed, folder)
    found = sorted(_entries(base, start, data), key=lambda entry: (entry[0], entry[1].name.lower()))
    return [path for _, path in found[:MOST]]


def folder_of(typed: str, folder: Path) -> Path:
    """Return the folder of what `typed` may go on to."""
    return Path(os.path.normpath(_parted(typed, folder)[0]))


def _parted(typed: str, folder: Path) -> tuple[Path, str]:
    """Return the folder of what is typed, and how the name that is being typed begins."""
    text = os.path.expanduser(typed)  # noqa: PTH111  Path would drop the slash at the end, which counts here
    parent, _, start = text.rpartition("/")
    return folder / (parent + "/" if parent or text.startswith("/") else ""), start


def is_importable(path: Path) -> bool:
    """Return whether a path is a file, or names a page of a workbook."""
    from turnwise.conversations.containers import page_named

    return path.is_file() or page_named(path) is not None


def is_text(path: Path) -> bool:
    """Return whether a file is a text, which may be a transcript or anything else."""
    return path.suffix.lower() in TEXTS


def is_prose(path: Path) -> bool:
    """Return whether a file is a text of words: a log may as well hold a JSON object in each line."""
    if not is_text(path):
        return False
    try:
        with path.open("rb") as file:
            return not file.read(_LOOKED_AT).lstrip().startswith(b"{")
    except OSError:
        return True


def _entries(base: Path, start: str, data: frozenset[str]) -> Iterator[tuple[int, Path]]:
    """Yield the entries that begin so, each with the place of its kind."""
    try:
        with os.scandir(base) as entries:
            for entry in entries:
                if entry.name.startswith(".") and not start.startswith("."):
                    continue
                if not entry.name.lower().startswith(start.lower()):
                    continue
                path = base / entry.name
                if entry.is_dir():
                    yield 0, path
                elif path.suffix.lower() in data:
                    yield 1, path
                elif is_text(path):
                    yield 2, path
    except OSError:
        return


def completed(typed: str, folder: Path, *, data: frozenset[str] = SUFFIXES) -> str:
    """Return `typed` with all that its choices share added to it; texts count where there is nothing else."""
    offered = paths_for(typed, folder, data=data)
    choices = [path for path in offered if not is_text(path)] or offered
    if not choices:
        return typed
    parent, slash, start = typed.rpartition("/")
    shared = shared_start([path.name for path in choices])
    ending = "/" if len(choices) == 1 and choices[0].is_dir() else ""
    return f"{parent}{slash}{shared}{ending}" if len(shared) >= len(start) else typed


def from_home(path: Path) -> str:
    """Return a path as people write it: "~/data"."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) and path != home else str(path)
