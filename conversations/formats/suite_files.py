"""Telling files of tests from files of conversations: AgentV's and promptfoo's, by their first part.

It imports little, because every import of a file needs it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from turnwise.conversations.files import decode_json, load_yaml

Tool = Literal["AgentV", "promptfoo"]

EARLY_LISTS = frozenset(("eval_cases", "evalcases"))
_NEWER_ONLY = frozenset(
    ("default_test", "evaluate_options", "derived_metrics", "target", "name", "governance", "environment")
)
CASE_FIELDS = frozenset(
    (
        "input",
        "input_messages",
        "input_files",
        "criteria",
        "expected_outcome",
        "outcome",
        "assertions",
        "turns",
        "rubrics",
        "evaluators",
    )
)
_GOODNESS = frozenset(
    ("expected_outcome", "outcome", "criteria", "assertions", "assert", "evaluators", "rubrics")
)
_CHAT_FIELDS = frozenset(("actual_output", "scenario", "messages", "llm_test_case"))
_PROMPTFOO = frozenset(("tests", "providers", "targets", "scenarios", "defaultTest"))
_CODE_NAME = re.compile(r"(?:.*\.)?eval\.(?:[cm]?[jt]s|py)", re.IGNORECASE)
_TOP_KEY = re.compile(r"^(?:\"([\w$]+)\"|'([\w$]+)'|([\w$]+)):(?=\s|$)", re.MULTILINE)
# Blanks and never line ends: a run of empty lines would be gone over from each of them.
_CASE_KEY = re.compile(r"^(?:[ \t]+|[ \t]*- )([a-z_]+):(?=\s|$)", re.MULTILINE)
_NAMED_CASE = re.compile(r"^[ \t]*- id:[^\n]*\n(?:[^\n]*\n)?[ \t]+(?:assert|vars):", re.MULTILINE)
_ELSEWHERE = re.compile(r"^tests:[ \t]*[^\s#\[]|^[ \t]*- file://", re.MULTILINE)
_LOOKED_AT = 256_000


def looks_like_agentv(path: Path) -> bool:
    """Whether a file is meant for AgentV, told from its name and first part; False where it cannot be read.

    True as well for forms of AgentV that `load_agentv` refuses by name.
    """
    if _CODE_NAME.fullmatch(path.name):
        return True
    try:
        with path.open("rb") as file:
            head = file.read(_LOOKED_AT)
    except (OSError, ValueError):
        return False
    whole = len(head) < _LOOKED_AT
    return tool_of(head.decode("utf-8", "replace"), path.suffix.lower(), whole=whole) == "AgentV"


def tool_of(head: str, suffix: str, *, whole: bool) -> Tool | None:
    """Return the tool that the first part of a file of tests is meant for; None for any other file.

    suffix: in lower case with its dot, empty where there is none. whole: whether it is the whole file.
    """
    text = head.lstrip("\ufeff \t\r\n")
    if suffix in (".jsonl", ".ndjson") or (text.startswith("{") and "\n{" in text and suffix != ".json"):
        return "AgentV" if _is_case_line(text) else None
    if suffix not in ("", ".yaml", ".yml", ".json"):
        return None
    if not text.startswith("{"):
        return _tool_of_block(text) if suffix != ".json" else None
    try:
        document = decode_json(text) if suffix == ".json" else load_yaml(text)
    except ValueError:
        # The rest of a large document is not there; its beginning tells as much as can be told.
        begins = not whole and re.search(r'"eval_?cases"\s*:\s*\[', text)
        return "AgentV" if begins else None
    return _tool_of_document(document) if isinstance(document, dict) else None


def is_agentv_case(value: Any) -> bool:
    """Whether a value can hardly be anything but a case of AgentV: an id, an input, and what is good."""
    if not isinstance(value, dict) or not isinstance(value.get("id"), str) or _CHAT_FIELDS & value.keys():
        return False
    has_input = "input" in value or "input_messages" in value
    return has_input and bool(_GOODNESS & value.keys())


def is_newer_agentv(document: Mapping[str, Any]) -> bool:
    """Whether a document has the form of AgentV 5, which is promptfoo's with other names."""
    if "prompts" in document and _NEWER_ONLY & document.keys():
        return True
    tests = document.get("tests")
    cases = [case for case in tests if isinstance(case, dict)] if isinstance(tests, list) else []
    if "prompts" in document:
        return any("id" in case for case in cases)
    return bool(cases) and all("vars" in case and not CASE_FIELDS & case.keys() for case in cases)


def _is_case_line(text: str) -> bool:
    try:
        return is_agentv_case(decode_json(text.partition("\n")[0].strip()))
    except ValueError:
        return False


def _tool_of_block(text: str) -> Tool | None:
    keys = {next(filter(None, match.groups())) for match in _TOP_KEY.finditer(text)}
    if EARLY_LISTS & keys:
        return "AgentV"
    if "prompts" in keys:
        if _NEWER_ONLY & keys or _NAMED_CASE.search(text):
            return "AgentV"
        return "promptfoo" if _PROMPTFOO & keys else None
    if not {"tests", "cases"} & keys:
        return None
    within = {match[1] for match in _CASE_KEY.finditer(text)}
    return "AgentV" if CASE_FIELDS & within or _ELSEWHERE.search(text) else None


def _tool_of_document(document: Mapping[str, Any]) -> Tool | None:
    if is_newer_agentv(document) or EARLY_LISTS & document.keys():
        return "AgentV"
    if "prompts" in document:
        return "promptfoo" if _PROMPTFOO & document.keys() else None
    evals = document.get("evals")
    if isinstance(evals, list) and any(isinstance(item, dict) and "prompt" in item for item in evals):
        return "AgentV"
    cases = document.get("tests", document.get("cases"))
    if isinstance(cases, str):
        return "AgentV" if "tests" in document else None
    listed = cases if isinstance(cases, list) else []
    return "AgentV" if any(isinstance(case, dict) and CASE_FIELDS & case.keys() for case in listed) else None
