"""What AgentV's files ask for that is not done: told, and once for a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations.formats.agentv import load_agentv

CASE: dict[str, Any] = {"input": "Hi", "criteria": "c"}


def told(folder: Path, document: dict[str, Any]) -> tuple[str, ...]:
    path = folder / "e.json"
    tests = [{**CASE, **document.pop("case", {}), "id": name} for name in "ab"]
    path.write_text(json.dumps({"tests": tests, **document}))
    return load_agentv(path).warnings


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"workspace": {"template": "./w"}}, "workspace is not followed"),
        ({"preprocessors": [{"type": "xlsx"}]}, "preprocessors is not followed"),
        ({"execution": {"trials": {"count": 3}}}, "execution, trials is not followed: each case runs once"),
        ({"execution": {"budget_usd": 1}}, "execution, budget_usd is not followed: --budget"),
        ({"execution": {"targets": [{"name": "t", "hooks": {"x": 1}}]}}, "the hooks of targets are not run"),
        ({"case": {"workspace": {"template": "./w"}}}, "workspace is not followed"),
        ({"case": {"depends_on": ["a"]}}, "depends_on is not followed"),
        ({"case": {"assertions": [{"type": "llm-grader", "target": "t"}]}}, "--judge says who judges"),
        ({"case": {"assertions": [{"type": "llm-grader", "max_steps": 3}]}}, "look at nothing else"),
        (
            {"case": {"assertions": [{"type": "code-grader", "command": ["x"], "target": True}]}},
            "code_judge, target is not followed: programs get no chatbot to ask",
        ),
    ],
)
def test_it_is_told_once_for_all_cases(tmp_path: Path, document: dict[str, Any], said: str) -> None:
    (warning,) = told(tmp_path, document)
    assert warning.startswith("e.json: ")
    assert said in warning


def test_a_file_that_asks_for_nothing_of_the_kind_tells_nothing(tmp_path: Path) -> None:
    assert told(tmp_path, {"execution": {"cache": False}}) == ()
