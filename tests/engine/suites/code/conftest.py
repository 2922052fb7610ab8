"""Suites with code beside them, and what runs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from scripts_of_suites import Write

from turnwise.engine.suites.code import SuiteCode, TrustMemory


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Write]:
    """Write files beside a suite and return what runs its code."""
    with ExitStack() as stack:

        def made(*, trusted: bool = True, **files: str) -> SuiteCode:
            (tmp_path / "suite.yaml").write_text("{}")
            for name, text in files.items():
                path = tmp_path / name.replace("__", ".").replace("_of_", "/")
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
            memory = TrustMemory(tmp_path / "kept" / "trusted.json", tmp_path / "kept" / "trust.key")
            code = SuiteCode(tmp_path / "suite.yaml", trusted=trusted, memory=memory)
            stack.callback(code.close)
            return code

        yield made
