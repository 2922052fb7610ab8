"""Which of the named files are guidelines, which go before the conversation instead of into it."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.agentv.file_search import FileSearch
from turnwise.conversations.formats.agentv.reading import Reading
from turnwise.conversations.formats.yaml_text import load_yaml

_USUAL = ("**/*.instructions.md", "**/*.prompt.md", "**/SKILL.md")
_MOST = 1_000


def guideline_patterns(reading: Reading) -> Sequence[str]:
    """Return the patterns of the paths of guidelines, seen from the border; none where nothing is one.

    The nearest .agentv/config.yaml says it. Without one AgentV has no guidelines, though its documentation
    names some patterns; these count, but where `compat` is asked for.
    """
    for folder in reading.files.roots():
        path = folder / ".agentv" / "config.yaml"
        if not path.is_file() or not path.resolve().is_relative_to(reading.files.folder.root):
            continue
        found = _patterns(path, reading)
        if found is not None:
            return found
    return () if reading.compat else _USUAL


def is_guideline(path: Path, patterns: Sequence[str], files: FileSearch) -> bool:
    """Whether a file is a guideline."""
    if not patterns or not path.is_relative_to(files.folder.root):
        return False
    parts = path.relative_to(files.folder.root).parts
    return any(_matches(parts, pattern.removeprefix("./").split("/")) for pattern in patterns)


def _patterns(path: Path, reading: Reading) -> Sequence[str] | None:
    place = f"{path.parent.name}/{path.name}"
    try:
        config = load_yaml(reading.files.texts.text(path, place))
    except (FormatError, ValueError) as error:
        reading.warn(place, f"it cannot be read: {error}")
        return None
    if not isinstance(config, dict):
        reading.warn(place, "expected an object")
        return None
    patterns = config.get("guideline_patterns")
    if patterns is None:
        return () if reading.compat else _USUAL
    if not isinstance(patterns, list) or not all(isinstance(item, str) for item in patterns):
        reading.warn(place, "guideline_patterns: expected a list of texts")
        return None
    return patterns[:_MOST]


def _matches(parts: Sequence[str], steps: Sequence[str]) -> bool:
    """Whether the parts of a path match the steps of a pattern; ** stands for any number of parts."""
    # reached[i]: whether the steps so far can have taken the first i parts.
    reached = [True] + [False] * len(parts)
    for step in steps:
        if step == "**":
            reached = [any(reached[: count + 1]) for count in range(len(reached))]
        else:
            taken = (before and fnmatchcase(part, step) for before, part in zip(reached, parts, strict=False))
            reached = [False, *taken]
    return reached[-1]
