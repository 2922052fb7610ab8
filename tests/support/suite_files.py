"""Suites of promptfoo for tests: configurations that are written and loaded, and what they ask."""

from __future__ import annotations

from collections.abc import Callable

from turnwise.conversations.suites import Suite

Load = Callable[..., Suite]
"""Load a configuration with these fields, beside these files; see the fixture of this type."""


def prompts(suite: Suite) -> list[str]:
    """Return what each case asks."""
    return [case.prompt for case in suite.cases]
