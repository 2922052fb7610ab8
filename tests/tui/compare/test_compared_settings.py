"""The hyperparameters of two runs side by side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.store import RunRow
from turnwise.tui.compare.compared_settings import apart, compared_settings, difference_words


def run(**parameters: object) -> RunRow:
    return RunRow(1, 0.0, 0.0, "j", (), parameters=parameters)


@pytest.mark.parametrize(
    ("a", "b", "told"),
    [
        ({}, {}, ""),
        ({"model": "x"}, {"model": "y"}, "model x → y"),
        ({"model": "x", "k": 1}, {"model": "y", "k": 1}, "model x → y · 1 the same"),
        ({"k": 1, "t": 0.2}, {"k": 1, "t": 0.2}, "2 hyperparameters, the same"),
        ({"k": 1}, {}, "k 1 → –"),
        ({"prompt": "p" * 30}, {"prompt": "q"}, "prompt differs"),
        (
            {"suite": "/a/b.yaml", "model": "m"},
            {"suite": "smoke", "model": "m"},
            "suite – → smoke · 1 the same",
        ),
        ({"criterion": "c", "criterion_version": "f", "split": "", "query": ""}, {}, ""),
    ],
)
def test_what_differs_in_words(a: dict[str, object], b: dict[str, object], told: str) -> None:
    assert difference_words(compared_settings(run(**a), run(**b))) == told


def test_of_long_texts_that_begin_alike_the_place_is_seen_where_they_part() -> None:
    begins = "You are a helpful clerk of "
    left, right = apart(f"{begins}an airline.", f"{begins}the bank.", 20)
    assert (left, right) == ("…lerk of an airline.", "…lerk of the bank.")
    assert apart("short", "shore", 20) == ("short", "shore")
    assert apart(begins, begins, 20) == (begins, begins)


@given(st.text(), st.text(), st.integers(1, 40))
def test_texts_that_differ_still_do(a: str, b: str, width: int) -> None:
    left, right = apart(a, b, width)
    assert (left == right) == (a == b)
