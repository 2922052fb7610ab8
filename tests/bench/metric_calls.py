"""How many judge calls and prompt tokens every judged metric needs, beside the calls of deepeval.

    python tests/bench/metric_calls.py [--turns 10 20 100] [--words 40] [--json]

A judge that answers every question at once stands in for a real one, so nothing is asked of anybody. The
conversations are made: so many words a turn, two passages and one tool call an exchange. Tokens are those
of the messages, estimated as the engine does (four characters each). "Small" is a judge that is asked one
thing at a time. deepeval's calls are its own call graph (version 4.3.1) worked out for the same
conversation, where that graph is known. Prints Markdown.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from judged_metrics import MAKERS

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.results import Score
from turnwise.conversations.turns import ExchangeFields
from turnwise.engine.judge.calls import JudgeCall
from turnwise.engine.judge.questions import JudgeAnswer, Question, estimated_tokens, messages
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.registry import metric_class
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.models.settings import ModelSettings

PASSAGES = 2
"""Passages an exchange comes with."""
WANTED = 3
"""Intentions that a user is taken to have, for deepeval's conversation completeness."""
WINDOW = 10


@dataclass
class CountingJudge:
    """Answers every question at once, and keeps the tokens of what it was asked."""

    settings: ModelSettings
    secret: str = "s"
    asked: list[int] = field(default_factory=list)

    async def ask(self, question: Question) -> JudgeAnswer:
        """Answer what the question's schema asks for."""
        said = "\n".join(message["content"] for message in messages(question))
        self.asked.append(estimated_tokens(said))
        value = instance(question.schema)
        key = str(len(self.asked))
        call = JudgeCall(key=key, judge="j", model="m", request={}, reply=json.dumps(value))
        return JudgeAnswer(value=value, call=call)


def instance(schema: Mapping[str, Any]) -> Any:
    """Return a value that satisfies a schema, and contradicts nobody."""
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            value = {key: instance(inner) for key, inner in schema.get("properties", {}).items()}
            return {**value, "verdict": "no"} if "earlier_turn" in value else value
        case "array":
            return [instance(schema.get("items", {"type": "string"}))]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
    return "ok"


def conversation(turns: int, words: int) -> ConversationalTestCase:
    """Return a conversation of so many turns, with all that a metric may read in every exchange."""
    made: list[dict[str, Any]] = []
    for number in range(1, turns + 1):
        sentence = " ".join(["Words", *["along"] * 8, f"{number}."])
        said = " ".join([sentence] * (words // 10))
        turn: dict[str, Any] = {"role": "user" if number % 2 else "assistant", "content": said}
        if number % 2 == 0:
            passages = [f"Passage {count} of turn {number}. {said}" for count in range(PASSAGES)]
            call = {"name": "find", "input_parameters": {"number": number}, "output": f"found {number}"}
            turn |= {"retrieval_context": passages, "tools_called": [call], "mcp_tools_called": [call]}
            turn["exchange"] = ExchangeFields(expected_output=said, context=passages, expected_tools=[call])
        made.append(turn)
    return ConversationalTestCase(
        turns=made,
        chatbot_role="A guide who knows the way.",
        expected_outcome="The user knows the way. The user has a ticket.",
        mcp_servers=[{"name": "maps", "tools": ["find"]}],
    )


def windowed_passages(units: int) -> int:
    """Return how many passages all windows of a conversation hold together."""
    return sum(PASSAGES * min(unit, WINDOW) for unit in range(1, units + 1))


DEEPEVAL: Mapping[str, Callable[[int], int]] = {
    "knowledge_retention": lambda units: 2 * units + 1,
    "role_adherence": lambda units: 2,
    "conversation_completeness": lambda units: 2 + WANTED,
    "turn_relevancy": lambda units: units + 1,
    "conversational_geval": lambda units: 1,
    "turn_faithfulness": lambda units: 4 * units + 1,
    "turn_contextual_precision": lambda units: 2 * units + 1,
    "turn_contextual_recall": lambda units: 2 * units + 1,
    "turn_contextual_relevancy": lambda units: windowed_passages(units) + units + 1,
    "topic_adherence": lambda units: 2 * units + 1,
    "goal_accuracy": lambda units: 2 * units + 1,
    "tool_use": lambda units: 2 * units + 2,
    "conversational_dag": lambda units: 2,
    "mcp_task_completion": lambda units: units,
    "mcp_use": lambda units: 2 * units,
    "answer_relevancy": lambda units: 3,
    "faithfulness": lambda units: 4,
    "contextual_precision": lambda units: 2,
    "contextual_recall": lambda units: 2,
    "contextual_relevancy": lambda units: PASSAGES + 1,
    "bias": lambda units: 3,
    "toxicity": lambda units: 3,
    "misuse": lambda units: 3,
    "pii_leakage": lambda units: 3,
    "non_advice": lambda units: 3,
    "role_violation": lambda units: 3,
    "prompt_alignment": lambda units: 2,
    "argument_correctness": lambda units: 2,
    "task_completion": lambda units: 2,
    "geval": lambda units: 1,
    "dag": lambda units: 2,
}
"""deepeval's calls by the number of exchanges, each answered once, with a tool call and MCP use in each."""


@dataclass(frozen=True)
class Need:
    """What one metric needed for one conversation."""

    calls: int
    tokens: int


async def need_of(metric: Metric, case: ConversationalTestCase, items: int | None) -> Need | None:
    """Judge a conversation, or its last exchange, and count; None where the metric does not apply."""
    settings = ModelSettings(base_url="http://127.0.0.1:1/v1", model="m", items_per_question=items)
    judge = CountingJudge(settings)
    outcome = await metric.judge(metric.subjects(Subject.of(case))[0], judge, secret="s")  # type: ignore[arg-type]
    return Need(len(judge.asked), sum(judge.asked)) if isinstance(outcome, Score) else None


async def measured(turns: Sequence[int], words: int) -> list[dict[str, Any]]:
    """Return a row for every judged metric that applies to a conversation."""
    rows = []
    for key, make in MAKERS.items():
        row: dict[str, Any] = {"metric": key, "scope": metric_class(key).scope, "at": {}}
        for count in turns:
            case = conversation(count, words)
            large, small = [await need_of(make(), case, items) for items in (None, 1)]
            if large and small:
                peer = DEEPEVAL[key](count // 2) if key in DEEPEVAL else None
                row["at"][count] = {
                    "calls": large.calls,
                    "tokens": large.tokens,
                    "small_calls": small.calls,
                    "small_tokens": small.tokens,
                    "deepeval_calls": peer,
                }
        if len(row["at"]) == len(turns):
            rows.append(row)
    return sorted(rows, key=lambda row: row["scope"])


def as_markdown(rows: Sequence[Mapping[str, Any]], turns: Sequence[int]) -> str:
    """Write the rows as a table; every cell holds the figures for the numbers of turns in order."""
    at = "/".join(map(str, turns))
    titles = ["metric", f"calls at {at}", "prompt tokens", "deepeval's calls", "small judge's calls"]
    lines = [f"| {' | '.join(titles)} |", f"|{'---|' * len(titles)}"]
    for row in rows:
        cells = [row["metric"]]
        for name in ("calls", "tokens", "deepeval_calls", "small_calls"):
            figures = [row["at"][count][name] for count in turns]
            cells.append(" / ".join("–" if figure is None else f"{figure:,}" for figure in figures))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Count, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--turns", nargs="+", type=int, default=[10, 20, 100], help="even numbers")
    parser.add_argument("--words", type=int, default=40, help="words a turn has")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = asyncio.run(measured(options.turns, options.words))
    print(json.dumps(rows, indent=2) if options.json else as_markdown(rows, options.turns))


if __name__ == "__main__":
    main()
