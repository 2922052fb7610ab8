"""Subject: what a metric sees of a case, and the fingerprint of that."""

from stored import said

from turnwise.conversations import ConversationalTestCase, LLMTestCase, LLMTestCaseParams, ToolCall, Turn
from turnwise.engine.metrics.subject import Subject, fields_missing, fields_shown

CASE = said("a", "b", "c", "d", "e", chatbot_role="r", context=["k"])


def test_an_exchange_is_seen_with_all_that_came_before_it():
    whole = Subject.of(CASE)
    first = whole.at(whole.exchanges[0])
    assert [number for number, _ in whole.numbered] == [1, 2, 3, 4, 5]
    assert [number for number, _ in first.numbered] == [1, 2]
    assert first.reply_numbers() == [2]
    assert "turn 2" in first.transcript("s").text
    assert "turn 3" not in first.transcript("s").text


def test_every_part_of_a_conversation_has_the_mark_of_the_whole():
    whole = Subject.of(CASE)
    assert whole.at(whole.exchanges[0]).transcript("s").mark == whole.transcript("s").mark


def test_only_answered_exchanges_can_be_judged():
    assert [exchange.number for exchange in Subject.of(CASE).exchanges] == [1, 2]


def test_a_field_is_the_exchanges_own_or_else_the_conversations():
    case = said("a", "b", chatbot_role="r")
    case.turns[1] = Turn(role="assistant", content="b", tools_called=["find"])
    whole = Subject.of(case)
    last = whole.at(whole.exchanges[0])
    assert last.value("actual_output") == "b"
    assert last.value("chatbot_role") == "r"
    assert last.value("expected_output") is None
    assert [call.name for call in whole.value("tools_called")] == ["find"]
    assert whole.value("retrieval_context") is None
    assert whole.value("no such thing") is None


def test_what_an_exchange_does_not_say_itself_is_the_conversations():
    case = said("a", "b", context=["of all"])
    whole = Subject.of(case)
    assert whole.at(whole.exchanges[0]).value("context") == ["of all"]


def test_what_test_cases_came_with_is_tied_to_their_turns():
    turns = [
        LLMTestCase(input="a", actual_output="b", context=["k", "l"]),
        LLMTestCase(input="c", actual_output="d"),
    ]
    whole = Subject.of(ConversationalTestCase(turns=turns))
    assert whole.came_with("context") == [(2, "k"), (2, "l")]
    assert whole.value("context") == ["k", "l"]
    assert whole.came_with("expected_output") == []
    assert whole.value("expected_output") is None
    assert whole.came_with("input") == []


def test_a_single_exchange_is_known_as_one():
    subject = Subject.of(LLMTestCase(input="a", actual_output="b", name="n"))
    assert subject.single
    assert len(subject.exchanges) == 1


def test_the_fingerprint_names_what_is_read_and_nothing_else():
    whole = Subject.of(CASE)
    assert whole.reads(("turns",)) == Subject.of(said("a", "b", "c", "d", "e")).reads(("turns",))
    assert whole.reads(("turns",)) != Subject.of(said("a", "b", "c", "d", "x")).reads(("turns",))
    assert whole.reads(("turns", "chatbot_role")) != Subject.of(said("a", "b", "c", "d", "e")).reads(
        ("turns", "chatbot_role")
    )
    first = whole.at(whole.exchanges[0])
    assert first.reads(("input",)) == Subject.of(said("a", "b", "z")).at(whole.exchanges[0]).reads(("input",))


FULL_CASE = LLMTestCase(
    input="a",
    actual_output="b",
    context=["one", "two"],
    tools_called=[ToolCall(name="find", input_parameters={"q": 1}, output=2)],
    metadata={"shop": 3},
)
WHOLE = Subject.of(FULL_CASE)
SUBJECT = WHOLE.at(WHOLE.exchanges[0])
P = LLMTestCaseParams


def test_fields_are_fenced_with_their_names():
    shown = fields_shown([P.CONTEXT, P.TOOLS_CALLED, P.METADATA], SUBJECT, "aa")
    assert "[aa context 1] one\n[aa context 2] two" in shown
    assert '[aa tool call 1] find({"q": 1}) gave 2' in shown
    assert '[aa metadata field 1] {"shop": 3}' in shown


def test_a_use_of_a_tool_without_arguments_or_output_is_its_name_alone():
    case = LLMTestCase(input="a", actual_output="b", tools_called=[ToolCall(name="find")], tags=["x"])
    shown = fields_shown([P.TOOLS_CALLED], Subject.of(case), "aa")
    assert "aa tool calls begin" in shown
    assert shown.splitlines()[2] == "[aa tool call 1] (turn 2) find()"


def test_what_the_transcript_holds_is_not_shown_again():
    assert fields_shown([P.INPUT, P.ACTUAL_OUTPUT], SUBJECT, "aa") == ""


def test_what_is_missing_is_named():
    assert fields_missing([P.INPUT, P.CONTEXT], SUBJECT) == ""
    assert fields_missing([P.SCENARIO, P.EXPECTED_OUTPUT], SUBJECT) == (
        "the case has no scenario and no expected_output"
    )
