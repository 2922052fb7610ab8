"""The keys that files of AgentV 5 may have, place by place, and telling of what means nothing in them.

A table whose name ends in UNUSED holds keys that AgentV follows and turnwise does not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from turnwise.conversations.formats.agentv.written_cases import EvalFileReading
from turnwise.conversations.formats.known_keys import slips

# fmt: off
TOP = frozenset((
    "$schema", "name", "description", "category", "version", "author", "tags", "license",
    "requires", "metadata", "governance", "prompts", "providers", "defaults", "tests", "scenarios",
    "default_test", "assert", "threshold", "evaluate_options",
))
TOP_UNUSED = frozenset((
    "environment", "extensions", "output_path", "derived_metrics", "env", "nunjucks_filters",
    "timeout_seconds", "input_files",
))
TEST = frozenset((
    "id", "description", "vars", "assert", "metadata", "conversation_id", "mode", "turns",
    "aggregation", "on_turn_failure", "window_size", "execution", "run", "threshold", "options",
    "provider", "providers", "input_files", "criteria", "expected_outcome", "input",
    "expected_output", "suite", "assert_scoring_function",
))
TEST_UNUSED = frozenset((
    "environment", "workspace", "depends_on", "on_dependency_failure", "prompts", "evaluator",
))
DEFAULTS = frozenset((
    "vars", "options", "assert", "threshold", "metadata", "assert_scoring_function",
))
DEFAULTS_UNUSED = frozenset((
    "provider", "providers", "prompts",
))
# fmt: on
OPTIONS = frozenset(("rubric_prompt", "transform"))
EXECUTION = frozenset(("assert", "skip_defaults", "threshold"))
RUN = frozenset(("threshold",))
SCENARIO = frozenset(("config", "description", "tests"))
EVALUATE_OPTIONS = {"repeat": "repeat", "max_concurrency": "maxConcurrency", "delay": "delay"}
"""What is followed of the options of a run, with promptfoo's names for it."""


def tell_of_top(document: Mapping[str, Any], reading: EvalFileReading, place: str) -> None:
    """Tell what of the top of a file means nothing, or is not followed."""
    _tell(document, TOP, TOP_UNUSED, reading, place, "an eval file")


def tell_of_test(fields: Mapping[str, Any], reading: EvalFileReading, place: str) -> None:
    """Tell what of a test means nothing, or is not followed."""
    _tell(fields, TEST, TEST_UNUSED, reading, place, "a test")


def tell_of_defaults(fields: Mapping[str, Any], reading: EvalFileReading, place: str) -> None:
    """Tell what of the default test means nothing, or is not followed."""
    _tell(fields, DEFAULTS, DEFAULTS_UNUSED, reading, place, "a default test")


def tell_of_some(
    options: Mapping[str, Any], known: Collection[str], reading: EvalFileReading, place: str, name: str
) -> None:
    """Tell what of some options is not followed; AgentV has more of them than are known here."""
    found = list(slips(options, known, f"{place}, {name}", name))
    reading.tell(slip for slip in found if slip.counts)
    if odd := [slip.key for slip in found if not slip.counts]:
        reading.warn(place, f"{name}: not followed: {', '.join(odd)}")


def _tell(
    fields: Mapping[str, Any],
    known: frozenset[str],
    unused: frozenset[str],
    reading: EvalFileReading,
    place: str,
    noun: str,
) -> None:
    if odd := [key for key in fields if key in unused]:
        reading.warn(place, f"not followed: {', '.join(odd)}")
    reading.tell(slips(fields, known | unused, place, noun))
