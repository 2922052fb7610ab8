"""Prompts: texts, chats and files."""

from __future__ import annotations

import pytest
from suite_files import Load, prompts

from turnwise.conversations.errors import FormatError


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
