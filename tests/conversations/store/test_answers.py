"""Answers of chatbots: the newest under a key serves, from a run on where one is named."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from turnwise.conversations.store import Store


def test_the_newest_answer_under_a_key_is_given(store: Store) -> None:
    first, second = (store.runs.begin(judge="none", metrics=[]) for _ in range(2))
    store.answers.add_all(first, [("a", '"one"'), ("b", '"other"')])
    store.answers.add_all(second, [("a", '"two"')])
    assert (store.answers.newest("a"), store.answers.newest("b")) == ('"two"', '"other"')
    assert store.answers.newest("c") is None


def test_answers_before_a_run_may_be_left_out(store: Store) -> None:
    first, second = (store.runs.begin(judge="none", metrics=[]) for _ in range(2))
    store.answers.add_all(first, [("a", '"one"')])
    assert store.answers.newest("a", since=second) is None


def test_answers_are_append_only(store: Store) -> None:
    store.answers.add_all(store.runs.begin(judge="none", metrics=[]), [("a", '"one"')])
    with (
        closing(sqlite3.connect(store.path)) as database,
        database,
        pytest.raises(sqlite3.IntegrityError, match="append-only"),
    ):
        database.execute("UPDATE answers SET answer = 'x'")
