"""The keys that promptfoo's configurations may have, place by place, and slips in what a file says.

The tables are those of promptfoo's own schema, with what its documentation adds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnwise.conversations.check_types import SET
from turnwise.conversations.formats.known_keys import Slip, slips

TOP = frozenset(
    (
        "$schema",
        "assertionTemplates",
        "commandLineOptions",
        "defaultTest",
        "derivedMetrics",
        "description",
        "env",
        "evaluateOptions",
        "extensions",
        "metadata",
        "nunjucksFilters",
        "outputPath",
        "prompts",
        "providers",
        "redteam",
        "scenarios",
        "sharing",
        "tags",
        "targets",
        "tests",
        "tracing",
        "writeLatestResults",
    )
)
TEST_PARTS = ("assert", "vars", "options", "metadata", "provider", "providerOutput", "threshold")
"""What a test must have one of."""
TEST = frozenset((*TEST_PARTS, "description", "providers", "prompts", "assertScoringFunction"))
GENERATOR = frozenset(("path", "config"))
SCENARIO = frozenset(("config", "description", "tests"))
SET_OF_CHECKS = frozenset(("type", "assert", "threshold", "weight", "metric", "config"))
ASSERTION = frozenset(
    (
        "type",
        "value",
        "threshold",
        "weight",
        "metric",
        "config",
        "provider",
        "rubricPrompt",
        "transform",
        "contextTransform",
        "alpha",
        "beta",
        "gamma",
        "$ref",
    )
)
OPTIONS = frozenset(
    (
        "disableConversationVar",
        "disableDefaultAsserts",
        "disableVarExpansion",
        "factuality",
        "postprocess",
        "prefix",
        "provider",
        "rubricPrompt",
        "runSerially",
        "storeOutputAs",
        "suffix",
        "transform",
        "transformVars",
    )
)
PROVIDER = frozenset(("id", "label", "config", "delay", "env", "inputs", "prompts", "transform"))
PROMPT = frozenset(("id", "label", "raw", "config", "display", "function", "template"))
DERIVED_METRIC = frozenset(("name", "value"))
EVALUATE_OPTIONS = frozenset(
    (
        "cache",
        "delay",
        "eventSource",
        "generateSuggestions",
        "interactiveProviders",
        "isRedteam",
        "maxConcurrency",
        "maxEvalTimeMs",
        "progressCallback",
        "repeat",
        "showProgressBar",
        "silent",
        "timeoutMs",
    )
)
COMMAND_LINE_OPTIONS = frozenset(
    (
        "assertions",
        "cache",
        "config",
        "delay",
        "description",
        "envPath",
        "extension",
        "filterErrorsOnly",
        "filterFailing",
        "filterFailingOnly",
        "filterFirstN",
        "filterMetadata",
        "filterPattern",
        "filterPrompts",
        "filterProviders",
        "filterSample",
        "filterTargets",
        "generateSuggestions",
        "grader",
        "maxConcurrency",
        "modelOutputs",
        "noShare",
        "output",
        "progressBar",
        "promptPrefix",
        "promptSuffix",
        "prompts",
        "providers",
        "repeat",
        "retryErrors",
        "share",
        "table",
        "tableCellMaxLength",
        "tests",
        "var",
        "vars",
        "verbose",
        "watch",
        "write",
    )
)
_CHECKING = frozenset(("assert", "threshold"))
"""Keys that a test is checked by; wherever they stand they were written to count."""


def slips_of_config(config: Mapping[str, Any], place: str) -> Iterator[Slip]:
    """Yield the slips of a configuration beside its tests: its own keys, prompts and derived metrics."""
    yield from slips(config, TOP, place, "a configuration", counting=_CHECKING, sets_aside=True)
    yield from _of_each(config.get("prompts"), PROMPT, f"{place}, prompt", "a prompt")
    yield from _of_each(
        config.get("derivedMetrics"), DERIVED_METRIC, f"{place}, derivedMetrics", "a derived metric"
    )
    for name, known in (("evaluateOptions", EVALUATE_OPTIONS), ("commandLineOptions", COMMAND_LINE_OPTIONS)):
        if isinstance(options := config.get(name), dict):
            yield from slips(options, known, f"{place}, {name}", name)


def slips_of_target(settings: Mapping[str, Any], place: str) -> Iterator[Slip]:
    """Yield the slips of a target's settings."""
    yield from slips(settings, PROVIDER, place, "a provider")


def slips_of_scenario(scenario: Mapping[str, Any], place: str) -> Iterator[Slip]:
    """Yield the slips of a scenario beside those of its tests."""
    yield from slips(scenario, SCENARIO, place, "a scenario", counting=_CHECKING)


def slips_of_test(test: Mapping[str, Any], place: str) -> Iterator[Slip]:
    """Yield the slips of a test, or of the default test, and of all that it holds."""
    yield from slips(test, TEST | GENERATOR, place, "a test")
    if isinstance(options := test.get("options"), dict):
        yield from slips(options, OPTIONS, f"{place}, options", "a test's options", counting=_CHECKING)
    if isinstance(provider := test.get("provider"), dict) and len(provider) > 1:
        yield from slips_of_target(provider, f"{place}, provider")
    yield from _of_assertions(test.get("assert"), f"{place}, assert ")


def _of_assertions(assertions: Any, before: str, depth: int = 0) -> Iterator[Slip]:
    if not isinstance(assertions, list) or depth > 20:
        return
    for number, assertion in enumerate(assertions, start=1):
        if isinstance(assertion, dict):
            place = f"{before}{number}"
            is_set = assertion.get("type") == SET
            known = SET_OF_CHECKS if is_set else ASSERTION
            yield from slips(assertion, known, place, "a set of checks" if is_set else "an assertion")
            if is_set:
                yield from _of_assertions(assertion.get("assert"), f"{place}.", depth + 1)


def _of_each(entries: Any, known: frozenset[str], before: str, noun: str) -> Iterator[Slip]:
    for number, entry in enumerate(entries if isinstance(entries, list) else (), start=1):
        if isinstance(entry, dict):
            yield from slips(entry, known, f"{before} {number}", noun)
