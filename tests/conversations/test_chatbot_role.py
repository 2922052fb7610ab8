"""The chatbot role that an import gives."""

from turnwise.conversations import ConversationalTestCase, LLMTestCase
from turnwise.conversations.importing import with_role

SYSTEM = {"role": "system", "content": " "}
DEVELOPER = {"role": "developer", "content": " You sell shoes.\n"}
USER = {"role": "user", "content": "hi"}


def conversation(*turns: dict[str, str], role: str | None = None) -> ConversationalTestCase:
    return ConversationalTestCase(turns=list(turns), chatbot_role=role)


def test_a_role_text_takes_the_place_of_any_other() -> None:
    for case in (conversation(USER), conversation(USER, role="old")):
        given = with_role(case, role=" new ")
        assert isinstance(given, ConversationalTestCase)
        assert given.chatbot_role == "new"
        assert given.turns == case.turns


def test_the_first_system_or_developer_text_is_the_role_where_there_is_none() -> None:
    given = with_role(conversation(SYSTEM, DEVELOPER, USER), role_from_system=True)
    assert isinstance(given, ConversationalTestCase)
    assert given.chatbot_role == "You sell shoes."
    kept = conversation(DEVELOPER, USER, role="own")
    assert with_role(kept, role_from_system=True) is kept


def test_without_anything_to_give_the_case_is_unchanged() -> None:
    for case in (conversation(USER), LLMTestCase(input="a")):
        assert with_role(case) is case
        assert with_role(case, role="  ", role_from_system=True) is case


def test_an_exchange_with_a_role_is_a_conversation_of_one_exchange() -> None:
    exchange = LLMTestCase(input="a", actual_output="b", name="n", tags=["t"], context=["c"])
    given = with_role(exchange, role="agent")
    assert isinstance(given, ConversationalTestCase)
    assert (given.chatbot_role, given.name, given.tags) == ("agent", "n", ["t"])
    assert given.exchanges == [exchange]
