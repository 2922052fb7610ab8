"""Forgetting sessions: all that rests on them goes, comes back whole, and no number is given twice."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scored_sessions import add_call
from stored import failure, keep, land, said, score

from turnwise.conversations.store import PairedSessions, Store

_BUT_NUMBERS = {"turns", "mode_assignments", "pair_preferences", "calls", "facts"}


def everything(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables, without numbers of which only the order matters."""
    held: dict[str, list[tuple[Any, ...]]] = {}
    with sqlite3.connect(store.path) as connection:
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' "
            "AND name NOT LIKE 'turns_fts%' AND name <> 'remembered'"
        ).fetchall()
        for (table,) in tables:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            kept = [name for name in columns if name != "id" or table not in _BUT_NUMBERS]
            rows = connection.execute(f"SELECT {', '.join(kept)} FROM {table}").fetchall()  # noqa: S608
            held[table] = sorted(rows, key=repr)
        held["session_facts"] = sorted(
            connection.execute("SELECT session_id, key, value FROM session_facts JOIN facts ON id = fact_id")
        )
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.execute("INSERT INTO turns_fts (turns_fts) VALUES ('integrity-check')")
    connection.close()
    return held


@pytest.fixture
def talks(store: Store) -> list[int]:
    """Return four sessions that have something of every kind."""
    ids = [
        keep(store, f"Where is bag {number}?", "In Oslo.", additional_metadata={"desk": number})
        for number in range(4)
    ]
    store.tags.change(ids, give=["lost"])
    for number, session_id in enumerate(ids):
        add_call(store, f"call {number}")
        land(store, session_id, score(0.2, calls=(f"call {number}", "shared")), failure("kindness"))
        store.labels.add(session_id, "fail", author="ann", blind=True, note=f"note {number}")
    add_call(store, "shared")
    store.labels.add(ids[0], "pass", author="ann", blind=True)
    store.labels.add_sights(ids, "ben")
    store.modes.assign(ids, store.modes.add("rude", "It is rude.", author="ann"), author="ann")
    store.splits.add({ids[0]: "test", ids[1]: "dev"})
    store.queues.add("mine", ids, sampler="random", assigned={ids[0]: ["ann"]})
    queue = store.pairs.add("bots", [PairedSessions(1, ids[0], ids[1], "one", "two")], {"by": "model"})
    store.pairs.say(queue, 1, "ann", "left", note="shorter")
    store.growing.note("a file", ids)
    return ids


def test_all_that_rests_on_a_session_goes_and_the_rest_stays(store: Store, talks: list[int]) -> None:
    stakes = store.forgetting.stakes([talks[0], 10**6])
    forgotten = store.forgetting.forget([talks[0], 10**6])
    assert forgotten.stakes == stakes
    assert (stakes.sessions, stakes.scores, stakes.labels, stakes.modes, stakes.preferences) == (
        1,
        1,
        1,
        1,
        1,
    )
    assert talks[0] not in store.sessions
    assert store.sessions.count("bag") == 3
    left = repr(everything(store))
    assert "bag 0" not in left
    assert "note 0" not in left
    assert "call 0" not in left
    assert "'desk', '0'" not in left
    assert store.calls.get("shared").key == "shared"
    assert store.calls.get("call 1").key == "call 1"
    assert [item.session_id for item in store.queues.items(store.queues.all()[0].id)] == talks[1:]


def test_what_was_forgotten_comes_back_as_it_was(store: Store, talks: list[int]) -> None:
    before = everything(store)
    forgotten = store.forgetting.forget(talks[:3], to_bring_back=True)
    assert everything(store) != before
    assert store.forgetting.bring_back(forgotten) == 3
    assert everything(store) == before
    assert store.sessions.ids("bag 1") == [talks[1]]


@settings(max_examples=20, deadline=None)
@given(first=st.sets(st.integers(0, 3)), second=st.sets(st.integers(0, 3)))
def test_whatever_is_forgotten_first_all_comes_back(
    tmp_path_factory: pytest.TempPathFactory, first: set[int], second: set[int]
) -> None:
    with Store.open(tmp_path_factory.mktemp("any") / "turnwise.db") as store:
        ids = [keep(store, f"number {number}", "yes", tags=["old"]) for number in range(4)]
        pairs = [
            PairedSessions(1, ids[0], ids[1], "one", "two"),
            PairedSessions(2, ids[2], ids[3], "one", "two"),
        ]
        store.pairs.add("bots", pairs, {"by": "model"})
        before = everything(store)
        held = [
            store.forgetting.forget([ids[number] for number in chosen], to_bring_back=True)
            for chosen in (first, second)
        ]
        for one in reversed(held):
            store.forgetting.bring_back(one)
        assert everything(store) == before


def test_no_number_is_given_twice(store: Store, talks: list[int]) -> None:
    labelled = max(label.id for one in talks for label in store.labels.of(one))
    store.forgetting.forget(talks)
    new = keep(store, "Hello?", "Hello.")
    assert new > max(talks)
    assert store.labels.add(new, "pass", author="ann", blind=True) > labelled
    assert land(store, new, score(0.9))[0] > 8


def test_one_that_was_brought_in_again_stays_as_it_is_now(store: Store, talks: list[int]) -> None:
    forgotten = store.forgetting.forget(talks[:2], to_bring_back=True)
    again = keep(store, "Where is bag 0?", "In Oslo.", additional_metadata={"desk": 0})
    assert store.forgetting.bring_back(forgotten) == 1
    assert store.labels.of(again) == []
    assert talks[0] not in store.sessions
    assert store.labels.of(talks[1])


def test_what_was_removed_meanwhile_is_not_made_again(store: Store, talks: list[int]) -> None:
    forgotten = store.forgetting.forget(talks[:2], to_bring_back=True)
    store.queues.remove(store.queues.all()[0].id)
    assert store.forgetting.bring_back(forgotten) == 2
    assert store.queues.all() == []
    assert everything(store)["queue_items"] == []


def test_what_is_found_about_a_session_that_was_forgotten_meanwhile_is_left_out(
    store: Store, talks: list[int]
) -> None:
    run = store.runs.begin(judge="scripted-1", metrics=["politeness"])
    store.forgetting.forget(talks[:1])
    assert land(store, talks[0], score(0.9), run=run) == []
    assert len(land(store, talks[1], score(0.9), run=run)) == 1


def test_others_can_tell_that_sessions_went_and_came_back(store: Store, talks: list[int]) -> None:
    marks = [store.growing.mark()]
    forgotten = store.forgetting.forget(talks[:1], to_bring_back=True)
    marks.append(store.growing.mark())
    store.forgetting.bring_back(forgotten)
    marks.append(store.growing.mark())
    assert len(set(marks)) == 3


def test_many_are_forgotten_in_parts_and_it_can_be_stopped(
    store: Store, talks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwise.conversations.store.forgetting.forgotten.SESSIONS_AT_ONCE", 1)
    told: list[int] = []
    forgotten = store.forgetting.forget(talks, tell=told.append, stop=lambda: len(told) == 3)
    assert told == [1, 2, 3]
    assert forgotten.stakes.sessions == 3
    assert store.sessions.ids() == talks[3:]


def test_the_same_conversation_can_be_brought_in_again(store: Store) -> None:
    first = store.sessions.add(said("Hello?", "Hello."), source="a", format="test")
    store.forgetting.forget([first.session_id])
    assert store.sessions.add(said("Hello?", "Hello."), source="a", format="test").what == "new"
