"""The room of models stands on its own: judges and chatbots stand above it, and it knows neither."""

from __future__ import annotations

import ast
from pathlib import Path

ROOM = Path(__file__).parents[3] / "engine" / "models"


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports anywhere, for types alone too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return modules | {
        alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }


def test_it_imports_nothing_else_of_the_engine():
    others = {
        (path.name, module)
        for path in ROOM.rglob("*.py")
        for module in imported(path)
        if module.startswith("turnwise.engine") and not module.startswith("turnwise.engine.models")
    }
    assert others == set()
