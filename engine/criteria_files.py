"""Criteria files: where criteria stand beside the user's work, and how one is saved there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from turnwise.conversations.errors import FormatError, InputError
from turnwise.engine.criteria import Criterion, load_criteria, parse_criteria, read_criteria_text

FOLDER = "criteria"
"""Where new criteria are saved, within the folder that turnwise was started in."""
MOST_FILES = 200
MOST_BYTES = 1_000_000
"""A file that is larger holds no criterion that a person wrote."""
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class CriterionFile:
    """A criterion in a file. place: where it stands in it, from 0. text: the whole file, as it was read."""

    path: Path
    place: int
    criterion: Criterion
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """The criteria of a folder, and what was wrong with files that look like some."""

    files: Sequence[CriterionFile] = ()
    errors: Sequence[FormatError] = ()


def find_criteria(folder: Path) -> Found:
    """Return the criteria of the YAML files in a folder and in its folder `criteria`, in order of names.

    Files of other kinds beside them are passed over; within `criteria` an unreadable file is told.
    """
    files: list[CriterionFile] = []
    errors: list[FormatError] = []
    for place in (folder / FOLDER, folder):
        for path in _yaml_files(place):
            try:
                files += read_criteria_file(path)
            except FormatError as error:
                errors += [error] if place.name == FOLDER else []
    return Found(files, errors)


def _yaml_files(folder: Path) -> list[Path]:
    try:
        paths = sorted((*folder.glob("*.yaml"), *folder.glob("*.yml")))
        return [path for path in paths if path.is_file() and path.stat().st_size <= MOST_BYTES][:MOST_FILES]
    except OSError:
        return []


def read_criteria_file(path: Path) -> list[CriterionFile]:
    """Return the criteria of a file, in order. Raises FormatError."""
    text = read_criteria_text(path)
    return [
        CriterionFile(path, place, criterion, text)
        for place, criterion in enumerate(parse_criteria(text, path))
    ]


def free_path(folder: Path, name: str) -> Path:
    """Return a file that is not there yet, in the folder `criteria`, named after a criterion."""
    words = re.sub(r"[^\w]+", "-", name.strip().lower()).strip("-_")[:_LONGEST_NAME] or "criterion"
    count = 1
    while (path := folder / FOLDER / f"{words}{f'-{count}' if count > 1 else ''}.yaml").exists():
        count += 1
    return path


def save_criterion(
    criterion: Criterion, *, folder: Path, known: CriterionFile | None = None
) -> CriterionFile:
    """Write a criterion to the file it came from, or to a new one in `folder`/criteria; return where it is.

    The file is there whole or as it was. known: where it stands. Raises InputError where somebody else
    changed that file meanwhile, FormatError and TurnwiseError where it cannot be read or written.
    """
    from turnwise.conversations.exports.writing import whole_file
    from turnwise.engine.criterion_yaml import criterion_text, with_criterion

    if known is None or not known.path.exists():
        path = known.path if known is not None else free_path(folder, criterion.name)
        place, text = 0, criterion_text(criterion)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"{path.parent} cannot be made", detail=f"The system says: {error.strerror or error}."
            ) from None
    else:
        path, place = known.path, known.place
        if read_criteria_text(path) != known.text and _said(path, place) != known.criterion:
            raise InputError(
                f"{path.name} was changed by another program",
                detail=f"{known.criterion.name} says something else there than when it was read.",
                next_step="Leave this criterion without saving and open it again, "
                "or move the file away to save it anew.",
            )
        text = with_criterion(read_criteria_text(path), place, criterion, path)
    with whole_file(path, force=known is not None) as file:
        file.write(text.encode())
    return CriterionFile(path, place, criterion, text)


def _said(path: Path, place: int) -> Criterion | None:
    try:
        return load_criteria(path)[place]
    except (FormatError, IndexError):
        return None
