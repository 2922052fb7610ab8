"""What modules of tui take of each other and of Textual: no circles, and nothing private."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("turnwise", *(parts[:-1] if parts[-1] == "__init__" else parts)))


MODULES = {name_of(path): path for path in sorted((ROOT / "tui").rglob("*.py"))}


def imported(path: Path) -> Iterator[str]:
    """Yield the modules of tui that a module imports: at the top, in functions, and for its types alone."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"
                if (name := inside if inside in MODULES else node.module) in MODULES:
                    yield name


def test_no_module_imports_one_that_imports_it():
    wanted = {name: set(imported(path)) - {name} for name, path in MODULES.items()}
    # Whoever imports nothing that is left is in no circle, and is taken away, until none can be.
    while free := [name for name, names in wanted.items() if not names & wanted.keys()]:
        for name in free:
            del wanted[name]
    assert not wanted, {name: sorted(names & wanted.keys()) for name, names in wanted.items()}


def importers_of(module: str) -> set[str]:
    return {name for name, path in MODULES.items() if module in imported(path)}


def test_no_module_but_the_command_imports_the_app_and_what_runs_it():
    assert importers_of("turnwise.tui.app.app") == {"turnwise.tui.app.running"}
    importers = importers_of("turnwise.tui.app.running")
    assert importers
    assert all(name.startswith("turnwise.tui.cli.") for name in importers), importers


INTERNALS = ROOT / "tui" / "textual_internals"
WIDGETS = [
    path for path in MODULES.values() if path.parent != INTERNALS and "textual" in path.read_text("utf-8")
]


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def own_names(tree: ast.AST) -> set[str]:
    """Return the private names that code defines: functions, classes, and attributes that it sets."""
    names = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
        elif isinstance(node, ast.ClassDef):
            targets = [target for one in node.body if isinstance(one, ast.Assign) for target in one.targets]
            targets += [one.target for one in node.body if isinstance(one, ast.AnnAssign)]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return set(filter(is_private, names))


@cache
def names_inside(kind: type) -> frozenset[str]:
    """Return the private names that one class of Textual defines."""
    return frozenset(own_names(ast.parse(textwrap.dedent(inspect.getsource(kind)))))


@pytest.mark.parametrize("path", WIDGETS, ids=lambda path: str(path.relative_to(ROOT)))
def test_one_folder_alone_takes_private_names_of_textual(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    taken = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("textual"):
            words = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
            taken.update(filter(is_private, words))
    for node in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        kind = getattr(import_module(name_of(path)), node.name)
        inside = [one for one in kind.__mro__ if one.__module__.startswith("textual.")]
        private = set[str]().union(*map(names_inside, inside))
        touched = {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)} | own_names(node)
        taken |= {f"{node.name}.{name}" for name in touched & private}
    assert not taken
