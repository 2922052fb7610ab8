"""The documents that tests lie in: YAML, JSON and JSON Lines, with the files that they name in turn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from turnwise.conversations.formats.json_text import decode
from turnwise.conversations.formats.promptfoo.folders import SCHEME, is_code, problem, read_text
from turnwise.conversations.formats.promptfoo.reading import Reading
from turnwise.conversations.formats.promptfoo.references import dereferenced
from turnwise.conversations.formats.yaml_text import load_yaml

_DEEPEST = 5
_MOST_NESTED = 1_000


def yaml_document(path: Path, reading: Reading, place: str, *, with_files: bool = True) -> Any:
    """Return what a YAML file holds, references replaced and files named in it read.

    Raises FormatError where it is no YAML.
    """
    try:
        document = load_yaml(read_text(path, place))
        document = dereferenced(document, document)
    except ValueError as error:
        raise problem(place, f"{path.name}: {error}", "") from None
    return _with_files(document, reading, f"{place}, {path.name}", 0) if with_files else document


def json_documents(path: Path, reading: Reading, place: str) -> list[Any]:
    """Return the values of a JSON or JSON Lines file; a broken line is rejected and the rest stays.

    Raises FormatError where it is no JSON.
    """
    text = read_text(path, place)
    if path.suffix == ".jsonl":
        tests: list[Any] = []
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                try:
                    tests.append(decode(line))
                except ValueError as error:
                    reading.reject(problem(f"{path.name}, line {number}", str(error), ""))
    else:
        try:
            document = decode(text)
        except ValueError as error:
            raise problem(place, f"{path.name}: {error}", "") from None
        tests = document if isinstance(document, list) else [document]
    try:
        return [_with_files(dereferenced(test, tests), reading, path.name, 0) for test in tests]
    except ValueError as error:
        raise problem(place, f"{path.name}: {error}", "") from None


def _with_files(value: Any, reading: Reading, place: str, depth: int) -> Any:
    """Put the contents of named files in their places; variables keep the names, they are read later."""
    if isinstance(value, list):
        return [_with_files(item, reading, place, depth) for item in value]
    if isinstance(value, dict):
        return {
            key: item if key == "vars" else _with_files(item, reading, place, depth)
            for key, item in value.items()
        }
    if not isinstance(value, str) or not value.startswith(SCHEME) or is_code(value) or "{{" in value:
        return value
    reading.nested += 1 if depth else 0
    if reading.nested > _MOST_NESTED:
        raise problem(place, "files name each other without end", "")
    path = reading.folder.file(value, place)
    text = read_text(path, place)
    if path.suffix not in (".yaml", ".yml", ".json"):
        return text
    try:
        document = load_yaml(text) if path.suffix != ".json" else decode(text)
    except ValueError as error:
        raise problem(place, f"{path.name}: {error}", "") from None
    return _with_files(document, reading, place, depth + 1) if depth < _DEEPEST else document
