"""The pages on deepeval that the project is built from: every example of theirs is run, from the page itself.

Imports are mapped, and nothing else of an example is changed but what the page itself lost or left out: two
of the three pages were copied without their indentation, some commas are missing, `...` stands for what
everybody has of their own. Each such mend stands below with its line.
"""

from __future__ import annotations

import re
import subprocess
import sys
import types
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from differences import documented
from judge_server import JudgeServer
from judged import answers_all
from shared_data import SHARED

BRIEF = SHARED / "brief"
PAGES = {
    "older": BRIEF / "deepeval-test-cases.txt",
    "newer": BRIEF / "deepeval-single-turn-test-case.md",
    "geval": BRIEF / "deepeval-conversational-g-eval.txt",
}
pytestmark = pytest.mark.skipif(not BRIEF.is_dir(), reason="the pages are not here")

# The examples of the pages that have no fences, by their first and last lines.
UNFENCED = {
    "older": [
        *[(25, 35), (56, 62), (69, 69), (71, 88), (89, 89), (95, 103), (114, 123), (133, 143), (152, 163)],
        *[(176, 181), (190, 211), (220, 251), (259, 268), (277, 279), (288, 293), (303, 310), (316, 320)],
        *[(328, 334), (340, 345), (351, 351), (358, 385), (398, 398), (404, 417), (439, 439), (440, 447)],
        (455, 458),
    ],
    "geval": [(24, 46)],
}
SHELL = re.compile(r"deepeval (login|test run)")

# What the pages lost: the lines behind these are indented again, up to the next empty one.
INDENTED = {("older", line) for line in (76, 83, 176, 365, 379)}
# Commas that the pages leave out, at the ends of these lines.
COMMAS = {
    *{
        ("older", line)
        for line in (199, 201, 205, 206, 207, 231, 233, 237, 238, 239, 242, 245, 246, 247, 307)
    },
    ("newer", 403),
    ("newer", 454),
}
FILLED = 'input="...", actual_output="..."'
# Other slips: the text of a line, and what is meant by it.
MENDS: Mapping[tuple[str, int], tuple[str, str]] = {
    # `...` stands for arguments.
    ("older", 279): ("LLMTestCase(...)", f"LLMTestCase({FILLED})"),
    ("older", 292): ("LLMTestCase(...)", f"LLMTestCase({FILLED})"),
    ("older", 457): (", ...)", f", {FILLED})"),
    ("older", 458): (", ...)", f", turns=[LLMTestCase({FILLED})])"),
    ("newer", 425): (", ...)", f", {FILLED})"),
    ("newer", 438): (", ...)", f", {FILLED})"),
    ("newer", 511): (", ...)", f", {FILLED})"),
    ("newer", 521): (", ...)", f", {FILLED})"),
    # The metric was called professionalism_metric above.
    ("geval", 44): ("metric.", "professionalism_metric."),
    ("geval", 45): ("metric.", "professionalism_metric."),
    ("geval", 46): ("metric.", "professionalism_metric."),
}
CASES = "from deepeval.test_case import LLMTestCase, ToolCall"
TYPES = "from typing import Any, Dict, Optional\nfrom pydantic import BaseModel"
# What an example takes from above without saying so, by its first line.
BEFORE = {
    **{("older", line): CASES for line in (95, 114, 133, 152, 190, 220)},
    **{("newer", line): CASES for line in (241, 263, 282, 304, 348, 381)},
    ("older", 176): TYPES,
    ("newer", 331): TYPES,
    ("older", 404): 'input = "Why did the chicken cross the road?"',
}
# Examples that go on from another one of their page.
GOES_ON = {("older", 440): ("older", 404)}


@dataclass(frozen=True)
class Example:
    """An example: the page, its first line, and its lines as they stand there."""

    page: str
    first: int
    lines: tuple[str, ...]

    @property
    def is_shell(self) -> bool:
        return bool(SHELL.match(self.lines[0]))

    @property
    def code(self) -> str:
        """The example with the page's slips mended, before imports are mapped."""
        place = (self.page, self.first)
        above = [EXAMPLES[GOES_ON[place]].code] if place in GOES_ON else []
        return "\n".join([*above, BEFORE.get(place, ""), *self._mended()])

    def _mended(self) -> list[str]:
        mended = []
        inside = False
        for number, line in enumerate(self.lines, start=self.first):
            place = (self.page, number)
            old, new = MENDS.get(place, ("", ""))
            assert old in line, f"{place} reads otherwise: {line}"
            text = line.replace(old, new) if old else line
            text += "," if place in COMMAS else ""
            inside = inside and bool(line.strip())
            mended.append(f"    {text}" if inside else text)
            inside = inside or place in INDENTED
        return mended


def examples() -> dict[tuple[str, int], Example]:
    found = []
    for page, path in PAGES.items():
        if not path.is_file():
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        spans = UNFENCED.get(page) or fenced(lines)
        found += [Example(page, first, tuple(lines[first - 1 : last])) for first, last in spans]
    return {(example.page, example.first): example for example in found}


def fenced(lines: list[str]) -> list[tuple[int, int]]:
    """Return the first and last lines of fenced Python and shell; drawings are none."""
    marks = [number for number, line in enumerate(lines, start=1) if line.startswith("```")]
    pairs = zip(marks[::2], marks[1::2], strict=True)
    return [(first + 1, last - 1) for first, last in pairs if re.match("```(python|bash)", lines[first - 1])]


EXAMPLES = examples()
PYTHON = [place for place, example in EXAMPLES.items() if not example.is_shell]
LOGINS = [place for place, example in EXAMPLES.items() if example.lines == ("deepeval login",)]
RUNS = [place for place, example in EXAMPLES.items() if example.is_shell and place not in LOGINS]
FILES = {"test_file.py": {"older": 71, "newer": 210}, "test_assert_example.py": {"older": 358}}


def mapped(code: str) -> str:
    code = re.sub(r"^import deepeval$", "import turnwise as deepeval", code, flags=re.MULTILINE)
    return re.sub(r"^from deepeval(\.\w+)* import", "from turnwise import", code, flags=re.MULTILINE)


CHATBOT = "def run(question):\n    return 'To get to the other side!'\n"


@pytest.fixture
def judge(judge_server_apart: JudgeServer, monkeypatch: pytest.MonkeyPatch) -> JudgeServer:
    """The judge that one chose, content with everything; and the chatbot that the pages suppose."""
    judge_server_apart.default = answers_all
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TURNWISE_JUDGE", f"{judge_server_apart.url}#m")
    chatbot = types.ModuleType("chatbot")
    exec(CHATBOT, chatbot.__dict__)  # noqa: S102
    monkeypatch.setitem(sys.modules, "chatbot", chatbot)
    return judge_server_apart


def run(place: tuple[str, int]) -> dict[str, Any]:
    """Run an example and return what it has named."""
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(mapped(EXAMPLES[place].code), f"{place[0]}.py", "exec"), names)  # noqa: S102
    return names


@pytest.mark.parametrize("place", PYTHON, ids=lambda place: f"{place[0]}-{place[1]}")
def test_every_example_runs(place: tuple[str, int], judge: JudgeServer) -> None:
    run(place)


@pytest.mark.parametrize("place", RUNS, ids=lambda place: f"{place[0]}-{place[1]}")
def test_every_command_that_runs_tests_runs_them(
    place: tuple[str, int], judge: JudgeServer, tmp_path: Path
) -> None:
    _, _, _, file, *options = EXAMPLES[place].lines[0].split()
    code = EXAMPLES[place[0], FILES[file][place[0]]].code
    (tmp_path / file).write_text(mapped(code))
    (tmp_path / "chatbot.py").write_text(CHATBOT)
    done = turnwise("test", "run", file, *options, folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_the_five_logins_are_all_that_there_is_no_command_for(tmp_path: Path) -> None:
    assert len(LOGINS) == 5
    assert turnwise("login", folder=tmp_path).returncode == 2
    assert "no-login" in documented()


def turnwise(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program = str(Path(sys.executable).with_name("turnwise"))
    return subprocess.run(
        [program, *arguments], cwd=folder, capture_output=True, text=True, timeout=240, check=False
    )


def test_every_mend_is_of_a_line_of_an_example() -> None:
    lines = {
        (example.page, number)
        for example in EXAMPLES.values()
        for number in range(example.first, example.first + len(example.lines))
    }
    assert {*MENDS, *COMMAS, *INDENTED, *BEFORE} <= lines


class TestWhatComesOfThem:
    """What the pages say of their examples, beside that they run."""

    def test_a_conversation_of_test_cases_has_them_as_its_turns(self, judge):
        case = run(("older", 259))["test_case"]
        assert case.turns[-1].actual_output == "Quite frankly, I don't want to know..."
        assert case.turns[-1].input == "Why did the chicken cross the road?"

    def test_the_metric_is_measured_by_its_steps(self, judge, capsys):
        metric = run(("geval", 24))["professionalism_metric"]
        assert (metric.score, metric.reason) == (0.8, "r")
        assert capsys.readouterr().out == "0.8\nr\n"
        [asked] = judge.requests
        assert "1. Check whether each LLM 'actual output'" in asked.text
        assert "'input' is what the user says" in asked.text

    def test_evaluating_prints_the_results_and_keeps_what_was_logged(self, judge, capsys):
        from turnwise.conversations.store import Store

        run(("older", 440))
        assert "1 of 1 cases passed" in capsys.readouterr().out
        with Store.open() as store:
            kept = [one.parameters for one in store.runs.all() if one.parameters]
        assert kept == [{"model": "gpt4o", "prompt template": "..."}]

    def test_tools_by_name_and_in_full(self, judge):
        assert [tool.name for tool in run(("older", 25))["test_case"].expected_tools] == [
            "WebSearch",
            "QueryDatabase",
        ]
        calls = run(("older", 220))["test_case"].tools_called
        assert calls[0].input_parameters == {"user_input": "2+3"}

    def test_an_image_knows_whether_it_is_local(self, judge):
        assert run(("older", 328))["image_input"].local is True
