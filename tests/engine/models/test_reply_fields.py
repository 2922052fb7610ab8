"""Fields of another kind than the API has are left out, and told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.models.reply_fields import mapping_field, text_field, token_counts

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@pytest.mark.parametrize(
    ("count", "found"), [(5, {"a": 5}), (0, {"a": 0}), (5.0, {"a": 5}), (None, {}), (10**9, {"a": 10**9})]
)
def test_numbers_of_tokens_are_counted_as_they_come(count: Any, found: dict[str, int]) -> None:
    odd: list[str] = []
    assert token_counts({"a": count}, odd) == found
    assert odd == []


ODD = {"a word": "5", "yes": True, "list": [5], "huge": 10**9 + 1, "unprintable": 10**5000, "below": -1}


@pytest.mark.parametrize("count", [*ODD.values(), float("nan"), float("inf")], ids=[*ODD, "nan", "inf"])
def test_what_is_no_number_of_tokens_is_told(count: Any) -> None:
    odd: list[str] = []
    assert token_counts({"prompt_tokens": count, "completion_tokens": 1}, odd) == {"completion_tokens": 1}
    [told] = odd
    assert told.startswith("prompt_tokens is no number of tokens: ")
    assert len(told) < 120


@given(ANYTHING)
def test_whatever_comes_is_a_text_an_object_or_told(value: Any) -> None:
    for read, kind, word in ((text_field, str, "text"), (mapping_field, dict, "object")):
        odd: list[str] = []
        found = read(value, "model", odd)
        assert isinstance(found, kind)
        assert (value is None or isinstance(value, kind)) == (not odd)
        assert all(told.startswith(f"model is no {word}: ") for told in odd)
