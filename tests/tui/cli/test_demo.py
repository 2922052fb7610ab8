from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from turnwise.conversations.store import Store
from turnwise.conversations.store.rows import Mark, SessionRow
from turnwise.tui.cli.demo import table_lines

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


def test_without_a_terminal_it_prints_the_samples_with_their_marks(database: Path, tmp_path: Path) -> None:
    done = turnwise(database, "demo", home=tmp_path)
    assert done.returncode == 0, done.stderr
    header, *lines = done.stdout.splitlines()
    assert "tool" in header
    assert "tool: tool correctness" in done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 100
    assert len(lines) > 10
    assert any("✓" in line for line in lines)
    assert any("✗" in line for line in lines)
    assert "What to do next" in done.stderr


def test_json_is_an_object_a_session(database: Path, tmp_path: Path) -> None:
    done = turnwise(database, "demo", "--json", home=tmp_path)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {"id", "name", "turns", "scores"} <= rows[0].keys()
    assert any(row["scores"] for row in rows)


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


METRICS = [f"{letter}_metric" for letter in "abcdefghijkl"]


def row(number: int) -> SessionRow:
    marks = {name: Mark("score", 0.25 * (number % 4), number % 2 == 0) for name in METRICS}
    return SessionRow(
        number, f"A conversation about 退款 {number}", "", 12, ("shop", "good"), "s", 0.0, None, marks
    )


@pytest.mark.parametrize("width", [80, 100, 120, 200])
def test_a_table_of_many_metrics_fits_its_width(width: int) -> None:
    lines = table_lines([row(number) for number in range(14)], METRICS, width)
    assert max(map(cell_len, lines)) <= max(width, 99)
    header = lines[0].split()
    assert header[:4] == ["id", "conversation", "turns", "a"]
    assert ("tags" in header) is (width >= 100)
    assert ("0.75" in "".join(lines)) is (width >= 200)
    assert all("✓" in line or "✗" in line for line in lines[1:])


def test_a_table_without_sessions_is_its_header() -> None:
    assert len(table_lines([], ["role_adherence"], 80)) == 1
