"""Rows: a request and its reply in one record, as logs, data sets and interfaces write them.

The request is a list of messages in any dialect, or a text; the reply a text, a message, a list of these or
the whole answer of an interface. Read so are logs of LiteLLM and Helicone, rows of Langfuse, Braintrust,
LangSmith and Opik, OpenAI's Responses, Bedrock's Converse, Gemini, and Alpaca's instructions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.formats.format import Contents, Format, Options, Record, Shape
from turnwise.conversations.formats.json_records import json_records
from turnwise.conversations.formats.messages.dialects import Fields, chat_forms, is_any_message
from turnwise.conversations.formats.messages.envelopes import contents_of
from turnwise.conversations.formats.messages.replies import Found, reply_in, request_in, without, written
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.models import shorten
from turnwise.conversations.turns import ExchangeFields, Turn

_ENVELOPES = frozenset({"data", "records", "samples", "items", "results", "rows", "examples"})
_TEST_CASES_REPLIES = frozenset(("actual_output", "actualOutput"))
_EXPECTED = ("expected_output", "expectedOutput", "expected", "reference")
_HISTORIES = ("history", "chat_history")
_PASSAGES = ("retrieval_context", "retrieved_contexts")
_LOOKED_AT = 20


def _sniff(source: Source) -> float:
    records = [record for value in source.sample for record in _records_in(value) if isinstance(record, dict)]
    if any(map(_is_test_case, records)):
        return 0.0
    return max(map(_surely, records), default=0.0)


def _is_test_case(record: Fields) -> bool:
    """Whether a record is a test case of deepeval, whose files are not read as rows.

    A row may say in a scenario what it is about, and count its turns.
    """
    if "llm_test_case" in record or ("turns" in record and isinstance(record["turns"], str | list | None)):
        return True
    if _TEST_CASES_REPLIES & record.keys():
        return "input" in record
    return "scenario" in record and not _surely(record)


def _records_in(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [{"messages": value}] if value and _is_part(value[0]) else value[:_LOOKED_AT]
    if not isinstance(value, dict):
        return []
    lists = [value[name] for name in _ENVELOPES & value.keys() if isinstance(value[name], list)]
    return [value, *(record for items in lists for record in items[:_LOOKED_AT])]


def _surely(record: Fields) -> float:
    if is_any_message(record) or (asked := request_in(record)) is None:
        return 0.0
    is_text = not isinstance(_at(record, asked), list)
    foreign = any(chat_forms(message) is not None for message in asked.messages[:_LOOKED_AT])
    reply = reply_in(without(record, asked.path), answered=False)
    if reply is None:
        return 0.0 if is_text else 0.87 if foreign else 0.6 if len(asked.path) > 1 else 0.0
    # As sure as to go before the format of test cases, for which such a reply would be metadata.
    if is_text and reply.path[0] == "answer" and ("scenario" not in record or asked.path[-1] == "input"):
        return 0.5  # Beside a text it may as well be what was hoped for.
    return 0.93 if is_text else 0.87


def _at(record: Any, found: Found) -> Any:
    for part in found.path:
        record = record[part]
    return record


def _is_part(value: Any) -> bool:
    # What holds a message and more is a row of its own.
    return is_any_message(value) and not isinstance(value.get("message"), dict)


def _read(source: Source, options: Options) -> Iterator[Record]:
    yield from json_records(source, contents_of_row, is_part=_is_part, envelopes=_ENVELOPES)


def contents_of_row(record: Any) -> Contents:
    """Return the conversation of one row. Raises ValueError that names the field."""
    if isinstance(record, list):
        record = {"messages": record}
    if not isinstance(record, dict):
        raise ValueError(f"expected an object with a request and its reply; got {shorten(record)}")
    asked = request_in(record)
    if asked is None:
        raise ValueError(
            f"expected messages, input or prompt, and a reply to it; the record holds {shorten(list(record))}"
        )
    is_text = not isinstance(_at(record, asked), list)
    rest = without(record, asked.path)
    if is_text and asked.path[-1] == "instruction" and isinstance(more := rest.get("input"), str):
        # Alpaca's form: what is to be done, and what it is to be done with.
        asked.messages[0]["content"] += f"\n\n{more}" if more.strip() else ""
        rest.pop("input")
    if is_text and reply_in(rest, answered=False) is None:
        raise ValueError(
            f"expected the reply to {written(asked.path)}, as a text or a message under response, output or "
            f"completion; the record holds {shorten(list(record))}"
        )
    expected = {name: rest.pop(name) for name in _EXPECTED if isinstance(rest.get(name), str)}
    passages = next((rest.pop(name) for name in _PASSAGES if name in rest), None)
    before: list[Any] = []
    for name in _HISTORIES:
        if earlier := _earlier(rest.get(name)):
            before += earlier
            rest.pop(name)
    contents = contents_of([*before, *asked.messages], written(asked.path), rest, path=asked.path)
    return _with_expectation(contents, expected, passages)


def _earlier(history: Any) -> list[Any]:
    """Return the messages of what went before: messages, or pairs of a question and its answer."""
    if not isinstance(history, list) or not history:
        return []
    if all(map(is_any_message, history)):
        return history
    pairs = [pair for pair in history if isinstance(pair, list) and len(pair) == 2]
    if len(pairs) < len(history) or not all(isinstance(text, str) for pair in pairs for text in pair):
        return []
    roles = ("user", "assistant")
    return [{"role": role, "content": text} for pair in pairs for role, text in zip(roles, pair, strict=True)]


def _with_expectation(contents: Contents, expected: Fields, passages: Any) -> Contents:
    """Give the last reply what was expected of it, and the passages that it rests on, as test cases do."""
    case = cast("ConversationalTestCase", contents.case)
    rest: Fields = {}
    last = case.turns[-1]
    text = next(iter(expected.values()), None)
    if text is not None and last.role == "assistant":
        last = last.model_copy(update={"exchange": ExchangeFields(expected_output=text)})
    elif expected:
        rest |= expected
    if isinstance(passages, list) and passages and all(isinstance(item, str) for item in passages):
        last = Turn.model_validate({**last.model_dump(exclude_defaults=True), "retrieval_context": passages})
    elif passages is not None:
        rest["retrieval_context"] = passages
    metadata = {**(case.metadata or {}), **rest} or None
    whole = case.model_copy(update={"turns": [*case.turns[:-1], last], "metadata": metadata})
    return Contents(whole, remarks=contents.remarks)


FORMAT = Format(
    name="rows",
    title="requests with their replies, a record each (JSON, JSONL)",
    sniff=_sniff,
    read=_read,
    lines_stand_alone=True,
    shapes=(
        Shape(
            "logs of LiteLLM, Helicone, one's own",
            read="`messages`, `request.messages`, `request_body.messages`, `prompt`; `response.choices`, "
            "`response_body.choices`, `completion`, `response`",
        ),
        Shape(
            "rows of Langfuse, Braintrust, LangSmith, Opik",
            read="`input` or `inputs`, with `messages` or a text in them; `output` or `outputs`",
            rest="scores and annotations become scores and labels, all else metadata",
        ),
        Shape(
            "OpenAI's Responses",
            read="`instructions`, `input` (a text or items), `output` or `response.output`; its own tools",
            rest="reasoning, files, model, tokens and time are metadata of the turn, all else of the session",
        ),
        Shape(
            "OpenAI's stored completions and batches",
            read="`request.messages` or `body.messages`; `choices` or `response.body.choices`",
            rest="further choices are told, and kept in the metadata",
        ),
        Shape("Bedrock's Converse", read="`system`, `messages`, `output.message`"),
        Shape("Gemini", read="`systemInstruction`, `contents`, `candidates` or `response.candidates`"),
        Shape("Cohere", read="`chat_history`, `message`; `text`, `message`"),
        Shape(
            "Ollama",
            read="`messages` or `prompt`; `message` or `response`",
            rest="tokens, model, duration and `done_reason` are metadata of the reply",
        ),
        Shape(
            "LangChain messages, LangGraph states", read="`type` and constructors (`lc`), `values.messages`"
        ),
        Shape(
            "messages of Vercel's interface, OpenTelemetry's GenAI, pydantic-ai, Strands, Mistral",
            read="every message; calls, results and reasoning stand apart",
            rest="parts that hold more than was read are kept whole under `parts`",
        ),
        Shape("Alpaca", read="`history`, `instruction` with `input`, `output`"),
    ),
)
