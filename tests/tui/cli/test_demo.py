from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from turnwise.conversations.store import Store
from turnwise.tui.cli.demo import FAILING, road_lines

_MAIN = "from turnwise.tui.cli.main import main; main()"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "demo.db"


def turnwise(database: Path | None, *arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    named = ["--db", str(database)] if database else []
    return subprocess.run(
        [sys.executable, "-c", _MAIN, *named, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"PATH": "", "HOME": str(home), "XDG_DATA_HOME": str(home / "data")},
    )


def test_without_a_terminal_it_prints_a_summary_that_fits(database: Path, tmp_path: Path) -> None:
    done = turnwise(database, "demo", home=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("64 sessions")
    assert max(map(cell_len, lines)) <= 80
    assert "knowledge retention" in done.stdout
    assert "Answers in English" in done.stdout
    assert "recording" in done.stderr
    # All of it, with the line that asks for the next command.
    assert len(lines) + len(done.stderr.splitlines()) < 24


def test_every_command_of_its_road_works(database: Path, tmp_path: Path) -> None:
    turnwise(database, "demo", home=tmp_path)
    with Store.open(database) as store:
        road = road_lines(str(database), store.sessions.ids(FAILING)[-1])
    commands = [shlex.split(re.split(r"\s{2,}", line.strip())[0]) for line in road if line.startswith("  ")]
    assert len(commands) == 8
    for command in commands:
        done = turnwise(database, *command, home=tmp_path)
        assert done.returncode in (0, 1), (command, done.stderr)
        assert "Error" not in done.stderr, command


def test_json_is_an_object_a_session(database: Path, tmp_path: Path) -> None:
    done = turnwise(database, "demo", "--json", home=tmp_path)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {"id", "name", "turns", "scores"} <= rows[0].keys()
    assert len(rows) == 64
    assert all(row["scores"] for row in rows)


def test_a_second_time_adds_nothing(database: Path, tmp_path: Path) -> None:
    first = turnwise(database, "demo", "--json", home=tmp_path)
    second = turnwise(database, "demo", "--json", home=tmp_path)
    assert first.stdout == second.stdout


def test_its_database_is_not_the_library(tmp_path: Path) -> None:
    assert turnwise(None, "demo", home=tmp_path).returncode == 0
    assert (tmp_path / "data" / "turnwise" / "demo.db").is_file()
    assert not (tmp_path / "data" / "turnwise" / "turnwise.db").exists()


def test_a_check_that_does_not_apply_leaves_no_outcome(database: Path, tmp_path: Path) -> None:
    turnwise(database, "demo", home=tmp_path)
    with Store.open(database) as store:
        outcomes = {mark.outcome for row in store.sessions.page() for mark in row.marks.values()}
    assert outcomes == {"score"}


def test_a_judge_that_means_nothing_is_bad_input(database: Path, tmp_path: Path) -> None:
    done = turnwise(database, "demo", "--judge", "openai:gpt-4.1-mini", home=tmp_path)
    assert done.returncode == 2
    assert "OPENAI_API_KEY" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_plain_demo_loads_no_screen(database: Path) -> None:
    code = (
        "import sys\n"
        "from turnwise.tui.cli.main import run\n"
        f"assert run(['--db', {str(database)!r}, 'demo', '--plain']) == 0\n"
        "assert 'textual' not in sys.modules and 'openai' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=120)
