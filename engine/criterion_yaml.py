"""Criteria as YAML: written for people, and changed in a file of theirs without loss of their comments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.yaml_text import load_yaml, resolve
from turnwise.engine.criteria import Criterion, parse_criteria

LINE_LENGTH = 100
OTHER_NAMES = {
    "steps": ("evaluation_steps", "evaluationSteps"),
    "parameters": ("evaluation_params", "evaluationParams"),
    "strict": ("strict_mode", "strictMode"),
}
"""What else a file may call a field."""

_Edit = tuple[int, int, list[str]]
"""Lines from the first to before the second are to be these."""


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
        misread = not value or not isinstance(resolve(value), str)
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
    """Return a text with what changed in one criterion changed; None where lines cannot tell it."""
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
