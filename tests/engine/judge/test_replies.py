"""A reply is taken whole or not at all."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.errors import MalformedReplyError
from turnwise.engine.judge.replies import parse_reply

SCHEMA = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "integer", "minimum": 0, "maximum": 10}},
    "required": ["reason", "score"],
    "additionalProperties": False,
}
VERDICTS = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "turn": {"type": "integer"},
                    "verdict": {"type": "string", "enum": ["yes", "no", "borderline"]},
                },
                "required": ["turn", "verdict"],
            },
        }
    },
    "required": ["verdicts"],
}
GOOD = {"reason": "fine", "score": 8}
PLAIN = json.dumps(GOOD)

values = st.fixed_dictionaries({"reason": st.text(), "score": st.integers(0, 10)})
verdicts = st.lists(
    st.fixed_dictionaries(
        {"turn": st.integers(1, 99), "verdict": st.sampled_from(["yes", "no", "borderline"])}
    ),
    min_size=1,
    max_size=5,
)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        f"  \n{PLAIN}\n",
        f"```json\n{PLAIN}\n```",
        f"```\n{PLAIN}```",
        f"Here you are: {PLAIN} I hope that helps {{really}}.",
        f'<think>first I thought {{"score": 1}}</think>{PLAIN}',
        f"<think>a</think><think>b</think>\n{PLAIN}",
        f'the template opened the thinking {{"score": 2}}</think>\n{PLAIN}',
        'The shape is {"reason": "...", "score": 0}. My answer: ' + PLAIN,
        '{"reason": "fine", "score": 8,}',
        "{'reason': 'fine', 'score': 8}",
        '{"reason": "fine", "score": "8"}',
        '{"reason": "fine", "score": 8.0, "more": [1]}',
        '{reason: "fine", "score": 8} ' + PLAIN,
    ],
)
def test_the_object_is_found_in_what_stands_around_it(text):
    assert parse_reply(text, SCHEMA) == GOOD


def test_quotes_that_are_not_escaped_are_mended():
    reply = parse_reply('{"reason": "it said "hi" to me", "score": 8}', SCHEMA)
    assert reply["score"] == 8


def test_a_mark_of_thinking_inside_a_reason_is_no_thinking():
    value = {"reason": "it leaked a <think> and a </think>", "score": 2}
    assert parse_reply(json.dumps(value), SCHEMA) == value


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("I cannot say.", "a JSON object"),
        ("<think>on and on " + PLAIN, "a JSON object"),
        ('{"reason": "fine"}', "score: expected a value, got nothing"),
        ('{"reason": "fine", "score": 11}', "score: expected a number from 0 to 10, got 11"),
        ('{"reason": "fine", "score": true}', "score: expected a whole number, got True"),
        ('{"reason": "fine", "score": 7.5}', "score: expected a whole number, got 7.5"),
        ('{"reason": "fine", "score": NaN}', "score"),
        ('{"reason": "fine", "score": null}', "score"),
        ('{"reason": 3, "score": 8}', "reason: expected text, got 3"),
        ('{"reason": "fine", "score": }', "score"),
        ('{"score": 8, "reason": "fi', "cut off"),
        ('{"score": 8, "reason": "a smile :}', "cut off"),
        ("{'score': 8, 'reason': 'a smile :}", "cut off"),
        ('{"score": 8, "reason": "fi\n```', "cut off"),
        ("[" * 5000 + '{"a":' * 5000, "cut off"),
    ],
)
def test_anything_else_is_malformed_and_says_where_and_why(text, told):
    with pytest.raises(MalformedReplyError) as caught:
        parse_reply(text, SCHEMA)
    assert told in caught.value.detail


def test_the_start_of_the_reply_is_shown_without_its_control_characters():
    with pytest.raises(MalformedReplyError) as caught:
        parse_reply("\x1b[2J\u202e" + "x" * 1000, SCHEMA)
    assert "\x1b" not in caught.value.detail
    assert "\u202e" not in caught.value.detail
    assert "x" * 150 in caught.value.detail
    assert "x" * 201 not in caught.value.detail


def test_a_reply_that_ran_out_of_room_is_called_cut_off():
    with pytest.raises(MalformedReplyError, match="cut off"):
        parse_reply('{"reason": "fi', SCHEMA, "length")


def test_a_whole_reply_counts_even_if_the_judge_would_have_gone_on():
    assert parse_reply(PLAIN + " and another thing", SCHEMA, "length") == GOOD


@pytest.mark.parametrize(
    ("given_word", "word"),
    [
        ("Yes", "yes"),
        (" NO. ", "no"),
        ("idk", "borderline"),
        ("yes, because it is", "yes"),
        ("IDK - maybe", "borderline"),
    ],
)
def test_verdict_words_are_taken_in_any_case_and_by_their_first_word(given_word, word):
    reply = json.dumps({"verdicts": [{"turn": 2, "verdict": given_word}]})
    assert parse_reply(reply, VERDICTS) == {"verdicts": [{"turn": 2, "verdict": word}]}


@pytest.mark.parametrize("word", ["maybe", "", "note", "nope", "yesterday"])
def test_other_words_are_malformed(word):
    with pytest.raises(MalformedReplyError) as caught:
        parse_reply(json.dumps({"verdicts": [{"turn": 2, "verdict": word}]}), VERDICTS)
    assert "verdicts[0].verdict: expected one of yes, no, borderline" in caught.value.detail


def test_lists_have_their_least_length_and_nullable_values_may_be_null():
    schema = {
        "type": "object",
        "properties": {"items": {"type": "array", "minItems": 1, "items": {"type": ["string", "null"]}}},
        "required": ["items"],
    }
    assert parse_reply('{"items": ["a", null]}', schema) == {"items": ["a", None]}
    with pytest.raises(MalformedReplyError):
        parse_reply('{"items": []}', schema)


@given(values)
def test_what_satisfies_the_schema_comes_back_unchanged(value):
    assert parse_reply(json.dumps(value), SCHEMA) == value
    assert (
        parse_reply("```json\n" + json.dumps(value, indent=2, ensure_ascii=False) + "\n```", SCHEMA) == value
    )


@given(verdicts, st.data())
def test_no_part_of_a_cut_off_reply_is_taken(found, data):
    text = json.dumps({"verdicts": found})
    cut = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises(MalformedReplyError):
        parse_reply(text[:cut], VERDICTS)


@given(values, st.data())
def test_no_part_of_a_cut_off_object_is_taken_whatever_its_reason_holds(value, data):
    text = json.dumps({"score": value["score"], "reason": value["reason"]}, ensure_ascii=False)
    cut = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises(MalformedReplyError):
        parse_reply(text[:cut], SCHEMA)


@given(st.text(st.sampled_from('{}[]"\\:,<>/think`json 8ab\n'), max_size=200))
def test_any_text_is_a_valid_object_or_malformed(text):
    try:
        value = parse_reply(text, SCHEMA)
    except MalformedReplyError:
        return
    assert set(value) == {"reason", "score"}
    assert 0 <= value["score"] <= 10
