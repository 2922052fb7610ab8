"""A stranger's project: written from deepeval's documentation, it runs after its import lines were changed.

`support/stranger` holds it as it was written: a model of the team's own, metrics of its own, a data
set, tests with parameters and a script. No line of it is changed here but those that import.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from turnwise.conversations.store import Store

PROJECT = Path(__file__).parent / "support" / "stranger"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The project with its import lines changed."""
    folder = tmp_path / "project"
    folder.mkdir()
    for file in PROJECT.iterdir():
        if file.is_file():
            # Under its own name its tests would be taken for ours.
            name = file.name.replace("shop_tests", "test_shop")
            (folder / name).write_text(with_imports_changed(file.read_text()))
    return folder


def with_imports_changed(text: str) -> str:
    text = re.sub(r"^import deepeval$", "import turnwise as deepeval", text, flags=re.MULTILINE)
    return re.sub(r"^from deepeval(?:\.\w+)* import", "from turnwise import", text, flags=re.MULTILINE)


def ran(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240, check=False)


def test_nothing_but_lines_that_import_names_the_other_tool():
    for file in PROJECT.glob("*.py"):
        lines = [line for line in file.read_text().splitlines() if "deepeval" in line]
        about = [line for line in lines if not re.match(r"(from|import) deepeval|\"\"\"|@deepeval\.", line)]
        assert about == []


def test_its_tests_pass(project: Path):
    turnwise = str(Path(sys.executable).with_name("turnwise"))
    done = ran(turnwise, "test", "run", "test_shop.py", "-n", "2", folder=project)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "9 passed" in done.stdout
    with Store.open() as store:
        [run] = store.runs.all()
    assert {"Correctness", "Length", "Professionalism", "Balance"} <= set(run.metrics)
    assert run.parameters["chunk size"] == 500
    assert "Team's own team-7b" in run.judge


def test_its_script_runs(project: Path):
    done = ran(sys.executable, "evaluate_all.py", folder=project)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("found answer_relevancy True 1.0") == 2
    assert "2 of 2 cases passed" in done.stdout
    assert (project / "saved" / "goldens.json").is_file()
