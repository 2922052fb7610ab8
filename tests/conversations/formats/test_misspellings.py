"""Every field of the files that are imported, misspelt: what would be lost is rejected, the rest is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from misspelt import misspelt

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats import Loaded, Rejected, load, own
from turnwise.conversations.formats.deepeval import files
from turnwise.conversations.formats.fields import field_names
from turnwise.conversations.formats.messages import chat_messages
from turnwise.conversations.words import nearest

Fields = dict[str, Any]
EXCHANGE = {"input": "hi", "actual_output": "hello", "expected_output": "hello"}
TURNS = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
NEEDED = {
    "an exchange": {"input", "actual_output"},
    "a turn": {"role", "content"},
    "a turn that is an exchange": {"actual_output"},
    "a message": {"role", "content", "tool_calls", "function_call", "tool_call_id"},
}
"""What a record cannot do without: where it is misspelt, the record is rejected."""


def told(path: Path, records: list[Fields], name: str) -> tuple[str, bool]:
    """Return what is said of a misspelt field in the second record, and whether that is rejected."""
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    try:
        first, second = load(path, format=name)
    except FormatError as error:
        return str(error), True
    assert isinstance(first, Loaded), "the rest loads"
    if isinstance(second, Rejected):
        return str(second.error), True
    return "\n".join(f"{second.place}, {remark}" for remark in second.remarks), False


def without(record: Fields, key: str, slip: str, value: Any = "a") -> Fields:
    return {**{name: item for name, item in record.items() if name != key}, slip: value}


Place = tuple[str, str, frozenset[str], Callable[[str, str], Fields], Fields]
SAVED = {"form": 1, "kind": "exchange", "labels": [{"label": "pass", "author": "me"}]}
PLACES: dict[str, Place] = {
    "an exchange": ("deepeval", "", files.EXCHANGE, lambda key, slip: without(EXCHANGE, key, slip), EXCHANGE),
    "a conversation": (
        "deepeval",
        "",
        files.CONVERSATION - {"turns", "messages"},
        lambda key, slip: without({"turns": TURNS}, key, slip),
        {"turns": TURNS},
    ),
    "a turn": (
        "deepeval",
        "turns[1].",
        files.TURN - {"input", "llm_test_case", "llmTestCase"},
        lambda key, slip: {"turns": [TURNS[0], without(TURNS[1], key, slip)]},
        {"turns": TURNS},
    ),
    "a turn that is an exchange": (
        "deepeval",
        "turns[0].",
        files.EXCHANGE - {"input"},
        lambda key, slip: {"turns": [without(EXCHANGE, key, slip)]},
        {"turns": [EXCHANGE]},
    ),
    "a message": (
        "openai-chat",
        "messages[1].",
        chat_messages.MESSAGE - {"name", "audio", "refusal"},
        lambda key, slip: {"messages": [TURNS[0], without(TURNS[1], key, slip)]},
        {"messages": TURNS},
    ),
    "what turnwise exported": (
        "turnwise",
        "turnwise.",
        field_names(own.Beside) | {"form", "kind"},
        lambda key, slip: {**EXCHANGE, "turnwise": without(SAVED, key, slip)},
        {**EXCHANGE, "turnwise": SAVED},
    ),
    "a label that turnwise exported": (
        "turnwise",
        "turnwise.labels[0]",
        field_names(own.SavedLabel),
        lambda key, slip: {
            **EXCHANGE,
            "turnwise": {**SAVED, "labels": [without({"label": "pass", "author": "me"}, key, slip)]},
        },
        {**EXCHANGE, "turnwise": SAVED},
    ),
}
"""Where fields may stand: the format, words for the place, the fields, a record with a slip, a right one."""


@pytest.mark.parametrize("where", sorted(PLACES))
def test_no_misspelt_field_is_passed_over(tmp_path: Path, where: str) -> None:
    name, place, known, record_with, right = PLACES[where]
    for key in sorted(known):
        for slip in misspelt(key, known):
            said, rejected = told(tmp_path / "f.jsonl", [right, record_with(key, slip)], name)
            assert f"f.jsonl, line 2, {place}" in said, (slip, said)
            assert f"{slip}: no such field" in said, (slip, said)
            near = nearest(slip, sorted(known))
            assert f"did you mean {near}?" in said, (slip, said)
            assert rejected >= (near == key and key in NEEDED.get(where, ())), (slip, said)


def test_the_reply_of_a_record_is_not_lost(tmp_path: Path) -> None:
    said, rejected = told(
        tmp_path / "f.jsonl", [EXCHANGE, {"input": "hi", "actual_outptu": "hello"}], "deepeval"
    )
    assert rejected
    assert said.splitlines()[1].endswith(
        "f.jsonl, line 2, actual_outptu: no such field, so that it would be lost; did you mean actual_output?"
    )


@pytest.mark.parametrize("key", ["input", "turns", "messages"])
def test_a_record_without_a_beginning_names_the_misspelt_one(tmp_path: Path, key: str) -> None:
    known = files.EXCHANGE | files.CONVERSATION
    for slip in misspelt(key, known):
        said, rejected = told(tmp_path / "f.jsonl", [EXCHANGE, {slip: "hi", "name": "a"}], "deepeval")
        assert rejected
        assert f"did you mean {nearest(slip, sorted(known))}?" in said


def test_the_mark_of_what_turnwise_exported_is_told_when_misspelt(tmp_path: Path) -> None:
    for slip in misspelt("turnwise", ()):
        said, rejected = told(
            tmp_path / "f.jsonl", [{**EXCHANGE, "turnwise": SAVED}, {**EXCHANGE, slip: SAVED}], "turnwise"
        )
        assert rejected
        assert f"line 2, {slip}: no such field, so that it would be lost; did you mean turnwise?" in said


def test_a_column_is_told_as_a_field_is(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_text("input,actual_outptu,expectd_output\nhi,hello,hello\n")
    (record,) = load(path, format="deepeval")
    assert isinstance(record, Rejected)
    assert "did you mean actual_output?" in str(record.error)
    path.write_text("input,actual_output,expectd_output\nhi,hello,hello\n")
    (record,) = load(path)
    assert isinstance(record, Loaded)
    assert record.remarks == (
        "expectd_output: no such field, so it is kept as metadata; did you mean expected_output?",
    )


def test_a_reply_under_another_tools_name_is_told(tmp_path: Path) -> None:
    said, rejected = told(tmp_path / "f.jsonl", [EXCHANGE, {"input": "hi", "response": "hello"}], "deepeval")
    assert not rejected
    assert "line 2, response: no field of a test case, so it is kept as metadata" in said
    assert said.endswith("a reply is actual_output")


def test_what_is_like_nothing_is_metadata_without_a_word(tmp_path: Path) -> None:
    beside = {"actual_outptu": None, "ticket": 3, "turn": 1, "source_file": "a"}
    said, rejected = told(tmp_path / "f.jsonl", [EXCHANGE, {**EXCHANGE, **beside}], "deepeval")
    assert (said, rejected) == ("", False)
