"""The documents that tests lie in: YAML, JSON and JSON Lines, with the files that they name in turn.

Reading holds what is known while one configuration is read. References of the form
{$ref: '#/assertionTemplates/x'} are replaced by what they point at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import (
    SCHEME,
    CodeRunner,
    Folder,
    NoCode,
    decode_json,
    is_code,
    load_yaml,
    problem,
    read_text,
)
from turnwise.conversations.formats.known_keys import Slip, refused

if TYPE_CHECKING:
    from turnwise.conversations.formats.promptfoo.remote_tests import Network

_MOST_STEPS = 50
_MOST_VALUES = 1_000_000
_DEEPEST = 5
_MOST_NESTED = 1_000


@dataclass(frozen=True, slots=True)
class WrittenTest:
    """A test as it is written. place: for messages.

    problems: why it is not run, as something in it counts for nothing.
    """

    fields: dict[str, Any]
    place: str
    problems: tuple[str, ...] = ()


@dataclass(slots=True)
class ConfigReading:
    """One configuration being read, with the warnings and the rejected tests that were found so far."""

    folder: Folder
    compat: bool
    warnings: list[str] = field(default_factory=list)
    rejected: list[FormatError] = field(default_factory=list)
    nested: int = 0
    """Files that were named in files, so far."""
    data_sets: int = 0
    """Data sets of scenarios, so far."""
    network: Network | None = None
    """The user's yes to fetching tests from other computers; None is no."""
    code: CodeRunner = field(default_factory=NoCode)
    """Who runs code that the files name."""
    delimiter: str = ","
    """What stands between the cells of tables."""

    def attempt(self, read: Callable[[], Iterator[WrittenTest]]) -> Iterator[WrittenTest]:
        """Yield what is read; an error ends that source and is kept, and the rest still loads."""
        try:
            yield from read()
        except FormatError as error:
            self.reject(error)

    def warn(self, text: str) -> None:
        """Keep a warning. Of several that differ in their place alone the first is kept."""
        kind = text.partition(": ")[2]
        if not any(warning.endswith(f": {kind}") for warning in self.warnings):
            self.warnings.append(text)

    def problems_of(self, slips: Iterable[Slip]) -> tuple[str, ...]:
        """Return the slips for which a test is not run, as it would pass untested; warn of the others."""
        problems = []
        for slip in slips:
            if slip.counts and not self.compat:
                problems.append(str(slip.error()))
            else:
                self.warn(f"{slip.place}: {slip.warning()}")
        return tuple(problems)

    def refuse(self, slips: Iterable[Slip]) -> None:
        """Raise FormatError where all that is read suffers from slips; warn of the others."""
        found = list(slips)
        if not self.compat and (error := refused(found)) is not None:
            raise error
        for slip in found:
            self.warn(f"{slip.place}: {slip.warning()}")

    def reject(self, error: FormatError) -> None:
        """Keep that something could not be read."""
        self.rejected.append(error)


def has_references(value: Any) -> bool:
    """Whether a value holds a reference anywhere."""
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            if isinstance(item.get("$ref"), str):
                return True
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
    return False


def dereferenced(value: Any, document: Any) -> Any:
    """Return a value with its references replaced by what they point at in a document.

    Fields beside a reference win over those it brings. Raises ValueError where a reference points at
    nothing, or at itself. A reference to another file stays: it may be a part of a JSON schema.
    """
    return _Replacer(document).replaced(value, 0) if has_references(value) else value


@dataclass(slots=True)
class _Replacer:
    """Replaces references into one document, counting what it brings in."""

    document: Any
    steps: int = 0

    def replaced(self, value: Any, depth: int) -> Any:
        self.steps += 1
        if self.steps > _MOST_VALUES:
            raise ValueError("$ref: the references stand for more than a million values")
        if isinstance(value, list):
            return [self.replaced(item, depth) for item in value]
        if not isinstance(value, dict):
            return value
        pointer = value.get("$ref")
        if not isinstance(pointer, str) or not pointer.startswith("#/"):
            return {key: self.replaced(item, depth) for key, item in value.items()}
        if depth > _MOST_STEPS:
            raise ValueError(f"$ref: {pointer} points at itself")
        target = self.replaced(_pointed_at(pointer, self.document), depth + 1)
        beside = {key: self.replaced(item, depth) for key, item in value.items() if key != "$ref"}
        return {**target, **beside} if isinstance(target, dict) else target


def _pointed_at(pointer: str, document: Any) -> Any:
    value = document
    for step in pointer.removeprefix("#/").split("/"):
        name = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            raise ValueError(f"$ref: {pointer} points at nothing")
    return value


def yaml_document(path: Path, reading: ConfigReading, place: str, *, with_files: bool = True) -> Any:
    """Return what a YAML file holds, references replaced and files named in it read.

    Raises FormatError where it is no YAML.
    """
    try:
        document = load_yaml(read_text(path, place))
        document = dereferenced(document, document)
    except ValueError as error:
        raise problem(place, f"{path.name}: {error}", "") from None
    return _with_files(document, reading, f"{place}, {path.name}", 0) if with_files else document


def json_documents(path: Path, reading: ConfigReading, place: str) -> list[Any]:
    """Return the values of a JSON or JSON Lines file; a broken line is rejected and the rest stays.

    Raises FormatError where it is no JSON.
    """
    text = read_text(path, place)
    if path.suffix == ".jsonl":
        tests: list[Any] = []
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                try:
                    tests.append(decode_json(line))
                except ValueError as error:
                    reading.reject(problem(f"{path.name}, line {number}", str(error), ""))
    else:
        try:
            document = decode_json(text)
        except ValueError as error:
            raise problem(place, f"{path.name}: {error}", "") from None
        tests = document if isinstance(document, list) else [document]
    try:
        return [_with_files(dereferenced(test, tests), reading, path.name, 0) for test in tests]
    except ValueError as error:
        raise problem(place, f"{path.name}: {error}", "") from None


def with_files(value: Any, folder: Folder, place: str) -> Any:
    """Return a value with the contents of the files that it names. Raises FormatError for one not there."""
    return _with_files(value, ConfigReading(folder, compat=False), place, 0)


def _with_files(value: Any, reading: ConfigReading, place: str, depth: int) -> Any:
    """Return a value with the contents of the files that it names; names below `vars` stay, to be read
    later.
    """
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
        document = load_yaml(text) if path.suffix != ".json" else decode_json(text)
    except ValueError as error:
        raise problem(place, f"{path.name}: {error}", "") from None
    return _with_files(document, reading, place, depth + 1) if depth < _DEEPEST else document
