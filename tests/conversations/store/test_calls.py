"""Judge calls: kept with all that was sent and came back, and found again by their key."""

from dataclasses import replace

import pytest

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store.rows import CallRow

CALL = CallRow(
    key="k",
    judge="j",
    model="m",
    request={"messages": [{"role": "user", "content": "é"}]},
    reply='{"score": 8}',
    usage={"prompt_tokens": 9},
    seconds=0.5,
    cost=0.001,
    created_at=100.0,
    finish_reason="stop",
    tokens=[["8", -0.1, [["8", -0.1], ["7", -2.5]]]],
)


def test_a_call_comes_back_as_it_was(store):
    store.calls.add_all([(CALL, True)])
    assert store.calls.get("k") == CALL
    assert store.calls.reusable("k") == CALL


def test_a_call_that_was_no_answer_is_evidence_and_no_cache(store):
    store.calls.add_all([(replace(CALL, key="k.1", reply="what?", tokens=None), False)])
    assert store.calls.get("k.1").reply == "what?"
    assert store.calls.reusable("k.1") is None


def test_the_newest_answer_under_a_key_counts_and_the_older_stays(store):
    store.calls.add_all([(CALL, True), (replace(CALL, reply="newer"), True)])
    store.calls.add_all([(replace(CALL, reply="no answer"), False)])
    assert store.calls.get("k").reply == "no answer"
    newest = store.calls.reusable("k")
    assert newest is not None
    assert newest.reply == "newer"


def test_a_reply_with_half_a_character_is_kept(store):
    store.calls.add_all([(replace(CALL, reply="\ud83d", request={"a": "\ud83d"}), True)])
    assert store.calls.get("k").reply == "�"


def test_a_key_without_a_call_is_told(store):
    assert store.calls.reusable("k") is None
    with pytest.raises(NotFoundError, match="There is no judge call k"):
        store.calls.get("k")


def test_its_messages_are_told_and_a_part_that_is_no_text_is_named():
    picture = {"type": "image_url", "image_url": {"url": "data:..."}}
    mixed = {"role": "user", "content": [{"type": "text", "text": "Look:"}, picture]}
    asked = replace(
        CALL, request={"messages": [{"role": "system", "content": "Be fair."}, mixed, {"content": []}]}
    )
    assert asked.messages == [("system", "Be fair."), ("user", "Look:\n(image_url)"), ("user", "")]
    assert replace(CALL, request={}).messages == []
