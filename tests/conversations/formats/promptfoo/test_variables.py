"""Variables: templates, files and references in what a test fills in."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

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
    assert suite.cases[0].filled_vars["greet"] == "Hi Ann!"


@pytest.mark.parametrize(
    "prompt",
    [
        "Look: data:image/jpeg;base64,{{p}}",
        '[{"role": "user", "content": [{"image_url": {"url": "data:image/jpeg;base64,{{p}}"}}]}]',
    ],
)
def test_an_image_behind_the_beginning_of_its_address_is_sent_once(load: Load, prompt: str) -> None:
    files: dict[str, str | bytes] = {"p.png": b"\x89PNG"}
    tests = [{"vars": {"p": "file://p.png"}}]
    address = "data:image/png;base64,iVBORw=="
    (asked,) = prompts(load(files, prompts=[prompt], tests=tests))
    assert address in asked
    assert asked.count("base64") == 1
    (asked,) = prompts(load(files, prompts=[prompt], tests=tests, compat=True))
    assert f"data:image/jpeg;base64,{address}" in asked


def test_an_image_given_as_base64_alone_keeps_the_beginning_of_its_address(load: Load) -> None:
    prompt = "data:image/jpeg;base64,{{p}} data:text/plain;base64,{{t}}"
    suite = load(prompts=[prompt], tests=[{"vars": {"p": "iVBORw==", "t": "eA=="}}])
    assert prompts(suite) == ["data:image/jpeg;base64,iVBORw== data:text/plain;base64,eA=="]


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
    assert "vars.q" in suite.cases[0].problem


def test_the_text_of_a_document_is_read(load: Load, tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    writer = pypdf.PdfWriter()
    writer.add_blank_page(width=72, height=72)
    writer.write(tmp_path / "empty.pdf")
    suite = load(tests=[{"vars": {"q": "file://empty.pdf"}}])
    assert suite.cases[0].filled_vars == {"q": ""}


def test_the_environment_is_what_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "from the system")
    path = tmp_path / "c.yaml"
    path.write_text("prompts: ['{{env.SECRET}}{{v}}']\ntests: [{vars: {v: '{{env.SECRET}}'}}]")
    assert load_suite(path, environment={}).cases[0].prompt == ""
    assert load_suite(path, environment={"SECRET": "s"}).cases[0].prompt == "ss"


@pytest.mark.parametrize(
    "config",
    [
        {"prompts": ["{{env.SECRET}}"]},
        {"prompts": ['{"q": "{{ env[\'SECRET\'] }}"}']},
        {"prompts": ["{{ env.SECRET | default('x') }}"]},
        {"tests": [{"vars": {"q": "{{env.SECRET}}"}}]},
        {"tests": [{"vars": {"q": "x"}, "assert": [{"type": "contains", "value": "{{env.SECRET}}"}]}]},
    ],
)
def test_an_environment_that_may_not_be_seen_is_an_error_that_names_the_variable(
    load: Load, config: dict[str, Any]
) -> None:
    case = load(**config).cases[0]
    assert "SECRET of the environment" in case.problem
    assert "--trust" in case.problem


def test_targets_are_given_nothing_of_the_environment_while_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(
        "env: {OWN: own}\nprompts: ['{{env.SECRET}}']\n"
        "providers: [{id: echo, config: {key: '{{env.SECRET}} {{env.OWN}}'}}]\n"
        "tests: [{options: {provider: {id: echo, config: {key: '{{env.SECRET}}'}}}}]\n"
    )
    suite = load_suite(path, environment={"SECRET": "s"})
    assert suite.targets[0].config["config"] == {"key": "{{env.SECRET}} own"}
    assert suite.cases[0].options["provider"]["config"] == {"key": "{{env.SECRET}}"}
    assert suite.cases[0].prompt == "s"


def test_the_environment_of_the_file_comes_first(load: Load) -> None:
    assert prompts(load(env={"NAME": "own"}, prompts=["{{env.NAME}}"])) == ["own"]


def test_a_variable_that_holds_a_template_is_filled_where_its_names_are_known(load: Load) -> None:
    test = {"vars": {"a": "x", "q": "{{a|upper}}", "r": "{% if a %}y{% endif %}", "s": "{{a}} {{b|upper}}"}}
    assert prompts(load(prompts=["{{q}} {{r}} {{s}}"], tests=[test])) == ["X y x {{b|upper}}"]
    in_json = load(prompts=['{"m": "{{q}}"}'], tests=[test])
    assert prompts(in_json) == ['{\n  "m": "{{a|upper}}"\n}']


def test_a_text_with_a_tag_that_is_open_at_the_end_of_a_line_stays(load: Load) -> None:
    test = {"vars": {"a": "x", "q": "{{a"}}
    assert prompts(load(prompts=["{{q}}!"], tests=[test])) == ["{{a!"]
    assert prompts(load(prompts=["{{\na }}"], tests=[test])) == ["{{\na }}"]


def test_a_dollar_in_what_is_put_in_means_what_it_means_in_javascript(load: Load) -> None:
    test = {"vars": {"price": "$$5 $'", "q": "it is {{price}}!"}}
    assert prompts(load(tests=[test])) == ["it is $5 !!"]


def test_the_environment_is_filled_in_as_the_file_is_read(load: Load) -> None:
    suite = load(env={"REGION": "north"}, tests=[{"vars": {"q": "{{env.REGION}} {{ env.OTHER }}"}}])
    assert suite.cases[0].vars["q"] == "north {{ env.OTHER }}"


def test_only_promptfoo_finds_no_file_of_variables_by_its_whole_name(load: Load) -> None:
    files: dict[str, str | bytes] = {"v.yaml": "q: x"}
    assert prompts(load(files, tests=[{"vars": "file://v.yaml"}])) == ["x"]
    assert prompts(load(files, tests=[{"vars": "file://v.yaml"}], compat=True)) == [""]


def test_the_files_of_a_pattern_come_as_promptfoo_finds_them(load: Load) -> None:
    files: dict[str, str | bytes] = {f"d/{name}.txt": name for name in ("a", "b", "e/c")}
    for pattern, found in (("d/**/*.txt", ["b", "a", "e/c"]), ("d/{a,b}.txt", ["a", "b"])):
        tests = [{"vars": {"q": f"file://{pattern}"}}]
        assert prompts(load(files, tests=tests, compat=True)) == found
