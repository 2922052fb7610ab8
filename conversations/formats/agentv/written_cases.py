"""The cases as they are written: in the eval file, in files that it names, in folders, and line by line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.agentv.reading import Reading, WrittenCase
from turnwise.conversations.formats.json_text import decode
from turnwise.conversations.formats.promptfoo.folders import (
    SCHEME,
    is_code,
    is_pattern,
    no_code_here,
    problem,
)
from turnwise.conversations.formats.promptfoo.reading import kind_of
from turnwise.conversations.formats.yaml_text import load_yaml

_CASE_FILES = ("case.yaml", "case.yml")
_MOST_FOLDERS = 10_000


def listed_cases(cases: Any, reading: Reading, place: str) -> Iterator[WrittenCase]:
    """Yield the cases of a list, or of the file or folder that stands in its place."""
    if isinstance(cases, str):
        yield from _outside(cases, reading, place)
        return
    for number, case in enumerate(cases):
        if isinstance(case, str) and case.startswith(SCHEME):
            try:
                yield from _outside(case, reading, place)
            except FormatError as error:
                reading.reject(error)
        else:
            yield from _written(case, number, reading, place)


def lines(text: str, reading: Reading, place: str) -> Iterator[WrittenCase]:
    """Yield the cases of JSON Lines. A broken line is rejected; with `compat` the file is."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        here = f"{place}, line {number}"
        try:
            case = decode(line.strip())
            if not isinstance(case, dict):
                raise ValueError(f"expected an object; got {kind_of(case)}")
        except ValueError as error:
            if reading.compat:
                raise problem(here, str(error), "") from None
            reading.reject(problem(here, str(error), ""))
            continue
        yield WrittenCase(case, here, _name(case, number - 1))


def _written(case: Any, number: int, reading: Reading, place: str) -> Iterator[WrittenCase]:
    name = _name(case, number)
    here = f"{place}, case {name}"
    if isinstance(case, dict):
        yield WrittenCase(case, here, name)
        return
    try:
        reading.leave_out(here, f"expected an object with id and input; got {kind_of(case)}")
    except FormatError as error:
        reading.reject(error)


def _name(case: Any, number: int) -> str:
    found = case.get("id") if isinstance(case, dict) else None
    return found if isinstance(found, str) and found else f"number {number + 1}"


def _outside(name: str, reading: Reading, place: str) -> Iterator[WrittenCase]:
    folder, bare = reading.files.folder, name.removeprefix(SCHEME)
    if is_code(bare):
        raise no_code_here(place, bare)
    if is_pattern(bare):
        paths = folder.matching(bare, place)
        if not paths:
            reading.leave_out(place, f"no file matches {bare}", "Check the pattern.")
    else:
        found = reading.files.find(bare, folders=True)
        path = found.path
        if path is not None and path.is_dir():
            yield from _in_folders(path, reading, place)
            return
        paths = [folder.file(bare, place)]
    for path in paths:
        yield from _in_file(path, reading, place)


def _in_file(path: Path, reading: Reading, place: str) -> Iterator[WrittenCase]:
    text = reading.files.texts.text(path, place)
    if path.suffix.lower() == ".jsonl":
        yield from lines(text, reading, path.name)
        return
    if path.suffix.lower() not in (".yaml", ".yml"):
        raise problem(place, f"expected a file of YAML or JSON Lines; got {path.name}", "")
    cases = _yaml(path, text, place)
    if cases is None:
        reading.warn(place, f"{path.name} is empty")
    elif not isinstance(cases, list):
        raise problem(place, f"{path.name}: expected a list of cases; got {kind_of(cases)}", "")
    else:
        for number, case in enumerate(cases):
            yield from _written(case, number, reading, path.name)


def _in_folders(folder: Path, reading: Reading, place: str) -> Iterator[WrittenCase]:
    """Yield a case for each folder inside one; the folder's name stands in for an id."""
    try:
        inside = sorted(item for item in folder.iterdir() if item.is_dir())[:_MOST_FOLDERS]
    except OSError as error:
        raise problem(place, f"{folder.name} cannot be read: {error.strerror or error}", "") from None
    for number, one in enumerate(inside):
        path = next((one / name for name in _CASE_FILES if (one / name).is_file()), None)
        if path is None or not path.resolve().is_relative_to(reading.files.folder.root):
            reading.warn(place, f"the folder {one.name} holds no case.yaml")
            continue
        here = f"{one.name}/{path.name}"
        try:
            case = _yaml(path, reading.files.texts.text(path, here), here)
        except FormatError as error:
            reading.reject(error)
            continue
        if isinstance(case, dict) and case.get("id") is None:
            case = {**case, "id": one.name}
        yield from _written(case, number, reading, here)


def _yaml(path: Path, text: str, place: str) -> Any:
    try:
        return load_yaml(text)
    except ValueError as error:
        raise problem(place, f"{path.name}: {error}", "") from None
