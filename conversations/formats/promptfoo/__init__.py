"""promptfoo configurations: tests, prompts and targets read into a Suite, without running anything.

    suite = load_suite(Path("promptfooconfig.yaml"))

Where a test cannot be run as it stands (its template is broken, or its prompt is made by code), its case
stays in its place with the reason under `options["problem"]`. What cannot become a case at all is told in
`Suite.warnings`, and once more, as the errors they are, in `Suite.settings["rejected"]`.
"""

from turnwise.conversations.formats.promptfoo.assertion_lines import comma_list, parse_assertion
from turnwise.conversations.formats.promptfoo.suite import load_suite
from turnwise.conversations.formats.promptfoo.templates import Templates
from turnwise.conversations.formats.promptfoo.variables import fill_prompt

__all__ = ["Templates", "comma_list", "fill_prompt", "load_suite", "parse_assertion"]
