"""Sessions that grow keep their id, their labels and the turns that stay; and which it is that has grown."""

from __future__ import annotations

from pathlib import Path

import pytest
from stored import land, said, score

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import EarlierSessions, Store

BEGUN = ("Where is my bag?", "In Oslo.")


def add(store: Store, *texts: str, **fields: object) -> int:
    return store.sessions.add(said(*texts, **fields), source="f", format="test").session_id


def words(store: Store, session_id: int) -> list[str]:
    return [turn.content for turn in store.turns.of(session_id)]


def test_a_session_is_what_the_conversation_is_by_now(store: Store) -> None:
    session_id = add(store, *BEGUN, metadata={"language": "no"}, tags=["old"])
    land(store, session_id, score(0.5))
    store.labels.add(session_id, "pass", author="Ana", blind=False, turn=2)
    grown = said(*BEGUN, "And now?", "Bergen.", metadata={"language": "en"}, tags=["new"])
    store.growing.grow(session_id, grown)
    assert words(store, session_id) == [*BEGUN, "And now?", "Bergen."]
    assert [turn.number for turn in store.turns.of(session_id)] == [1, 2, 3, 4]
    assert store.sessions.ids("Bergen") == store.sessions.ids("meta.language:en") == [session_id]
    assert store.sessions.ids("meta.language:no") == []
    assert store.sessions.get(session_id).tags == ("new", "old")
    assert len(store.scores.of(session_id)) == len(store.labels.of(session_id)) == 1
    assert store.sessions.add(grown, source="again", format="test").what == "unchanged"


def test_turns_that_stay_keep_their_rows(store: Store) -> None:
    session_id = add(store, *BEGUN)
    rows = "SELECT id FROM turns WHERE session_id = ? ORDER BY position"
    before = [row[0] for row in store._database.connection.execute(rows, [session_id])]
    store.growing.grow(session_id, said(*BEGUN, "And now?"))
    after = [row[0] for row in store._database.connection.execute(rows, [session_id])]
    assert after[:2] == before


def test_a_session_that_is_not_there_does_not_grow(store: Store) -> None:
    with pytest.raises(NotFoundError):
        store.growing.grow(99, said(*BEGUN))


def test_sources_remember_their_sessions_under_the_name_that_they_have(store: Store) -> None:
    first, second = add(store, "one"), add(store, "two")
    store.growing.note("a", [first, first, 99])
    store.growing.note("b", [second])
    store.growing.rename("a", "c")
    assert (store.growing.of("a"), store.growing.of("c")) == ([], [first])
    store.growing.join("b", "c")
    assert store.growing.of("c") == [first, second]


def continued(store: Store, *texts: str, **fields: object) -> int | None:
    return EarlierSessions(store.growing, "f").continued_by(said(*texts, **fields))


def test_what_goes_on_is_found_and_what_is_otherwise_is_not(store: Store) -> None:
    session_id = add(store, *BEGUN)
    store.growing.note("f", [session_id])
    assert continued(store, *BEGUN, "And now?") == session_id
    assert continued(store, BEGUN[0], "In Oslo. At gate 4.") == session_id
    assert continued(store, BEGUN[0]) is None
    assert continued(store, BEGUN[0], "In Bergen.") is None
    assert continued(store, "Where is my hat?", "In Oslo.", "And now?") is None


def test_ids_of_the_source_tell_conversations_apart_that_begin_alike(store: Store) -> None:
    ids = [add(store, *BEGUN, metadata={"source_id": name}) for name in ("x", "y")]
    store.growing.note("f", ids)
    assert continued(store, *BEGUN, "And now?", metadata={"source_id": "y"}) == ids[1]
    assert continued(store, *BEGUN, "And now?", metadata={"source_id": "z"}) is None
    # By its trace it was known before its conversation was named.
    assert continued(store, *BEGUN, "So?", metadata={"source_id": "z", "trace_id": ["w", "x"]}) == ids[0]


def test_what_was_found_again_as_it_was_has_not_grown(store: Store) -> None:
    session_id = add(store, *BEGUN)
    store.growing.note("f", [session_id])
    earlier = EarlierSessions(store.growing, "f")
    earlier.found_again(session_id)
    assert not earlier.might_be(said(*BEGUN, "And now?"))


def test_numbers_say_that_something_came_grew_or_was_labelled(store: Store, tmp_path: Path) -> None:
    before, extent = store.growing.mark(), None
    session_id = add(store, *BEGUN)
    came, extent = store.growing.mark(), store.growing.extent(session_id)
    store.growing.grow(session_id, said(BEGUN[0], "In Oslo, it is."))
    grown = store.growing.mark()
    store.labels.add(session_id, "pass", author="ada", blind=True)
    assert len({before, came, grown, store.growing.mark()}) == 4
    store.growing.grow(session_id, said(*BEGUN, "More."))
    assert store.growing.extent(session_id) != extent
