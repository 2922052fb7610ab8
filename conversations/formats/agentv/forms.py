"""Which form of AgentV's files one has: four were in use, and they do not go together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.formats.promptfoo.folders import problem
from turnwise.conversations.formats.suite_files import EARLY_LISTS, is_newer_agentv
from turnwise.conversations.models import shorten

CODE_SUFFIXES = (".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".py")
_LISTS = ("tests", "cases", "eval_cases", "evalcases")


@dataclass(frozen=True, slots=True)
class Form:
    """The key that the cases stand under, and whether the file has the later form of evaluators."""

    key: str
    is_later: bool


def form_of(document: Mapping[str, Any], place: str) -> Form:
    """Return the form of a file. Raises FormatError that names the form where it is one of another kind."""
    if "defaultTest" in document or ("prompts" in document and not is_newer_agentv(document)):
        raise problem(place, "this is a configuration of promptfoo, not of AgentV", "Load it as promptfoo's.")
    if is_newer_agentv(document):
        raise problem(
            place,
            "this is the form of AgentV 5 (prompts, providers, default_test), which is not read",
            "Write its tests in the form of AgentV 4: tests with input, criteria and assertions.",
        )
    if isinstance(document.get("evals"), list):
        raise problem(
            place,
            "this is the form of Agent Skills (evals with a prompt each), which is not read",
            "Write its evals in the form of AgentV 4: tests with input, criteria and assertions.",
        )
    for key in _LISTS:
        if isinstance(document.get(key), list) or (key == "tests" and isinstance(document.get(key), str)):
            return Form(key, key not in EARLY_LISTS)
    got = shorten(", ".join(map(str, document)) or "an empty object")
    raise problem(
        place, f"expected a list of cases under evalcases or tests; got {got}", "Give an eval file of AgentV."
    )


def is_later_case(fields: Mapping[str, Any]) -> bool:
    """Whether a case that stands in no list, a line of JSON, has the later form."""
    early = {"expected_outcome", "outcome", "input_messages", "expected_messages"} & fields.keys()
    return not early and bool({"criteria", "assertions", "assert"} & fields.keys())
