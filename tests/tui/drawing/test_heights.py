"""Heights answer as a plain list of numbers would, only faster."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnwise.tui.drawing.virtual_scroll import Heights

heights = st.lists(st.integers(0, 50), max_size=60)


@given(heights)
def test_an_item_starts_after_all_before_it(items: list[int]) -> None:
    tree = Heights(items)
    assert [tree.before(index) for index in range(len(items) + 1)] == [
        sum(items[:index]) for index in range(len(items) + 1)
    ]


@given(heights, st.data())
def test_a_changed_height_moves_what_follows(items: list[int], data: st.DataObject) -> None:
    tree = Heights(items)
    for _ in range(5 if items else 0):
        index = data.draw(st.integers(0, len(items) - 1))
        items[index] = tree[index] = data.draw(st.integers(0, 50))
    assert [tree.before(index) for index in range(len(items) + 1)] == [
        sum(items[:index]) for index in range(len(items) + 1)
    ]


@given(heights, heights)
def test_items_may_be_added_at_the_end(first: list[int], later: list[int]) -> None:
    tree = Heights(first)
    for height in later:
        tree.append(height)
    items = first + later
    assert len(tree) == len(items)
    assert [tree.before(index) for index in range(len(items) + 1)] == [
        sum(items[:index]) for index in range(len(items) + 1)
    ]


@given(heights)
def test_every_line_is_found_in_its_item(items: list[int]) -> None:
    tree = Heights(items)
    lines = [(item, line) for item, height in enumerate(items) for line in range(height)]
    assert [tree.at(line) for line in range(len(lines))] == lines


def test_lines_outside_fall_on_the_nearest_one() -> None:
    tree = Heights([2, 3, 0])
    assert (tree.at(-1), tree.at(99), Heights().at(5)) == ((0, 0), (1, 2), (0, 0))
