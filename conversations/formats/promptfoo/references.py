"""References of the form {$ref: '#/assertionTemplates/x'}: each is replaced by what it points at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

_MOST_STEPS = 50
_MOST_VALUES = 1_000_000


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
