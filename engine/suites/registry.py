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
}
# fmt: off
_NOT_ASKED = ("agent-rubric", "search-rubric", "answer-relevance", "trajectory:goal-success", "pi")
_EMBEDDED = ("similar", "similar:cosine", "similar:dot", "similar:euclidean")
_TRACED = (
    "trajectory:tool-used", "trajectory:tool-args-match", "trajectory:tool-sequence",
    "trajectory:step-count", "trace-span-count", "trace-span-duration", "trace-error-spans",
)
# fmt: on
_LEFT_OUT = {
    **dict.fromkeys(_JUDGED_HOMES, ("It needs a judge", "Name one with --judge.")),
    **dict.fromkeys(
        _NOT_ASKED, ("It needs a judge, and turnwise has no question for it", "Ask it as an llm-rubric.")
    ),
    **dict.fromkeys(
        _EMBEDDED, ("It needs a judge that gives embeddings, which turnwise does not ask for", "Try rouge-n.")
    ),
    **dict.fromkeys(_TRACED, ("It needs a trace of the run, which an answer alone does not hold", "")),
    **dict.fromkeys(("python", "ruby"), ("Code of this kind is not run", "Write the check as javascript.")),
    "classifier": (
        "It needs a model that sorts texts, which turnwise does not run",
        "Ask it as an llm-rubric.",
    ),
    "moderation": ("It needs a moderation service, which turnwise does not call", "Ask it as an llm-rubric."),
    "webhook": ("It would send the answer over the network", ""),
    "human": ("It needs a person", "Open the session and label it."),
    "guardrails": ("It needs a target that reports on its guardrails", ""),
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
