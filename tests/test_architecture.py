"""The house: what may import what, what is shipped, and what a short command must not load."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("conversations", "engine", "tui")
FILES = [path for room in (*ROOMS, "tests") for path in sorted((ROOT / room).rglob("*.py"))]


def test_the_import_contracts_hold():
    # Beside the interpreter that runs the tests, whichever environment that is.
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    assert f"{len(contracts)} kept, 0 broken" in done.stdout


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_says_that_it_is_typed(room):
    assert (ROOT / room / "py.typed").is_file()
    assert (ROOT / room / "__init__.py").is_file()


@pytest.mark.parametrize("room", ROOMS)
def test_the_links_for_editable_installs_lead_to_the_rooms(room):
    assert (ROOT / ".src" / "turnwise" / room).resolve() == (ROOT / room).resolve()


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.partition(".")[0])
    return names


# A line without this imports no room by its bare name; to parse all files takes ten seconds.
BARE = re.compile(rf"^\s*(?:import|from)\b.*(?<![\w.])(?:{'|'.join(ROOMS)})\b", re.MULTILINE)


def test_nothing_imports_a_room_by_its_bare_name():
    likely = [path for path in FILES if BARE.search(path.read_text(encoding="utf-8"))]
    assert [str(path.relative_to(ROOT)) for path in likely if imported(path).intersection(ROOMS)] == []


@pytest.mark.parametrize(
    "line", ["import tui", "    from engine.judge import ask", "import os, conversations.cases"]
)
def test_a_bare_name_is_found_wherever_it_stands(line, tmp_path):
    (tmp_path / "module.py").write_text(f"if True:\n{line}\n" if line[0] == " " else f"{line}\n")
    assert BARE.search(line)
    assert imported(tmp_path / "module.py").intersection(ROOMS)


def test_every_folder_of_code_is_a_package_and_no_folder_of_tests_is():
    for room in ROOMS:
        for folder in {path.parent for path in FILES if (ROOT / room) in path.parents}:
            assert (folder / "__init__.py").is_file(), folder
    assert not list((ROOT / "tests").rglob("__init__.py"))


def test_a_format_is_reached_by_the_door_of_all_formats_alone():
    room = ROOT / "conversations" / "formats"
    private = {f"turnwise.conversations.formats.{path.stem}" for path in room.glob("*.py")}
    offenders = [
        f"{path.relative_to(ROOT)} imports {node.module}"
        for path in FILES
        if room not in path.parents and path.parts[len(ROOT.parts)] != "tests"
        if "turnwise.conversations.formats." in path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module in private
    ]
    assert offenders == []


def test_a_module_holds_one_thought():
    long = [path for path in FILES if len(path.read_text(encoding="utf-8").splitlines()) > 600]
    assert [str(path.relative_to(ROOT)) for path in long] == []


def test_a_folder_can_be_taken_in_at_a_glance():
    for room in ROOMS:
        for folder in {path.parent for path in FILES if (ROOT / room) in path.parents}:
            assert len(list(folder.glob("*.py"))) <= 25, folder


_REPORT = """
import sys
from turnwise.tui.cli.main import run
code = run(sys.argv[1:])
loaded = [name for name in ("textual", "openai", "xllamacpp", "sqlite_utils") if name in sys.modules]
sys.stderr.write(f"\\nLOADED {code} {' '.join(loaded)}")
"""


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--version"], 0),
        (["--help"], 0),
        (["sessions"], 0),
        (["sessions", "--json", "bag"], 0),
        (["show", "1"], 0),
        (["show", "1", "--json"], 0),
        (["replay", "1", "--json"], 0),
        (["metrics"], 0),
        (["score", "--all", "--metric", "role_adherence", "--metric", "contains:Oslo", "--judge", "none"], 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_short_command_loads_neither_the_app_nor_a_judge(store, arguments, code):
    from stored import keep

    keep(store)
    environment = {**os.environ, "TURNWISE_DB": str(store.path)}
    done = subprocess.run(
        [sys.executable, "-c", _REPORT, *arguments],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.stderr.rsplit("\n", 1)[-1].strip() == f"LOADED {code}", done.stderr


@pytest.mark.parametrize("package", ["turnwise.conversations", "turnwise.engine", "turnwise.engine.metrics"])
def test_every_name_that_a_package_offers_is_there(package):
    module = import_module(package)
    assert module.__all__ == sorted(module.__all__)
    assert all(getattr(module, name).__name__ == name for name in module.__all__ if name != "Outcome")
    with pytest.raises(AttributeError, match="NoSuchName"):
        module.NoSuchName  # noqa: B018


@pytest.mark.parametrize("room", ["files", "formats", "formats.promptfoo", "templates"])
def test_every_name_at_the_door_of_a_room_is_there(room):
    module = import_module(f"turnwise.conversations.{room}")
    assert len(set(module.__all__)) == len(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)
    assert not hasattr(module, "NoSuchName")


def test_importing_the_library_loads_no_judge_and_no_screen():
    program = (
        "import sys; import turnwise, turnwise.conversations, turnwise.engine, turnwise.engine.metrics\n"
        "from turnwise.engine import evaluate; from turnwise.conversations import LLMTestCase\n"
        "print([name for name in ('textual', 'openai', 'click') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
