"""Listings: settings that are lists, given or typed."""

import pytest

from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics.listings import given_list, required


def test_a_list_may_be_typed_with_commas():
    assert given_list("a, b,,c ") == ["a", "b", "c"]
    assert given_list(["a, b"]) == ["a, b"]
    for wrong in ([], [" "]):
        with pytest.raises(SettingError, match="m needs topics"):
            required("m", "topics", wrong, "a")
