"""XML in a text: where its pieces begin and end, and what is in them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.suites import Check
from turnwise.engine.checks.markup import pieces_of, tree_of
from turnwise.engine.suites import Answer, grade_check


def passes(kind: str, output: str, value: Any = None) -> bool:
    return grade_check(Check(type=kind, value=value), Answer(output=output)).passed


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("see <a>1</a> there", ["<a>1</a>"]),
        ("<a/> and <b/>", ["<a/> and <b/>"]),
        ("<a>1</a> then <b>", ["<a>1</a>"]),
        ("x<a>1</a></c><b/>", ["<a>1</a></c><b/>"]),
        ("<o><i/></o>", ["<o><i/></o>"]),
        ("a < b and c > d", []),
        ("<!-- <a/> -->", []),
        ('<a b="1>2">x</a>', ['<a b="1>2">x</a>']),
    ],
)
def test_the_outermost_pieces_are_found_those_side_by_side_as_one(text: str, pieces: list[str]) -> None:
    assert list(pieces_of(text)) == pieces


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("<a>1</a>", {"a": "1"}),
        ("<a k='v'>t</a>", {"a": {"@_k": "v", "#text": "t"}}),
        ("<a><b>1</b><b/></a>", {"a": {"b": ["1", ""]}}),
        ("<?xml version='1.0'?><a/>", {"?xml": {"@_version": "1.0"}, "a": ""}),
        ("<a><![CDATA[<x>]]></a>", {"a": "<x>"}),
        ("<a><b></a></b>", {"a": {"b": ""}}),
    ],
)
def test_elements_are_a_tree(text: str, tree: dict[str, Any]) -> None:
    assert tree_of(text) == tree


def test_a_document_is_well_formed_and_declares_its_prefixes() -> None:
    assert passes("is-xml", "<n:a xmlns:n='u'/>")
    assert not passes("is-xml", "<n:a/>")
    assert not passes("is-xml", "<a x=1/>")
    assert passes("contains-xml", "as in <a x=1/>")


def test_the_elements_asked_for_are_looked_for_from_the_outermost_on() -> None:
    text = "see <r><i>1</i><i>2</i></r>"
    assert passes("contains-xml", text, "r.i.1")
    assert passes("contains-xml", "<a/> x <b/>", ["a", "b"])
    assert not passes("contains-xml", text, "i")
    assert not passes("is-xml", "<r/>", "")
    assert passes("is-xml", "<r/>", 5)
    wrong = grade_check(Check(type="is-xml", value={"x": 1}), Answer(output="<r/>"))
    assert wrong.word == "failure"


@given(st.text(alphabet="<>/ab\"'= !-[]", max_size=60))
def test_any_text_has_an_end(text: str) -> None:
    for piece in pieces_of(text):
        assert isinstance(tree_of(piece), dict)
