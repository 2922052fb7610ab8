"""Materials: the passages that turns came with and the tools that were used in them, as texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from turnwise.conversations.models import shorten
from turnwise.conversations.turns import Turn, passage_text
from turnwise.engine.judge.transcripts import defuse
from turnwise.engine.metrics.entries import JudgedItem, Material
from turnwise.engine.metrics.exchanges import AnsweredExchange
from turnwise.engine.metrics.subject import tool_text

_LONGEST = 600
MCP_FIELDS = ("mcp_tools_called", "mcp_resources_called", "mcp_prompts_called")


def passages_of(exchanges: Sequence[AnsweredExchange]) -> Material:
    """Return the passages of the exchanges in their order."""
    given = [
        (number, passage_text(passage))
        for exchange in exchanges
        for number, turn in exchange.turns
        for passage in turn.retrieval_context or []
    ]
    return Material("passage", dict(enumerate(given, start=1)))


def tool_calls_of(exchanges: Sequence[AnsweredExchange]) -> Material:
    """Return the calls of tools in the exchanges, each with its arguments and its output."""
    given = [
        (number, call_text(call.name, call.input_parameters or call.raw_arguments, call.output))
        for exchange in exchanges
        for number, turn in exchange.turns
        for call in turn.tools_called or []
    ]
    return Material("tool call", dict(enumerate(given, start=1)))


def mcp_calls_of(exchanges: Sequence[AnsweredExchange]) -> Material:
    """Return the uses of MCP servers in the exchanges: tools, resources and prompts."""
    given = [
        (number, text)
        for exchange in exchanges
        for number, turn in exchange.turns
        for text in _mcp_texts(turn)
    ]
    return Material("MCP call", dict(enumerate(given, start=1)))


def mcp_tasks(exchanges: Sequence[AnsweredExchange]) -> list[AnsweredExchange]:
    """Return the exchanges that are tasks: more than two turns long, or with a use of an MCP server."""
    return [
        exchange
        for exchange in exchanges
        if len(exchange.turns) > 2 or any(_uses(turn) for _, turn in exchange.turns)
    ]


def call_text(name: str, arguments: Any, output: Any) -> str:
    """Write one use of a tool in a line."""
    return tool_text(name, arguments, output, _LONGEST)


def calls_line(label: str, calls: Material, turns: Collection[int]) -> str:
    """Write the calls that came with some turns in one line, for the heading of a small judge's question."""
    texts = [text for turn, text in calls.texts.values() if turn in turns]
    return f"{label}: {one_line(texts) or 'none'}"


def calls_heading(
    offered: str, label: str, calls: Material, exchanges: Sequence[AnsweredExchange]
) -> Callable[[JudgedItem], str]:
    """Return what heads a small judge's question about an exchange: what was on offer, and its own calls.

    offered: the line that says what was on offer. label: what the calls are called.
    """
    turns = {exchange.end: {number for number, _ in exchange.turns} for exchange in exchanges}
    return lambda item: f"{offered}\n{calls_line(label, calls, turns[item.number])}"


def described(items: Sequence[Any]) -> list[str]:
    """Write what is on offer, such as tools or servers: a name as it is, anything else as its fields."""
    return [item if isinstance(item, str) else shorten(as_plain(item), 2000) for item in items]


def one_line(texts: Sequence[str]) -> str:
    """Write texts for the heading of a small judge's question, so that none can fake another line."""
    return "; ".join(" ".join(defuse(text).split()) for text in texts)


def as_plain(value: Any) -> Any:
    """Return a value of any library's class as plain values, as far as it shows its fields."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, list | tuple):
        return [as_plain(item) for item in value]
    if isinstance(value, dict | str | int | float | bool) or value is None:
        return value
    return (
        {name: as_plain(item) for name, item in vars(value).items()}
        if hasattr(value, "__dict__")
        else str(value)
    )


def _uses(turn: Turn) -> bool:
    return any(getattr(turn, name) for name in MCP_FIELDS) or any(
        call.type == "MCP" for call in turn.tools_called or []
    )


def _mcp_texts(turn: Turn) -> Iterator[str]:
    for field in MCP_FIELDS:
        for call in getattr(turn, field) or []:
            fields = as_plain(call)
            kind = field.removeprefix("mcp_").removesuffix("s_called")
            if not isinstance(fields, dict):
                yield f"{kind} {fields}"
                continue
            name = fields.get("name") or fields.get("uri") or "?"
            arguments = fields.get("args", fields.get("arguments", fields.get("input_parameters")))
            output = fields.get("result", fields.get("output"))
            yield f"{kind} {call_text(str(name), arguments, output)}"
    for call in turn.tools_called or []:
        if call.type == "MCP":
            yield f"tool {call_text(call.name, call.input_parameters, call.output)}"


def passage_items_of(exchanges: Sequence[AnsweredExchange]) -> list[JudgedItem]:
    """Return the passages of the exchanges as things to give verdicts on, each tied to its turn."""
    return [JudgedItem(number, turn, text) for number, (turn, text) in passages_of(exchanges).texts.items()]
