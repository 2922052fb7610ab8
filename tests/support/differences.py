"""The differences from other tools that the documentation lists, by their names."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "differences.md"
_NAME = re.compile(r"^\| `([a-z-]+)` \|", re.MULTILINE)


def documented() -> list[str]:
    """Return the names of all documented differences, in their order."""
    return _NAME.findall(PAGE.read_text())
