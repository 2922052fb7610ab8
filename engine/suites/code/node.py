"""Node: what starts a script's process of JavaScript or TypeScript, where the node at hand can run it."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.files import TYPESCRIPT

_WANTED = "22.18"
_SECONDS = 20.0
_TRANSFORM = "--experimental-transform-types"
_TOLD = (
    "JSON.stringify([process.version, !!process.features.typescript, "
    f"process.allowedNodeEnvironmentFlags.has('{_TRANSFORM}')])"
)


@dataclass(frozen=True, slots=True)
class _Node:
    """A node that is installed. strips: whether it runs TypeScript. transforms: whole, with enums and all."""

    version: str
    strips: bool
    transforms: bool


def node_words(script: Path, lacking: str = "") -> tuple[str, ...]:
    """Return the words that start node for a script. lacking: what the script takes node for.

    Raises NotFoundError where no node is installed, or for TypeScript one that does not run it.
    """
    node = shutil.which("node")
    if script.suffix.lower() in TYPESCRIPT:
        return _words_for_typescript(script, node)
    if node is None:
        raise NotFoundError(
            f"{script.name} needs {lacking}, and node, which has it, is not installed",
            next_step="Install node, or write the script without it.",
        )
    return (node,)


def _words_for_typescript(script: Path, node: str | None) -> tuple[str, ...]:
    found = _told(node) if node else None
    if node is None or found is None or not (found.strips or found.transforms):
        here = f"the node here is {found.version}" if found else "no node that runs is installed"
        raise NotFoundError(
            f"{script.name} is TypeScript, which takes node {_WANTED} or newer",
            detail=f"{script.name}: {here}",
            next_step=f"Install node {_WANTED} or newer, or write it in JavaScript or Python.",
        )
    return (node, _TRANSFORM) if found.transforms else (node,)


@cache
def _told(node: str) -> _Node | None:
    """Return what a node says of itself; None where it does not run."""
    try:
        ran = subprocess.run(
            [node, "-p", _TOLD], capture_output=True, timeout=_SECONDS, check=True, stdin=subprocess.DEVNULL
        )
        version, strips, transforms = json.loads(ran.stdout)
    except (OSError, ValueError, TypeError, subprocess.SubprocessError):
        return None
    return _Node(str(version), strips is True, transforms is True)
