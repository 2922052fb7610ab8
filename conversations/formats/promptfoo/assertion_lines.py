"""The small language in which a table's cell says what an output must satisfy: `contains: Paris`."""

from __future__ import annotations

import re
from typing import Any

_JAVASCRIPT = ("javascript:", "fn:", "eval:")
_RUBRIC = ("llm-rubric:", "grade:")
_JAVASCRIPT_SUFFIXES = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts")
_LISTS = frozenset(("contains-all", "contains-any", "icontains-all", "icontains-any"))
_WITH_THRESHOLD = frozenset(
    (
        "answer-relevance",
        "classifier",
        "context-faithfulness",
        "context-recall",
        "context-relevance",
        "cost",
        "latency",
        "levenshtein",
        "perplexity",
        "perplexity-score",
        "rouge-n",
        "similar",
        "starts-with",
    )
)
TYPES = (
    "agent-rubric",
    "answer-relevance",
    "bleu",
    "classifier",
    "contains",
    "contains-all",
    "contains-any",
    "contains-html",
    "contains-json",
    "contains-sql",
    "contains-xml",
    "context-faithfulness",
    "context-recall",
    "context-relevance",
    "conversation-relevance",
    "cost",
    "equals",
    "factuality",
    "finish-reason",
    "g-eval",
    "gleu",
    "guardrails",
    "icontains",
    "icontains-all",
    "icontains-any",
    "is-html",
    "is-json",
    "is-refusal",
    "is-sql",
    "is-valid-function-call",
    "is-valid-openai-function-call",
    "is-valid-openai-tools-call",
    "is-xml",
    "javascript",
    "latency",
    "levenshtein",
    "llm-rubric",
    "meteor",
    "model-graded-closedqa",
    "model-graded-factuality",
    "moderation",
    "perplexity",
    "perplexity-score",
    "pi",
    "python",
    "regex",
    "rouge-n",
    "ruby",
    "search-rubric",
    "similar",
    "similar:cosine",
    "similar:dot",
    "similar:euclidean",
    "skill-used",
    "starts-with",
    "tool-call-f1",
    "trace-error-spans",
    "trace-span-count",
    "trace-span-duration",
    "trajectory:goal-success",
    "trajectory:step-count",
    "trajectory:tool-args-match",
    "trajectory:tool-sequence",
    "trajectory:tool-used",
    "webhook",
    "word-count",
)
_LINE = re.compile(
    rf"(not-)?({'|'.join(map(re.escape, TYPES))})(?:\(([0-9]+(?:\.[0-9]+)?)\))?(?::(.*))?\Z", re.DOTALL
)


def parse_assertion(line: str) -> dict[str, Any]:
    """Return the assertion that a cell means, under the names that a configuration has for its parts.

    Raises ValueError for a list whose quotes do not match.
    """
    for prefix in _JAVASCRIPT:
        if line.startswith(prefix):
            return {"type": "javascript", "value": line.removeprefix(prefix).strip()}
    if line.startswith("file://") and _names_code(line, _JAVASCRIPT_SUFFIXES):
        return {"type": "javascript", "value": line.removeprefix("file://").strip()}
    for prefix in _RUBRIC:
        if line.startswith(prefix):
            return {"type": "llm-rubric", "value": line.removeprefix(prefix).strip()}
    if line.startswith("python:"):
        return {"type": "python", "value": line.removeprefix("python:").strip()}
    if line.startswith("file://") and _names_code(line, (".py",)):
        return {"type": "python", "value": line.removeprefix("file://").strip()}
    found = _LINE.match(line)
    if not found:
        return {"type": "equals", "value": line}
    negation, kind, number, value = found.groups()
    assertion: dict[str, Any] = {"type": f"{negation or ''}{kind}"}
    if value is not None:
        words = value.strip()
        assertion["value"] = comma_list(words) if kind in _LISTS and words else words
    if kind in _WITH_THRESHOLD:
        assertion["threshold"] = float(number or 0) or (0.8 if kind == "similar" else 0.75)
    return assertion


def comma_list(text: str) -> list[str]:
    r"""Return the items of a list parted by commas; an item in quotes may hold commas, and "" or \" a quote.

    Blank items are left out. Raises ValueError where a quote stays open or is followed by more text.
    """
    items: list[str] = []
    position = 0
    while position <= len(text):
        start = position
        while start < len(text) and text[start].isspace():
            start += 1
        if start < len(text) and text[start] == '"':
            item, position = _quoted(text, start + 1)
            items.append(item)
        else:
            end = text.find(",", position)
            end = len(text) if end == -1 else end
            item = text[position:end].strip()
            if item:
                items.append(item)
            position = end
        position += 1
    return items


def _quoted(text: str, position: int) -> tuple[str, int]:
    """Return the item that begins after a quote, and where the comma after it stands."""
    characters: list[str] = []
    while position < len(text):
        pair = text[position : position + 2]
        if pair in ('""', '\\"'):
            characters.append('"')
            position += 2
        elif text[position] == '"':
            end = text.find(",", position)
            end = len(text) if end == -1 else end
            if text[position + 1 : end].strip():
                raise ValueError("expected a comma after the closing quote of a list's item")
            return "".join(characters), end
        else:
            characters.append(text[position])
            position += 1
    raise ValueError("expected a closing quote in a list; got the end of the cell")


def _names_code(line: str, suffixes: tuple[str, ...]) -> bool:
    return any(line.endswith(suffix) or f"{suffix}:" in line for suffix in suffixes)
