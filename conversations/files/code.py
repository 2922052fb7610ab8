"""Code that a configuration names: which script is meant, and who may run it. Nothing runs here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from turnwise.conversations.files.folders import SCHEME, Folder, code_problem, problem

PYTHON = ".py"
JAVASCRIPT = (".js", ".cjs", ".mjs")
TYPESCRIPT = (".ts", ".cts", ".mts")
_SCRIPT = re.compile(r"(.+?\.(?:[cm]?[jt]s|py|rb|go|sh|exe|bat))(?::([\w$.]+))?\Z", re.IGNORECASE)


class CodeRunner(Protocol):
    """Who runs code that a configuration names, where the user allows it.

    Every method raises FormatError where that is not allowed, or the code fails; `place` is for its message.
    """

    def may_run(self, script: Path, place: str) -> bool:
        """Whether the user lets a script run."""

    def call(
        self,
        script: Path,
        function: str,
        defaults: Sequence[str],
        arguments: Sequence[Any],
        place: str,
        *,
        kept: int | None = None,
    ) -> Any:
        """Return what a function of a script gives: the one named, else the first of the defaults there is.

        The defaults are Python's; a JavaScript file says itself what it exports. kept: the place of the
        argument that JavaScript may change where it gives nothing back.
        """

    def program(self, words: Sequence[str], given: Sequence[str], place: str) -> str:
        """Return what a program writes on standard output. given: data, as further arguments."""

    def evaluate(self, code: str, names: Mapping[str, Any], place: str) -> Any:
        """Return what a transform written into the configuration gives, over values by name."""


class NoCode:
    """Runs nothing: the error says what would run."""

    def may_run(self, script: Path, place: str) -> bool:
        """Say no."""
        return False

    def call(
        self,
        script: Path,
        function: str,
        defaults: Sequence[str],
        arguments: Sequence[Any],
        place: str,
        *,
        kept: int | None = None,
    ) -> Any:
        """Raise FormatError."""
        raise code_problem(place, script.name)

    def program(self, words: Sequence[str], given: Sequence[str], place: str) -> str:
        """Raise FormatError."""
        raise code_problem(place, words[0])

    def evaluate(self, code: str, names: Mapping[str, Any], place: str) -> Any:
        """Raise FormatError."""
        raise code_problem(place, "JavaScript")


def script_of(name: str, folder: Folder, place: str) -> tuple[Path, str]:
    """Return the file and the function (empty where none is named) that the name of a script means.

    Raises FormatError where the file is not there or lies outside.
    """
    bare = name.removeprefix(SCHEME).removeprefix("python:").removeprefix("javascript:")
    found = _SCRIPT.match(bare)
    if not found:
        raise problem(place, f"expected the name of a script; got {bare}", "Check the name.")
    return folder.file(found[1], place), found[2] or ""


def is_python(path: Path) -> bool:
    """Whether a script is in Python."""
    return path.suffix.lower() == PYTHON
