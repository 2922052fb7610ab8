"""turnwise export: what it writes, what it says, and how it ends."""

import io
import json
import subprocess
import sys

import pytest
from stored import keep, land, score

from turnwise.conversations.exports import EXPORTS, ROWS

HOSTILE = "\x1b[31mred\x07 \u202eevil"
NAMES = ["Where is my bag?", "b", "c"]


@pytest.fixture
def three(store):
    """Three sessions, of which one is judged and one is tagged."""
    ids = [keep(store, "Where is my bag?", HOSTILE), keep(store, "b", tags=["lost"]), keep(store, "c")]
    land(store, ids[2], score(0.25))
    return ids


def test_sessions_go_to_standard_output_and_words_to_standard_error(turnwise, three):
    ran = turnwise("export", "--all", "--to", "jsonl")
    assert ran.code == 0
    assert sorted(row["turnwise"]["name"] for row in ran.rows) == NAMES
    assert ran.err == "3 sessions exported.\n"


@pytest.mark.parametrize(
    ("words", "places"),
    [(["1", "3"], [0, 2]), (["tag:lost"], [1]), (["politeness<0.5"], [2]), (["bag"], [0])],
)
def test_numbers_or_a_query_choose(turnwise, three, words, places):
    rows = turnwise("export", *words, "--to", "jsonl").rows
    assert [row["turnwise"]["name"] for row in rows] == [NAMES[place] for place in places]


def test_a_file_comes_whole_and_is_told(turnwise, three, tmp_path):
    path = tmp_path / "out.html"
    ran = turnwise("export", 1, "--to", "html", "--output", path)
    assert (ran.code, ran.out, ran.err) == (0, "", f"1 session exported to {path}.\n")
    assert path.read_text().startswith("<!DOCTYPE html>")


def test_as_json_it_is_one_object(turnwise, three, tmp_path):
    path = tmp_path / "out.csv"
    ran = turnwise("export", "--all", "--to", "csv", "--rows", "sessions", "-o", path, "--json")
    assert ran.row == {"exported": 3, "file": str(path)}
    assert len(path.read_text().splitlines()) == 4


def test_a_file_that_is_there_stays_unless_forced(turnwise, three, tmp_path):
    path = tmp_path / "out.md"
    path.write_text("mine")
    ran = turnwise("export", 1, "--to", "markdown", "-o", path)
    assert ran.code == 2
    assert ran.err.splitlines()[0] == f"Error: There is a file {path} already"
    assert path.read_text() == "mine"
    assert turnwise("export", 1, "--to", "markdown", "-o", path, "--force").code == 0
    assert path.read_text().startswith("# Where is my bag?")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--all"], "Missing option '--to'"),
        (["--all", "--to", "htlm"], "There is no format htlm to export to"),
        (["--to", "html"], "Say which sessions"),
        (["99", "--to", "html"], "There is no session 99"),
        (["nothing", "--to", "html"], "No session matches nothing"),
        (["1", "--all", "--to", "html"], "--all goes without a query"),
        (["1", "--to", "html", "--rows", "turns"], "The format html has no rows to choose"),
        (["1", "--to", "csv", "--rows", "words"], "'words' is not one of"),
        (["1", "--to", "html", "--json"], "cannot both go to standard output"),
        (["1", "--to", "html", "-o", "no/such/folder/x"], "no/such/folder/x cannot be written"),
    ],
)
def test_wrong_use_is_told(turnwise, three, arguments, told):
    ran = turnwise("export", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_nothing_to_export_is_told(turnwise):
    assert "There are no sessions yet" in turnwise("export", "--all", "--to", "html").err


class Terminal(io.StringIO):
    """A terminal that text can be written to."""

    def isatty(self):
        return True


@pytest.mark.parametrize("name", [export.name for export in EXPORTS.values() if export.is_text])
def test_a_terminal_obeys_nothing(turnwise, three, monkeypatch, name):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    assert turnwise("export", "1", "--to", name).code == 0
    assert "red" in terminal.getvalue()
    assert not set("\x1b\x07\u202e\r") & set(terminal.getvalue())


def test_a_pipe_gets_the_bytes_of_a_file(turnwise, three, tmp_path):
    path = tmp_path / "out.csv"
    turnwise("export", "1", "--to", "csv", "-o", path)
    program = [sys.executable, "-c", "from turnwise.tui.cli.main import main; main()"]
    piped = subprocess.run([*program, "export", "1", "--to", "csv"], capture_output=True, check=True)
    assert piped.stdout == path.read_bytes()
    assert b"\x1b[31m" in piped.stdout


def test_parquet_is_not_shown_on_a_terminal(turnwise, three, monkeypatch):
    monkeypatch.setattr(sys, "stdout", Terminal())
    ran = turnwise("export", "1", "--to", "parquet")
    assert ran.code == 2
    assert "Parquet is no text to show" in ran.err


def test_the_help_names_every_format_and_kind_of_rows(turnwise):
    told = turnwise("export", "--help").out
    for export in EXPORTS.values():
        assert f"  {export.name} " in told
    for word in ROWS:
        assert word in told


def test_what_went_out_comes_in_again(turnwise, three, tmp_path):
    path = tmp_path / "out.jsonl"
    turnwise("export", "--all", "--to", "jsonl", "-o", path)
    ran = turnwise("--db", tmp_path / "other.db", "import", path, "--json")
    assert (ran.row["imported"], ran.row["failed"]) == (3, 0)
    assert turnwise("import", path, "--json").row["unchanged"] == 3
    assert json.loads(path.read_text().splitlines()[0])["turnwise"]["form"] == 1


def test_a_page_of_many_sessions_begins_with_their_overview(turnwise, three, tmp_path):
    path = tmp_path / "out.html"
    turnwise("export", "--all", "--to", "html", "--output", path)
    page = path.read_text()
    assert page.index("left to do") < page.index("Where is my bag?")
    assert "2 not scored" in page
    assert ".overview {" in page
    # Sessions that are named are no group that one would sum up.
    turnwise("export", "1", "2", "--to", "html", "--output", path, "--force")
    assert "left to do" not in path.read_text()
    turnwise("export", "tag:lost", "--to", "html", "--output", path, "--force")
    assert "left to do" not in path.read_text()
