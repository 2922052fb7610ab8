"""Draws which folders of the three rooms import which, from the imports themselves."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Mapping
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
ROOMS = ("conversations", "engine", "tui")
NOUNS = "modules below the folders"
"""The part of a room that holds the modules beside its folders which use none of the folders."""
_OPENING = """<!-- Made by docs/generate.py; edit the code, not this page. -->
# The house, drawn

What imports what, those imports included that only type checkers see. An arrow leads from a part to one that
it uses; where a longer way leads to the same part, the arrow is left out. All arrows point one way: a circle
would fail in the tests (the contracts in `pyproject.toml`), and this page could not be made.

`tui` stands on `engine`, and `engine` on `conversations`; nothing points back.
"""


def house_page() -> str:
    """Return the page: for each room what its folders hold, and a drawing of how they import one another.

    Raises graphlib.CycleError where folders import one another in a circle.
    """
    graph = grimp.build_graph("turnwise", cache_dir=None)
    parts = [_OPENING]
    for room in ROOMS:
        uses = uses_of_parts(graph, room)
        tuple(TopologicalSorter(uses).static_order())
        parts.append(f"## {room}\n")
        parts.append("| part | what it is |\n|---|---|")
        parts += [_row(room, part, uses) for part in sorted(uses)]
        parts.append(f"\n```mermaid\n{_drawing(without_detours(uses))}\n```\n")
    return "\n".join(parts)


def uses_of_parts(graph: grimp.ImportGraph, room: str) -> dict[str, set[str]]:
    """Return the parts that each part of a room uses; a part is a folder, or a module beside the folders."""
    package = f"turnwise.{room}"
    uses: dict[str, set[str]] = defaultdict(set)
    for importer in graph.find_descendants(package):
        name = importer.split(".")[2]
        used = graph.find_modules_directly_imported_by(importer)
        uses[name] |= {module.split(".")[2] for module in used if module.startswith(f"{package}.")} - {name}
    return _below_as_one(room, uses)


def _below_as_one(room: str, uses: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the same with all modules that use no folder, not even by another module, as one part."""
    below: set[str] = set()
    for name in TopologicalSorter(uses).static_order():
        if not (ROOT / room / name).is_dir() and uses.get(name, set()) <= below:
            below.add(name)
    merged: dict[str, set[str]] = defaultdict(set)
    for name, used in uses.items():
        part = NOUNS if name in below else name
        merged[part] |= {NOUNS if other in below else other for other in used} - {part}
    return dict(merged)


def without_detours(uses: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the arrows that no longer way replaces (the transitive reduction of a graph without circles)."""
    reached: dict[str, set[str]] = {}
    for part in TopologicalSorter(uses).static_order():
        direct = uses.get(part, set())
        reached[part] = direct.union(*(reached[used] for used in direct))
    return {
        part: {used for used in direct if not any(used in reached[other] for other in direct - {used})}
        for part, direct in uses.items()
    }


def _drawing(uses: Mapping[str, set[str]]) -> str:
    names = {part: f'{part.split()[0]}["{part}"]' for part in uses}
    lines = [f"    {names[part]}" for part in sorted(uses)]
    lines += [
        f"    {part.split()[0]} --> {used.split()[0]}" for part in sorted(uses) for used in sorted(uses[part])
    ]
    return "\n".join(["flowchart TD", *lines])


def _row(room: str, part: str, parts: Collection[str]) -> str:
    if part == NOUNS:
        modules = {path.stem for path in (ROOT / room).glob("*.py")}
        names = sorted(modules - {"__init__", *parts})
        return f"| {part} | {', '.join(names)} |"
    folder = ROOT / room / part
    is_folder = folder.is_dir()
    text = (folder / "__init__.py" if is_folder else folder.with_suffix(".py")).read_text(encoding="utf-8")
    first = (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")[0].replace("\n", " ")
    return f"| {part}{'/' if is_folder else '.py'} | {first} |"
