"""Safe JSON; what safe text is stands in the tests of the widgets that show it."""

import json

from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.safe_text import make_safe, make_safe_json


@given(st.text())
def test_safe_json_says_the_same_and_is_shown_as_it_is(text):
    written = make_safe_json(json.dumps(text, ensure_ascii=False))
    assert json.loads(written) == text
    assert make_safe(written) == written


def test_only_what_is_unsafe_is_escaped():
    assert make_safe_json('"é 退 \u202e \x7f \U000e0041"') == '"é 退 \\u202e \\u007f \\udb40\\udc41"'
    assert make_safe_json('[\n  "a"\n]') == '[\n  "a"\n]'
