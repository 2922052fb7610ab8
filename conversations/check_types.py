"""The types of check that promptfoo's files may ask for: one line a type.

This list stands here because the cells of a table are read by it (`contains: Paris` is a check, `Note: Paris`
is a text). turnwise.engine.checks has the functions, and its registry loads them by the names in this list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SET = "assert-set"
"""The type of a set of checks, which is scored like a case of its own."""

Need = Literal["", "judge", "trust"]


@dataclass(frozen=True, slots=True)
class CheckType:
    """One type of check.

    function: who carries it out, as in `strings:contains`, a module of turnwise.engine.checks and a function
    of it; empty where nobody does. needs: a judge, or trust, as it sends the answer to an address that the
    file names. lacks: why turnwise does not carry it out, and the next step. in_cells: whether the cell of a
    table may ask for it.
    """

    function: str = ""
    needs: Need = ""
    lacks: tuple[str, str] | None = None
    in_cells: bool = True


CHECK_TYPES: dict[str, CheckType] = {
    "equals": CheckType("strings:equals"),
    "contains": CheckType("strings:contains"),
    "icontains": CheckType("strings:contains"),
    "contains-any": CheckType("strings:contains_any"),
    "icontains-any": CheckType("strings:contains_any"),
    "contains-all": CheckType("strings:contains_all"),
    "icontains-all": CheckType("strings:contains_all"),
    "starts-with": CheckType("strings:starts_with"),
    "regex": CheckType("patterns:regex"),
    "is-json": CheckType("json_checks:is_json"),
    "contains-json": CheckType("json_checks:contains_json"),
    "is-xml": CheckType("markup:is_xml"),
    "contains-xml": CheckType("markup:contains_xml"),
    "is-html": CheckType("markup:is_html"),
    "contains-html": CheckType("markup:contains_html"),
    "is-sql": CheckType("sql:is_sql"),
    "contains-sql": CheckType("sql:contains_sql"),
    "word-count": CheckType("strings:word_count"),
    "levenshtein": CheckType("similarity:levenshtein"),
    "rouge-n": CheckType("similarity:rouge_n"),
    "bleu": CheckType("similarity:bleu"),
    "gleu": CheckType("similarity:gleu"),
    "meteor": CheckType("similarity:meteor"),
    "is-refusal": CheckType("safety:is_refusal"),
    "latency": CheckType("limits:latency"),
    "cost": CheckType("limits:cost"),
    "perplexity": CheckType("limits:perplexity"),
    "perplexity-score": CheckType("limits:perplexity_score"),
    "finish-reason": CheckType("limits:finish_reason"),
    "tool-call-f1": CheckType("tool_calls:tool_call_f1"),
    "is-valid-function-call": CheckType("tool_calls:is_valid_function_call"),
    "is-valid-openai-function-call": CheckType("tool_calls:is_valid_function_call"),
    "is-valid-openai-tools-call": CheckType("tool_calls:is_valid_tools_call"),
    "javascript": CheckType("scripts:javascript"),
    "guardrails": CheckType("safety:guardrails"),
    "skill-used": CheckType("trajectory:skill_used"),
    "trajectory:tool-used": CheckType("trajectory:tool_used"),
    "trajectory:tool-args-match": CheckType("trajectory:tool_args_match"),
    "trajectory:tool-sequence": CheckType("trajectory:tool_sequence"),
    "trajectory:step-count": CheckType("trajectory:step_count"),
    "trace-span-count": CheckType("traces:span_count"),
    "trace-span-duration": CheckType("traces:span_duration"),
    "trace-error-spans": CheckType("traces:error_spans"),
    "llm-rubric": CheckType("rubric:llm_rubric", needs="judge"),
    "factuality": CheckType("facts:factuality", needs="judge"),
    "model-graded-factuality": CheckType("facts:factuality", needs="judge"),
    "model-graded-closedqa": CheckType("rubric:closed_question", needs="judge"),
    "g-eval": CheckType("rubric:g_eval", needs="judge"),
    "conversation-relevance": CheckType("relevance:conversation_relevance", needs="judge"),
    "context-faithfulness": CheckType("facts:context_faithfulness", needs="judge"),
    "context-recall": CheckType("facts:context_recall", needs="judge"),
    "context-relevance": CheckType("facts:context_relevance", needs="judge"),
    "similar": CheckType("similarity:similar", needs="judge"),
    "similar:cosine": CheckType("similarity:similar", needs="judge"),
    "similar:dot": CheckType("similarity:similar", needs="judge"),
    "similar:euclidean": CheckType("similarity:similar", needs="judge"),
    "answer-relevance": CheckType("relevance:answer_relevance", needs="judge"),
    "moderation": CheckType("safety:moderation", needs="judge"),
    "trajectory:goal-success": CheckType("rubric:goal_success", needs="judge"),
    "webhook": CheckType("sending:webhook", needs="trust"),
    "classifier": CheckType("sending:classifier", needs="trust"),
    "agent-rubric": CheckType(
        lacks=(
            "It needs an agent that looks into files by itself, which turnwise does not run",
            "Ask it as an llm-rubric, on what the answer says.",
        )
    ),
    "search-rubric": CheckType(
        lacks=(
            "It needs a judge that searches the web, and without a search it would be another question",
            "Ask it as an llm-rubric, on what the answer says.",
        )
    ),
    "pi": CheckType(
        lacks=(
            "It needs the scoring service of Pi Labs, which turnwise does not call",
            "Ask it as an llm-rubric.",
        )
    ),
    "python": CheckType(
        lacks=(
            "It is Python code, which is not run without --trust",
            "Read it first; --trust then runs it. Or write the check as javascript.",
        )
    ),
    "ruby": CheckType(lacks=("turnwise does not run Ruby", "Write the check as javascript or python.")),
    "human": CheckType(lacks=("It needs a person", "Open the session and label it."), in_cells=False),
    "select-best": CheckType(lacks=("It compares several answers, not one answer", ""), in_cells=False),
    "max-score": CheckType(
        lacks=("It compares the scores of several answers, not one answer", ""), in_cells=False
    ),
    "assert-set": CheckType(in_cells=False),
}
