"""Any document at all: a suite, or an error that a person can read; never a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from any_document import FEW, any_bytes, loads_or_says_why, values_of
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.formats.promptfoo import load_suite

NAMES = (
    *("prompts", "providers", "targets", "tests", "defaultTest", "scenarios", "config", "assertionTemplates"),
    *("derivedMetrics", "nunjucksFilters", "evaluateOptions", "env", "extensions", "commandLineOptions"),
    *("vars", "assert", "type", "value", "threshold", "weight", "metric", "provider", "transform", "options"),
    *("id", "label", "raw", "file", "metadata", "conversationId", "description", "path", "prefix", "$ref"),
)
TEXTS = (
    *(
        "file://here.txt",
        "file://../up.txt",
        "file://**",
        "file://no.py:f",
        "{{a}}",
        "{% for x in y %}",
        "{{",
    ),
    *("{{ a | filter }}", "equals", "not-contains", "assert-set", "select-best", "echo", "openai:chat:x", ""),
    *(
        "https://example.invalid/a.csv",
        "huggingface://datasets/x",
        "python:1",
        "javascript: 1",
        "*",
        "#",
        "\0",
    ),
)
values = values_of(NAMES, TEXTS)
documents = st.fixed_dictionaries(
    {"prompts": values | st.just(["{{a}}"])},
    optional={
        "providers": values | st.just(["echo"]),
        "tests": values | st.lists(st.fixed_dictionaries({"vars": values}, optional={"assert": values})),
        "defaultTest": values,
        "scenarios": values,
        "assertionTemplates": values,
        "derivedMetrics": values,
        "env": values,
    },
)


@FEW
@given(documents)
def test_any_values_under_the_known_names(tmp_path: Path, document: dict[str, Any]) -> None:
    (tmp_path / "here.txt").write_text("here")
    path = tmp_path / "promptfooconfig.json"
    path.write_text(json.dumps(document))
    loads_or_says_why(load_suite, path)


@FEW
@given(st.sampled_from([".yaml", ".json", ".csv", ".jsonl", ".txt"]), any_bytes)
def test_any_bytes_in_a_file_of_tests(tmp_path: Path, suffix: str, content: bytes) -> None:
    (tmp_path / f"cases{suffix}").write_bytes(content)
    path = tmp_path / "promptfooconfig.yaml"
    path.write_text(f"prompts: ['{{{{a}}}}']\nproviders: [echo]\ntests: file://cases{suffix}\n")
    loads_or_says_why(load_suite, path)


@FEW
@given(any_bytes)
def test_any_bytes_as_a_configuration(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "promptfooconfig.yaml"
    path.write_bytes(content)
    loads_or_says_why(load_suite, path)
