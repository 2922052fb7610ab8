"""What tests of promptfoo's suites share: `load`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from suite_files import Load

from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.conversations.suites import Suite


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Load a configuration with these fields, beside these files."""

    def from_fields(
        files: dict[str, str | bytes] | None = None, compat: bool = False, **fields: Any
    ) -> Suite:
        for name, content in (files or {}).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        config = {"prompts": ["{{q}}"], "providers": ["echo"], **fields}
        path = tmp_path / "promptfooconfig.yaml"
        path.write_text(json.dumps(config))
        return load_suite(path, compat=compat)

    return from_fields
