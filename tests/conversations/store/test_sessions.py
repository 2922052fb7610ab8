"""Sessions: added once each, given back as they were, listed by page with their newest marks."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stored import failure, keep, land, said, score, skipped

from turnwise.conversations import ConversationalTestCase, LLMTestCase, RetrievedContext, ToolCall, Turn
from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store.mending.session_rows import Mark, SessionPlace


def add(store, case, **fields):
    return store.sessions.add(case, source="cases.json", format="deepeval", **fields)


class TestAdding:
    def test_a_new_conversation_is_a_new_session(self, store):
        added = add(store, said("Where is my bag?", "In Oslo.", chatbot_role="a clerk", tags=["b", "a"]))
        assert added.what == "new"
        row = store.sessions.get(added.session_id)
        assert (row.name, row.chatbot_role, row.turns) == ("Where is my bag?", "a clerk", 2)
        assert (row.tags, row.source, row.label, row.marks) == (("a", "b"), "cases.json", None, {})

    def test_the_same_content_a_second_time_is_the_same_session(self, store):
        first = add(store, said("a", "b"))
        again = add(store, said("a", "b"))
        assert (again.session_id, again.what) == (first.session_id, "unchanged")
        assert store.sessions.count() == 1
        assert len(store.turns.of(first.session_id)) == 2

    def test_anything_else_that_differs_makes_another_session(self, store):
        add(store, said("a", "b"))
        for other in (said("a", "c"), said("a"), said("a", "b", name="n"), said("a", "b", metadata={"k": 1})):
            assert add(store, other).what == "new"

    def test_a_role_that_was_missing_is_filled_in(self, store):
        first = add(store, said("a", "b"))
        again = add(store, said("a", "b", chatbot_role="a clerk"))
        assert (again.session_id, again.what) == (first.session_id, "updated")
        assert store.sessions.get(first.session_id).chatbot_role == "a clerk"
        assert store.sessions.case(first.session_id).chatbot_role == "a clerk"
        assert add(store, said("a", "b", chatbot_role="a clerk")).what == "unchanged"

    def test_a_conversation_that_comes_without_its_role_is_the_one_that_has_one(self, store):
        first = add(store, said("a", "b", chatbot_role="a clerk"))
        assert add(store, said("a", "b")) == type(first)(first.session_id, "unchanged")

    def test_another_role_is_another_session(self, store):
        first = add(store, said("a", "b", chatbot_role="a clerk"))
        other = add(store, said("a", "b", chatbot_role="a pirate"))
        assert other.what == "new"
        assert other.session_id != first.session_id

    def test_the_name_is_the_cases_own_or_what_the_user_said_first(self, store):
        assert store.sessions.get(keep(store, "a\n  b", name=None)).name == "a b"
        assert store.sessions.get(keep(store, "a", name="Lost bag")).name == "Lost bag"
        long = store.sessions.get(keep(store, "x" * 400)).name
        assert len(long) == 300
        assert long.endswith("…")
        silent = ConversationalTestCase(turns=[{"role": "assistant", "content": " "}])
        assert store.sessions.get(add(store, silent).session_id).name == "empty conversation"


class TestGivingBack:
    def test_a_conversation_comes_back_as_it_was(self, store):
        case = ConversationalTestCase(
            turns=[
                Turn(role="system", content="Be kind."),
                Turn(role="user", content="Where?", user_id="7", metadata={"at": "noon"}),
                Turn(
                    role="assistant",
                    content="",
                    retrieval_context=["p", RetrievedContext(context="q", source="s")],
                    tools_called=[
                        ToolCall(name="find", input_parameters={"n": [1, None]}, output={"k": "v"})
                    ],
                    latency_ms=12.5,
                ),
                Turn(role="tool", content="Oslo", tool_call_id="1", name="find"),
                Turn(role="assistant", content="In Oslo.", interrupted=True),
            ],
            chatbot_role="a clerk",
            scenario="s",
            expected_outcome="o",
            user_description="u",
            context=["c"],
            name="n",
            tags=["b", "a"],
            comments="k",
            metadata={"reward": 0.5, "deep": {"é": []}},
            flaky=True,
        )
        assert store.sessions.case(add(store, case).session_id) == case

    def test_a_single_exchange_comes_back_as_a_single_exchange(self, store):
        case = LLMTestCase(
            input="Where?",
            actual_output="In Oslo.",
            expected_output="Oslo",
            tools_called=[],
            tags=["b", "a"],
            name="n",
            token_cost=0.1,
        )
        added = add(store, case)
        assert store.sessions.case(added.session_id) == case
        assert store.sessions.get(added.session_id).tags == ("a", "b")

    def test_an_exchange_and_a_conversation_of_the_same_words_are_two_sessions(self, store):
        case = LLMTestCase(input="Where?", actual_output="In Oslo.")
        single, whole = add(store, case), add(store, ConversationalTestCase(turns=[case]))
        assert whole.what == "new"
        assert store.sessions.case(single.session_id) == case
        assert store.sessions.case(whole.session_id).exchanges == [case]

    def test_tags_that_were_given_later_come_back(self, store):
        session = keep(store, tags=["b", "a"])
        store.tags.change([session], give=["c", "a", "c"], take=["b"])
        assert store.sessions.get(session).tags == ("a", "c")
        assert store.sessions.case(session).tags == ["a", "c"]
        store.tags.change([session], take=["a", "c"])
        assert not store.sessions.case(session).tags

    def test_a_session_that_is_not_there_is_told(self, store):
        for number in (1, 0, -1, 10**30):
            with pytest.raises(NotFoundError, match=f"There is no session {number}") as caught:
                store.sessions.case(number)
            assert "turnwise sessions" in caught.value.next_step


words = st.text(max_size=12)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(words, inner, max_size=2),
    max_leaves=4,
)
objects = st.none() | st.dictionaries(words, json_values, max_size=2)
tool_calls = st.builds(
    ToolCall, name=words, input_parameters=objects, output=json_values, id=st.none() | words
)
turns = st.builds(
    Turn,
    role=st.sampled_from(["user", "assistant", "system", "tool", "developer"]),
    content=words,
    name=st.none() | words,
    retrieval_context=st.none() | st.lists(words, max_size=2),
    tools_called=st.none() | st.lists(tool_calls, max_size=2),
    metadata=objects,
    latency_ms=st.none() | st.floats(0, 1e6),
)
test_cases = st.builds(
    LLMTestCase,
    input=words,
    actual_output=st.none() | words,
    expected_tools=st.none() | st.lists(tool_calls, max_size=2),
    name=st.none() | words,
    tags=st.none() | st.lists(words, max_size=2),
)
conversations = st.builds(
    ConversationalTestCase,
    turns=st.lists(turns | test_cases, min_size=1, max_size=4),
    chatbot_role=st.none() | st.text(min_size=1, max_size=9),
    name=st.none() | words,
    tags=st.none() | st.lists(words, max_size=3),
    metadata=objects,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(conversations | test_cases)
def test_every_case_comes_back_as_it_went_in(store, case):
    session = add(store, case).session_id
    back = store.sessions.case(session)
    assert type(back) is type(case)
    # The same content may be there already, with a role: then that is the session.
    without_role = {"chatbot_role": None}
    assert back.model_copy(update=without_role) == case.model_copy(update=without_role)
    assert add(store, case).what == "unchanged"


class TestListing:
    def test_the_newest_import_comes_first_and_keeps_its_own_order(self, store):
        older = [keep(store, f"older {number}", created_at=1000.0) for number in range(3)]
        newer = [keep(store, f"newer {number}", created_at=2000.0) for number in range(3)]
        expected = newer + older
        assert [row.id for row in store.sessions.page()] == expected
        assert store.sessions.ids() == expected
        assert [row.id for row in store.sessions.each()] == expected
        assert [row.id for row in store.sessions.page(offset=2, limit=2)] == expected[2:4]
        assert store.sessions.page(offset=6) == []
        assert sorted(store.sessions.ids(order=None)) == sorted(expected)

    def test_pages_and_all_rows_are_the_same(self, store):
        for number in range(7):
            keep(store, f"{number}", created_at=1000.0 + number // 3)
        pages = [row for offset in range(0, 7, 2) for row in store.sessions.page("", offset, 2)]
        assert pages == list(store.sessions.each()) == store.sessions.page()
        assert store.sessions.rows([row.id for row in pages]) == pages

    def test_the_place_of_a_session_is_that_in_the_list_of_all(self, store):
        for number in range(7):
            keep(store, f"{number}", created_at=1000.0 + number * 5 % 3)
        ids = store.sessions.ids()
        assert [store.sessions.place(one) for one in ids] == [SessionPlace.among(ids, one) for one in ids]
        assert store.sessions.place(ids[3]) == SessionPlace(3, 7, ids[2], ids[4])
        assert store.sessions.place(ids[0]).previous is store.sessions.place(ids[-1]).next is None
        assert store.sessions.place(99) is SessionPlace.among(ids, 99) is None

    def test_going_through_all_holds_for_more_than_one_statement_takes(self, store):
        with store.writing():
            made = [keep(store, f"{number}", created_at=1.0) for number in range(1100)]
        assert [row.id for row in store.sessions.each()] == made

    def test_turns_are_counted_as_they_are_spoken(self, store):
        case = ConversationalTestCase(
            turns=[
                {"role": role, "content": role} for role in ("system", "user", "assistant", "tool", "user")
            ]
        )
        assert store.sessions.get(add(store, case).session_id).turns == 3

    def test_a_mark_is_the_newest_outcome_of_a_metric(self, store):
        session = keep(store)
        land(store, session, score(0.2), skipped("role_adherence"))
        land(store, session, score(0.9), failure("answer_relevancy", exchange=1))
        assert store.sessions.get(session).marks == {
            "politeness": Mark("score", 0.9, True, 0.5),
            "role_adherence": Mark("skipped", None, None),
            "answer_relevancy": Mark("failure", None, None),
        }
        assert store.sessions.metrics() == ["answer_relevancy", "politeness", "role_adherence"]

    def test_the_mark_of_a_last_turn_metric_is_that_of_the_last_exchange(self, store):
        session = keep(store, "a", "b", "c", "d")
        land(store, session, score(0.1, exchange=2), score(0.8, exchange=1))
        assert store.sessions.get(session).marks["politeness"].score == 0.1

    def test_the_label_shown_is_the_newest(self, store):
        session = keep(store)
        store.labels.add(session, "fail", author="ada", blind=True)
        store.labels.add(session, "pass", author="bob", blind=False)
        assert store.sessions.get(session).label == "pass"
        store.labels.add(session, None, author="bob", blind=False)
        assert store.sessions.get(session).label == "fail"
        store.labels.add(session, None, author="ada", blind=False)
        assert store.sessions.get(session).label is None

    def test_an_empty_library_has_nothing(self, store):
        assert store.sessions.page() == []
        assert store.sessions.metrics() == []
        assert list(store.sessions.each("x")) == []
