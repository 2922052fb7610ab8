"""Criteria files: where criteria stand beside the user's work, and how one is saved there as YAML.

A file is changed without loss of the comments in it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import Any

from turnwise.conversations.errors import FormatError, InputError
from turnwise.conversations.files import load_yaml, yaml_scalar
from turnwise.conversations.private_files import make_private_folder
from turnwise.engine.criteria.criteria import Criterion, load_criteria, parse_criteria, read_criteria_text

FOLDER = "criteria"
"""Where new criteria are saved, within the folder that turnwise was started in."""
MOST_FILES = 200
MOST_BYTES = 1_000_000
"""Larger files are passed over: no person writes so long a criterion."""
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class CriterionFile:
    """A criterion in a file. place: where it stands in it, from 0. text: the whole file, as it was read."""

    path: Path
    place: int
    criterion: Criterion
    text: str


@dataclass(frozen=True, slots=True)
class BrokenCriteriaFile:
    """A file that should hold criteria and cannot be read. error: says where, and what is wrong."""

    path: Path
    error: FormatError


@dataclass(frozen=True, slots=True)
class FoundCriteria:
    """The criteria of a folder, and the files among them that cannot be read."""

    files: Sequence[CriterionFile] = ()
    broken: Sequence[BrokenCriteriaFile] = ()

    @property
    def errors(self) -> Sequence[FormatError]:
        """What is wrong with those that cannot be read."""
        return [one.error for one in self.broken]


def find_criteria(folder: Path) -> FoundCriteria:
    """Return the criteria of the YAML files in a folder and in its folder `criteria`, in order of names.

    YAML files that hold no criteria are passed over; those within `criteria` are told as errors.
    """
    files: list[CriterionFile] = []
    broken: list[BrokenCriteriaFile] = []
    for path, _ in criteria_paths(folder):
        try:
            files += read_criteria_file(path)
        except FormatError as error:
            broken += [BrokenCriteriaFile(path, error)] if path.parent.name == FOLDER else []
    return FoundCriteria(files, broken)


def criteria_paths(folder: Path) -> list[tuple[Path, os.stat_result]]:
    """Return the files that are looked into for the criteria of a folder, and how each stands."""
    return [*_yaml_files(folder / FOLDER), *_yaml_files(folder)]


def _yaml_files(folder: Path) -> list[tuple[Path, os.stat_result]]:
    try:
        found = [(path, path.stat()) for path in sorted((*folder.glob("*.yaml"), *folder.glob("*.yml")))]
    except OSError:
        return []
    return [one for one in found if S_ISREG(one[1].st_mode) and one[1].st_size <= MOST_BYTES][:MOST_FILES]


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

    A write that fails leaves the file as it was. known: the file that the criterion was read from.
    Raises InputError where somebody else changed that file meanwhile, FormatError and TurnwiseError where it
    cannot be read or written.
    """
    from turnwise.conversations.files import whole_file

    if known is None or not known.path.exists():
        path = known.path if known is not None else free_path(folder, criterion.name)
        place, text = 0, criterion_text(criterion)
        try:
            make_private_folder(path.parent)
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


LINE_LENGTH = 100
OTHER_NAMES = {
    "steps": ("evaluation_steps", "evaluationSteps"),
    "parameters": ("evaluation_params", "evaluationParams"),
    "strict": ("strict_mode", "strictMode"),
}
"""Other names that a file may use for a field."""

_Edit = tuple[int, int, list[str]]
"""An edit of a text: the first line, the line after the last, and the lines to put in their place."""


def criterion_text(criterion: Criterion) -> str:
    """Return a criterion as a YAML file of its own."""
    return written(criterion.content())


def with_criterion(text: str, place: int, criterion: Criterion, path: Path) -> str:
    """Return a file's text in which the criterion at a place, from 0, says what this one says.

    Comments stay, but for those within what changed; where the file is written too freely for that, only
    those at its top do. Raises FormatError for a text that holds no criteria.
    """
    before = parse_criteria(text, path)
    wanted = [one.content() for one in before]
    wanted[place] = criterion.content()
    changed = _changed(text, place, before[place], criterion)
    if changed is not None and _says(changed, wanted, path):
        return changed
    return "".join(_comments_at_top(text)) + written(wanted if len(wanted) > 1 else wanted[0])


def _says(text: str, wanted: Sequence[Mapping[str, Any]], path: Path) -> bool:
    try:
        return [one.content() for one in parse_criteria(text, path)] == list(wanted)
    except FormatError:
        return False


def _comments_at_top(text: str) -> list[str]:
    lines = text.splitlines(keepends=True)
    count = next(
        (at for at, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines)
    )
    return lines[:count]


def written(value: Any) -> str:
    """Return plain values as YAML in block style: long texts folded, none misread as a number or truth."""
    # The library costs 20 ms to import.
    import yaml

    class Dumper(yaml.SafeDumper):
        def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
            return super().increase_indent(flow, False)

    def text(dumper: Any, value: str) -> Any:
        # Its own rules are those of YAML 1.1, and files are read by those of 1.2.
        misread = not value or not isinstance(yaml_scalar(value), str)
        style = "|" if "\n" in value else "'" if misread else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    def items(dumper: Any, value: list[Any]) -> Any:
        numbers = bool(value) and all(isinstance(item, int) for item in value)
        return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=numbers)

    Dumper.add_representer(str, text)
    Dumper.add_representer(list, items)
    options: dict[str, Any] = {"sort_keys": False, "allow_unicode": True, "width": LINE_LENGTH}
    shown: str = yaml.dump(value, Dumper=Dumper, **options)
    if load_yaml(shown) != value:
        # A text that no style but the one with escapes can hold.
        shown = yaml.dump(value, Dumper=yaml.SafeDumper, default_style='"', **options)
    return shown


def _changed(text: str, place: int, old: Criterion, new: Criterion) -> str | None:
    """Return a text in which the lines of the fields that changed are replaced.

    None where the text is not written as a field a line, so that this cannot be done.
    """
    node = _composed(text)
    if node is not None and node.id == "sequence":
        node = node.value[place]
    if node is None or node.id != "mapping" or node.flow_style:
        return None
    lines = text.split("\n")
    indent = node.start_mark.column
    spans = _spans(node, lines)
    edits: list[_Edit] = []
    before, after = old.content(), new.content()
    last = max((end for _, end, _ in spans.values()), default=node.start_mark.line)
    order = list(type(new).model_fields)
    for name in order:
        if before.get(name) == after.get(name):
            continue
        key = next((key for key in (name, *OTHER_NAMES.get(name, ())) if key in spans), None)
        if key is not None:
            start, end, value = spans[key]
            if lines[start][:indent].strip() and name not in after:
                # The first line of an item of a list cannot go without the rest of it.
                return None
            edits.append((start, end, _entry(lines, key, name, after, indent, start, value)))
        elif name in after:
            earlier = [spans[other][1] for other in order[: order.index(name)] if other in spans]
            at = max(earlier, default=last)
            edits.append((at, at, _block({name: after[name]}, indent)))
    for start, end, fresh in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        lines[start:end] = fresh
    return "\n".join(lines)


def _composed(text: str) -> Any:
    import yaml

    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return None


def _spans(node: Any, lines: Sequence[str]) -> dict[str, tuple[int, int, Any]]:
    """Return by key its first line, the line after its last, and its value."""
    starts = [key.start_mark.line for key, _ in node.value]
    ends = [*starts[1:], min(node.end_mark.line + (node.end_mark.column > 0), len(lines))]
    found = {}
    for (key, value), start, end in zip(node.value, starts, ends, strict=True):
        # Comments before the next key belong to that.
        while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
            end -= 1
        found[str(key.value)] = (start, end, value)
    return found


def _entry(
    lines: Sequence[str],
    key: str,
    name: str,
    after: Mapping[str, Any],
    indent: int,
    start: int,
    value: Any,
) -> list[str]:
    if name not in after:
        return []
    fresh = _block({key: after[name]}, indent)
    line = lines[start]
    fresh[0] = line[:indent] + fresh[0][indent:]
    if len(fresh) == 1 and value.id == "scalar" and value.start_mark.line == value.end_mark.line == start:
        # What stands after the value on its line is a comment.
        fresh[0] += line[value.end_mark.column :]
    return fresh


def _block(content: Mapping[str, Any], indent: int) -> list[str]:
    return [" " * indent + line if line else "" for line in written(dict(content)).splitlines()]
