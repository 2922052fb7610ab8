"""Graders: the judges that cases name for their own checks, and why one is not asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.conversations.suites import Check, Suite
from turnwise.engine.suites.asking import named_graders, needs_judge
from turnwise.engine.suites.providers import TargetRules

RULES = TargetRules({"OPENAI_API_KEY": "k"})


def suite_of(folder: Path, *providers: Any, check: str = "llm-rubric") -> Suite:
    asserted = [{"type": check, "value": "polite"}]
    tests = [{"vars": {"q": "x"}, "assert": asserted, "options": {"provider": one}} for one in providers]
    path = folder / "suite.json"
    path.write_text(json.dumps({"prompts": ["{{q}}"], "providers": ["echo"], "tests": tests}))
    return load_suite(path)


def test_each_judge_that_is_named_is_found_once_with_its_settings(tmp_path: Path) -> None:
    named = {"id": "openai:gpt-b", "config": {"temperature": 0.5, "max_tokens": 9}}
    found, warnings = named_graders(suite_of(tmp_path, "openai:gpt-a", "openai:gpt-a", named), RULES)
    assert [(name, one.model, one.temperature, one.max_tokens) for name, one in found.items()] == [
        ("openai:gpt-a", "gpt-a", 0.0, None),
        ("openai:gpt-b", "gpt-b", 0.5, 9),
    ]
    assert warnings == []


def test_one_that_cannot_be_asked_is_told_and_left_to_the_judge(tmp_path: Path) -> None:
    own = {"id": "openai:gpt-a", "config": {"apiHost": "elsewhere.example"}}
    found, warnings = named_graders(suite_of(tmp_path, "anthropic:claude", own), RULES)
    assert found == {}
    assert [("anthropic:claude" in line, "elsewhere.example" in line) for line in warnings] == [
        (True, False),
        (False, True),
    ]


def test_where_no_check_needs_a_judge_none_is_looked_for(tmp_path: Path) -> None:
    assert named_graders(suite_of(tmp_path, "anthropic:claude", check="contains"), RULES) == ({}, [])


def test_a_set_needs_a_judge_where_one_of_it_does() -> None:
    judged = Check(type="assert-set", children=(Check(type="contains"), Check(type="llm-rubric")))
    assert needs_judge(judged)
    assert needs_judge(Check(type="select-best"))
    assert not needs_judge(Check(type="max-score"))
