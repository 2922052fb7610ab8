"""Addresses in drawn lines are links, also where a line ends in the middle of one."""

from __future__ import annotations

import pytest
from rich.segment import Segment

from turnwise.tui.drawing.wrapping import wrap
from turnwise.tui.reading.linked_lines import link_all, link_lines

LONG = "https://example.com/help/orders/find?number=1234567&customer=ann"
OTHER = "https://example.com/help/orders/find?number=7654321&customer=ben"
TEXT = f"See {LONG} or {OTHER}, then (http://x.test)."


def links(text: str, width: int) -> list[tuple[str, str]]:
    lines = link_lines([[Segment(line)] for line in wrap(text, width)], text)
    return [
        (piece.text, piece.style.link) for line in lines for piece in line if piece.style and piece.style.link
    ]


@pytest.mark.parametrize("width", [20, 23, 30, 64, 70, 200])
def test_all_of_an_address_leads_to_it(width: int) -> None:
    whole: dict[str, str] = {}
    for shown, target in links(TEXT, width):
        whole[target] = whole.get(target, "") + shown
    assert whole == {LONG: LONG, OTHER: OTHER, "http://x.test": "http://x.test"}


@pytest.mark.parametrize("width", [10, 40, 100])
def test_the_words_stay_as_they_are(width: int) -> None:
    lines = list(wrap(TEXT, width))
    linked = link_lines([[Segment(line)] for line in lines], TEXT)
    assert ["".join(piece.text for piece in line) for line in linked] == lines


def test_without_an_address_nothing_is_done() -> None:
    lines = [[Segment("plain :// text")]]
    assert link_lines(lines, "plain :// text") is lines


def test_a_whole_text_may_be_one_link() -> None:
    [[indent, shown]] = link_all([[Segment("  a.json")]], "file:///a.json")
    assert (indent.text, shown.text) == ("  ", "a.json")
    assert shown.style is not None
    assert shown.style.link == "file:///a.json"
