"""Marks for tests that run node, and for those whose node has to run TypeScript."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from turnwise.conversations.errors import NotFoundError
from turnwise.engine.suites.code.node import node_words


def _runs_typescript() -> bool:
    try:
        return bool(node_words(Path("x.ts")))
    except NotFoundError:
        return False


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
needs_typescript = pytest.mark.skipif(
    not _runs_typescript(), reason="no node that runs TypeScript is installed"
)
