"""Labels: a changed mind is a new row."""

import sqlite3

import pytest
from stored import keep

from turnwise.conversations.findings import Label
from turnwise.conversations.store.rows import LabelRow


def test_all_labels_of_a_session_are_kept_oldest_first(store):
    session = keep(store)
    first = store.labels.add(session, "fail", author="ada", blind=True, turn=2, note="rude")
    second = store.labels.add(session, None, author="ada", blind=False)
    rows = store.labels.of(session)
    assert rows == [
        LabelRow(first, session, "fail", 2, "rude", "ada", True, rows[0].created_at),
        LabelRow(second, session, None, None, "", "ada", False, rows[1].created_at),
    ]
    assert rows[0].created_at <= rows[1].created_at
    assert store.labels.of(session + 1) == []


def test_a_label_may_be_about_one_metric_with_a_value(store):
    session = keep(store)
    store.labels.add(session, "pass", author="ada", blind=True, metric="faithfulness", value=0.75, turn=2)
    [row] = store.labels.of(session)
    assert (row.metric, row.value, row.turn) == ("faithfulness", 0.75, 2)
    with pytest.raises(sqlite3.IntegrityError):
        store.labels.add(session, "pass", author="ada", blind=True, value=2.0)


def test_a_label_of_one_metric_is_none_of_the_session(store):
    session = keep(store)
    store.labels.add(session, "fail", author="ada", blind=True, metric="faithfulness")
    assert store.sessions.get(session).label is None
    assert store.sessions.ids("label:none") == [session]
    store.labels.add(session, "pass", author="ada", blind=True)
    store.labels.add(session, "fail", author="ada", blind=True, metric="faithfulness")
    assert store.sessions.get(session).label == "pass"
    assert store.sessions.ids("label:pass") == [session]


def test_of_labels_that_come_from_a_file_only_the_new_ones_are_kept(store):
    session = keep(store)
    timed = Label(word="pass", author="ada", metric="m", value=1.0, at=5.0)
    timeless = Label(word="fail", author="bo")
    assert store.labels.add_new(session, [timed, timeless], at=9.0) == 2
    assert store.labels.add_new(session, [timed, timeless], at=99.0) == 0
    assert [row.created_at for row in store.labels.of(session)] == [5.0, 9.0]
    later = Label(word="pass", author="ada", metric="m", value=1.0, at=6.0)
    assert store.labels.add_new(session, [later], at=9.0) == 1
