"""Events: all that happened to a session, in the order in which it did."""

import time

import pytest
from stored import keep, land, score

from turnwise.conversations import ConversationalTestCase, Turn
from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import Store


def kinds(store: Store, session: int) -> list[str]:
    return [event.kind for event in store.events(session)]


def test_an_imported_session_has_its_turns_first(store):
    session = keep(store, "a", "b")
    land(store, session, score(0.9))
    store.labels.add(session, "pass", author="ada", blind=True)
    events = store.events(session)
    assert [event.kind for event in events] == ["session", "turn", "turn", "score", "label"]
    assert [event.at for event in events] == [0.0, None, None, None, None]


def test_an_imported_session_has_its_turns_first_also_where_they_say_how_long_they_took(store):
    turns = [Turn(role="user", content="a"), Turn(role="assistant", content="b", latency_ms=60_000)]
    session = store.sessions.add(ConversationalTestCase(turns=turns), source="s", format="f").session_id
    land(store, session, score(0.9))
    assert kinds(store, session) == ["session", "turn", "turn", "score"]


def test_in_a_recorded_session_a_score_stands_where_it_came(store):
    began = time.time() - 10
    session = store.sessions.begin(name="n", role="", source="recorded", data={}, created_at=began)
    store.turns.append(session, Turn(role="system", content="s"), at=None)
    store.turns.append(session, Turn(role="user", content="a"), at=1.0)
    store.turns.append(session, Turn(role="assistant", content="b"), at=2.0)
    land(store, session, score(0.9))
    store.turns.append(session, Turn(role="user", content="c"), at=1000.0)
    assert kinds(store, session) == ["session", "turn", "turn", "turn", "score", "turn"]
    times = [event.at for event in store.events(session)]
    assert times[:4] == [0.0, None, 1.0, 2.0]
    assert times[4] is not None
    assert 2.0 < times[4] < 1000.0


def test_every_event_tells_all_of_its_row_and_the_session_no_marks_of_today(store):
    session = keep(store, tags=["t"])
    before = [event.data() for event in store.events(session)]
    land(store, session, score(0.9))
    after = [event.data() for event in store.events(session)]
    assert after[: len(before)] == before
    assert after[0] == {
        "event": "session",
        "at": 0.0,
        "id": session,
        "name": "Where is my bag?",
        "chatbot_role": "",
        "tags": ("t",),
        "source": "test",
    }
    assert after[1]["content"] == "Where is my bag?"
    assert after[-1]["verdicts"][0]["reason"] == "because"


def test_failure_modes_are_events_by_the_name_and_the_time_that_they_have(store):
    session = keep(store, "a", "b")
    store.labels.add(session, "fail", author="ada", blind=True)
    asks, rude = (store.modes.add(name, "It does.", "ada") for name in ("Asks", "Rude"))
    store.modes.assign([session], asks, "ada", turn=2)
    store.modes.assign([session], rude, "bo")
    store.modes.unassign([session], rude, "ada")
    store.modes.rename(asks, "Asks again", "ada")
    events = [event.data() for event in store.events(session) if event.kind == "mode"]
    told = [(one["mode"], one["given"], one["turn"], one["author"]) for one in events]
    assert told == [("Asks again", True, 2, "ada"), ("Rude", True, None, "bo"), ("Rude", False, None, "ada")]
    assert kinds(store, session) == ["session", "turn", "turn", "label", "mode", "mode", "mode"]
    times = [one["created_at"] for one in events]
    assert times == sorted(times)


def test_a_session_that_is_not_there_has_no_events(store):
    with pytest.raises(NotFoundError):
        store.events(1)
