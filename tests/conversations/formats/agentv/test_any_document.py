"""Any document at all: a suite, or an error that a person can read; never a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from any_document import FEW, any_bytes, loads_or_says_why, values_of, words_of
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.formats.agentv import load_agentv, looks_like_agentv

NAMES = (
    *(
        "id",
        "input",
        "input_messages",
        "expected_output",
        "expected_messages",
        "criteria",
        "expected_outcome",
    ),
    *("role", "content", "type", "value", "text", "file", "assertions", "evaluators", "rubrics", "execution"),
    *("target", "weight", "required", "min_score", "outcome", "score_ranges", "aggregator", "prompt", "path"),
    *(
        "conversation_id",
        "mode",
        "turns",
        "workspace",
        "metadata",
        "command",
        "script",
        "threshold",
        "config",
    ),
)
TEXTS = (
    *("user", "assistant", "system", "file", "text", "here.md", "../up.md", "file://here.md", "${{ HOME }}"),
    *("https://github.com/a/b/blob/main/c.md", "llm-judge", "code-judge", "rubrics", "composite", "contains"),
    *("conversation", "weighted_average", "equals", "latency", "cost", "field_accuracy", "", "\0", "{{x}}"),
)
words = words_of(TEXTS)
values = values_of(NAMES, TEXTS)
cases = st.lists(
    st.fixed_dictionaries(
        {"id": words},
        optional={
            "input": values,
            "input_messages": values,
            "criteria": values,
            "expected_output": values,
            "assertions": values,
            "evaluators": values,
            "rubrics": values,
            "execution": values,
            "mode": values,
            "turns": values,
        },
    ),
    max_size=3,
)
documents = st.dictionaries(
    st.sampled_from(["tests", "evalcases", "cases", "eval_cases"]), cases | values, min_size=1, max_size=2
).flatmap(
    lambda lists: st.dictionaries(
        st.sampled_from(["description", "execution", "assertions", "input", "workspace", "dataset", "name"]),
        values,
        max_size=3,
    ).map(lambda others: {**others, **lists})
)


@FEW
@given(documents)
def test_any_values_under_the_known_names(tmp_path: Path, document: dict[str, Any]) -> None:
    (tmp_path / "here.md").write_text("here")
    path = tmp_path / "dataset.yaml"
    path.write_text(json.dumps(document))
    loads_or_says_why(load_agentv, path)


@FEW
@given(cases)
def test_any_values_in_lines_of_cases(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    path = tmp_path / "dataset.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    loads_or_says_why(load_agentv, path)


@FEW
@given(st.sampled_from([".yaml", ".json", ".jsonl"]), any_bytes)
def test_any_bytes(tmp_path: Path, suffix: str, content: bytes) -> None:
    path = tmp_path / f"dataset{suffix}"
    path.write_bytes(content)
    looks_like_agentv(path)
    loads_or_says_why(load_agentv, path)
