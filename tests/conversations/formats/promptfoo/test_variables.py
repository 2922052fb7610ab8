"""Variables: templates, files and references in what a test fills in."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from suite_files import Load, prompts
from turnwise.conversations.formats.promptfoo import load_suite


def test_files_are_read_and_references_resolved(load: Load) -> None:
    picture = b"\x89PNG"
    suite = load(
        {
            "n.txt": "  Ann \n\n",
            "o.yaml": "k: [1, 2]",
            "j.json": '{"k": 1}\n',
            "p.png": picture,
            "v.mp4": b"v",
        },
        prompts=["{{t}} {{o}} {{j}} {{p}} {{v}} {{greet}} {{open}}|"],
        tests=[
            {
                "vars": {
                    "t": "file://n.txt",
                    "o": "file://o.yaml",
                    "j": "file://j.json",
                    "p": "file://p.png",
                    "v": "file://v.mp4",
                    "greet": "Hi {{t}}!",
                    "open": "{{missing}}\n",
                }
            }
        ],
    )
    data = base64.b64encode(picture).decode()
    assert prompts(suite) == [
        f'Ann {{"k":[1,2]}} {{"k": 1}} data:image/png;base64,{data} dg== Hi Ann! {{{{missing}}}}|'
    ]
    assert suite.cases[0].vars["greet"] == "Hi {{t}}!"
    assert suite.cases[0].options["filled_vars"]["greet"] == "Hi Ann!"


def test_a_pattern_is_a_row_a_file(load: Load) -> None:
    files: dict[str, str | bytes] = {"g/1.txt": "one", "g/2.txt": "two"}
    test = {"vars": {"q": "file://g/*.txt"}}
    assert prompts(load(files, tests=[test])) == ["one", "two"]
    assert prompts(load(files, tests=[test], compat=True)) == ["two", "one"]


def test_variables_may_lie_in_files(load: Load) -> None:
    files: dict[str, str | bytes] = {"a.yaml": "q: a", "b.yaml": "q: b"}
    assert prompts(load(files, tests=[{"vars": ["a.yaml", "b.yaml"]}, {"vars": "a.yaml"}])) == ["b", "a"]


@pytest.mark.parametrize("value", ["file://code.py", "file://code.js", "file://missing.txt", "file://x.pdf"])
def test_a_case_that_cannot_be_filled_stays_with_its_problem(load: Load, value: str) -> None:
    suite = load({"code.py": "", "code.js": "", "x.pdf": b"%PDF"}, tests=[{"vars": {"q": value}}])
    assert "vars.q" in suite.cases[0].options["problem"]


def test_the_text_of_a_document_is_read(load: Load, tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    writer = pypdf.PdfWriter()
    writer.add_blank_page(width=72, height=72)
    writer.write(tmp_path / "empty.pdf")
    suite = load(tests=[{"vars": {"q": "file://empty.pdf"}}])
    assert suite.cases[0].options["filled_vars"] == {"q": ""}


def test_the_environment_is_what_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "from the system")
    path = tmp_path / "c.yaml"
    path.write_text("prompts: ['{{env.SECRET}}{{v}}']\ntests: [{vars: {v: '{{env.SECRET}}'}}]")
    assert load_suite(path).cases[0].prompt == ""
    assert load_suite(path, environment={"SECRET": "s"}).cases[0].prompt == "ss"


def test_the_environment_of_the_file_comes_first(load: Load) -> None:
    assert prompts(load(env={"NAME": "own"}, prompts=["{{env.NAME}}"])) == ["own"]
