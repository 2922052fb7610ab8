"""Writes what follows from the code: pages on commands, keys, metrics and the house, and the metrics' stub.

python docs/generate.py            write them
python docs/generate.py --check    say which are out of date; exit code 1 if any is
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from pathlib import Path

import click
from house import house_page

from turnwise.conversations.formats import FORMATS
from turnwise.engine.library_names import public_names as library_names
from turnwise.engine.metrics.catalogue import public_names
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.registry import metric_class, metric_keys
from turnwise.tui.actions import ACTIONS, Action
from turnwise.tui.cli.main import commands_in_words, turnwise

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "reference"
_MADE = "<!-- Made by docs/generate.py; edit the code, not this page. -->\n"
_SCOPES = {"conversation": "whole conversations", "exchange": "one exchange: the last, or each"}


def commands_page() -> str:
    """Return the help of every command."""
    context = _context(turnwise, "turnwise", None)
    told = [_help(turnwise, "turnwise", None), f"```text\n{commands_in_words(context)}\n```\n"]
    parts = [_MADE, "# Commands\n", *told]
    for name in turnwise.list_commands(context):
        command = turnwise.get_command(context, name)
        if command is None:
            continue
        inner = click.Context(command, info_name=name, parent=context)
        parts.append(f"## turnwise {name}\n")
        parts.append(_help(command, name, context))
        if isinstance(command, click.Group):
            for sub_name, sub in command.commands.items():
                parts.append(f"### turnwise {name} {sub_name}\n")
                parts.append(_help(sub, sub_name, inner))
    return "\n".join(parts)


def _help(command: click.Command, name: str, parent: click.Context | None) -> str:
    return f"```text\n{command.get_help(_context(command, name, parent)).rstrip()}\n```\n"


def _context(command: click.Command, name: str, parent: click.Context | None) -> click.Context:
    return click.Context(command, info_name=name, parent=parent, terminal_width=96, max_content_width=96)


def keys_page() -> str:
    """Return the keys of every screen."""
    about = "`?` shows those of the screen you are on; ctrl+p finds an action by its name.\n"
    parts = [_MADE, "# Keys\n", about]
    for place, actions in ACTIONS.items():
        parts.append(f"## {place.replace('_', ' ').capitalize()}\n")
        parts.append("| key | does |\n|---|---|")
        parts += [f"| {_keys(action)} | {action.help} |" for action in actions]
        parts.append("")
    return "\n".join(parts)


def _keys(action: Action) -> str:
    return " ".join(f"`{key}`" for key in action.all_keys)


def metrics_page() -> str:
    """Return what every metric says of itself."""
    parts = [_MADE, "# Metrics\n", "`turnwise metrics NAME` prints the same.\n"]
    parts.append("| metric | judges | judge calls | range |\n|---|---|---|---|")
    parts += [_metric_row(key, metric_class(key)) for key in metric_keys()]
    parts.append("")
    for key in metric_keys():
        kind = metric_class(key)
        seen = ", with its images" if kind.sees_images else ""
        by = "a judge" if kind.uses_judge else "no judge"
        parts.append(f"## {key}\n")
        parts.append(f"Judges {_SCOPES[kind.scope]}{seen}; by {by}.\n")
        parts.append(f"```text\n{inspect.getdoc(kind)}\n```\n")
    return "\n".join(parts)


def _metric_row(key: str, kind: type[Metric]) -> str:
    judges = "images" if kind.sees_images else kind.scope
    return f"| [{key}](#{key}) | {judges} | {kind.account.calls} | {kind.account.range} |"


def metrics_stub() -> str:
    """Return the stub by which type checkers see the classes that the package of metrics loads lazily."""
    homes = {name: f"engine.metrics.{module}:{name}" for name, module in public_names().items()}
    return _stub("catalogue.py", homes)


def library_stub() -> str:
    """Return the stub of the names that the package itself loads lazily."""
    return _stub("engine/library_names.py", library_names(), "__version__: str")


def _stub(source: str, homes: Mapping[str, str], *more: str) -> str:
    """Return a stub that imports names, given as MODULE:NAME below turnwise. more: further lines."""
    imported: dict[str, list[str]] = {}
    for name, home in homes.items():
        module, _, own = home.partition(":")
        imported.setdefault(f"turnwise.{module}", []).append(name if name == own else f"{own} as {name}")
    lines = [f"# Made by docs/generate.py from {source}; edit that, not this file.", ""]
    for module, names in sorted(imported.items()):
        line = f"from {module} import {', '.join(names)}"
        fits = len(line) <= _LINE_LENGTH
        lines += [line] if fits else [f"from {module} import (", *(f"    {name}," for name in names), ")"]
    listed = ["", "__all__ = [", *(f'    "{name}",' for name in homes), "]", ""]
    return "\n".join([*lines, *([""] if more else []), *more, *listed])


def formats_page() -> str:
    """Return the page of formats with its table made anew; what else it says is written by hand."""
    page = (REFERENCE / "formats.md").read_text(encoding="utf-8")
    before, _, rest = page.partition(_SHAPES_BEGIN)
    _, _, after = rest.partition(_SHAPES_END)
    rows = [
        "| what people have | `--format` | what is read | what becomes of the rest | since |",
        "|---|---|---|---|---|",
    ]
    for known in FORMATS:
        rows += [
            f"| {shape.name} | `{known.name}` | {shape.read} | {shape.rest} | {shape.since} |"
            for shape in known.shapes
        ]
    return before + _SHAPES_BEGIN + "\n".join(["", *rows, ""]) + _SHAPES_END + after


_SHAPES_BEGIN = "<!-- The table up to its end is made by docs/generate.py from the formats. -->"
_SHAPES_END = "<!-- Its end. -->"
_LINE_LENGTH = 110

PAGES = {
    "docs/explanation/house.md": house_page,
    "docs/reference/commands.md": commands_page,
    "docs/reference/formats.md": formats_page,
    "docs/reference/keys.md": keys_page,
    "docs/reference/metrics.md": metrics_page,
    "engine/metrics/__init__.pyi": metrics_stub,
    ".src/turnwise/__init__.pyi": library_stub,
}


def broken_links() -> list[str]:
    """Return the links of all pages, README and CONTRIBUTING that lead to no file."""
    broken = []
    pages = [*REFERENCE.parent.rglob("*.md"), *ROOT.glob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)} links to {target}, which is not there")
    return broken


def main(arguments: list[str]) -> int:
    """Write the files, or with --check compare them."""
    stale = []
    for name, make in PAGES.items():
        path, text = ROOT / name, make()
        if "--check" in arguments:
            stale += [name] if not path.exists() or path.read_text(encoding="utf-8") != text else []
        else:
            path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"{name} is out of date: run python docs/generate.py")
    broken = broken_links()
    for line in broken:
        print(line)
    return 1 if stale or broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
