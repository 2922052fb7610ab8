"""SuiteRules: by which checks a suite is graded, strictly or just as the tool does whose file it is."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.engine.checks.registry import Checks, SuiteFormat, checks_of


@dataclass(frozen=True, slots=True)
class SuiteRules:
    """The rules of a suite.

    tool: whose file it is. as_the_tool: do exactly as the tool does, also where that is weaker than turnwise.
    """

    tool: SuiteFormat = "promptfoo"
    as_the_tool: bool = False

    @property
    def checks(self) -> Checks:
        """The checks that its cases may ask for."""
        return checks_of(self.tool, compat=self.as_the_tool)


STRICT = SuiteRules()
"""promptfoo's files, as turnwise grades them."""
AS_PROMPTFOO = SuiteRules(as_the_tool=True)
"""promptfoo's files, as promptfoo 0.123.1 grades them."""


AGENTV = SuiteRules("agentv")
"""AgentV's files, as turnwise grades them."""


def rules_of(tool: SuiteFormat, *, compat: bool) -> SuiteRules:
    """Return the rules of a tool's suites. compat: the user asked for --compat."""
    return SuiteRules(tool, as_the_tool=compat)
