"""A recording keeps every turn at once, with its time, and can be forked without losing what was."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lock_holder import held
from set_clock import Clock
from stored import keep

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.errors import NotFoundError, StoreError
from turnwise.conversations.recording import Recording, role_prompt
from turnwise.conversations.store import Batch, Patience, Spill, Store, spilled
from turnwise.conversations.tools import ToolCall


@pytest.fixture
def clock() -> Clock:
    return Clock(1_700_000_000.0)


def no_room(spill: Spill, batch: Batch) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def said(store: Store, session_id: int | None) -> list[tuple[str, str, float | None]]:
    assert session_id is not None
    return [(row.role, row.content, row.at) for row in store.turns.of(session_id)]


def talk(store: Store, clock: Clock) -> Recording:
    """Two exchanges: turns 1 to 4, at 0, 2, 5 and 9 seconds."""
    recording = Recording(store, target="echo", role="a baker", system="Be brief.", clock=clock)
    recording.user_says("Do you have rye?")
    clock.now += 2
    recording.assistant_says("Yes.", seconds=2.0)
    clock.now += 3
    recording.user_says("And wheat?")
    clock.now += 4
    recording.assistant_says("No.", seconds=4.0)
    return recording


def test_nothing_is_kept_before_somebody_speaks(store):
    recording = Recording(store, target="echo", system="Be brief.")
    assert recording.session_id is None
    assert store.sessions.count() == 0
    assert recording.messages == [{"role": "system", "content": "Be brief."}]
    assert recording.turns == 0


def test_every_turn_can_be_read_by_another_program_as_soon_as_it_was_said(store):
    recording = Recording(store, target="echo", system="Be brief.")
    other = sqlite3.connect(store.path)
    stored = "SELECT role, content FROM turns ORDER BY position"
    recording.user_says("Hello")
    assert other.execute(stored).fetchall() == [("system", "Be brief."), ("user", "Hello")]
    recording.assistant_says("Hi", seconds=0.1)
    assert other.execute(stored).fetchall()[2:] == [("assistant", "Hi")]
    other.close()


def test_a_session_knows_its_role_target_and_times(store, clock):
    recording = talk(store, clock)
    assert recording.session_id is not None
    row = store.sessions.get(recording.session_id)
    assert (row.name, row.chatbot_role, row.source, row.turns) == (
        "Do you have rye?",
        "a baker",
        "recorded",
        4,
    )
    assert row.created_at == 1_700_000_000.0
    case = store.sessions.case(recording.session_id)
    assert case.metadata == {"target": "echo"}
    assert said(store, recording.session_id) == [
        ("system", "Be brief.", 0.0),
        ("user", "Do you have rye?", 0.0),
        ("assistant", "Yes.", 2.0),
        ("user", "And wheat?", 5.0),
        ("assistant", "No.", 9.0),
    ]
    assert [turn.latency_ms for turn in case.turns] == [None, None, 2000.0, None, 4000.0]
    assert recording.rows == store.turns.of(recording.session_id)


def test_a_reply_that_was_cut_short_says_so(store):
    recording = Recording(store, target="echo")
    recording.user_says("Tell me everything")
    recording.assistant_says("Well, in the beg", seconds=1.0, interrupted=True)
    assert recording.session_id is not None
    assert store.sessions.case(recording.session_id).turns[-1].interrupted is True


@pytest.mark.parametrize(
    ("role", "system", "expected"),
    [
        ("a baker", None, [role_prompt("a baker")]),
        ("a baker", "Sell bread.", ["Sell bread."]),
        ("a baker", "", []),
        ("", None, []),
        ("  ", None, []),
    ],
    ids=["made from the role", "given", "none wanted", "no role", "a blank role"],
)
def test_the_chatbot_is_told_its_role_unless_it_is_told_otherwise(store, role, system, expected):
    recording = Recording(store, target="echo", role=role, system=system)
    assert [message["content"] for message in recording.messages] == expected


def test_a_name_that_is_given_stands(store):
    recording = Recording(store, target="echo", name="Bread talk")
    recording.user_says("Hello")
    assert recording.session_id is not None
    assert store.sessions.get(recording.session_id).name == "Bread talk"


def test_a_fork_begins_with_what_was_said_before(store, clock):
    recording = talk(store, clock)
    clock.now += 60
    fork = recording.fork(before=3)
    assert fork.session_id is None
    clock.now += 5
    fork.user_says("And spelt?")
    assert said(store, fork.session_id) == [
        ("system", "Be brief.", 0.0),
        ("user", "Do you have rye?", 0.0),
        ("assistant", "Yes.", 2.0),
        ("user", "And spelt?", 7.0),
    ]
    assert fork.session_id is not None
    case = store.sessions.case(fork.session_id)
    assert case.metadata == {
        "target": "echo",
        "forked_from": recording.session_id,
        "forked_before_turn": 3,
    }
    assert case.chatbot_role == "a baker"
    assert case.turns[2].latency_ms == 2000.0
    assert store.sessions.get(fork.session_id).name == "Do you have rye?"


def test_the_original_of_a_fork_stays_and_can_go_on(store, clock):
    recording = talk(store, clock)
    fork = recording.fork(before=4)
    fork.assistant_says("Sometimes.", seconds=1.0)
    recording.user_says("Goodbye")
    assert [content for _, content, _ in said(store, recording.session_id)][-2:] == ["No.", "Goodbye"]
    assert [content for _, content, _ in said(store, fork.session_id)][-2:] == ["And wheat?", "Sometimes."]


def test_a_fork_of_a_fork_that_was_never_said_comes_from_the_original(store, clock):
    recording = talk(store, clock)
    second = recording.fork(before=3).fork(before=1)
    second.user_says("Good morning")
    assert second.session_id is not None
    case = store.sessions.case(second.session_id)
    assert case.metadata["forked_from"] == recording.session_id
    assert [turn.content for turn in case.turns] == ["Be brief.", "Good morning"]
    assert store.sessions.get(second.session_id).name == "Good morning"


def test_a_fork_before_anything_was_said_keeps_the_system_prompt(store):
    fork = Recording(store, target="echo", system="Be brief.").fork(before=1)
    fork.user_says("Hello")
    assert [content for _, content, _ in said(store, fork.session_id)] == ["Be brief.", "Hello"]


def test_turns_keep_their_order_when_the_clock_is_set_back(store, clock):
    recording = talk(store, clock)
    clock.now -= 3600
    recording.user_says("Still there?")
    assert said(store, recording.session_id)[-1] == ("user", "Still there?", 9.0)
    assert recording.session_id is not None
    events = [event for event in store.events(recording.session_id) if event.kind == "turn"]
    assert [event.row.position for event in events] == list(range(6))


def test_what_cannot_be_kept_does_not_count_as_said(store, monkeypatch):
    monkeypatch.setattr("turnwise.conversations.store.database.BUSY_SECONDS", 0.05)
    recording = Recording(store, target="echo", system="Be brief.")
    # Neither in the database nor beside it.
    monkeypatch.setattr(Spill, "add", no_room)
    holder = sqlite3.connect(store.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError):
        recording.user_says("Hello")
    assert (recording.session_id, recording.turns) == (None, 0)
    holder.execute("ROLLBACK")
    holder.close()
    recording.user_says("Hello again")
    assert [content for _, content, _ in said(store, recording.session_id)] == ["Be brief.", "Hello again"]


@given(text=st.text(st.characters(), max_size=40))
def test_any_text_can_be_said(tmp_path_factory, text):
    with Store.open(tmp_path_factory.mktemp("any") / "t.db") as store:
        recording = Recording(store, target="echo")
        row = recording.user_says(text)
        assert row.content == text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def test_an_emoji_that_came_in_two_halves_is_whole(store):
    recording = Recording(store, target="echo")
    assert recording.user_says("\ud83d" + "\ude42").content == "🙂"


class TestGoingOn:
    def test_a_kept_talk_goes_on_in_its_session_with_its_own_time(self, store, clock):
        first = talk(store, clock)
        clock.now += 86_400
        again = Recording.resumed(store, first.session_id, target="echo", clock=clock)
        assert [row.content for row in again.rows] == [row.content for row in first.rows]
        assert again.messages == first.messages
        assert (again.role, again.turns, again.waits_for_reply) == ("a baker", 4, False)
        again.user_says("And oats?")
        assert again.waits_for_reply
        assert again.session_id == first.session_id
        assert said(store, first.session_id)[-2:] == [
            ("assistant", "No.", 9.0),
            ("user", "And oats?", 86_409.0),
        ]
        assert store.sessions.count() == 1

    def test_a_reply_of_another_chatbot_says_whose_it_is(self, store, clock):
        first = talk(store, clock)
        again = Recording.resumed(store, first.session_id, target="another", clock=clock)
        again.user_says("And oats?")
        again.assistant_says("Yes.", seconds=1.0)
        turns = store.sessions.case(first.session_id).turns
        assert [turn.metadata for turn in turns[-3:]] == [None, None, {"target": "another"}]

    def test_one_from_a_file_stays_as_it_is(self, store, clock):
        imported = keep(store, "question", "answer", chatbot_role="a baker")
        again = Recording.resumed(store, imported, target="echo", clock=clock)
        assert again.session_id is None
        again.user_says("And oats?")
        assert again.session_id != imported
        assert [content for _, content, _ in said(store, imported)] == ["question", "answer"]
        assert [content for _, content, _ in said(store, again.session_id)] == [
            "question",
            "answer",
            "And oats?",
        ]
        assert store.sessions.case(again.session_id).metadata == {
            "target": "echo",
            "forked_from": imported,
            "forked_before_turn": 3,
        }

    def test_what_tools_answered_is_kept_and_not_sent(self, store, clock):
        turns = [
            {"role": "user", "content": "question"},
            {"role": "assistant", "content": "", "tools_called": [{"name": "search"}]},
            {"role": "tool", "content": "found"},
            {"role": "assistant", "content": "answer"},
        ]
        imported = store.sessions.add(
            ConversationalTestCase(turns=turns), source="x", format="test"
        ).session_id
        again = Recording.resumed(store, imported, target="echo", clock=clock)
        assert [message["role"] for message in again.messages] == ["user", "assistant", "assistant"]
        again.user_says("And?")
        assert len(said(store, again.session_id)) == 5

    def test_what_is_not_there_cannot_go_on(self, store):
        with pytest.raises(NotFoundError):
            Recording.resumed(store, 7, target="echo")


class TestWhileTheDatabaseIsHeld:
    """What was said while another program holds the database waits in a file beside it."""

    @pytest.fixture
    def hurried(self, store: Store) -> Iterator[Store]:
        """The same database for somebody who pressed ctrl+c: nothing is waited for."""
        with Store.open(store.path, patience=Patience(0.0)) as opened:
            yield opened

    def test_a_talk_that_is_broken_off_is_kept_by_the_next_opening(self, hurried, store, clock):
        with held(store.path):
            recording = Recording(hurried, target="echo", role="a baker", system="Be brief.", clock=clock)
            row = recording.user_says("Do you have rye?")
            assert (row.position, row.number, row.content) == (1, 1, "Do you have rye?")
            clock.now += 2
            recording.assistant_says("Yes.", seconds=2.0, tools_called=[ToolCall(name="look")])
            assert (recording.turns, recording.session_id, recording.is_waiting) == (2, None, True)
            recording.close()
        assert store.sessions.count() == 0
        with Store.open(store.path) as later:
            [session_id] = later.sessions.ids()
            assert said(later, session_id) == [
                ("system", "Be brief.", 0.0),
                ("user", "Do you have rye?", 0.0),
                ("assistant", "Yes.", 2.0),
            ]
            row = later.sessions.get(session_id)
            assert (row.name, row.chatbot_role, row.source) == ("Do you have rye?", "a baker", "recorded")
            assert row.created_at == 1_700_000_000.0
            turn = later.sessions.case(session_id).turns[-1]
            assert (turn.latency_ms, turn.tools_called[0].name) == (2000.0, "look")
        assert spilled(store.path) == []

    def test_whoever_is_impatient_waits_no_longer_for_a_turn_than_for_anything_else(self, store, monkeypatch):
        monkeypatch.setattr("turnwise.conversations.store.database.IMPATIENT_SECONDS", 0.05)
        monkeypatch.setattr("turnwise.conversations.store.database.BUSY_SECONDS", 600.0)
        with held(store.path), store.impatient():
            recording = Recording(store, target="echo", system="")
            recording.user_says("Do you have rye?")
            assert recording.is_waiting
        recording.close()
        assert recording.session_id is not None

    def test_a_talk_goes_on_in_one_session_once_the_database_is_free(self, hurried, store, clock):
        recording = talk(hurried, clock)
        with held(store.path):
            recording.user_says("And oats?")
            clock.now += 1
            recording.assistant_says("No.", seconds=1.0)
        recording.user_says("Barley?")
        assert [content for _, content, _ in said(store, recording.session_id)][-3:] == [
            "And oats?",
            "No.",
            "Barley?",
        ]
        assert (store.sessions.count(), recording.is_waiting, spilled(store.path)) == (1, False, [])

    def test_so_does_one_whose_session_was_not_made_yet(self, hurried, store, clock):
        recording = Recording(hurried, target="echo", system="", clock=clock)
        with held(store.path):
            recording.user_says("Do you have rye?")
        recording.assistant_says("Yes.", seconds=1.0)
        assert recording.session_id is not None
        assert [content for _, content, _ in said(store, recording.session_id)] == [
            "Do you have rye?",
            "Yes.",
        ]
        assert store.sessions.count() == 1

    def test_what_waits_is_kept_at_the_end_where_that_can_be(self, hurried, store, clock):
        recording = Recording(hurried, target="echo", system="", clock=clock)
        with held(store.path):
            recording.user_says("Do you have rye?")
        recording.close()
        assert [content for _, content, _ in said(store, recording.session_id)] == ["Do you have rye?"]

    def test_each_turn_comes_in_once_though_the_program_is_killed_in_the_middle(self, store, clock):
        with Store.open(store.path, patience=Patience(0.0)) as hurried:
            recording = Recording(hurried, target="echo", system="", clock=clock)
            with held(store.path):
                recording.user_says("Do you have rye?")
                recording.assistant_says("Yes.", seconds=1.0)
            # As the kill leaves it: nobody holds the file any more.
            recording._aside.close()
        for _ in range(2):
            with Store.open(store.path) as later:
                assert [content for _, content, _ in said(later, 1)] == ["Do you have rye?", "Yes."]
