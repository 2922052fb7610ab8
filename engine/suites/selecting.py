"""Selecting: which cases of a suite are meant, and one target for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from turnwise.conversations.formats.promptfoo import javascript_values as js
from turnwise.conversations.suites import Suite, SuiteCase, TargetSpec


def with_metadata(suite: Suite, filters: Sequence[tuple[str, str]]) -> Suite:
    """Return the suite with only those cases whose metadata match all filters.

    A filter is a key and a text that must stand in the value, or in one item where the value is a list;
    capitals count.
    """
    kept = (case for case in suite.cases if all(_matches(case, *wanted) for wanted in filters))
    return replace(suite, cases=tuple(kept))


def for_target(suite: Suite, target: TargetSpec) -> Suite:
    """Return the suite with one target in place of its own; a test is then run once for each prompt."""
    cases: dict[tuple[int, str, str], SuiteCase] = {}
    for case in suite.cases:
        cases.setdefault((case.index, case.prompt_label, case.prompt), replace(case, target=target))
    return replace(suite, targets=(target,), cases=tuple(cases.values()))


def _matches(case: SuiteCase, key: str, text: str) -> bool:
    if key not in case.metadata:
        return False
    value: Any = case.metadata[key]
    return any(text in js.string_of(item) for item in (value if isinstance(value, list) else [value]))
