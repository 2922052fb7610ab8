"""JSON as exports write it."""

import io
import json

from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.exports.json_writing import json_text, write_lines, write_list
from turnwise.conversations.safe_text import make_safe

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(values)
def test_it_says_the_same_and_is_safe_to_show(value):
    text = json_text(value)
    assert json.loads(text) == value
    assert make_safe(text) == text
    assert "\n" not in text


def test_scripts_stay_readable():
    assert json_text("退款 é") == '"退款 é"'
    assert json_text("\u202e\x9b\ud83d\U000e0041") == '"\\u202e\\u009b\\ud83d\\udb40\\udc41"'


def test_what_is_no_number_in_json_is_null():
    assert json_text({"a": [float("nan"), float("inf"), 1.5]}) == '{"a": [null, null, 1.5]}'


def test_lists_and_lines_are_written_as_they_come():
    for items in ([], [1], [1, {"a": 2}]):
        out = io.StringIO()
        write_list(iter(items), out)
        assert json.loads(out.getvalue()) == items
        out = io.StringIO()
        write_lines(iter(items), out)
        assert [json.loads(line) for line in out.getvalue().splitlines()] == items
