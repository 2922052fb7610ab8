"""promptfoo's tests: one an exchange, valid by its schema, and taken by the letter."""

import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_data import SHARED
from stored import keep

from turnwise.conversations import LLMTestCase
from turnwise.conversations.exports import export_sessions
from turnwise.conversations.exports.promptfoo import as_it_stands

SCHEMA = SHARED / "fixtures" / "promptfoo" / "config-schema.json"
SAYING = re.compile(r'\{\{ "([^"]*)" \}\}')


def written_by(exported):
    return json.loads(exported("promptfoo"))


def test_an_exchange_is_a_test_that_holds_its_reply(store, exported):
    session = keep(store, "Where?", "In Oslo.", "Sure?", "Yes.", name="Bag", tags=["lost"])
    assert written_by(exported) == [
        {
            "description": f"Bag, exchange {number}",
            "vars": {"input": asked},
            "providerOutput": reply,
            "metadata": {
                "conversationId": f"turnwise-{session}",
                "session": session,
                "exchange": number,
                "tags": ["lost"],
            },
        }
        for number, asked, reply in [(1, "Where?", "In Oslo."), (2, "Sure?", "Yes.")]
    ]


def test_an_exchange_without_a_reply_waits_for_a_target(store, exported):
    store.sessions.add(LLMTestCase(input="a", expected_output="b"), source="s", format="f")
    [test] = written_by(exported)
    assert "providerOutput" not in test
    assert test["vars"] == {"input": "a", "expected_output": "b"}
    assert test["metadata"]["answered"] is False


def test_it_is_told_how_many_exchanges_were_never_answered(store):
    keep(store, "Where?", "In Oslo.", "Sure?")
    told = []
    export_sessions(store, store.sessions.ids(""), to="promptfoo", output=io.BytesIO(), on_note=told.append)
    assert told == [
        "1 exchange was never answered in words: promptfoo asks its provider there. "
        "The metadata say answered: false."
    ]
    answered = keep(store, "Where?", "In Oslo.")
    export_sessions(store, [answered], to="promptfoo", output=io.BytesIO(), on_note=told.append)
    assert len(told) == 1


@given(st.text(st.sampled_from("{}%#\"' \\x-\nraw"), max_size=14))
def test_templates_and_files_of_a_conversation_are_words(text):
    written = as_it_stands(text)
    # A string in double braces says itself; nothing else in the text begins or ends a template.
    assert SAYING.sub(lambda match: match[1], written) == text
    assert not re.search(r"\{[{%#]|#\}", SAYING.sub(" ", written))


def test_a_path_is_no_file():
    assert as_it_stands("file:///etc/passwd") == '{{ "file" }}:///etc/passwd'
    assert as_it_stands("see file://x") == "see file://x"


@pytest.mark.fixtures
@pytest.mark.skipif(not SCHEMA.is_file(), reason="needs ../shared/fixtures")
def test_the_file_is_valid_by_the_schema_of_promptfoo(exported, judged, hostile):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    config = {"prompts": ["{{input}}"], "providers": ["echo"], "tests": written_by(exported)}
    jsonschema.validate(config, schema)
    one_test = {**schema, "$ref": "#/definitions/__schema10"}
    for test in config["tests"]:
        jsonschema.validate(test, one_test)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"input": "no such field"}, one_test)
