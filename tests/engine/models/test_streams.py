"""Whatever a server sends as a stream, each of its pieces is read or told of, and none is a crash."""

from __future__ import annotations

import json
from itertools import chain
from typing import Any

import pytest

from turnwise.engine.models import streams
from turnwise.engine.models.streams import EndedEarly, ReplyPiece, StreamReader, ToolCallPiece, Unreadable


def event(chunk: Any) -> bytes:
    return b"data: " + (chunk if isinstance(chunk, bytes) else json.dumps(chunk).encode()) + b"\n\n"


def delta(finish: Any = None, **said: Any) -> bytes:
    return event({"choices": [{"index": 0, "delta": said, "finish_reason": finish}]})


def read(*sent: bytes, at_once: int = 1 << 20) -> tuple[list[ReplyPiece], StreamReader]:
    """Feed a reader so many bytes at a time."""
    reader, whole = StreamReader(), b"".join(sent)
    parts = [whole[start : start + at_once] for start in range(0, len(whole), at_once)]
    return [piece for part in parts for piece in reader.feed(part)] + list(reader.end()), reader


@pytest.mark.parametrize("at_once", [1, 7, 1 << 20])
def test_text_comes_in_its_pieces_however_the_bytes_are_cut(at_once: int) -> None:
    sent = (delta(content="Grüß "), b": still here\r\n\r\n", delta(content="dich 🙂"), delta("stop"))
    pieces, reader = read(*sent, at_once=at_once)
    assert pieces == ["Grüß ", "dich 🙂"]
    assert reader.finished
    assert not reader.plain


@pytest.mark.parametrize(
    "bad",
    [
        event(b"oops"),
        event([1]),
        event({"choices": "none"}),
        event({"choices": [7]}),
        event({"choices": [{"delta": 7}]}),
        event(b"[" * 100_000),
        event({"choices": [{"delta": {"tool_calls": [7]}}]}),
        event({"choices": [{"delta": {"tool_calls": [{"index": 0, "function": 7}]}}]}),
    ],
    ids=["no JSON", "a list", "no choices", "no choice", "no delta", "deep", "no call", "no function"],
)
def test_a_piece_that_cannot_be_read_is_told_and_the_rest_is_heard(bad: bytes) -> None:
    pieces, reader = read(delta(content="Good "), bad, delta(content="morning"), delta("stop"))
    assert [piece for piece in pieces if isinstance(piece, str)] == ["Good ", "morning"]
    assert [type(piece) for piece in pieces if not isinstance(piece, str)] == [Unreadable]
    assert reader.finished


def test_bytes_that_are_no_text_leave_a_mark_and_are_told() -> None:
    pieces, _ = read(event(b'{"choices": [{"delta": {"content": "caf\xe9"}}]}'), delta("stop"))
    assert pieces == ["caf\ufffd", Unreadable("bytes that are no text")]


@pytest.mark.parametrize("choices", [None, []])
def test_an_event_without_choices_says_nothing(choices: Any) -> None:
    pieces, _ = read(delta(content="Hi"), event({"choices": choices, "usage": {}}), delta("stop"))
    assert pieces == ["Hi"]


def test_tool_calls_come_in_parts_of_their_places() -> None:
    first = {"index": 0, "id": "c1", "type": "function", "function": {"name": "find", "arguments": ""}}
    second = {"index": 0, "function": {"arguments": '{"q": 1}'}}
    pieces, _ = read(delta(tool_calls=[first]), delta(tool_calls=[second]), delta("tool_calls"))
    assert pieces == [ToolCallPiece(0, "c1", "find", ""), ToolCallPiece(0, "", "", '{"q": 1}')]


def test_a_function_call_of_the_older_form_is_a_tool_call() -> None:
    pieces, _ = read(delta(function_call={"name": "find", "arguments": "{}"}), delta("function_call"))
    assert pieces == [ToolCallPiece(0, "", "find", "{}")]


@pytest.mark.parametrize(
    ("finish", "told"),
    [("length", "length"), ("content_filter", "content_filter"), ({"a": 1}, '{"a": 1}')],
    ids=["length", "filter", "no text"],
)
def test_an_end_that_the_model_did_not_choose_is_told(finish: Any, told: str) -> None:
    pieces, reader = read(delta(content="Well"), delta(finish))
    assert pieces == ["Well", EndedEarly(told)]
    assert reader.finished


def test_words_of_declining_and_texts_in_parts_are_words() -> None:
    parts = [{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo"}, {"type": "image"}]
    pieces, _ = read(delta(content=parts), delta(refusal="I will not."), delta("stop"))
    assert pieces == ["Hello", "I will not."]


@pytest.mark.parametrize("body", [b'\n{"choices": []}', b"<html>", b"[1]"])
def test_an_answer_that_is_no_stream_is_kept_whole(body: bytes) -> None:
    pieces, reader = read(body, at_once=3)
    assert (pieces, reader.plain, reader.body) == ([], True, body.decode())


def test_what_a_server_says_instead_of_going_on_is_kept() -> None:
    pieces, reader = read(delta(content="Hi"), event({"error": {"message": "out of memory"}}))
    assert pieces == ["Hi"]
    assert reader.error == {"error": {"message": "out of memory"}}


def test_a_last_event_without_a_blank_line_counts() -> None:
    pieces, reader = read(delta(content="Hi"), b"data: [DONE]")
    assert pieces == ["Hi"]
    assert reader.finished


@pytest.mark.parametrize(
    "sent", [delta(content="x" * 50), b"x" * 70, b"{" * 70], ids=["events", "line", "plain"]
)
def test_a_stream_without_end_is_left(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(streams, "LARGEST_STREAM", 1000)
    monkeypatch.setattr(streams, "LARGEST_EVENT", 500)
    reader = StreamReader()
    with pytest.raises(ValueError, match="longer than"):
        list(chain.from_iterable(reader.feed(sent) for _ in range(100)))
