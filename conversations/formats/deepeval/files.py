"""deepeval's test cases and goldens, as JSON, JSON Lines and CSV.

A record is one exchange (input, actual_output) or a conversation. A conversation holds `turns`, of messages
or of exchanges, as a list or as the JSON text of one, or in its oldest form `messages` that hold an
`llm_test_case` each. A conversational golden, which begins with a scenario, is read where it has turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.files import decode_json
from turnwise.conversations.formats.fields import (
    check_spelling,
    field_names,
    known_fields,
    misspelt_fields,
    read_passages,
)
from turnwise.conversations.formats.format import (
    Case,
    Contents,
    Format,
    Options,
    Record,
    Shape,
    attempt,
    rejected,
)
from turnwise.conversations.formats.json_records import json_records
from turnwise.conversations.formats.messages import account
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.formats.tables import columns_of, csv_columns, csv_rows
from turnwise.conversations.models import shorten
from turnwise.conversations.turns import Turn

_JOINED = {"context", "retrieval_context", "tags"}
_TOOLS = {"tools_called", "expected_tools"}
_OBJECTS = {"metadata", "additional_metadata", "custom_column_key_values", "expectations"}
_JSON_LISTS = {"mcp_servers", "mcp_tools_called", "mcp_resources_called", "mcp_prompts_called"}
SEPARATED = {"actual_output", "actualOutput", "expected_output", "expectedOutput", *_JOINED, *_TOOLS}
"""Columns that, beside `input`, tell deepeval's table from another's."""
_ENVELOPES = frozenset(
    name
    for names in (
        "goldens",
        "conversational_goldens conversationalGoldens",
        "test_cases testCases",
        "llm_test_cases llmTestCases",
        "conversational_test_cases conversationalTestCases",
    )
    for name in names.split()
)
_CHAT_KEYS = ("tool_calls", "function_call", "tool_call_id")
_LISTS_LOOKED_AT = 20
_OWN_KEYS = frozenset(
    ("chatbot_role", "chatbotRole", "scenario", "expected_outcome", "expectedOutcome", "user_description")
)

_IN_A_TURN = frozenset(("input", "llm_test_case", "llmTestCase"))
EXCHANGE = field_names(LLMTestCase)
CONVERSATION = field_names(ConversationalTestCase) | {"messages", "persona", "evaluate_all_messages"}
TURN = field_names(Turn) | _IN_A_TURN
_BEGINNINGS = frozenset(("input", "turns", "messages", "scenario"))
_REPLY = frozenset(("actual_output",))
_OF_A_TURN = frozenset(("role", "content"))
_OTHER_REPLIES = ("output", "response", "answer", "reply", "completion")


def values_of(cells: dict[str, str]) -> dict[str, Any]:
    """Return a row's cells as the values of a record. Raises ValueError where one is not what it must be."""
    if "input" not in cells and "turns" not in cells and "scenario" not in cells:
        raise ValueError("input: expected a string; got an empty cell")
    return {name: _value(name, cell) for name, cell in cells.items()}


def _value(name: str, cell: str) -> Any:
    field = _snake(name)
    if field in _JOINED:
        return _listed(cell)
    if field in _TOOLS:
        return _tools(name, cell)
    if field in _OBJECTS or field in _JSON_LISTS:
        return _json(name, cell, dict if field in _OBJECTS else list)
    return cell


def _listed(cell: str) -> list[Any]:
    if cell.lstrip().startswith("["):
        with suppress(ValueError):
            value = decode_json(cell)
            if isinstance(value, list):
                return value
    return [part.strip() for part in cell.split("|") if part.strip()]


def _tools(name: str, cell: str) -> list[Any]:
    if not cell.lstrip().startswith(("[", "{")):
        mark = ";" if ";" in cell else "|"
        return [part.strip() for part in cell.split(mark) if part.strip()]
    if cell.lstrip().startswith("{"):
        return [_json(name, cell, dict)]
    value = _json(name, cell, list)
    return list(value)


def _json(name: str, cell: str, kind: type[dict[str, Any]] | type[list[Any]]) -> Any:
    expected = "a JSON object" if kind is dict else "a JSON list"
    try:
        value = decode_json(cell)
    except ValueError as error:
        raise ValueError(f"{name}: expected {expected}; {error}") from None
    if not isinstance(value, kind):
        raise ValueError(f"{name}: expected {expected}; got {shorten(value)}")
    return value


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def _sniff(source: Source) -> float:
    if source.kind == "text":
        names = {name.replace("Case", "_case") for name in csv_columns(source.head)[0]}
        if any(name.startswith("__") for name in names):
            # Such columns hold the checks of a test suite.
            return 0.0
        if "input" not in names and _says_who_speaks(csv_columns(source.head)[0]):
            return 0.3
        surely = names & {"scenario", "turns"} or ("input" in names and names & SEPARATED)
        return 0.9 if surely else 0.5 if "input" in names else 0.0
    found = (_surely(record) for value in source.sample for record in _records_in(value))
    return max(found, default=0.0)


def _says_who_speaks(columns: list[str]) -> bool:
    """Whether a table holds turns in its own columns: it may name a scenario, or count its turns, beside."""
    with suppress(ValueError):
        found = columns_of(columns, {})
        return found is not None and not found.whole
    return False


def _records_in(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value[:_LISTS_LOOKED_AT]
    if not isinstance(value, dict):
        return []
    lists = [value[name] for name in _ENVELOPES & value.keys() if isinstance(value[name], list)]
    return [record for items in lists for record in items[:_LISTS_LOOKED_AT]] or [value]


def _surely(record: Any) -> float:
    if not isinstance(record, dict):
        return 0.0
    if isinstance(turns := record.get("turns"), str | list) and not _are_others(turns):
        chat = isinstance(turns, list) and any(
            isinstance(turn, dict) and any(key in turn for key in _CHAT_KEYS) for turn in turns
        )
        # What only a test case has decides: a chat log knows nothing of roles and outcomes.
        return 0.4 if chat and not _OWN_KEYS & record.keys() else 1.0
    if isinstance(messages := record.get("messages"), list):
        held = [message for message in messages if isinstance(message, dict)]
        return 1.0 if any("llm_test_case" in item or "llmTestCase" in item for item in held) else 0.0
    if isinstance(record.get("scenario"), str):
        return 0.9
    if "input" not in record:
        return 0.0
    beside = known_fields(LLMTestCase, record).keys() - {"input", "metadata"}
    if not isinstance(record["input"], str | None):
        return 0.3 if beside else 0.0
    return 0.9 if beside else 0.5


def _are_others(turns: Any) -> bool:
    """Whether turns are those of a data set of dialogues: texts alone, or utterances."""
    first = turns[0] if isinstance(turns, list) and turns else None
    return isinstance(first, str) or (isinstance(first, dict) and "utterance" in first)


def _read(source: Source, options: Options) -> Iterator[Record]:
    if source.kind == "text":
        yield from _from_table(source)
    else:
        yield from json_records(source, contents_of, is_part=lambda value: False, envelopes=_ENVELOPES)


def _from_table(source: Source) -> Iterator[Record]:
    names, _ = csv_columns(source.head)
    if not {"input", "turns", "scenario"} & set(names):
        raise source.broken(
            f"expected a header with a column input, turns or scenario; got {shorten(', '.join(names))}"
        )
    for row in csv_rows(source):
        if row.problem:
            yield rejected(row.place, row.problem)
        else:
            yield attempt(lambda cells: contents_of(values_of(cells)), row.cells, row.place)


def contents_of(record: Any) -> Contents:
    """Return the case that one record says, with remarks on what in it is like a field and is none.

    Raises ValueError that names the field.
    """
    case = case_of(record)
    remarks = tuple(_remarks(record))
    if isinstance(case, ConversationalTestCase) and case.metadata and case.turns[-1].role == "user":
        remarks += account(case.metadata, [turn.data() for turn in case.turns])
    return Contents(case, remarks=remarks)


def _remarks(record: dict[str, Any]) -> Iterator[str]:
    turns = record.get("turns") or record.get("messages")
    known = CONVERSATION if turns else EXCHANGE
    yield from _kept_beside(record, known, "")
    for number, turn in enumerate(turns if isinstance(turns, list) else ()):
        if isinstance(turn, dict):
            yield from _kept_beside(turn, EXCHANGE if "input" in turn else TURN, f"turns[{number}].")
    if not turns and record.get("actual_output", record.get("actualOutput")) is None:
        for name in (name for name in _OTHER_REPLIES if isinstance(record.get(name), str | dict | list)):
            yield f"{name}: no field of a test case, so it is kept as metadata; a reply is actual_output"


def _kept_beside(fields: dict[str, Any], known: frozenset[str], place: str) -> Iterator[str]:
    for name, near in misspelt_fields(fields, known):
        yield f"{place}{name}: no such field, so it is kept as metadata; did you mean {near}?"


def case_of(record: Any) -> Case:
    """Return the case that one record says. Raises ValueError that names the field."""
    if not isinstance(record, dict):
        raise ValueError(f"expected an object with turns or input; got {shorten(record)}")
    if record.get("turns") or record.get("messages"):
        return _conversation(record)
    if "input" in record:
        check_spelling(record, EXCHANGE, _REPLY)
    else:
        check_spelling(record, EXCHANGE | CONVERSATION, _BEGINNINGS)
    is_answered = record.get("actual_output", record.get("actualOutput")) is not None
    if not is_answered and isinstance(record.get("scenario"), str) and record["scenario"].strip():
        raise ValueError(
            "turns: this conversational golden has a scenario and no turns yet, so there is nothing to judge"
        )
    if "turns" in record and "input" not in record:
        raise ValueError(f"turns: expected at least one turn; got {shorten(record['turns'])}")
    if "input" not in record:
        raise ValueError(f"expected turns or input; got an object with {shorten(', '.join(record))}")
    return LLMTestCase.model_validate(_exchange_fields(record))


def _conversation(record: dict[str, Any]) -> ConversationalTestCase:
    place = "turns" if record.get("turns") else "messages"
    given = _list_of_turns(record[place], place)
    rest = {name: item for name, item in record.items() if name not in ("turns", "messages")}
    if place == "turns" and record.get("messages"):
        rest["messages"] = record["messages"]
    fields = known_fields(ConversationalTestCase, rest)
    if "user_description" not in fields and isinstance(persona := record.get("persona"), str):
        fields["user_description"] = persona
    turns = [_turn_fields(turn, f"{place}[{number}]") for number, turn in enumerate(given)]
    return ConversationalTestCase.model_validate({**fields, "turns": turns})


def _list_of_turns(value: Any, place: str) -> list[Any]:
    if isinstance(value, str):
        try:
            value = decode_json(value)
        except ValueError as error:
            raise ValueError(f"{place}: expected a list, or the JSON text of one; {error}") from None
    if not isinstance(value, list):
        raise ValueError(f"{place}: expected a list of turns; got {shorten(value)}")
    return value


def _turn_fields(turn: Any, place: str) -> Any:
    if not isinstance(turn, dict):
        return turn
    if "input" in turn:
        check_spelling(turn, EXCHANGE, _REPLY, f"{place}.")
        return _exchange_fields(turn)
    inner = turn.get("llm_test_case", turn.get("llmTestCase"))
    if inner is not None:
        if not isinstance(inner, dict):
            raise ValueError(f"{place}.llm_test_case: expected an object with input; got {shorten(inner)}")
        check_spelling(inner, EXCHANGE, _REPLY | {"input"}, f"{place}.llm_test_case.")
        others = {name: item for name, item in turn.items() if name not in ("llm_test_case", "llmTestCase")}
        return _exchange_fields({**others, **inner})
    check_spelling(turn, TURN, _OF_A_TURN | _IN_A_TURN, f"{place}.")
    return _with_parts_read(known_fields(Turn, turn))


def _exchange_fields(record: dict[str, Any]) -> dict[str, Any]:
    return _with_parts_read(known_fields(LLMTestCase, record))


def _with_parts_read(fields: dict[str, Any]) -> dict[str, Any]:
    """Read the fields that deepeval writes in a form of its own: passages that name their source, and
    tools.
    """
    if isinstance(passages := fields.get("retrieval_context"), list):
        fields["retrieval_context"] = read_passages(passages)
    for name in ("tools_called", "expected_tools"):
        if isinstance(tools := fields.get(name), list):
            fields[name] = [_without_nulls(tool) for tool in tools]
    return fields


def _without_nulls(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: item for name, item in value.items() if item is not None or name == "name"}


FORMAT = Format(
    name="deepeval",
    title="deepeval test cases and goldens (JSON, JSONL, CSV)",
    sniff=_sniff,
    read=_read,
    shapes=(
        Shape(
            "test cases and goldens of deepeval",
            read="every field of a test case, in each of its three forms",
            rest="unknown fields are metadata; one that is like a known one is told",
        ),
    ),
    reads_feedback=True,
)
