"""The book of calls over a database: found at once, written in batches, found again later."""

import sqlite3
from contextlib import closing
from dataclasses import replace

from turnwise.engine.judge.calls import JudgeCall
from turnwise.engine.judge.evidence import StoredCallBook, call_of_row, row_of_call
from turnwise.engine.judge.probabilities import Token

CALL = JudgeCall(
    key="k",
    judge="j",
    model="m",
    request={"messages": []},
    reply='{"score": 8}',
    usage={"prompt_tokens": 3},
    seconds=0.5,
    cost=0.1,
    created_at=9.0,
    tokens=(Token("8", -0.1, (("8", -0.1), ("7", -2.5))),),
    finish_reason="stop",
)


def write(store, book):
    calls = book.held()
    store.calls.add_all([row_of_call(call) for call in calls])
    book.forget(calls)


def test_a_call_is_found_at_once_and_after_it_was_written(store):
    book = StoredCallBook(store)
    assert book.get("k") is None
    book.add(CALL)
    assert book.get("k") is CALL
    write(store, book)
    assert book.held() == []
    assert book.get("k") == replace(CALL, cached=True)
    assert StoredCallBook(store).get("k") == replace(CALL, cached=True)


def test_a_call_that_was_no_answer_is_kept_and_never_found(store):
    book = StoredCallBook(store)
    book.add(replace(CALL, key="k.1", answered=False))
    assert book.get("k.1") is None
    write(store, book)
    assert book.get("k.1") is None
    assert store.calls.get("k.1").reply == CALL.reply


def test_what_is_there_stays_as_it_is(store):
    book = StoredCallBook(store)
    book.add(CALL)
    book.add(replace(CALL, reply="other"))
    assert [call.reply for call in book.held()] == [CALL.reply]


def test_of_several_answers_to_a_lasting_question_the_first_serves_and_all_are_kept(store):
    later = StoredCallBook(store, anew=True)
    assert StoredCallBook(store).settle(CALL) == CALL
    assert later.settle(replace(CALL, reply="other")) == replace(CALL, cached=True)
    assert later.get("k", lasting=True) == replace(CALL, cached=True)
    assert store.calls.get("k").reply == CALL.reply
    with closing(sqlite3.connect(store.path)) as file, file:
        assert file.execute("SELECT reply FROM calls ORDER BY id").fetchall() == [(CALL.reply,), ("other",)]
    file.close()


def test_a_call_without_tokens_and_reason_comes_back_as_it_was():
    plain = replace(CALL, tokens=(), finish_reason=None, cost=None)
    row, reusable = row_of_call(plain)
    assert reusable
    assert call_of_row(row) == replace(plain, cached=True)


def test_what_a_judge_was_asked_is_told_newest_first_and_without_what_was_no_answer(store):
    book = StoredCallBook(store)
    for number, (judge, answered) in enumerate((("j", True), ("j", False), ("other", True), ("j", True))):
        request = {"messages": [{"role": "user", "content": str(number)}]}
        book.add(replace(CALL, key=f"k{number}", judge=judge, answered=answered, request=request))
    asked = [request["messages"][0]["content"] for request in book.requests("j")]
    assert asked == ["3", "0"]
    write(store, book)
    assert [request["messages"][0]["content"] for request in book.requests("j")] == asked


def test_how_much_a_judge_was_asked_at_once_is_known_from_its_newest_run(store):
    book = StoredCallBook(store)
    assert book.context_tokens("j") is None
    for context in (1000, 2000):
        store.runs.begin(
            judge="m", metrics=["a"], judge_settings={"fingerprint": "j", "context_tokens": context}
        )
    store.runs.begin(judge="m", metrics=["a"], judge_settings={"fingerprint": "other"})
    assert book.context_tokens("j") == 2000
    assert book.context_tokens("other") is None
