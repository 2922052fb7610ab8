"""Prompts: texts, chats and files."""

from __future__ import annotations

import pytest
from suite_files import Load, prompts


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
