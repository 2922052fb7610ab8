"""promptfoo configurations: tests, prompts and targets read into a Suite, without running anything.

    suite = load_suite(Path("promptfooconfig.yaml"))

Where a test cannot be run as it stands (its template is broken, or its prompt is made by code), its case
stays in its place with the reason under `SuiteCase.problem`. What cannot become a case at all is told in
`Suite.warnings`, and once more, as the errors they are, in `Suite.settings["rejected"]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.conversations.lazy_names import lazy_names

if TYPE_CHECKING:
    from turnwise.conversations.formats.promptfoo.assertion_lines import comma_list, parse_assertion
    from turnwise.conversations.formats.promptfoo.checks import filled_again, written_assertion
    from turnwise.conversations.formats.promptfoo.extensions import (
        EXTENSION_DEFAULTS,
        arguments_of,
        changed_case,
        told_test,
    )
    from turnwise.conversations.formats.promptfoo.prompts import PromptText, read_prompts
    from turnwise.conversations.formats.promptfoo.remote_tests import Network
    from turnwise.conversations.formats.promptfoo.suite import load_suite
    from turnwise.conversations.formats.promptfoo.variables import fill_prompt
else:
    __getattr__ = lazy_names(
        __name__,
        assertion_lines=("comma_list", "parse_assertion"),
        checks=("filled_again", "written_assertion"),
        extensions=("EXTENSION_DEFAULTS", "arguments_of", "changed_case", "told_test"),
        prompts=("PromptText", "read_prompts"),
        remote_tests=("Network",),
        suite=("load_suite",),
        variables=("fill_prompt",),
    )

__all__ = [
    "EXTENSION_DEFAULTS",
    "Network",
    "PromptText",
    "arguments_of",
    "changed_case",
    "comma_list",
    "fill_prompt",
    "filled_again",
    "load_suite",
    "parse_assertion",
    "read_prompts",
    "told_test",
    "written_assertion",
]
