"""The registry of check types: the function of each, loaded when it is asked for.

Adding a check is a function in checks/, or in judged/ where a judge answers it, and one line here.
"""

from __future__ import annotations

import difflib
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import TYPE_CHECKING

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.results import CheckResult

if TYPE_CHECKING:
    from turnwise.engine.suites.judged.asker import Asker

CheckFunction = Callable[[Check, Answer], CheckResult]
JudgedFunction = Callable[[Check, Answer, "Asker"], Awaitable[CheckResult]]

SET = "assert-set"
"""The type of a set of checks, which is graded like a case of its own."""

_HOMES = {
    "equals": "strings:equals",
    "contains": "strings:contains",
    "icontains": "strings:icontains",
    "contains-any": "strings:contains_any",
    "icontains-any": "strings:icontains_any",
    "contains-all": "strings:contains_all",
    "icontains-all": "strings:icontains_all",
    "starts-with": "strings:starts_with",
    "regex": "patterns:regex",
    "is-json": "json_checks:is_json",
    "contains-json": "json_checks:contains_json",
    "is-xml": "xml_checks:is_xml",
    "contains-xml": "xml_checks:contains_xml",
    "is-html": "html_checks:is_html",
    "contains-html": "html_checks:contains_html",
    "is-sql": "sql:is_sql",
    "contains-sql": "sql:contains_sql",
    "word-count": "counts:word_count",
    "levenshtein": "similarity:levenshtein",
    "rouge-n": "similarity:rouge_n",
    "bleu": "similarity:bleu",
    "gleu": "similarity:gleu",
    "meteor": "similarity:meteor",
    "is-refusal": "refusal:is_refusal",
    "latency": "limits:latency",
    "cost": "limits:cost",
    "perplexity": "limits:perplexity",
    "perplexity-score": "limits:perplexity_score",
    "finish-reason": "limits:finish_reason",
    "tool-call-f1": "tool_calls:tool_call_f1",
    "is-valid-function-call": "tool_calls:is_valid_function_call",
    "is-valid-openai-function-call": "tool_calls:is_valid_function_call",
    "is-valid-openai-tools-call": "tool_calls:is_valid_tools_call",
    "javascript": "scripts:javascript",
    "guardrails": "guardrails:guardrails",
    "skill-used": "trajectory:skill_used",
    "trajectory:tool-used": "trajectory:tool_used",
    "trajectory:tool-args-match": "arguments:tool_args_match",
    "trajectory:tool-sequence": "trajectory:tool_sequence",
    "trajectory:step-count": "trajectory:step_count",
    "trace-span-count": "spans:span_count",
    "trace-span-duration": "spans:span_duration",
    "trace-error-spans": "spans:error_spans",
}

_JUDGED_HOMES = {
    "llm-rubric": "rubric:llm_rubric",
    "factuality": "answers:factuality",
    "model-graded-factuality": "answers:factuality",
    "model-graded-closedqa": "answers:closed_question",
    "g-eval": "criteria:g_eval",
    "conversation-relevance": "relevance:conversation_relevance",
    "context-faithfulness": "context:context_faithfulness",
    "context-recall": "context:context_recall",
    "context-relevance": "context:context_relevance",
    "similar": "likeness:similar",
    "similar:cosine": "likeness:similar",
    "similar:dot": "likeness:similar",
    "similar:euclidean": "likeness:similar",
    "answer-relevance": "likeness:answer_relevance",
    "moderation": "moderation:moderation",
    "trajectory:goal-success": "goal:goal_success",
}
_SENDING_HOMES = {
    "webhook": "webhook:webhook",
    "classifier": "classifier:classifier",
}
_LEFT_OUT = {
    **dict.fromkeys(_JUDGED_HOMES, ("It needs a judge", "Name one with --judge.")),
    "agent-rubric": (
        "It needs an agent that looks into files by itself, which turnwise does not run",
        "Ask it as an llm-rubric, on what the answer says.",
    ),
    "search-rubric": (
        "It needs a judge that searches the web, and without a search it would be another question",
        "Ask it as an llm-rubric, on what the answer says.",
    ),
    "pi": (
        "It needs the scoring service of Pi Labs, which turnwise does not call",
        "Ask it as an llm-rubric.",
    ),
    "python": (
        "It is Python code, which is not run without --trust",
        "Read it first; --trust then runs it. Or write the check as javascript.",
    ),
    "ruby": ("turnwise does not run Ruby", "Write the check as javascript or python."),
    **dict.fromkeys(
        _SENDING_HOMES,
        (
            "It would send the answer to an address that the file names",
            "Read the file; --trust then sends it.",
        ),
    ),
    "human": ("It needs a person", "Open the session and label it."),
    "select-best": ("It compares several answers, not one answer", ""),
    "max-score": ("It compares the scores of several answers, not one answer", ""),
}


def check_types() -> list[str]:
    """Return the types of check that are known, in alphabetical order, without not-."""
    return sorted({SET, *_HOMES, *_LEFT_OUT})


def judged_function(kind: str) -> JudgedFunction | None:
    """Return the coroutine function of a type that a judge answers; None for any other."""
    home = _JUDGED_HOMES.get(kind)
    if home is None:
        return None
    module, name = home.split(":")
    function: JudgedFunction = getattr(import_module(f"turnwise.engine.suites.judged.{module}"), name)
    return function


def asking_function(kind: str) -> JudgedFunction | None:
    """Return the coroutine function of a type that a judge answers, or an address that the file names."""
    home = _SENDING_HOMES.get(kind)
    if home is None:
        return judged_function(kind)
    module, name = home.split(":")
    function: JudgedFunction = getattr(import_module(f"turnwise.engine.suites.judged.{module}"), name)
    return function


def left_out(kind: str) -> tuple[str, str] | None:
    """Return why a type of check cannot be graded from an answer alone, and the next step; else None."""
    return _LEFT_OUT.get(kind)


def check_function(kind: str) -> CheckFunction:
    """Return the function of a type. Raises SettingError for an unknown type, with the nearest name."""
    home = _HOMES.get(kind)
    if home is None:
        near = difflib.get_close_matches(kind.lower(), check_types(), n=1)
        raise SettingError(
            f"There is no check {kind}",
            next_step=f"Did you mean {near[0]}?" if near else f"Known: {', '.join(check_types())}.",
        )
    module, name = home.split(":")
    function: CheckFunction = getattr(import_module(f"turnwise.engine.suites.checks.{module}"), name)
    return function
