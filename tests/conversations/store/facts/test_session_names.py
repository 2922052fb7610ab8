"""Names of sessions: the first words that tell something, and ids that find them."""

import json

import pytest

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.importing import import_file
from turnwise.conversations.store.facts.session_names import NAME_LENGTH, session_name, telling_words


def named(*said, **fields):
    turns = [
        turn
        for text in said
        for turn in ({"role": "user", "content": text}, {"role": "assistant", "content": "?"})
    ]
    return session_name(ConversationalTestCase(turns=turns, **fields))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Where is my bag?", "Where is my bag?"),
        ("Hello, where is my bag?", "where is my bag?"),
        ("Hi there! How are you? I lost my bag", "I lost my bag"),
        ("hey – quick question about invoices", "quick question about invoices"),
        ("Guten Tag, ich suche meinen Koffer", "ich suche meinen Koffer"),
        ("Bonjour à tous, où est ma valise ?", "où est ma valise ?"),
        ("¡Hola! ¿Dónde está mi maleta?", "Dónde está mi maleta?"),
        ("Здравствуйте! Где моя сумка?", "Где моя сумка?"),
        ("こんにちは。鞄はどこですか", "鞄はどこですか"),
        ("你好，我的包在哪里？", "我的包在哪里？"),
        ("안녕하세요, 제 가방이 어디 있나요?", "제 가방이 어디 있나요?"),
        # Words that only begin as greetings do.
        ("History of Rome", "History of Rome"),
        ("Hire a plumber", "Hire a plumber"),
        ("Moinmoin ist kein Gruß hier", "Moinmoin ist kein Gruß hier"),
        ("<b>My bag</b> is lost", "<b>My bag</b> is lost"),
        # A picture that was not exported tells nothing.
        ("<Media omitted>", ""),
        # Too little is left.
        ("Hello", ""),
        ("hi 3", ""),
        ("Hello Anna!", ""),
        ("Guten Morgen!!", ""),
        ("こんにちは", ""),
        ("👋 Hello there :)", ""),
    ],
)
def test_a_greeting_tells_nothing(text, words):
    found = telling_words(text)
    assert found.lstrip("¿¡ ") == words


def test_the_next_turn_tells_where_the_first_is_a_greeting():
    assert named("Hello", "Where is my bag?") == "Where is my bag?"
    assert named("Hello", "hi again", "Bonjour") == "Hello"
    assert named("Hello world") == "Hello world"
    assert named("hi 0") == "hi 0"


def test_where_the_user_says_nothing_the_chatbots_first_words_are_the_name():
    turns = [{"role": "user", "content": " "}, {"role": "assistant", "content": "Welcome! How may I help?"}]
    assert session_name(ConversationalTestCase(turns=turns)) == "Welcome! How may I help?"
    assert session_name(ConversationalTestCase(turns=[turns[0]])) == "empty conversation"


def test_a_title_goes_before_what_was_said_and_an_id_after_it():
    assert named("Where is my bag?", name="A lost bag") == "A lost bag"
    assert named("Where is my bag?", name="c-81f", metadata={"id": "c-81f"}) == "Where is my bag?"
    assert named("Where is my bag?", name="lost bag 3", metadata={"id": "lost bag 3"}) == "lost bag 3"
    assert named("Hello", name="c-81f", metadata={"id": "c-81f"}) == "c-81f"


def test_no_text_takes_long():
    for text in ("hello " * 100_000, "hi," * 100_000, " " * 100_000, "good " * 100_000):
        telling_words(text)


@pytest.mark.parametrize("key", ["id", "conversation_id", "sessionId", "source_id"])
def test_a_session_is_found_by_the_id_of_its_source(store, tmp_path, key):
    path = tmp_path / "chats.jsonl"
    records = [
        {key: f"7c9e-{number}", "messages": [{"role": "user", "content": f"Where is bag {number}?"}]}
        for number in range(3)
    ]
    path.write_text("\n".join(map(json.dumps, records)))
    import_file(store, path)
    assert [row.name for row in store.sessions.page()] == [f"Where is bag {number}?" for number in range(3)]
    for query in ("7c9e-1", '"7c9e-1"', "meta.source_id:7c9e-1", f"meta.{key}:7c9e-1"):
        assert [row.name for row in store.sessions.page(query)] == ["Where is bag 1?"], query
    assert store.sessions.page("meta.source_id:7c9e") == []
    assert len(store.sessions.page("meta.source_id:7c9e-*")) == 3


def test_a_name_is_kept_whole_for_lists_to_cut():
    said = "I need to change my return flight from Texas to Newark, because my sister gets married on Friday."
    assert named(f"Hi!\n{said}") == said
    assert len(named("word " * 1_000)) == NAME_LENGTH
