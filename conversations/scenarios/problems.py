"""Problems: what in a file of scenarios means nothing, each with its file, line, scenario and field."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.models import shorten
from turnwise.conversations.words import did_you_mean

Path = tuple[str | int, ...]
MOST_TOLD = 10


class Problems:
    """Those of one file. Nothing of it is played while there is one, so all are told at once.

    text: the file's, to say in which line; empty where its lines say nothing.
    """

    def __init__(self, name: str, text: str = "") -> None:
        self.name = name
        self._text = text
        self._told: list[str] = []
        self._steps: list[str] = []

    def add(self, path: Path, problem: str, *, case: str = "", next_step: str = "") -> None:
        """Note a problem. path: of what it is about in the file's value; case: which scenario it is in."""
        self._told.append(f"{self.place(path, case)}: {problem}")
        self._steps.append(next_step)

    def place(self, path: Path, case: str = "") -> str:
        """Return where something stands, for people."""
        line = line_of(self._text, path) if self._text else None
        field = _written(path)
        return ", ".join(part for part in (self.name, f"line {line}" if line else "", case, field) if part)

    def check_fields(self, path: Path, given: Mapping[str, Any], known: Collection[str], case: str) -> None:
        """Note every field that is none of those known."""
        for name in given:
            if name not in known:
                step = did_you_mean(str(name), known) or f"Known are {', '.join(known)}."
                self.add((*path, name), "no such field", case=case, next_step=step)

    def text(self, path: Path, given: Any, case: str) -> str:
        """Return a text; note a problem where it is none."""
        if given is None:
            return ""
        if isinstance(given, str):
            return given.strip()
        if isinstance(given, int | float) and not isinstance(given, bool):
            return str(given)
        self.add(path, f"expected text; got {shorten(given)}", case=case)
        return ""

    def check(self) -> None:
        """Raise FormatError where there is a problem."""
        if not self._told:
            return
        more = len(self._told) - MOST_TOLD
        told = [*self._told[:MOST_TOLD], *([f"and {more} more"] if more > 0 else [])]
        step = next(filter(None, self._steps), "") or "Correct it in the file."
        raise FormatError(
            f"{self.name} cannot be played as it stands", detail="\n".join(told), next_step=step
        )


def _written(path: Path) -> str:
    """Return a path as people write it: `facts[0].tell`. The list of scenarios is no part of it."""
    inner = path[2:] if len(path) > 1 and isinstance(path[1], int) and isinstance(path[0], str) else path
    inner = inner[1:] if inner and isinstance(inner[0], int) else inner
    text = ""
    for step in inner:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text


def line_of(text: str, path: Path) -> int | None:
    """Return the line of YAML or JSON on which something stands, from 1; None where that cannot be said."""
    import yaml  # 20 ms, for what goes wrong alone

    try:
        node = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError):
        return None
    line: int | None = None
    for step in path:
        if isinstance(node, yaml.MappingNode):
            found = next((pair for pair in node.value if pair[0].value == step), None)
            if found is None:
                return line
            line, node = found[0].start_mark.line + 1, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            line = node.start_mark.line + 1
        else:
            return line
    return line
