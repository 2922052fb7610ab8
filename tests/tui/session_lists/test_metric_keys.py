"""Every metric has a key of its own, and a line says what it stands for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from turnwise.tui.session_lists.metric_keys import ITEM_GAP, legend_lines, metric_keys

METRICS = ("role_adherence", "knowledge_retention", "faithfulness", "role_accuracy", "conversation_x")


def test_a_key_is_the_first_letters_of_two_words_where_no_other_has_it() -> None:
    assert list(metric_keys(METRICS).values()) == ["ra", "kr", "fa", "ro", "cx"]


def test_a_new_metric_changes_no_key() -> None:
    before = metric_keys(METRICS)
    assert {
        name: key for name, key in metric_keys([*METRICS, "rather", "rope"]).items() if name in before
    } == before


@given(st.lists(st.text(max_size=12), max_size=60, unique=True))
def test_no_two_are_alike_and_all_are_short(metrics: list[str]) -> None:
    keys = metric_keys(metrics)
    assert len(set(keys.values())) == len(metrics)
    assert all(0 < len(key) <= 3 for key in keys.values())


def test_the_legend_names_as_many_as_have_room_and_counts_the_others() -> None:
    keys = metric_keys(METRICS)
    [line] = legend_lines(keys, 62, 1, more="W names")
    assert line == [("ra", "role adherence"), ("kr", "knowledge retention"), ("W names 3 more", "")]
    assert [len(one) for one in legend_lines(keys, 60, 2)] == [3, 2]
    assert legend_lines({}, 60, 2) == []


@given(st.integers(24, 200), st.integers(1, 3))
def test_no_line_of_the_legend_is_wider_than_its_room(width: int, most: int) -> None:
    for line in legend_lines(metric_keys(METRICS), width, most, more="w"):
        said = (" " * ITEM_GAP).join(f"{key} {words}".strip() for key, words in line)
        assert cell_len(said) <= width
