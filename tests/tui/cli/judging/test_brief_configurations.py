"""The configurations of the documents that people come with, each run to the letter, none left out.

What is in a fenced block is written to a file as it stands, and so are the files that it names. Where the
page of AgentV lost its line ends, the YAML here must have its very words. What else is mended is in SLIPS.
"""

from __future__ import annotations

import base64
import json
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from judge_server import JudgeServer, Request, Step, says
from shared_data import SHARED

BRIEF = SHARED / "brief"
PROMPTFOO = BRIEF / "promptfoo-test-cases.md"
AGENTV = BRIEF / "agentv-eval-cases.txt"
SLIPS = {
    229: (
        "load_test_data is called and nowhere defined",
        "def load_test_data():\n    return [{'input': 'red', 'context': 'colours', 'expected': 'red'}]\n",
    ),
    266: (
        "generate_test_cases is called and nowhere defined",
        "def generate_test_cases(*given):\n    return [{'vars': {'given': ' '.join(map(str, given))}}]\n",
    ),
}
"""What the page forgot, by the line of its block: why, and what is put before the block."""
_FENCE = re.compile(r'```(?P<language>\w*)(?: title="(?P<title>[^"]+)")?')
_CONFIGURATION = "promptfooconfig.yaml"
_CHART = b"\x89PNG"
_PICTURE = base64.b64decode("/9j/4AAQSkZJRgABAQEASABIAAD/2Q==")

pytestmark = [
    pytest.mark.fixtures,
    pytest.mark.skipif(not BRIEF.is_dir(), reason="the folder ../shared is not here"),
]


def fenced() -> dict[int, tuple[str, str, str]]:
    """Return language, title and text of every fenced block of promptfoo's page, by its line."""
    found: dict[int, tuple[str, str, str]] = {}
    opened: tuple[int, re.Match[str]] | None = None
    lines = PROMPTFOO.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines, start=1):
        if opened is None and (fence := _FENCE.match(line)):
            opened = (number, fence)
        elif opened is not None and line == "```":
            start, fence = opened
            found[start] = (
                fence["language"],
                fence["title"] or "",
                "\n".join(lines[start : number - 1]) + "\n",
            )
            opened = None
    return found


@dataclass
class Desk:
    """A folder in which an example is run, with a chatbot that answers by a table, and a kind judge."""

    turnwise: Any
    folder: Path
    server: JudgeServer
    answers: dict[str, str] = field(default_factory=dict)

    def put(self, line: int, name: str = "") -> Path:
        """Write a block into a file: the one that it is titled with, or this one."""
        _, title, text = fenced()[line]
        _, before = SLIPS.get(line, ("", ""))
        return self.write(name or title or _CONFIGURATION, before + text)

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def run(self, path: Path, *words: str, target: str = "") -> Any:
        """Run a file. The chatbot gives the answer whose key stands in the prompt, and else the prompt."""
        table = json.dumps(self.answers)
        self.write(
            "bot.py",
            f"import json\nTABLE = json.loads({table!r})\n\ndef answer(prompt):\n"
            "    return next((TABLE[key] for key in TABLE if key in prompt), prompt)\n",
        )
        bot = target or f"python:{self.folder / 'bot.py'}:answer"
        ran = self.turnwise("run", path, "--target", bot, "--judge", f"{self.server.url}#j", "--json", *words)
        assert "Traceback" not in ran.err
        return ran


def is_kind(request: Request) -> Step:
    """Let everything pass, in the form that each tool asks for."""
    reply = {"reason": "so", "reasoning": "so", "pass": True, "score": 1.0, "hits": [], "misses": []}
    return says(reply)


@pytest.fixture
def desk(turnwise, tmp_path, judge_server_apart, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    judge_server_apart.default = is_kind
    folder = tmp_path / "desk"
    folder.mkdir()
    return Desk(turnwise, folder, judge_server_apart)


def outcomes(ran: Any) -> list[str]:
    return [row["outcome"] for row in ran.rows]


def asked(ran: Any) -> list[str]:
    return [row["prompt"] for row in ran.rows]


Example = Callable[[Desk], None]
EXAMPLES: dict[int, Example] = {}
"""What runs each block of promptfoo's page, by the line of the block."""


def runs(*lines: int) -> Callable[[Example], Example]:
    """Say which blocks a function runs."""

    def kept(example: Example) -> Example:
        EXAMPLES.update(dict.fromkeys(lines, example))
        return example

    return kept


@runs(29)
def inline_tests(desk: Desk) -> None:
    desk.answers = {"capital of France": "Paris", "2 + 2": "4"}
    path = desk.put(29)
    bare = desk.run(path)
    # It names no prompts: {{prompt}} is asked, and no test has it.
    assert (bare.code, asked(bare)) == (1, ["", ""])
    assert "give the prompt with --prompt" in bare.err
    ran = desk.run(path, "--prompt", "{{question}}")
    assert (ran.code, outcomes(ran)) == (0, ["pass", "pass"])


@runs(48)
def structure_of_a_test(desk: Desk) -> None:
    desk.answers = {"value1": "the expected text"}
    path = desk.put(48)
    for words in ([], ["--filter-metadata", "category=math"]):
        ran = desk.run(path, "--prompt", "{{var1}}", *words)
        assert (ran.code, ran.row["description"]) == (0, "Optional test description")
    assert desk.run(path, "--filter-metadata", "category=art").code == 2


@runs(69)
def one_external_file(desk: Desk) -> None:
    desk.answers = {"capital of France": "Paris", "2 + 2": "4"}
    desk.write("tests.yaml", json.dumps(yaml.safe_load(fenced()[29][2])["tests"]))
    ran = desk.run(desk.put(69), "--prompt", "{{question}}")
    assert (ran.code, outcomes(ran)) == (0, ["pass", "pass"])


@runs(75)
def several_external_files(desk: Desk) -> None:
    for name in ("basic_tests", "advanced_tests", "edge_cases/a", "edge_cases/b"):
        desk.write(f"{name}.yaml", f"- vars: {{prompt: {name}}}\n")
    ran = desk.run(desk.put(75))
    assert (ran.code, asked(ran)) == (0, ["basic_tests", "advanced_tests", "edge_cases/a", "edge_cases/b"])


@runs(86, 92)
def a_table(desk: Desk) -> None:
    desk.put(92)
    ran = desk.run(desk.put(86), "--prompt", "{{question}} {{expectedAnswer}}")
    assert (ran.code, asked(ran)[0]) == (0, "What is 2+2? 4")
    assert len(ran.rows) == 3


def of_table(line: int, prompt: str, *, passes: bool = True) -> Callable[[Desk], Any]:
    """Return what runs a table by the configuration before it, and by itself, and gives the second run."""

    def run(desk: Desk) -> Any:
        table = desk.put(line)
        by_name, alone = (
            desk.run(path, "--prompt", prompt)
            for path in (desk.write(_CONFIGURATION, fenced()[86][2]), table)
        )
        assert outcomes(by_name) == outcomes(alone)
        assert alone.code == (0 if passes else 1)
        return alone

    return run


@runs(105)
def a_table_with_checks(desk: Desk) -> None:
    desk.answers = {"Calculate": "30", "weather": "It is sunny."}
    ran = of_table(105, "{{input}}")(desk)
    assert outcomes(ran) == ["pass"] * 3
    assert "Provides weather information" in desk.server.requests[-1].text


@runs(114)
def a_table_with_several_checks(desk: Desk) -> None:
    desk.answers = {"2+2": "4"}
    # The page's own checks want 4 and four of one answer.
    ran = of_table(114, "{{question}}", passes=False)(desk)
    assert [check["passed"] for check in ran.row["checks"]] == [True, False, True]


@runs(122)
def a_table_with_a_list_in_a_cell(desk: Desk) -> None:
    ran = of_table(122, "{{translated_text}}")(desk)
    assert ran.row["checks"][0]["type"] == "contains-any"
    # As the page's note says, without a comma it is one term.
    text = fenced()[122][2].replace("<b>,</span>", "<b> </span>")
    assert desk.run(desk.write("one.csv", text), "--prompt", "{{translated_text}}").code == 1


@runs(150, 158, 166)
def metadata_and_its_filters(desk: Desk) -> None:
    desk.answers = {"2+2": "4"}
    first, second = desk.put(150), desk.put(158, "tags.csv")
    prompts = ["--prompt", "{{question}}{{topic}}"]
    assert len(desk.run(first, *prompts).rows) == len(desk.run(second, *prompts).rows) == 2
    left = []
    for line in fenced()[166][2].splitlines():
        # The command is another's: its options are the same.
        words = shlex.split(line.removeprefix("promptfoo eval "))
        ran = desk.run(second if "tags" in line else first, *prompts, *words)
        left += [row["prompt"] for row in ran.rows]
    assert left == ["What is 2+2?", "What is 2+2?", "Machine learning"]
    assert asked(desk.run(second, *prompts, "--filter-metadata", "tags=global,warming")) == ["Climate change"]


@runs(176, 183)
def json_in_a_table(desk: Desk) -> None:
    desk.answers = {"Location: NYC": "20 degrees celsius"}
    desk.put(176)
    path = desk.write(_CONFIGURATION, fenced()[183][2] + fenced()[86][2])
    ran = desk.run(path)
    assert (ran.code, ran.row["prompt"]) == (0, "Query: What's the temperature?, Location: NYC")


@runs(194, 198)
def made_by_javascript(desk: Desk) -> None:
    script = desk.put(198)
    desk.answers = {f"{number}!": str(number * number) for number in range(10, 0, -1)}
    for path in (desk.put(194), script):
        refused = desk.run(path, "--prompt", "{{number}}!")
        assert (refused.code, "--trust" in refused.err) == (2, True)
        ran = desk.run(path, "--prompt", "{{number}}!", "--trust")
        assert (ran.code, outcomes(ran)) == (0, ["pass"] * 10)
        assert ran.rows[9]["description"] == "Test case 10"


@runs(225, 229)
def made_by_python(desk: Desk) -> None:
    script = desk.put(229)
    for path in (desk.put(225), f"{script}:create_tests"):
        ran = desk.run(path, "--prompt", "{{input}} of {{context}}", "--trust")
        assert (ran.code, asked(ran)) == (0, ["red of colours"])


@runs(257, 266)
def made_by_python_with_settings(desk: Desk) -> None:
    desk.put(266)
    ran = desk.run(desk.put(257), "--prompt", "{{given}}", "--trust")
    assert (ran.code, asked(ran)) == (0, ["validation math 100"])


@runs(280)
def written_in_json(desk: Desk) -> None:
    desk.answers = {"artificial": "AI thinks.", "climate": "It warms."}
    tests = desk.put(280)
    for path in (tests, desk.write(_CONFIGURATION, "tests: file://tests.json\n")):
        ran = desk.run(path, "--prompt", "{{topic}}")
        assert (ran.code, outcomes(ran)) == (0, ["pass", "pass"])
    assert "Discusses environmental impact" in desk.server.requests[-1].text


@runs(309)
def written_in_lines_of_json(desk: Desk) -> None:
    desk.answers = {"5 + 3": "8", "10 + 7": "17"}
    tests = desk.put(309)
    for path in (tests, desk.write(_CONFIGURATION, "tests: file://tests.jsonl\n")):
        ran = desk.run(path, "--prompt", "{{x}} + {{y}}")
        assert (ran.code, outcomes(ran)) == (0, ["pass", "pass"])


@runs(318)
def files_as_variables(desk: Desk) -> None:
    pytest.importorskip("pypdf")
    desk.write("images/chart.png", _CHART)
    desk.write("docs/report.pdf", pdf("Quarterly report"))
    desk.write("data/config.yaml", "a: {b: 1}\n")
    ran = desk.run(desk.put(318), "--prompt", "{{image}} | {{document}} | {{data}}")
    picture, document, data = ran.row["prompt"].split(" | ")
    assert picture == f"data:image/png;base64,{base64.b64encode(_CHART).decode()}"
    assert (document, json.loads(data)) == ("Quarterly report", {"a": {"b": 1}})


@runs(338, 350)
def a_chatbot_that_sees(desk: Desk) -> None:
    desk.write("test_image.jpg", _PICTURE)
    prompt = desk.put(350, "vision.json")
    desk.server.script(says("A dog and a ball."))
    ran = desk.run(desk.put(338), "--prompt", str(prompt), target=f"{desk.server.url}#m")
    assert (ran.code, outcomes(ran)) == (0, ["pass"])
    (message,) = desk.server.requests[0].body["messages"]
    question, image = message["content"]
    assert question["text"] == "What objects are in this image?"
    # The prompt begins the address of the image, which is one already: it is sent once.
    assert image["image_url"]["url"] == f"data:image/jpeg;base64,{base64.b64encode(_PICTURE).decode()}"


@runs(371)
def a_project(desk: Desk) -> None:
    named = re.findall(r"[\w/]+\.\w+", fenced()[371][2])
    assert named == [
        "promptfooconfig.yaml",
        "main_prompt.txt",
        "basic_functionality.csv",
        "edge_cases.yaml",
        "regression_tests.json",
    ]
    desk.write("prompts/main_prompt.txt", "Say {{word}}")
    desk.write("tests/basic_functionality.csv", "word,__expected\none,contains: one\n")
    desk.write("tests/edge_cases.yaml", "- vars: {word: two}\n")
    desk.write("tests/regression_tests.json", '[{"vars": {"word": "three"}}]')
    tests = "".join(f"  - file://tests/{name}\n" for name in named[2:])
    path = desk.write(_CONFIGURATION, f"prompts: file://prompts/main_prompt.txt\ntests:\n{tests}")
    ran = desk.run(path)
    assert (ran.code, asked(ran)) == (0, ["Say one", "Say two", "Say three"])


@runs(384)
def descriptive_names(desk: Desk) -> None:
    ran = desk.run(desk.put(384), "--prompt", "{{text}} in {{language}}, {{tone}}")
    assert (ran.code, ran.row["prompt"]) == (0, "Hello in French, formal")
    assert ran.row["description"] == "Test French translation with formal tone"


@runs(395)
def grouped_by_metadata(desk: Desk) -> None:
    path = desk.put(395)
    for wanted in ("feature=authentication", "priority=high"):
        ran = desk.run(path, "--prompt", "{{query}}", "--filter-metadata", wanted)
        assert (ran.code, asked(ran)) == (0, ["Reset password"])


@runs(407)
def all_ways_together(desk: Desk) -> None:
    desk.write("tests/full_suite.csv", "test,__expected\nfull,contains: full\n")
    desk.put(198, "tests/generate_edge_cases.js")
    desk.answers = {f"#{number}#": str(number * number) for number in range(1, 11)}
    ran = desk.run(desk.put(407), "--prompt", "{{test}}#{{number}}#", "--trust")
    assert (ran.code, len(ran.rows)) == (0, 12)


@runs(424)
def styles_side_by_side(desk: Desk) -> None:
    ran = desk.run(desk.put(424), "--prompt", "{{greeting}} ({{message_style}})")
    assert (ran.code, outcomes(ran)) == (0, ["pass"] * 3)


@runs(433)
def an_empty_input(desk: Desk) -> None:
    desk.answers = {"": "Please provide more information."}
    for words in ([], ["--prompt", "{{input}}"]):
        ran = desk.run(desk.put(433), *words)
        assert (ran.code, ran.row["prompt"]) == (0, "")


@runs(445)
def a_limit_of_time(desk: Desk) -> None:
    ran = desk.run(desk.put(445), target="echo")
    assert (ran.code, ran.row["prompt"]) == (0, "Simple question")
    assert (ran.row["checks"][0]["type"], ran.err.count("Warning")) == ("latency", 0)


def test_every_block_is_run() -> None:
    assert sorted(EXAMPLES) == sorted(fenced())
    assert set(SLIPS) <= set(fenced())


@pytest.mark.parametrize("example", dict.fromkeys(EXAMPLES.values()), ids=lambda example: example.__name__)
def test_a_block_of_promptfoos_page_runs_to_the_letter(desk: Desk, example: Example) -> None:
    example(desk)


def pdf(text: str) -> bytes:
    """Return a document of one page that holds a line."""
    drawn = f"BT /F1 12 Tf 20 20 Td ({text}) Tj ET"
    parts = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 50] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    whole, places = "%PDF-1.4\n", []
    for number, part in enumerate(parts, start=1):
        places.append(len(whole))
        whole += f"{number} 0 obj\n{part}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = f"trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{len(whole)}\n%%EOF\n"
    return f"{whole}xref\n0 6\n0000000000 65535 f \n{table}{trailer}".encode()


CASE = "evalcases:\n  - id: one\n    expected_outcome: It is right\n"
"""What stands before a field that the page shows by itself."""


def of_page(text: str) -> str:
    """Return YAML that has the words of AgentV's page, which lost its line ends."""

    def words(whole: str) -> str:
        return "".join(whole.split())

    assert words(text) in words(AGENTV.read_text(encoding="utf-8")), "the page says it otherwise"
    return text


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in of_page(text).splitlines())


class TestAgentv:
    """The eval cases of AgentV's page."""

    def run(self, desk: Desk, text: str, *words: str, name: str = "evals/page.eval.yaml") -> Any:
        desk.answers = {"15 + 27": "42", "quicksort": "It splits, then sorts.", "list": "def sort(a): ..."}
        return desk.run(desk.write(name, text), *words)

    def test_the_basic_structure(self, desk: Desk) -> None:
        ran = self.run(
            desk,
            of_page(
                "evalcases:\n  - id: addition\n    expected_outcome: Correctly calculates 15 + 27 = 42\n"
                '    input: What is 15 + 27?\n    expected_output: "42"\n'
            ),
        )
        assert (ran.code, ran.row["id"], ran.row["output"]) == (0, "addition", "42")
        assert "Correctly calculates 15 + 27 = 42" in desk.server.requests[-1].text

    @pytest.mark.parametrize(
        ("written", "roles"),
        [
            ("input: What is 15 + 27?\n", ["user"]),
            (
                "input:\n  - role: system\n    content: You are a helpful math tutor.\n"
                "  - role: user\n    content: What is 15 + 27?\n",
                ["system", "user"],
            ),
        ],
    )
    def test_an_input(self, desk: Desk, written: str, roles: list[str]) -> None:
        path = desk.write("page.yaml", CASE + indented(written))
        desk.server.script(says("42"))
        ran = desk.run(path, target=f"{desk.server.url}#m")
        assert (ran.code, ran.row["output"]) == (0, "42")
        assert [message["role"] for message in desk.server.requests[0].body["messages"]] == roles

    @pytest.mark.parametrize(
        "written", ['expected_output: "42"\n', 'expected_output:\n  - role: assistant\n    content: "42"\n']
    )
    def test_an_expected_output_is_shown_to_the_judge(self, desk: Desk, written: str) -> None:
        ran = self.run(desk, f"{CASE}    input: How many?\n{indented(written)}")
        assert ran.code == 0
        assert "42" in desk.server.requests[-1].text

    def test_a_case_names_its_target_and_its_evaluators(self, desk: Desk, turnwise: Any) -> None:
        text = of_page(
            "evalcases:\n  - id: complex-case\n    expected_outcome: Provides detailed explanation\n"
            "    input: Explain quicksort algorithm\n\n"
            "    execution:\n      target: gpt4_target\n      evaluators:\n        - name: depth_check\n"
            "          type: llm_judge\n          prompt: ./judges/depth.md\n"
        )
        path = desk.write("evals/page.yaml", text)
        desk.write("evals/judges/depth.md", "How deep is {{candidate_answer}}?")
        desk.write(
            "evals/.agentv/targets.yaml",
            "targets:\n  - name: gpt4_target\n    provider: mock\n    response: It splits, then sorts.\n",
        )
        ran = turnwise("run", path, "--judge", f"{desk.server.url}#j", "--json")
        assert (ran.code, ran.row["output"]) == (0, "It splits, then sorts.")
        assert ran.row["checks"][0]["metric"] == "depth_check"
        assert "How deep is" in desk.server.requests[-1].text

    def test_a_message_names_a_file(self, desk: Desk) -> None:
        written = (
            "input:\n  - role: user\n    content:\n      - type: text\n"
            "        value: Review this code against our guidelines.\n"
            "      - type: file\n        value: ./guidelines.md\n"
        )
        desk.write("evals/guidelines.md", "Be brief.")
        ran = self.run(desk, CASE + indented(written))
        assert (ran.code, "Be brief." in ran.row["output"]) == (0, True)

    @pytest.mark.parametrize("name", ["./near.md", "../docs/file.md", "/docs/file.md"])
    @pytest.mark.parametrize("place", ["", "evals", ".."])
    def test_a_file_is_found_from_wherever_one_stands(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch, name: str, place: str
    ) -> None:
        (desk.folder / ".git").mkdir()
        desk.write("evals/near.md", "the file")
        desk.write("docs/file.md", "the file")
        monkeypatch.chdir(desk.folder / place)
        written = f"    input: [{{role: user, content: [{{type: file, value: {name}}}]}}]\n"
        ran = self.run(desk, CASE + written)
        assert (ran.code, "the file" in ran.row["output"]) == (0, True)

    def test_what_stands_beside_a_case_reaches_a_judge(self, desk: Desk) -> None:
        text = of_page(
            "evalcases:\n  - id: code-gen\n    expected_outcome: Generates valid Python\n"
            "    sidecar:\n      language: python\n      difficulty: medium\n"
            "    input: Write a function to sort a list\n"
        )
        judge = (
            "    evaluators:\n      - {name: lingo, type: llm_judge, prompt: 'Is it {{sidecar.language}}?'}\n"
        )
        assert self.run(desk, text).code == 0
        assert self.run(desk, text + judge).code == 0
        assert "Is it python?" in desk.server.requests[-1].text
