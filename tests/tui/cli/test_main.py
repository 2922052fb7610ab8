"""The command itself: its help, its version, and how wrong use and errors reach a person."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from stored import keep

from turnwise.conversations.errors import StoreError
from turnwise.tui.cli import main as cli
from turnwise.tui.cli.command_names import COMMANDS as NAMED
from turnwise.tui.cli.command_names import GROUPS as NAME_GROUPS

COMMAND = [sys.executable, "-c", "from turnwise.tui.cli.main import main; main()"]
COMMANDS = list(NAMED)
WITHOUT_JSON = ("demo", "judge", "queue", "record", "bench", "test")
"""Groups, whose commands have it, and commands that print nothing of their own or end with it."""
GROUPS = ("filters", "tags", "queue", "modes", "criteria", "judge", "settings")
# It writes nothing that could be read.
INTERACTIVE = ("edit",)


class TestHelp:
    def test_the_help_names_every_command_once_and_is_no_taller_than_two_small_terminals(
        self, turnwise, monkeypatch
    ):
        monkeypatch.setenv("COLUMNS", "80")
        ran = turnwise("--help")
        assert ran.code == 0
        named = ran.out.split("Commands:\n")[1].split("\n\n")[0]
        lines = zip(named.splitlines(), NAME_GROUPS, strict=True)
        names = [name for line, group in lines for name in line.removeprefix(f"  {group}").split()]
        assert sorted(names) == sorted(COMMANDS)
        assert len(ran.out.splitlines()) <= 36
        assert max(map(len, ran.out.splitlines())) <= 80
        assert "Examples:" in ran.out
        assert "With a screen reader" in ran.out
        assert "Exit codes: 0 fine" in ran.out

    def test_what_each_command_does_stands_with_the_names_of_the_themes(self, turnwise):
        ran = turnwise("--commands")
        assert ran.code == 0
        for command in COMMANDS:
            assert f"\n  {command} " in ran.out
        assert "solarized-dark" in ran.out

    @pytest.mark.parametrize("command", COMMANDS)
    def test_every_command_explains_itself_with_examples(self, turnwise, command):
        ran = turnwise(command, "--help")
        assert ran.code == 0
        assert f"Usage: turnwise {command}" in ran.out
        assert "Examples:" in ran.out
        assert f"turnwise {command}" in ran.out.split("Examples:")[1]
        assert turnwise(command, "-h").out == ran.out

    @pytest.mark.parametrize("command", [name for name in COMMANDS if name not in WITHOUT_JSON])
    def test_json_is_everywhere(self, turnwise, command):
        assert "--json" in turnwise(command, "--help").out

    @pytest.mark.parametrize("group", GROUPS)
    def test_every_command_of_a_group_has_examples_and_json_too(self, turnwise, group):
        listed = turnwise(group, "--help").out.split("Commands:")[1].split("Examples:")[0]
        names = [
            line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2:3].strip()
        ]
        assert names
        for name in names:
            told = turnwise(group, name, "--help").out
            assert f"  turnwise {group} {name}" in told.split("Examples:")[1], name
            assert "--json" in told or name in INTERACTIVE, name

    def test_the_version_is_the_packages(self, turnwise):
        assert turnwise("--version").out == f"{version('turnwise')}\n"


class TestWrongUse:
    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["scroe"], "Did you mean 'score'?"),
            (["zzz"], "No such command 'zzz'"),
            (["show"], "Missing argument 'SESSION'"),
            (["show", "bag"], "'bag' is not a valid integer"),
            (["show", "1", "--jsn"], "Did you mean '--json'?"),
            (["import"], "Missing argument 'FILES...'"),
            (["import", "a.json", "--role-from", "user"], "is not 'system'"),
            (["replay", "1", "--speed", "0"], "is not in the range"),
            (["score", "--budget", "much"], "'much' is not a valid float"),
            (["judge", "buy"], "No such command 'buy'"),
            (["--db"], "requires an argument"),
        ],
    )
    def test_it_is_told_on_standard_error_with_the_way_to_help(self, turnwise, arguments, told):
        ran = turnwise(*arguments)
        assert (ran.code, ran.out) == (2, "")
        assert told in ran.err
        assert "--help" in ran.err

    @pytest.mark.parametrize(
        ("file", "told"),
        [
            ("shop.jsonl", "`turnwise import shop.jsonl` brings it in."),
            ("my shop.csv", "`turnwise import 'my shop.csv'` brings it in."),
            ("score.db", "`turnwise --db score.db` opens it as a database."),
        ],
    )
    def test_a_file_in_the_place_of_a_command_is_told_the_command(
        self, turnwise, tmp_path, monkeypatch, file, told
    ):
        monkeypatch.chdir(tmp_path)
        (tmp_path / file).touch()
        ran = turnwise(file)
        assert (ran.code, ran.out) == (2, "")
        assert f"No such command '{file}'. It is a file: {told}" in " ".join(ran.err.split())
        assert "It is a file" not in turnwise("another.jsonl").err

    def test_what_is_missing_is_shown_by_examples(self, turnwise):
        assert "Such as: `turnwise compare last-1 last`" in turnwise("compare").err
        assert "Such as: `turnwise show 12" in turnwise("show").err

    def test_what_was_typed_is_never_obeyed_by_the_terminal(self, turnwise):
        for arguments in (
            ["\x1b[31mred"],
            ["show", "\x1b]0;x\x07"],
            ["--\x1b[2J"],
            ["sessions", "b\x1b[1m:x"],
        ):
            ran = turnwise(*arguments)
            assert ran.code == 2
            assert "\x1b" not in ran.out + ran.err
            assert "\x07" not in ran.err


class TestErrors:
    def test_an_error_has_a_title_a_detail_and_a_next_step(self, turnwise, tmp_path):
        ran = turnwise("show", 7)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.splitlines() == [
            "Error: There is no session 7",
            f"  {tmp_path / 'turnwise.db'}",
            "  → `turnwise sessions` lists those there are.",
        ]

    def test_a_database_that_cannot_be_opened_is_told_and_exits_with_3(self, turnwise, tmp_path):
        (tmp_path / "letter.txt").write_text("Dear Sir or Madam")
        ran = turnwise("--db", tmp_path / "letter.txt", "sessions")
        assert (ran.code, ran.out) == (3, "")
        assert "The database cannot be opened" in ran.err
        assert "--db" in ran.err
        assert turnwise("--db", tmp_path, "sessions").code == 2

    def test_another_database_may_be_named(self, turnwise, tmp_path):
        slip = turnwise("--db", tmp_path / "other.db", "sessions")
        assert slip.code == 2
        assert "There is no such database" in slip.err
        assert not (tmp_path / "other.db").exists()
        (tmp_path / "case.json").write_text('{"turns": [{"role": "user", "content": "hi"}]}')
        assert turnwise("--db", tmp_path / "other.db", "import", tmp_path / "case.json").code == 0
        assert (tmp_path / "other.db").exists()
        assert not (tmp_path / "turnwise.db").exists()

    def test_an_interruption_exits_with_130(self, turnwise, monkeypatch):
        def interrupted(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(cli.turnwise, "main", interrupted)
        ran = turnwise("sessions")
        assert (ran.code, ran.err) == (130, "Interrupted.\n")

    def test_a_traceback_is_shown_to_who_asks_for_it(self, turnwise, monkeypatch, tmp_path):
        monkeypatch.setenv("TURNWISE_TRACEBACK", "1")
        (tmp_path / "letter.txt").write_text("Dear Sir or Madam")
        with pytest.raises(StoreError):
            turnwise("--db", tmp_path / "letter.txt", "sessions")


def run_apart(arguments: list[str], **options):
    command = [sys.executable, "-c", "from turnwise.tui.cli.main import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, check=False, **options)


def test_a_terminal_that_cannot_show_a_mark_gets_a_question_mark(store, monkeypatch):
    keep(store, "Grüße ✓", "b")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = run_apart(["show", "1"])
    assert done.returncode == 0, done.stderr
    assert b"Gr??e" in done.stdout
    assert done.stderr == b""


def test_a_reader_that_goes_away_is_no_error(store):
    for number in range(300):
        keep(store, f"question {number} " + "x" * 60, "b")
    program = [sys.executable, "-c", "from turnwise.tui.cli.main import main; main()", "sessions", "--json"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
class TestAStandardOutputThatIsNone:
    def test_a_full_one_is_told_without_a_traceback(self):
        with Path("/dev/full").open("w") as full:
            ran = subprocess.run([*COMMAND, "sessions"], stdout=full, stderr=subprocess.PIPE, check=False)
        assert b"Traceback" not in ran.stderr

    def test_a_closed_one_is_no_reason_to_stop(self, tmp_path):
        command = " ".join([*COMMAND[:2], "'" + COMMAND[2] + "'", "--version", ">&-"])
        ran = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, check=False)
        assert (ran.returncode, ran.stderr) == (0, b"")


def test_without_a_terminal_the_app_does_not_open():
    ran = run_apart([], stdin=subprocess.DEVNULL)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert b"The app needs a terminal" in ran.stderr
    assert b"turnwise sessions" in ran.stderr


def test_a_folder_that_is_gone_is_told(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    (gone / "suite.yaml").write_text("prompts: [x]")
    program = (
        "import os, sys; os.chdir(sys.argv.pop()); import shutil; shutil.rmtree(os.getcwd())\n"
        "from turnwise.tui.cli.main import main; main()"
    )
    ran = subprocess.run(
        [sys.executable, "-P", "-c", program, "run", "suite.yaml", str(gone)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert "Error: The folder that you are in is not there any more" in ran.stderr


def test_a_closed_standard_input_is_an_empty_one():
    program = "import os; os.close(0)\nfrom turnwise.tui.cli.main import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", program, "import", "-"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert "standard input is empty" in ran.stderr


def test_a_path_that_is_too_long_is_told(turnwise, tmp_path):
    ran = turnwise("--db", tmp_path / ("x" * 300), "sessions")
    assert ran.code == 3
    assert "Error: The database cannot be opened" in ran.err
