"""The registry of checks: the function of every type, loaded when it is asked for, and what --compat changes.

A check of promptfoo's files is one line in turnwise.conversations.check_types, one of AgentV's is one line
here; both name a function of a module beside this one. Where a tool is weaker than turnwise, the table of
its weaker functions lies over the others with --compat, and nothing else knows of it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from inspect import iscoroutinefunction
from typing import Literal

from turnwise.conversations.check_types import CHECK_TYPES, SET, CheckType
from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.conversations.words import did_you_mean
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import Asker
from turnwise.engine.checks.findings import Finding

CheckFunction = Callable[[Check, Answer, Asker], Finding | Awaitable[Finding]]
"""What a check is. One that asks somebody is a coroutine function; any other asks nobody."""
SuiteFormat = Literal["promptfoo", "agentv"]
"""Whose files checks come from, as `Suite.format` names it."""

_NEEDS = {
    "judge": ("It needs a judge", "Name one with --judge."),
    "trust": (
        "It would send the answer to an address that the file names",
        "Read the file; --trust then sends it.",
    ),
}

_WEAKER_IN_PROMPTFOO: dict[str, str] = {
    "meteor": "similarity:no_meteor",
    "skill-used": "trajectory:skill_used_if_reported",
    "guardrails": "safety:guardrails_if_any",
    "javascript": "scripts:javascript_or_fail",
    "is-sql": "sql:is_sql_of_known_database",
    "contains-sql": "sql:contains_sql_of_known_database",
    "llm-rubric": "rubric:llm_rubric_read_loosely",
    "factuality": "facts:factuality_read_loosely",
    "model-graded-factuality": "facts:factuality_read_loosely",
    "model-graded-closedqa": "rubric:closed_question_read_loosely",
    "g-eval": "rubric:g_eval_read_loosely",
    "trajectory:goal-success": "rubric:goal_success_read_loosely",
    "conversation-relevance": "relevance:conversation_relevance_read_loosely",
    "answer-relevance": "relevance:answer_relevance_read_loosely",
    "moderation": "safety:moderation_or_fail",
    "context-faithfulness": "facts:context_faithfulness_read_loosely",
    "context-recall": "facts:context_recall_read_loosely",
    "context-relevance": "facts:context_relevance_read_loosely",
}
"""What promptfoo 0.123.1 does where it is weaker, by type."""


AGENTV_TYPES: dict[str, CheckType] = {
    "contains": CheckType("strings:contains"),
    "icontains": CheckType("strings:contains"),
    "contains-any": CheckType("strings:contains_any"),
    "icontains-any": CheckType("strings:contains_any"),
    "contains-all": CheckType("strings:contains_all"),
    "icontains-all": CheckType("strings:contains_all"),
    "starts-with": CheckType("strings:starts_with_trimmed"),
    "ends-with": CheckType("strings:ends_with_trimmed"),
    "equals": CheckType("strings:equals_trimmed"),
    "regex": CheckType("patterns:regex_with_flags"),
    "is-json": CheckType("json_checks:is_json_of_any_shape"),
    "tool-trajectory": CheckType("tool_calls:tool_trajectory"),
    "field-accuracy": CheckType("fields:field_accuracy"),
    "latency": CheckType("limits:latency_within"),
    "cost": CheckType("limits:cost_within"),
    "token-usage": CheckType("limits:tokens_within"),
    "execution-metrics": CheckType("limits:effort_within"),
    "llm-judge": CheckType("grading.freeform:freeform", needs="judge"),
    "llm-grader": CheckType("grading.freeform:freeform", needs="judge"),
    "rubric": CheckType("grading.rubrics:by_rubrics", needs="judge"),
    "rubrics": CheckType("grading.rubrics:by_rubrics", needs="judge"),
    "code-judge": CheckType("scripts:code_judge", needs="trust"),
    "code-grader": CheckType("scripts:code_judge", needs="trust"),
    "code": CheckType("scripts:code_judge", needs="trust"),
    "composite": CheckType(),
    "skill-trigger": CheckType("trajectory:skill_trigger"),
    "llm-rubric": CheckType("grading.freeform:freeform", needs="judge"),
    "agent-rubric": CheckType(
        lacks=(
            "It is judged by an agent that looks into files, and judges of turnwise see the answer alone",
            "Write an llm-rubric.",
        )
    ),
    "script": CheckType("scripts:code_judge", needs="trust"),
    "assert-set": CheckType(),
    **{
        name: CHECK_TYPES[name]
        for name in (
            "javascript",
            "python",
            "webhook",
            "similar",
            "skill-used",
            "trajectory:tool-used",
            "trajectory:tool-args-match",
            "trajectory:tool-sequence",
            "trajectory:step-count",
            "trajectory:goal-success",
        )
    },
}
"""The evaluators of AgentV's files; a name may have underscores in the place of hyphens."""

_WEAKER_IN_AGENTV: dict[str, str] = {
    "tool-trajectory": "tool_calls:tool_trajectory_as_agentv",
    "field-accuracy": "fields:field_accuracy_as_agentv",
    "latency": "limits:latency_as_agentv",
    "cost": "limits:cost_as_agentv",
    "token-usage": "limits:tokens_as_agentv",
    "execution-metrics": "limits:effort_within_as_agentv",
    "llm-judge": "grading.freeform:freeform_as_agentv",
    "llm-grader": "grading.freeform:freeform_as_agentv",
    "llm-rubric": "grading.freeform:freeform_as_agentv",
    "rubric": "grading.rubrics:by_rubrics_as_agentv",
    "rubrics": "grading.rubrics:by_rubrics_as_agentv",
}
"""What AgentV does where it is weaker, by type: 2.5 for the older types, 4.42.4 for the others."""


@cache
def _loaded(home: str) -> tuple[CheckFunction, bool]:
    """Return the function at `module:name`, and whether it asks somebody. It is wanted once a check."""
    module, name = home.split(":")
    function: CheckFunction = getattr(import_module(f"turnwise.engine.checks.{module}"), name)
    return function, iscoroutinefunction(function)


@dataclass(frozen=True, slots=True)
class Checks:
    """The checks of one tool by type. weaker: functions that stand in the place of those of the types.

    noun: what the tool calls a check. with_underscores: whether names may have them for hyphens.
    """

    types: Mapping[str, CheckType]
    weaker: Mapping[str, str]
    noun: str = "check"
    with_underscores: bool = False
    _alone: dict[str, CheckFunction] = field(default_factory=dict, compare=False, repr=False)
    """The functions that were asked for; each is wanted once a check."""

    def plain_name(self, kind: str) -> str:
        """Return a type as this registry writes it."""
        return kind.replace("_", "-") if self.with_underscores else kind

    def names(self) -> list[str]:
        """Return the types that are known, in alphabetical order, without not-."""
        return sorted(self.types)

    def lacks(self, kind: str) -> tuple[str, str] | None:
        """Return why a type cannot be carried out without a judge or trust, and the next step; else None."""
        found = self._type(kind)
        if found is None:
            return None
        return found.lacks or (_NEEDS[found.needs] if found.needs else None)

    def asks_judge(self, kind: str) -> bool:
        """Whether a judge answers a type of check."""
        found = self._type(kind)
        return found is not None and found.needs == "judge"

    def takes_trust(self, kind: str) -> bool:
        """Whether a type of check is carried out only where the user said yes to it for this run."""
        found = self._type(kind)
        return found is not None and found.needs == "trust"

    def asks(self, kind: str) -> bool:
        """Whether a type of check asks a judge, or an address that the file names."""
        found = self._type(kind)
        return found is not None and bool(found.needs)

    def function(self, kind: str) -> CheckFunction:
        """Return the function of a type. Raises SettingError for an unknown type, with the nearest name."""
        found, plain = self._type(kind), self.plain_name(kind)
        if found is None or not found.function:
            raise SettingError(
                f"There is no {self.noun} {kind}",
                next_step=did_you_mean(plain.lower(), self.names()) or f"Known: {', '.join(self.names())}.",
            )
        function, asks_somebody = _loaded(self.weaker.get(plain, found.function))
        if asks_somebody and not found.needs:
            raise SettingError(
                f"The check {kind} asks somebody, and its line in the list of types does not say whom",
                next_step='Write needs="judge" into its line in conversations/check_types.py.',
            )
        return function

    def function_alone(self, kind: str) -> CheckFunction:
        """Return the function of a type that asks nobody.

        Raises NotFoundError where it takes a judge or trust, SettingError for an unknown type.
        """
        function = self._alone.get(kind)
        if function is None:
            if absent := self.lacks(kind):
                raise NotFoundError(absent[0], next_step=absent[1])
            function = self._alone[kind] = self.function(kind)
        return function

    def _type(self, kind: str) -> CheckType | None:
        return self.types.get(self.plain_name(kind))


@cache
def checks_of(tool: SuiteFormat, *, compat: bool = False) -> Checks:
    """Return the checks of a tool's files. compat: do as the tool does where it is weaker than turnwise."""
    if tool == "agentv":
        weaker = _WEAKER_IN_AGENTV if compat else {}
        return Checks(AGENTV_TYPES, weaker, noun="evaluator", with_underscores=True)
    return Checks(CHECK_TYPES, _WEAKER_IN_PROMPTFOO if compat else {})


STRICT = checks_of("promptfoo")
"""The checks of promptfoo's files as turnwise does them."""

__all__ = ["SET", "STRICT", "CheckFunction", "Checks", "SuiteFormat", "checks_of"]
