"""From spans to sessions: a conversation is one session, which grows as its spans come."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from traced import call_attributes, request_of, said, span_of

from turnwise.conversations.importing import ImportReport
from turnwise.conversations.live import SpanSpool, TakenSpans
from turnwise.conversations.live.span_spool import ReceivedSpan
from turnwise.conversations.store import Store


class Collected:
    """A store and a spool, and what is sent to them."""

    def __init__(self, folder: Path) -> None:
        self.store = Store.open(folder / "t.db")
        self.spool = SpanSpool(folder / "t.db")
        self.taken = TakenSpans(self.store, self.spool)
        self.sent = 0

    def send(self, attributes: dict[str, Any], *, trace: str, span: str = "", parent: str = "") -> None:
        self.sent += 1
        span = span or f"{self.sent:016x}"
        plain = span_of(
            attributes, trace=trace, span=span, parent=parent, begin=1_760_000_000 + 10 * self.sent
        )
        self.spool.add([ReceivedSpan(trace, span, request_of(plain), not parent)])

    def take_in(self, *, all_of_them: bool = False) -> ImportReport:
        total = ImportReport()
        for report in self.taken.take_in(all_of_them=all_of_them):
            total.join(report)
        return total

    def said(self) -> list[list[str]]:
        return [
            [turn.content for turn in self.store.turns.of(one)] for one in sorted(self.store.sessions.ids())
        ]


@pytest.fixture
def collected(tmp_path: Path) -> Iterator[Collected]:
    found = Collected(tmp_path)
    yield found
    found.spool.close()
    found.store.close()


def trace(number: int) -> str:
    return f"{number:032x}"


HELLO = [said("user", "hi there")]
MORE = [*HELLO, said("assistant", "hello"), said("user", "what is a turn?")]


def test_a_conversation_that_goes_on_over_traces_is_one_session(collected: Collected) -> None:
    collected.send(call_attributes(HELLO, "hello", conversation="talk"), trace=trace(1))
    assert collected.take_in().imported == 1
    collected.send(call_attributes(MORE, "a message", conversation="talk"), trace=trace(2))
    report = collected.take_in()
    assert (report.imported, report.grown) == (0, 1)
    assert collected.said() == [["hi there", "hello", "what is a turn?", "a message"]]
    assert not collected.take_in().sessions  # Nothing has come since.


def test_calls_of_one_trace_are_one_session_also_where_they_name_no_conversation(
    collected: Collected,
) -> None:
    root = f"{99:016x}"
    collected.send(call_attributes(HELLO, "hello"), trace=trace(1), parent=root)
    assert not collected.take_in().sessions  # It goes on: its first step has not ended.
    assert collected.take_in(all_of_them=True).imported == 1
    collected.send(call_attributes(MORE, "a message"), trace=trace(1), parent=root)
    collected.send({}, trace=trace(1), span=root)
    assert collected.take_in().grown == 1
    assert collected.said() == [["hi there", "hello", "what is a turn?", "a message"]]


def test_a_trace_whose_conversation_is_named_late_is_not_doubled(collected: Collected) -> None:
    root = f"{99:016x}"
    collected.send(call_attributes(HELLO, "hello"), trace=trace(1), parent=root)
    collected.take_in(all_of_them=True)
    collected.send({"session.id": "talk"}, trace=trace(1), span=root)
    collected.take_in()
    collected.send(call_attributes(MORE, "a message", conversation="talk"), trace=trace(2))
    collected.take_in()
    assert collected.said() == [["hi there", "hello", "what is a turn?", "a message"]]


def test_two_conversations_are_two_sessions(collected: Collected) -> None:
    collected.send(call_attributes(HELLO, "hello", conversation="one"), trace=trace(1))
    collected.send(call_attributes(HELLO, "hello", conversation="two"), trace=trace(2))
    assert collected.take_in().imported == 2
    collected.send(call_attributes(MORE, "a message", conversation="two"), trace=trace(3))
    assert collected.take_in().grown == 1
    assert [len(one) for one in collected.said()] == [2, 4]


def test_spans_that_say_nothing_are_counted_and_are_no_error(collected: Collected) -> None:
    collected.send({"http.request.method": "GET"}, trace=trace(1))
    assert not collected.take_in().sessions
    assert collected.taken.silent == 1
    assert collected.spool.due() == []


def test_what_was_received_before_a_crash_is_taken_in_by_the_next(
    collected: Collected, tmp_path: Path
) -> None:
    collected.send(call_attributes(HELLO, "hello", conversation="talk"), trace=trace(1))
    with Store.open(tmp_path / "t.db") as store:
        spool = SpanSpool(tmp_path / "t.db")
        assert [report.imported for report in TakenSpans(store, spool).take_in()] == [1]
        spool.close()
    assert not collected.take_in().sessions
