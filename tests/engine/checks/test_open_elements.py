"""Elements that are open: any number of them, closed in any order."""

from __future__ import annotations

from turnwise.engine.checks.markup import OpenElements


def opened(*names: str) -> OpenElements:
    elements = OpenElements()
    for name in names:
        elements.begin(name)
    return elements


def test_an_element_is_closed_with_all_inside_it() -> None:
    elements = opened("div", "p", "span", "p", "b")
    elements.end_with_inner("p")
    assert elements.last == "span"
    assert "p" in elements
    assert "b" not in elements
    elements.end_with_inner("div")
    assert not elements
    assert elements.last is None


def test_an_element_closed_alone_leaves_those_inside_open() -> None:
    elements = opened("b", "i", "u")
    elements.end_alone("i")
    elements.end_alone("none of them")
    assert elements.last == "u"
    elements.end_alone("u")
    assert elements.last == "b"
    assert "i" not in elements


def test_whether_anything_is_open_around_an_element() -> None:
    elements = opened("b", "table", "tr")
    assert elements.begins_before("table")
    elements.end_alone("b")
    assert not elements.begins_before("table")
    elements.end_with_inner("table")
    elements.begin("p")
    elements.begin("table")
    assert elements.begins_before("table")
