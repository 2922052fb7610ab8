"""The tutorial: its commands work on the database of the demo, and say what the page says of them."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[1] / "docs" / "tutorial" / "first-review.md").read_text(encoding="utf-8")
COMMANDS = [
    line
    for block in re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
    # What needs a model, a file of one's own or an empty folder is tried elsewhere.
    if line.startswith("turnwise ") and not re.search(r"--judge|import|replay", line)
]
_MAIN = "from turnwise.tui.cli.main import main; main()"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    assert run(home, "demo", "--plain").returncode == 0
    return home


def run(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _MAIN, "--db", str(home / "demo.db"), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"PATH": "", "HOME": str(home), "XDG_DATA_HOME": str(home / "data")},
    )


def test_every_command_works_in_the_order_of_the_page(home: Path) -> None:
    assert len(COMMANDS) >= 8
    for command in COMMANDS:
        done = run(home, *shlex.split(command)[1:])
        assert done.returncode in (0, 1), (command, done.stderr)
        assert done.stdout or done.stderr, command


def test_the_conversations_that_switch_the_language_are_german(home: Path) -> None:
    found = run(home, "sessions", "language_switch:fail")
    german = run(home, "sessions", "language_switch:fail", "meta.language:de", "meta.version:5")
    assert found.stdout == german.stdout != ""


def test_the_cause_stands_in_the_system_prompts(home: Path) -> None:
    shown = {version: run(home, "sessions", f"meta.version:{version}", "--json").stdout for version in (4, 5)}
    assert all(shown.values())
    prompts = [
        run(home, "show", str(re.search(r'"id": ?(\d+)', shown[version])[1]), "--json").stdout  # type: ignore[index]
        for version in (4, 5)
    ]
    assert "language that the customer writes" in prompts[0]
    assert "language that the customer writes" not in prompts[1]
