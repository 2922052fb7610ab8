"""The whole program in a terminal of its own, with nothing of whoever runs the tests."""

from __future__ import annotations

from pathlib import Path

_RUN = """
import sys
from turnwise.tui.cli.main import main
sys.argv = ["turnwise", *{arguments!r}]
main()
"""


def program(*arguments: str) -> str:
    """Return what Python runs for `turnwise ARGUMENTS`."""
    return _RUN.format(arguments=arguments)


def apart(folder: Path) -> dict[str, str]:
    """Return an environment whose database, settings and models are in a folder, and whose judge is away."""
    return {
        "TURNWISE_DB": str(folder / "turnwise.db"),
        "TURNWISE_CONFIG": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
        "TURNWISE_MODELS": str(folder / "models"),
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
    }
