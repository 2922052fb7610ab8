"""The form of a criterion: what is typed becomes a criterion, and what was not touched stays as it was."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.errors import InputError
from turnwise.engine.criteria.criteria import Criterion, check_criterion
from turnwise.tui.criteria.criterion_form import CriterionForm

FULL: dict[str, Any] = {
    "name": "Polite",
    "criteria": "Stays polite.\n  Never blames.\n",
    "steps": ["Find rude\nmessages.", "Judge."],
    "parameters": ["input", "chatbot_role"],
    "rubric": [
        {"score_range": [0, 3], "expected_outcome": "rude"},
        {"score_range": [4, 4], "expected_outcome": "so so"},
    ],
    "threshold": 0.7,
    "strict": True,
    "scope": "exchange",
}


def test_a_criterion_is_shown_in_plain_texts() -> None:
    form = CriterionForm.of(check_criterion(FULL))
    assert form.steps == "Find rude messages.\nJudge."
    assert form.rubric == "0-3 rude\n4-4 so so"
    assert (form.threshold, form.strict, form.scope) == ("0.7", True, "exchange")
    assert form.parameters == ("input", "chatbot_role")


def test_what_was_not_touched_stays_to_the_letter() -> None:
    before = check_criterion(FULL)
    after = replace(CriterionForm.of(before), threshold="0,8").criterion(before)
    assert after == before.model_copy(update={"threshold": 0.8})


TEXT = st.text(min_size=1).filter(lambda text: text.strip())


@given(TEXT, TEXT, st.lists(TEXT, min_size=1), st.floats(0, 1))
def test_a_form_that_nobody_touched_says_the_same(
    name: str, criteria: str, steps: list[str], threshold: float
) -> None:
    before = Criterion(name=f"my {name}", criteria=criteria, steps=steps, threshold=threshold)
    assert CriterionForm.of(before).criterion(before) == before


def test_a_new_criterion_is_what_was_typed() -> None:
    form = CriterionForm(
        name=" Kind ",
        criteria="Is kind.\n",
        steps="\nOne.\n  Two.\n",
        rubric="0-3: rude\n10 perfect\n4 to 9 fine",
    )
    criterion = form.criterion()
    assert (criterion.name, criterion.criteria, criterion.steps) == ("Kind", "Is kind.", ["One.", "Two."])
    assert criterion.rubric is not None
    assert [part.score_range for part in criterion.rubric] == [(0, 3), (10, 10), (4, 9)]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": " "}, "no name"),
        ({"criteria": ""}, "says nothing yet"),
        ({"threshold": "high"}, "a number from 0 to 1; it says high"),
        ({"threshold": "7"}, "a number from 0 to 1"),
        ({"threshold": "nan"}, "a number from 0 to 1"),
        ({"rubric": "0-3 bad\ngood"}, "Rubric, line 2"),
        ({"rubric": "0-5 bad\n5-9 good"}, "overlap"),
        ({"rubric": "0-99 bad"}, "from 0 to 10"),
        ({"name": "faithfulness"}, "comes with turnwise"),
    ],
)
def test_what_is_wrong_is_told_in_words(fields: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        replace(CriterionForm(name="Kind", criteria="Is kind."), **fields).criterion()


def test_what_a_terminal_would_obey_is_shown_and_never_saved() -> None:
    before = Criterion(name="Kind", criteria="a\x1b[31mb")
    form = CriterionForm.of(before)
    assert "\x1b" not in form.criteria
    assert replace(form, threshold="0.9").criterion(before).criteria == before.criteria


def test_guidelines_and_examples_stay_where_something_else_is_changed() -> None:
    said = {"said": "assistant: Gladly.", "passes": True, "why": "warm"}
    before = check_criterion(
        {"name": "Polite", "criteria": "Stays polite.", "guidelines": ["Irony fails."], "examples": [said]}
    )
    form = CriterionForm.of(before)
    assert form.guidelines == "Irony fails."
    after = replace(form, threshold="0.7").criterion(before)
    assert (after.guidelines, after.examples) == (before.guidelines, before.examples)
    assert replace(form, guidelines="Irony fails.\n\n Sarcasm too. ").criterion(before).guidelines == [
        "Irony fails.",
        "Sarcasm too.",
    ]
    assert replace(form, guidelines="").criterion(before).content().get("guidelines") is None
