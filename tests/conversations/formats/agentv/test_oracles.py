"""Every case of the oracles: what AgentV's own loader made of its eval files, field by field."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from shared_data import SHARED

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.agentv import load_agentv
from turnwise.conversations.suites import Check, SuiteCase

ORACLES = SHARED / "oracles" / "agentv"
SEED = SHARED / "fixtures" / "agentv" / "seed-2026-02-16"
REQUIRED = 0.98

pytestmark = [
    pytest.mark.fixtures,
    pytest.mark.skipif(not ORACLES.is_dir(), reason="the oracles are not here"),
]

KNOWN: dict[str, str] = {}
"""Cases that differ, by oracle and id, and why."""

REFUSED = ("bad.jsonl", "data.yaml", "list.yaml", "no-evalcases.yaml", "not-array.yaml", "scalar.jsonl")


def dumps() -> Iterator[tuple[Path, Path, Path]]:
    """Yield each dump with the eval file that it is of, and the root of that file."""
    for dump in sorted((ORACLES / "seed").rglob("*.json")):
        yield dump, SEED / dump.relative_to(ORACLES / "seed").with_suffix(".yaml"), SEED
    for dump in sorted((ORACLES / "edge" / "golden").glob("*.json")):
        yield dump, ORACLES / "edge" / "evals" / dump.stem, ORACLES / "edge"


def as_dumped(case: SuiteCase, root: Path) -> dict[str, Any]:
    """Return a case in the words of AgentV's dumps."""
    options = case.options
    evaluators = [dumped_check(check) for check in case.checks]
    if evaluators == [{"name": "llm_judge", "type": "llm_judge"}]:
        evaluators = []
    files = [*options.get("guideline_files", ()), *options.get("input_files", ())]
    found = {
        "id": case.id,
        "dataset": options["dataset"],
        "conversation_id": options.get("conversation_id"),
        "question": case.prompt,
        "input_messages": options["input_messages"],
        "input_segments": options.get("input_segments", []),
        "expected_messages": list(case.expected),
        "reference_answer": case.reference,
        "guideline_paths": options.get("guideline_files", []),
        "file_paths": files,
        "expected_outcome": case.criterion,
        "evaluator": options.get("evaluator", "llm_judge"),
        "evaluators": evaluators,
    }
    return json.loads(json.dumps(found).replace(json.dumps(str(root.resolve()))[1:-1], "<ROOT>"))


def dumped_check(check: Check) -> dict[str, Any]:
    config = check.config
    kept = {"name": check.metric, "type": check.type}
    kept |= {"weight": config["weight"]} if "weight" in config else {}
    kept |= {"rubrics": [dumped_rubric(item) for item in config["rubrics"]]} if config.get("rubrics") else {}
    match check.type:
        case "code_judge":
            kept |= {"type": "code", "script": config["argv"]}
            kept |= {name: config[name] for name in ("cwd",) if name in config}
            kept |= {"resolvedCwd": config["resolved_cwd"]} if "resolved_cwd" in config else {}
            kept |= {"config": config["options"]} if config["options"] else {}
            target = {} if config.get("target") is True else config.get("target")
            kept |= {"target": target} if isinstance(target, dict) else {}
        case "rubric":
            kept["type"] = "llm_judge"
        case "llm_judge":
            if isinstance(config.get("prompt"), str):
                kept["prompt"] = config["prompt"]
            if path := config.get("prompt_path"):
                kept |= {"promptPath": path, "resolvedPromptPath": path}
            if "prompt_argv" in config:
                kept["resolvedPromptScript"] = config["prompt_argv"]
            kept |= {"config": config["options"]} if config.get("options") else {}
        case "composite":
            kept["evaluators"] = [dumped_check(child) for child in check.children]
            kept["aggregator"] = dumped_aggregator(config["aggregator"])
        case _:
            beside = {"name", "type", "weight", "maxTokens", "maxTotal"}
            kept |= {name: item for name, item in config.items() if name not in beside and item is not None}
    return kept


def dumped_aggregator(config: dict[str, Any]) -> dict[str, Any]:
    names = {"type": "type", "weights": "weights", "path": "path", "prompt": "prompt"}
    names |= {"resolved_cwd": "cwd", "prompt_path": "promptPath"}
    return {names[name]: value for name, value in config.items() if name in names and value != {}}


def dumped_rubric(item: dict[str, Any]) -> dict[str, Any]:
    renamed = {"expected_outcome" if name == "outcome" else name: value for name, value in item.items()}
    if "score_ranges" in item:
        renamed["score_ranges"] = [dumped_rubric(one) for one in item["score_ranges"]]
    return renamed


def differences(dump: Path, path: Path, root: Path) -> tuple[int, dict[str, list[str]]]:
    """Return how many cases a dump has, and what differs by the name of the case."""
    expected = json.loads(dump.read_text())
    found = [as_dumped(case, root) for case in load_agentv(path, compat=True, root=root).cases]
    differing: dict[str, list[str]] = {}
    for number, case in enumerate(expected):
        own = found[number] if number < len(found) else {}
        wanted = {"conversation_id": None, "evaluators": [], **case}
        wanted.pop("guideline_patterns", None)
        wrong = [name for name, value in wanted.items() if own.get(name) != value]
        if wrong:
            differing[f"{dump.stem}:{case['id']}"] = wrong
    if len(found) > len(expected):
        differing[f"{dump.stem}:more"] = [case["id"] for case in found[len(expected) :]]
    return len(expected), differing


def test_cases_are_read_as_agentv_reads_them() -> None:
    total, differing = 0, {}
    for dump, path, root in dumps():
        count, wrong = differences(dump, path, root)
        total += count
        differing |= wrong
    assert total > 100
    assert differing.keys() == KNOWN.keys(), differing
    assert 1 - len(differing) / total >= REQUIRED


@pytest.mark.parametrize("name", REFUSED)
def test_what_agentv_refuses_is_an_error_that_names_file_and_next_step(name: str) -> None:
    with pytest.raises(FormatError) as caught:
        load_agentv(ORACLES / "edge" / "evals" / name, compat=True)
    assert name in caught.value.detail
    assert caught.value.next_step


def test_what_agentv_leaves_out_is_told() -> None:
    """Every case that its log tells of is rejected, and everything else that it warns of is a warning."""
    log = (ORACLES / "edge" / "golden" / "edge.yaml.log").read_text()
    suite = load_agentv(ORACLES / "edge" / "evals" / "edge.yaml", compat=True, root=ORACLES / "edge")
    skipped = log.count("Error: Skipping")
    assert len(suite.settings["rejected"]) == skipped
    assert len(suite.warnings) - skipped >= log.count("Warning:") - 1
