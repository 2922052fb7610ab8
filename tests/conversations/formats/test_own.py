"""turnwise's own JSON Lines: told by its mark, and by nothing less."""

import json

import pytest

from turnwise.conversations import ConversationalTestCase, LLMTestCase
from turnwise.conversations.formats import Loaded, Rejected, load

MARK = {"form": 1, "kind": "conversation"}
CASE = {"turns": [{"role": "user", "content": "hi"}], "chatbot_role": "A clerk"}


def written(tmp_path, *records):
    path = tmp_path / "out.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_a_line_is_a_case(tmp_path):
    exchange = {"input": "a", "actual_output": "b", "turnwise": {"form": 1, "kind": "exchange"}}
    first, second = load(written(tmp_path, {**CASE, "turnwise": MARK}, exchange))
    assert isinstance(first, Loaded)
    assert first.format == "turnwise"
    assert first.case == ConversationalTestCase.model_validate(CASE)
    assert second.case == LLMTestCase(input="a", actual_output="b")


def test_a_single_line_is_told_too(tmp_path):
    [record] = load(written(tmp_path, {**CASE, "turnwise": MARK}))
    assert record.format == "turnwise"


def test_without_the_mark_it_is_another_format(tmp_path):
    [record] = load(written(tmp_path, CASE))
    assert record.format == "deepeval"


@pytest.mark.parametrize(
    ("mark", "problem"),
    [
        ({"form": 2, "kind": "conversation"}, "newer turnwise, in form 2; this one reads up to form 1"),
        ({"form": "1", "kind": "conversation"}, "turnwise.form: expected a whole number"),
        ({"form": 0, "kind": "conversation"}, "turnwise.form: expected a whole number"),
        ({"form": 1, "kind": "song"}, 'turnwise.kind: expected conversation or exchange; got "song"'),
        ({"form": 1, "kind": []}, "turnwise.kind: expected conversation or exchange"),
        ({"kind": "conversation"}, "turnwise.form: expected a whole number"),
    ],
)
def test_what_cannot_be_read_is_told_by_place(tmp_path, mark, problem):
    path = written(tmp_path, {**CASE, "turnwise": MARK}, {**CASE, "turnwise": mark})
    _, second = load(path)
    assert isinstance(second, Rejected)
    assert problem in second.error.detail
    assert "line 2" in second.error.detail


def test_a_damaged_case_is_told_by_its_field(tmp_path):
    path = written(tmp_path, {"turns": [{"role": "user"}], "turnwise": MARK})
    [record] = load(path)
    assert isinstance(record, Rejected)
    assert "turns[0]" in record.error.detail
