"""The modules that a script takes in: those that lie beside it are a part of what is trusted.

What is installed, such as a package of Python or a module of node's own, belongs to the user and not to the
suite. A package in node_modules came along with the suite, and nobody can say what else it takes in.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from turnwise.conversations.files import JAVASCRIPT, TYPESCRIPT
from turnwise.engine.suites.code.seen import Seen

PYTHON_SUFFIXES = (".py", ".pyw")
NODE_SUFFIXES = (*JAVASCRIPT, *TYPESCRIPT)
_TAKEN_IN = re.compile(
    r"(?:\brequire\s*\(|\brequire\s*\.\s*resolve\s*\(|\bimport\s*\(|\bfrom\b|\bimport\b)"
    r"\s*(?P<quote>['\"`])(?P<name>[^'\"`\n]{1,500})(?P=quote)"
)
_BY_A_VALUE = re.compile(
    r"\b(?:require|import)\s*\(\s*(?!['\"`])|\bcreateRequire\b|\b(?:require|import)\s*\(\s*`[^`]*\$\{"
)
# Types are taken away before a script runs; a name behind them may not be from, which would be no type.
_TYPES = re.compile(
    r"^[ \t]*(?:import|export)\s+type\s+(?:[\w$]{1,200}|\{[^{}'\"`]{0,5000}\}|\*\s+as\s+[\w$]{1,200})\s+from"
    r"\s*(['\"])[^'\"\n]{1,500}\1",
    re.MULTILINE,
)
_SCRIPT_ENDING = re.compile(r"\.([cm]?)js\Z")
_ENDINGS = ("", *NODE_SUFFIXES, ".json", ".node")
# fmt: off
_OF_NODE = frozenset((
    "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto",
    "dgram", "diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2",
    "https", "inspector", "module", "net", "os", "path", "perf_hooks", "process",
    "punycode", "querystring", "readline", "repl", "stream", "string_decoder", "sys", "timers",
    "tls", "trace_events", "tty", "url", "util", "v8", "vm", "wasi",
    "worker_threads", "zlib",
))
# fmt: on
_BY_NAME_ALONE = frozenset(
    ("__import__", "import_module", "run_module", "run_path", "spec_from_file_location")
)


def take_script(seen: Seen, script: Path, *, source: bytes | None = None) -> None:
    """Take a script in with the modules beside it, and theirs. source: what it is, where that was read."""
    content = seen.take(script)
    if source is not None:
        seen.files[script.resolve()] = content = source
    if content is not None:
        take_modules(seen, script, content.decode("utf-8", "replace"))


def take_modules(seen: Seen, script: Path, text: str) -> None:
    """Take in the modules that a text of Python or JavaScript names, by the end of the script's name."""
    if script.suffix.lower() in PYTHON_SUFFIXES:
        take_python_modules(seen, script.parent, text, script.parent)
    elif script.suffix.lower() in NODE_SUFFIXES:
        take_node_modules(seen, script.parent, text)


def take_node_modules(seen: Seen, folder: Path, text: str) -> None:
    """Take in what JavaScript in a folder requires or imports."""
    text = _TYPES.sub("", text)
    if _BY_A_VALUE.search(text):
        seen.hide("it takes in modules whose names it makes while it runs")
    for found in _TAKEN_IN.finditer(text):
        name = found["name"].removeprefix("file://")
        if name.startswith((".", "/")):
            beside = folder / name
            for path in (*_with_endings(beside), *_with_endings(beside / "index")):
                take_script(seen, path)
            if (beside / "package.json").is_file():
                seen.hide(f"it takes in the package {name}")
        elif not name.startswith("node:") and name.partition("/")[0] not in _OF_NODE:
            seen.hide(f"it takes in the package {name}")


def take_python_modules(seen: Seen, folder: Path, text: str, package: Path) -> None:
    """Take in what Python imports from a folder. package: where its relative imports start from."""
    try:
        names = list(_imported(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # It will not run either.
        return
    for name, level in names:
        if name is None:
            seen.hide("it takes in modules whose names it makes while it runs")
            continue
        place = folder
        if level:
            place = package
            for _ in range(level - 1):
                place = place.parent
        for part in name.split("."):
            place = place / part
            for path in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
                content = seen.take(path)
                if content is not None:
                    take_python_modules(seen, folder, content.decode("utf-8", "replace"), path.parent)


def _imported(tree: ast.Module) -> Iterator[tuple[str | None, int]]:
    """Yield the names that are imported, with how many folders up; None for one that cannot be seen."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((one.name, 0) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = f"{node.module}." if node.module else ""
            yield from ((f"{above}{one.name}", node.level) for one in node.names)
        elif isinstance(node, ast.Call):
            function = node.func
            named = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
            if named in _BY_NAME_ALONE:
                yield None, 0


def _with_endings(path: Path) -> Iterator[Path]:
    for ending in _ENDINGS:
        yield Path(f"{path}{ending}")
    # TypeScript may name what a script beside it becomes.
    if _SCRIPT_ENDING.search(path.name):
        yield path.with_name(_SCRIPT_ENDING.sub(r".\1ts", path.name))
