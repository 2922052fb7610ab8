"""deepeval's dataset file: one JSON list of conversations, whose turns are messages, or of single exchanges.

Its loader takes a row with a scenario for a conversation, refuses a file that holds both kinds, knows users
and assistants only, and refuses fields that it does not know; what it has no place for is left out.
"""

from __future__ import annotations

from typing import Any, TextIO

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.exports.export import ExportOptions, SessionSelection, StoredSession
from turnwise.conversations.exports.json_writing import write_list

_TOOL_FIELDS = ("name", "type", "description", "reasoning", "input_parameters", "output")
_NOT_THEIRS = frozenset(("name", "tool_call_id", "exchange"))


def record_of(session: StoredSession, *, multi_turn: bool) -> dict[str, Any]:
    """Return a session as a row of deepeval's dataset. multi_turn: all its rows are conversations."""
    case = session.case
    if not isinstance(case, LLMTestCase):
        return _conversation(case, session.row.name)
    if not multi_turn:
        return _theirs(case.data())
    outcome = {"expected_outcome": case.expected_output, "metadata": case.metadata}
    return _conversation(session.conversation.model_copy(update=outcome), session.row.name)


def _conversation(case: ConversationalTestCase, name: str) -> dict[str, Any]:
    fields = case.data()
    turns = [_turn(turn) for turn in fields.pop("turns") if turn["role"] in ("user", "assistant")]
    scenario = fields.pop("scenario", "")
    return {
        # Without one its loader would take the row for a single exchange.
        "scenario": scenario if scenario.strip() else name,
        **_theirs(fields),
        "turns": turns,
    }


def _turn(turn: dict[str, Any]) -> dict[str, Any]:
    return {
        name: _value(name, item)
        for name, item in {"role": turn["role"], "content": turn["content"], **turn}.items()
        if name not in _NOT_THEIRS
    }


def _theirs(fields: dict[str, Any]) -> dict[str, Any]:
    renamed = {("additional_metadata" if name == "metadata" else name): item for name, item in fields.items()}
    return {name: _value(name, item) for name, item in renamed.items()}


def _value(name: str, value: Any) -> Any:
    if name in ("tools_called", "expected_tools"):
        return [{field: tool[field] for field in _TOOL_FIELDS if field in tool} for tool in value]
    if name == "retrieval_context":
        return [_passage(passage) for passage in value]
    return value


def _passage(passage: Any) -> str:
    """Write a passage with its source as deepeval writes it into files."""
    if isinstance(passage, str):
        return passage
    if passage.get("source") is None:
        return str(passage["context"])
    return f"deepeval_source={passage['source']},deepeval_context={passage['context']}"


def write(sessions: SessionSelection, out: TextIO, options: ExportOptions) -> None:
    """Write a dataset of deepeval, in JSON."""
    multi_turn = sessions.holds_conversations()
    write_list((record_of(session, multi_turn=multi_turn) for session in sessions), out)
