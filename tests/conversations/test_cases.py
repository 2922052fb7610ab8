"""The test cases: the forms of a conversation that are taken, and the exchanges it is made of."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations import ConversationalTestCase, LLMTestCase, RetrievedContext, ToolCall, Turn
from turnwise.conversations.errors import CaseError

USER = {"role": "user", "content": "Where is my bag?"}
ASSISTANT = {"role": "assistant", "content": "It is in Oslo."}


def conversation(*turns: object, **fields: object) -> ConversationalTestCase:
    return ConversationalTestCase(turns=list(turns), **fields)


class TestForms:
    def test_turns_that_are_messages(self):
        case = conversation(USER, Turn(**ASSISTANT), chatbot_role="a clerk")
        assert [turn.role for turn in case.turns] == ["user", "assistant"]
        assert case.chatbot_role == "a clerk"

    def test_turns_that_are_test_cases_become_a_user_turn_and_an_assistant_turn(self):
        case = conversation(
            LLMTestCase(
                input="Where?", actual_output="Oslo.", retrieval_context=["p"], tools_called=["find"]
            ),
            {"input": "When?", "actualOutput": "Today."},
            additional_metadata={"k": 1},
        )
        assert [(turn.role, turn.content) for turn in case.turns] == [
            ("user", "Where?"),
            ("assistant", "Oslo."),
            ("user", "When?"),
            ("assistant", "Today."),
        ]
        assert case.turns[1].retrieval_context == ["p"]
        assert case.turns[1].tools_called == [ToolCall(name="find")]
        assert case.metadata == case.additional_metadata == {"k": 1}

    def test_messages_that_hold_a_test_case_each(self):
        case = ConversationalTestCase.model_validate(
            {
                "messages": [
                    {"llm_test_case": LLMTestCase(input="a", actual_output="b"), "should_evaluate": True},
                    {"llmTestCase": {"input": "c", "actualOutput": "d"}},
                ],
                "evaluate_all_messages": False,
                "name": "old",
            }
        )
        assert [turn.content for turn in case.turns] == ["a", "b", "c", "d"]
        assert case.exchanges[0].metadata == {"should_evaluate": True}
        assert case.metadata == {"evaluate_all_messages": False}
        assert case.name == "old"

    def test_all_forms_may_stand_in_one_conversation(self):
        case = conversation(USER, ASSISTANT, LLMTestCase(input="a", actual_output="b"))
        assert [exchange.input for exchange in case.exchanges] == ["Where is my bag?", "a"]

    def test_the_callers_list_and_turns_are_copied(self):
        given_turns = [Turn(**USER), Turn(**ASSISTANT)]
        case = ConversationalTestCase(turns=given_turns)
        given_turns[0].content = "changed"
        given_turns.append(Turn(**USER))
        assert [turn.content for turn in case.turns] == ["Where is my bag?", "It is in Oslo."]

    @pytest.mark.parametrize(
        "turns",
        [
            [USER],
            [ASSISTANT],
            [ASSISTANT, USER],
            [USER, USER, ASSISTANT, ASSISTANT],
            [{**USER, "content": ""}],
        ],
        ids=["user only", "assistant only", "assistant first", "repeated roles", "empty content"],
    )
    def test_unusual_orders_are_accepted(self, turns):
        assert len(conversation(*turns).turns) == len(turns)

    def test_camel_case_and_snake_case_are_the_same(self):
        fields = {"turns": [USER], "chatbotRole": "r", "expectedOutcome": "o", "userDescription": "d"}
        assert ConversationalTestCase.model_validate(fields) == conversation(
            USER, chatbot_role="r", expected_outcome="o", user_description="d"
        )

    def test_messages_that_nobody_said_are_kept(self):
        case = conversation(
            {"role": "system", "content": "Be kind."},
            USER,
            {"role": "assistant", "content": "", "tools_called": [{"name": "find", "output": "Oslo"}]},
            {"role": "tool", "content": "Oslo", "tool_call_id": "1"},
            ASSISTANT,
        )
        assert [turn.role for turn in case.turns] == ["system", "user", "assistant", "tool", "assistant"]
        [exchange] = case.numbered_exchanges
        assert (exchange.number, exchange.input_turns, exchange.reply_turns) == (1, (1,), (2, 3))
        assert exchange.case.actual_output == "It is in Oslo."
        assert exchange.case.tools_called == [ToolCall(name="find", output="Oslo")]

    def test_nested_rejections_say_which_test_case(self):
        with pytest.raises(CaseError, match=r"turns\[1\]\.input: expected a string; got 2"):
            ConversationalTestCase.model_validate(
                {"messages": [{"llm_test_case": {"input": "a"}}, {"llm_test_case": {"input": 2}}]}
            )


class TestExchanges:
    def test_an_exchange_knows_the_numbers_of_its_turns(self):
        case = conversation(ASSISTANT, USER, ASSISTANT, USER, USER, ASSISTANT, USER)
        assert [(one.number, one.input_turns, one.reply_turns) for one in case.numbered_exchanges] == [
            (1, (2,), (3,)),
            (2, (4, 5), (6,)),
            (3, (7,), ()),
        ]

    def test_a_leading_greeting_is_no_part_of_the_reply(self):
        case = conversation({**ASSISTANT, "content": "Welcome!"}, USER, ASSISTANT)
        assert case.exchanges == [LLMTestCase(input="Where is my bag?", actual_output="It is in Oslo.")]

    def test_repeated_roles_are_joined_by_a_blank_line(self):
        case = conversation(USER, {**USER, "content": "Hello?"}, ASSISTANT, {**ASSISTANT, "content": ""})
        [exchange] = case.exchanges
        assert exchange.input == "Where is my bag?\n\nHello?"
        assert exchange.actual_output == "It is in Oslo."

    def test_an_unanswered_user_turn_is_an_exchange_without_a_reply(self):
        case = conversation(USER, ASSISTANT, {**USER, "content": "Thanks"})
        assert case.exchanges[1] == LLMTestCase(input="Thanks")

    def test_the_last_exchange_is_the_last_that_was_answered(self):
        assert conversation(USER, ASSISTANT, USER).last_exchange == LLMTestCase(
            input="Where is my bag?", actual_output="It is in Oslo."
        )
        assert conversation(USER).last_exchange is None
        assert conversation(ASSISTANT).last_exchange is None

    def test_an_answer_in_words_goes_before_one_of_tool_calls_alone(self):
        calls = {"role": "assistant", "content": "", "tools_called": ["hang_up"]}
        case = conversation(USER, ASSISTANT, {**USER, "content": "Bye"}, calls)
        last = case.last_exchange
        assert last is not None
        assert last.actual_output == "It is in Oslo."
        silent = conversation(USER, calls).last_exchange
        assert silent is not None
        assert silent.tools_called == [ToolCall(name="hang_up")]

    def test_exchanges_follow_a_conversation_that_grows(self):
        case = conversation(USER, ASSISTANT)
        assert len(case.exchanges) == 1
        case.turns.append(Turn(role="user", content="And when?"))
        assert len(case.exchanges) == 2


words = st.text(max_size=20)
optional_words = st.none() | words
tools = st.none() | st.lists(
    st.builds(
        ToolCall,
        name=words,
        input_parameters=st.none() | st.dictionaries(words, st.integers() | words, max_size=2),
        output=st.none() | words,
    ),
    max_size=2,
)
passages = st.none() | st.lists(
    words | st.builds(RetrievedContext, context=words, source=optional_words), max_size=2
)
exchanges = st.builds(
    LLMTestCase,
    input=words,
    actual_output=optional_words,
    expected_output=optional_words,
    context=st.none() | st.lists(words, max_size=2),
    retrieval_context=passages,
    tools_called=tools,
    expected_tools=tools,
    token_cost=st.none() | st.floats(0, 1),
    completion_time=st.none() | st.floats(0, 9),
    name=optional_words,
    tags=st.none() | st.lists(words, max_size=2),
    comments=optional_words,
    metadata=st.none() | st.dictionaries(words, st.integers(), max_size=2),
    flaky=st.booleans(),
    expectations=st.none() | st.just({"must": ["greet"]}),
)


class TestRoundTrip:
    @given(st.lists(exchanges, min_size=1, max_size=4))
    def test_test_cases_come_out_as_they_went_in(self, cases):
        assert ConversationalTestCase(turns=cases).exchanges == cases

    @given(st.lists(exchanges, min_size=1, max_size=3), optional_words)
    def test_a_conversation_survives_being_written_as_json(self, cases, role):
        case = ConversationalTestCase(turns=cases, chatbot_role=role)
        again = ConversationalTestCase.model_validate_json(case.model_dump_json(exclude_defaults=True))
        assert again == case
        assert again.exchanges == cases
        assert ConversationalTestCase.model_validate(case.data()) == case


def test_the_fingerprint_names_the_content_and_not_the_role_a_reader_gives():
    plain, other = conversation(USER, ASSISTANT), conversation(USER, {**ASSISTANT, "content": "No."})
    assert (
        plain.content_fingerprint() == conversation(USER, ASSISTANT, chatbot_role="r").content_fingerprint()
    )
    assert plain.content_fingerprint() != other.content_fingerprint()
    assert plain.content_fingerprint() != conversation(USER, ASSISTANT, name="n").content_fingerprint()


class TestTurnsThatWereTestCases:
    CASE = LLMTestCase(input="Where?", actual_output="There.", expected_output="Here.", token_cost=0.1)

    def test_they_answer_for_the_test_case(self):
        case = ConversationalTestCase(turns=[self.CASE])
        assert [turn.input for turn in case.turns] == ["Where?", "Where?"]
        assert case.turns[-1].actual_output == "There."
        assert (case.turns[-1].expected_output, case.turns[-1].token_cost) == ("Here.", 0.1)
        assert case.exchanges == [self.CASE]

    def test_and_are_equal_to_turns_that_say_the_same(self):
        given = ConversationalTestCase(turns=[LLMTestCase(input="a", actual_output="b")])
        turns = [Turn(role="user", content="a"), Turn(role="assistant", content="b")]
        assert given == ConversationalTestCase(turns=turns)
        assert given.data() == ConversationalTestCase(turns=turns).data()

    def test_copies_remember_it_too(self):
        [_, reply] = ConversationalTestCase(turns=[self.CASE]).turns
        for one in (copy.deepcopy(reply), copy.copy(reply), reply.model_copy()):
            assert one.actual_output == "There."

    def test_a_turn_that_was_given_as_one_says_where_test_cases_are(self):
        with pytest.raises(AttributeError, match="`exchanges` of the conversation has test cases"):
            _ = Turn(role="user", content="a").actual_output
        assert not hasattr(Turn(role="user", content="a"), "nothing_like_it")


class TestAssigning:
    @pytest.mark.parametrize(
        ("name", "value", "told"),
        [
            ("actual_output", 5, "actual_output: expected a string; got 5"),
            ("context", "abc", 'context: expected a list; got "abc"'),
            ("actual_outptu", "x", "actual_outptu: no such field; did you mean actual_output?"),
        ],
    )
    def test_types_are_checked(self, name, value, told):
        case = LLMTestCase(input="a", actual_output="b")
        with pytest.raises(CaseError) as caught:
            setattr(case, name, value)
        assert told in caught.value.detail
        assert case.actual_output == "b"

    def test_what_fits_is_taken_in_every_form(self):
        case = LLMTestCase(input="a")
        case.tools_called = ["search"]
        case.additional_metadata = {"topic": "ferries"}
        assert case.tools_called == [ToolCall(name="search")]
        assert case.metadata == case.additional_metadata == {"topic": "ferries"}
        turn = Turn(role="user", content="a", metadata={"k": 1})
        assert turn.additional_metadata == {"k": 1}
