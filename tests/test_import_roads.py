"""Pages on import: every file on docs/how-to/import.md and README.md is written, and every command typed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Typed(NamedTuple):
    """A command, and what it is said to show."""

    command: str
    shows: list[str]


def blocks(page: Path) -> list[tuple[str, str, str]]:
    """Return (language, file, text) of every block of code."""
    return [
        (found[1], found[2] or "", found[3]) for found in _BLOCK.finditer(page.read_text(encoding="utf-8"))
    ]


def typed(text: str) -> list[Typed]:
    commands: list[Typed] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            commands.append(Typed(line.removeprefix("$ "), []))
        else:
            commands[-1].shows.append(line)
    return commands


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A home of its own, in which `turnwise` is the one that is tested."""
    return {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "TURNWISE_DB": str(tmp_path / "sessions.db"),
        "TURNWISE_CONFIG": str(tmp_path / "config"),
    }


@pytest.mark.parametrize(("page", "commands"), [("docs/how-to/import.md", 21), ("README.md", 1)])
def test_the_page_reads_as_it_runs(
    tmp_path: Path, environment: dict[str, str], page: str, commands: int
) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    ran = 0
    for language, name, text in blocks(ROOT / page):
        if name:
            (folder / name).write_text(text, encoding="utf-8")
        for command, shows in typed(text) if language == "console" else ():
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            told = done.stdout + done.stderr
            ran += 1
            assert "Traceback" not in told, (command, told)
            for line in shows:
                assert line in told, f"{command}\nshould show: {line}\nand shows: {told}"
            assert shows or done.returncode == 0, (command, told)
    assert ran >= commands
