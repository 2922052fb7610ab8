"""Prompts: texts, chats and files."""

from __future__ import annotations

from pathlib import Path

import pytest
from suite_files import Load, prompts

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import Folder
from turnwise.conversations.formats.promptfoo import read_prompts


def test_prompts_come_from_files(load: Load) -> None:
    suite = load(
        {
            "a.txt": "One {{q}}\n---\nTwo {{q}}\n",
            "p/b.json": '[{"role": "user", "content": "{{q}}"}]',
            "p/c.md": "Three {{q}}",
            "d.jsonl": '["{{q}}"]\n',
            "e.yaml": "- role: user\n",
        },
        prompts=["file://a.txt", "p/*", "d.jsonl", "file://e.yaml", "What is 1/2?", "Ask. Me.txt or not"],
        tests=[{"vars": {"q": "x"}}],
    )
    assert [" ".join(prompt.split()) for prompt in prompts(suite)] == [
        "One x",
        "Two x",
        '[ { "role": "user", "content": "x" } ]',
        "Three x",
        '[ "x" ]',
        '[ { "role": "user" } ]',
        "What is 1/2?",
        "Ask. Me.txt or not",
    ]


def test_a_prompt_that_a_person_names_may_itself_name_files_of_its_folder_alone(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "rules.txt").write_text("secret")
    (tmp_path / "own" / "rules.txt").write_text("Be brief.")
    anywhere = Folder(tmp_path, Path(tmp_path.anchor))
    chat = tmp_path / "own" / "chat.json"
    chat.write_text('["file://rules.txt"]')
    assert read_prompts(f"file://{chat}", anywhere, "--prompt")[0].raw == '["Be brief."]'
    chat.write_text('["file://../rules.txt"]')
    with pytest.raises(FormatError, match="inside own"):
        read_prompts(f"file://{chat}", anywhere, "--prompt")


def test_broken_yaml_is_a_prompt_where_it_is_a_template(load: Load) -> None:
    files: dict[str, str | bytes] = {"a.yaml": "{% if q %}\n- {{q}}\n{% endif %}", "b.yaml": "- [broken"}
    assert prompts(load(files, prompts=["file://a.yaml"], tests=[{"vars": {"q": "x"}}])) == ["\n- x\n"]
    with pytest.raises(FormatError, match="expected YAML"):
        load(files, prompts=["file://b.yaml"], tests=[{"vars": {"q": "x"}}])


def test_a_delimiter_of_tables_is_one_character(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPTFOO_CSV_DELIMITER", "||")
    with pytest.raises(FormatError, match="PROMPTFOO_CSV_DELIMITER: expected one character"):
        load(tests=[{"vars": {"q": "x"}}])


def test_a_quote_out_of_place_is_read_with_any_delimiter(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPTFOO_CSV_DELIMITER", ";")
    table = 'q;__expected\n5" wide; so "it" is;contains:wide\n'
    suite = load({"t.csv": table.replace("wide; so", "wide, so")}, tests="file://t.csv")
    assert prompts(suite) == ['5" wide, so "it" is']


@pytest.mark.parametrize("prompt", ["file://p.py", "file://p.js:f", "exec:./p.sh", "langfuse://x:1"])
def test_a_prompt_made_by_code_is_a_problem_of_its_cases(load: Load, prompt: str) -> None:
    suite = load({"p.py": "", "p.js": ""}, prompts=[prompt, "{{q}}"], tests=[{"vars": {"q": "x"}}])
    assert prompts(suite) == ["", "x"]
    assert suite.cases[0].problem
    assert not suite.cases[1].problem


def test_a_broken_template_is_a_problem_of_its_cases(load: Load) -> None:
    suite = load(prompts=["{% if q", "{% if q %}", "{{q}}"], tests=[{"vars": {"q": "x"}}])
    assert suite.cases[0].prompt == "{% if q"
    assert "test 1, prompt {% if q %}: " in suite.cases[1].problem
    assert "Unexpected end" in suite.cases[1].problem
    assert suite.cases[2].prompt == "x"
