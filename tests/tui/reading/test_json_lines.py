"""JSON drawn for reading: what fits stands on one line, and what lies deeper opens one step at a time."""

from __future__ import annotations

import unicodedata
from dataclasses import fields
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from turnwise.tui.drawing.lines import line_text
from turnwise.tui.drawing.palette import Palette
from turnwise.tui.reading.json_lines import JsonDrawer

PALETTE = Palette(**{part.name: Style.null() for part in fields(Palette)})
leaves = st.none() | st.booleans() | st.integers() | st.text()
values = st.recursive(
    leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=30
)


def drawn(value: Any, width: int = 40, opened: frozenset[str] = frozenset()) -> list[str]:
    return [line_text(one.line).rstrip() for one in JsonDrawer(width, PALETTE, opened).draw(value, "it")]


def folds(value: Any, width: int = 40, opened: frozenset[str] = frozenset()) -> frozenset[str]:
    return frozenset(one.fold for one in JsonDrawer(width, PALETTE, opened).draw(value, "it") if one.fold)


def test_what_fits_stands_on_one_line() -> None:
    assert drawn({"from": "JFK", "stops": [1, None]}) == ['{from: "JFK", stops: [1, null]}']


def test_what_does_not_fit_is_folded_and_opens_by_its_name() -> None:
    value = {"name": "Mia", "address": {"street": "975 Sunset Drive", "city": "Austin", "zip": "78750"}}
    assert drawn(value) == ['name: "Mia"', "▸ address: 3 fields  street: 975 Sunset…"]
    assert drawn(value, opened=folds(value)) == [
        'name: "Mia"',
        "▾ address: 3 fields",
        '  street: "975 Sunset Drive"',
        '  city: "Austin"',
        '  zip: "78750"',
    ]


def test_a_folded_list_of_records_says_what_the_first_one_is() -> None:
    flight = {"flight_number": "HAT069", **{f"field{number}": number for number in range(9)}}
    assert drawn([[flight, flight], [flight]], 50)[0].startswith(
        "▸ 1. 2 items  flight_number: HAT069, field0"
    )


def test_a_long_list_shows_its_first_items_and_how_many_follow() -> None:
    value = [f"item {number}" for number in range(300)]
    assert drawn(value)[19:] == ['20. "item 19"', "▸ 280 more items"]
    assert len(drawn(value, opened=folds(value))) == 301


def test_a_text_of_several_lines_keeps_them() -> None:
    assert drawn({"log": "one\ntwo"}) == ["log:", "  one", "  two"]


@settings(deadline=None)
@given(values, st.integers(14, 60))
def test_no_line_overruns_or_holds_what_a_terminal_obeys(value: Any, width: int) -> None:
    opened = frozenset[str]()
    for _ in range(4):
        for line in drawn([value], width, opened):
            assert cell_len(line) <= width
            assert not [c for c in line if unicodedata.category(c) in {"Cc", "Cs"}]
        opened |= folds([value], width, opened)
