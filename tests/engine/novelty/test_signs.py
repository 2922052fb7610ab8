from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.tools import ToolCall
from turnwise.conversations.turns import Turn
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.novelty.signs import Sighting, sighting_of


def sighting(*turns: tuple[str, str], tool: object = None) -> Sighting:
    spoken = [Turn.model_validate({"role": role, "content": content}) for role, content in turns]
    if tool is not None:
        spoken[-1].tools_called = [ToolCall(name="look_up", output=tool)]
    return sighting_of(Subject.of(ConversationalTestCase(turns=spoken)))


def test_words_of_the_chatbot_are_signs_and_numbers_are_all_the_same() -> None:
    asked = ("user", "Where is it?")
    first = sighting(asked, ("assistant", "It comes in 3 days."))
    same = sighting(("user", "WHERE?"), ("assistant", "it comes in 14 days"))
    other = sighting(asked, ("assistant", "Days later."))
    assert first.words == same.words
    assert first.words & other.words
    assert first.words - other.words


def test_the_order_of_what_happens_is_a_sign() -> None:
    answered = sighting(("user", "Where is it?"), ("assistant", "Here."))
    asked = sighting(("user", "Where is it?"), ("assistant", "Which one?"))
    unanswered = sighting(("assistant", "Here."), ("user", "Where is it?"))
    assert len({answered.course, asked.course, unanswered.course}) == 3


def test_a_tool_that_fails_is_another_sign_than_one_that_works() -> None:
    turns = (("user", "Where is it?"), ("assistant", "Here."))
    failed, worked = sighting(*turns, tool={"error": "away"}), sighting(*turns, tool={"status": "ok"})
    assert failed.words == worked.words
    assert failed.course != worked.course
    assert failed.shape["call_errors"] > worked.shape["call_errors"]


def test_a_conversation_without_a_word_shows_little_and_breaks_nothing() -> None:
    assert not sighting(("user", ""), ("assistant", "")).words
