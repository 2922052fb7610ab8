"""Lists of evaluators that stand in files of their own: - include: NAME."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from turnwise.conversations.formats.agentv.reading import Reading
from turnwise.conversations.formats.promptfoo.folders import problem
from turnwise.conversations.formats.yaml_text import load_yaml

_DEEPEST = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """An evaluator as it is written, where it stands, and the reading that looks for its files."""

    value: Any
    place: str
    reading: Reading


def included(
    written: Sequence[Any], reading: Reading, place: str, chain: tuple[Path, ...] = ()
) -> Iterator[Entry]:
    """Yield the entries of a list, those of the files that it includes in their places.

    A name alone means a file of .agentv/templates; a path is looked for as any file is. Raises FormatError
    where there is none, and where files include each other.
    """
    for number, value in enumerate(written):
        here = f"{place}[{number}]"
        if not (
            isinstance(value, dict) and value.keys() == {"include"} and isinstance(value["include"], str)
        ):
            yield Entry(value, here, reading)
            continue
        name = value["include"]
        path = _found(name, reading, here)
        if path in chain or len(chain) >= _DEEPEST:
            raise problem(here, f"{name} is included over and over, or deeper than {_DEEPEST} files", "")
        listed = _listed(path, reading, here)
        inside = replace(reading, files=replace(reading.files, first=path.parent))
        yield from included(listed, inside, f"{here}, {name}", (*chain, path))


def _found(name: str, reading: Reading, place: str) -> Path:
    is_path = name.startswith(".") or "/" in name or "\\" in name
    names = [name] if is_path else [f".agentv/templates/{name}.{suffix}" for suffix in ("yaml", "yml")]
    for one in names:
        found = reading.files.find(one)
        if found.path is not None:
            return found.path
    raise problem(place, f"include: {found.shown} cannot be used: {found.reason}", "Check the name.")


def _listed(path: Path, reading: Reading, place: str) -> list[Any]:
    try:
        document = load_yaml(reading.files.texts.text(path, place))
    except ValueError as error:
        raise problem(place, f"{path.name}: {error}", "") from None
    listed = document.get("assertions") if isinstance(document, dict) else None
    if not isinstance(listed, list):
        raise problem(place, f"{path.name}: expected an object with a list of assertions", "")
    return listed
