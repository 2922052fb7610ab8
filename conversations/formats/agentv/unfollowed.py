"""What AgentV's files ask for that turnwise does not do, told once for a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from turnwise.conversations.formats.agentv.written_cases import EvalFileReading

_OF_FILES = {
    "workspace": "no folder is set up for the chatbot to work in",
    "preprocessors": "files in answers are not made into text",
}
_OF_CASES = {
    "workspace": _OF_FILES["workspace"],
    "depends_on": "cases do not wait for each other",
}
_OF_EXECUTION = {
    "trials": "each case runs once; --repeat N runs it N times",
    "budget_usd": "--budget is the limit of cost",
    "budgetUsd": "--budget is the limit of cost",
    "cache": "what was answered is kept; --again asks anew",
    "workspace": _OF_FILES["workspace"],
}
_OF_JUDGES = {
    "model": "--judge says who judges",
    "target": "--judge says who judges",
    "provider": "--judge says who judges",
    "temperature": "--judge says who judges, and how",
    "max_steps": "judges see the answer and look at nothing else",
    "maxSteps": "judges see the answer and look at nothing else",
    "preprocessors": _OF_FILES["preprocessors"],
}
_OF_PROGRAMS = {
    "target": "programs get no chatbot to ask",
    "provider": "programs get no chatbot to ask",
    "preprocessors": _OF_FILES["preprocessors"],
}


def tell_of_file(document: Mapping[str, Any], reading: EvalFileReading, place: str) -> None:
    """Tell what stands beside the cases of a file and is not followed."""
    _tell(document, _OF_FILES, "", reading, place)
    execution = document.get("execution")
    if isinstance(execution, dict):
        _tell(execution, _OF_EXECUTION, "execution, ", reading, place)
        _tell_of_targets(execution.get("targets"), reading, place)


def tell_of_case(fields: Mapping[str, Any], reading: EvalFileReading, place: str) -> None:
    """Tell what of a case is not followed."""
    _tell(fields, _OF_CASES, "", reading, place)
    execution = fields.get("execution")
    if isinstance(execution, dict):
        _tell(execution, _OF_EXECUTION, "execution, ", reading, place)
        _tell_of_targets(execution.get("targets"), reading, place)


def tell_of_evaluator(fields: Mapping[str, Any], kind: str, reading: EvalFileReading, place: str) -> None:
    """Tell what of an evaluator is not followed. kind: with underscores."""
    if kind in ("llm_judge", "rubric", "rubrics"):
        _tell(fields, _OF_JUDGES, f"{kind}, ", reading, place)
    elif kind == "code_judge":
        _tell(fields, _OF_PROGRAMS, f"{kind}, ", reading, place)


def _tell(
    fields: Mapping[str, Any],
    unfollowed: Mapping[str, str],
    before: str,
    reading: EvalFileReading,
    place: str,
) -> None:
    for key, why in unfollowed.items():
        if fields.get(key) not in (None, False):
            # The place of the file alone, so that a thousand cases tell it once.
            reading.warn(place.split(",")[0], f"{before}{key} is not followed: {why}")


def _tell_of_targets(listed: Any, reading: EvalFileReading, place: str) -> None:
    entries: Iterable[Any] = listed if isinstance(listed, list) else ()
    if any(isinstance(entry, dict) and entry.get("hooks") for entry in entries):
        reading.warn(place.split(",")[0], "the hooks of targets are not run")
