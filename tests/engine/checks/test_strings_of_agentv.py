"""The evaluators of AgentV 4 that look at the text alone."""

from __future__ import annotations

import pytest
from agentv_found import check, found


@pytest.mark.parametrize(
    ("kind", "value", "text", "holds"),
    [
        ("contains", "Paris", "It is Paris.", True),
        ("contains", "paris", "It is Paris.", False),
        ("icontains", "PARIS", "It is Paris.", True),
        ("contains-any", ["Rome", "Paris"], "It is Paris.", True),
        ("contains-any", ["Rome", "Oslo"], "It is Paris.", False),
        ("icontains-any", ["rome", "paris"], "It is PARIS.", True),
        ("contains-all", ["It", "Paris"], "It is Paris.", True),
        ("contains-all", ["It", "Rome"], "It is Paris.", False),
        ("icontains-all", ["it", "paris"], "IT IS PARIS.", True),
        ("starts-with", " Dear", "\n Dear Sir", True),
        ("starts-with", "Sir", "Dear Sir", False),
        ("ends-with", "regards ", "Best regards\n", True),
        ("ends-with", "Best", "Best regards", False),
        ("equals", "42 ", " 42\n", True),
        ("equals", "42", "42.", False),
        ("equals", 42, "42", True),
    ],
)
def test_a_text_is_looked_for_as_it_stands(kind, value, text, holds):
    grade = found(check(kind, value=value), text)
    assert (grade.score, grade.verdict) == ((1.0, "pass") if holds else (0.0, "fail"))


@pytest.mark.parametrize(
    ("pattern", "flags", "text", "holds"),
    [
        (r"[a-z]+@[a-z]+\.[a-z]+", None, "ME@EXAMPLE.ORG", False),
        (r"[a-z]+@[a-z]+\.[a-z]+", "i", "ME@EXAMPLE.ORG", True),
        ("^two$", None, "one\ntwo\nthree", False),
        ("^two$", "m", "one\ntwo\nthree", True),
        ("one.two", None, "one\ntwo", False),
        ("one.two", "s", "one\ntwo", True),
        ("two", "g", "one two", True),
    ],
)
def test_an_expression_has_the_flags_of_javascript(pattern, flags, text, holds):
    assert found(check("regex", value=pattern, flags=flags), text).score == float(holds)


@pytest.mark.parametrize(("pattern", "flags"), [("(", ""), ("a", "q")])
def test_what_is_no_expression_is_a_failure_and_in_compat_a_score_of_0(pattern, flags):
    asked = check("regex", value=pattern, flags=flags)
    assert found(asked, "a").word == "failure"
    loose = found(asked, "a", compat=True)
    assert (loose.word, loose.score) == ("score", 0.0)


@pytest.mark.parametrize(
    ("text", "holds"), [('{"a": 1}', True), ("[1]", True), ("3", True), ("so: {}", False)]
)
def test_json_is_the_whole_answer(text, holds):
    assert found(check("is-json"), text).score == float(holds)


def test_a_negated_check_passes_where_it_does_not_hold_and_says_what_is_so():
    grade = found(check("contains", value="Acme", negate=True), "We like Acme.")
    assert (grade.score, grade.verdict, grade.told) == (0.0, "fail", 'The answer contains "Acme"')
    assert found(check("contains", value="Acme", negate=True), "We like nobody.").verdict == "pass"


@pytest.mark.parametrize("kind", ["contains", "contains-any", "regex", "equals"])
def test_a_check_without_a_value_is_a_failure(kind):
    assert found(check(kind), "anything").word == "failure"
