"""Variables that a prompt shows and a test does not have."""

from typing import Any

import pytest
from suite_files import Load, prompts

from turnwise.conversations.formats.promptfoo.undefined import names_shown


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("{{ a }} {{b.c | upper}} {{a}}", ("a", "b")),
        ("{% for a in items %}{{ a }}{{ b }}{% endfor %}", ("b",)),
        ("{% set a = 1 %}{{ a }}", ()),
        ("{% if a %}{{ a }}{% endif %}", ()),
        ("{{ a | default('x') }} {{ b or c }} {{ d if e }}", ()),
        ("{% raw %}{{ a }}{% endraw %}{# {{ b }} #}", ()),
        ("{{ env.HOME }} {{ 'a' }} {{ _conversation.length }}", ()),
    ],
)
def test_names_that_are_shown_wherever_a_prompt_is_asked(prompt: str, names: tuple[str, ...]) -> None:
    assert names_shown(prompt) == names


def test_a_misspelt_variable_is_a_problem_of_its_case_with_the_nearest_name(load: Load) -> None:
    suite = load(prompts=["Say {{qestion}}"], tests=[{"vars": {"question": "a", "other": "b"}}])
    assert "test 1, prompt Say {{qestion}}: no variable is called qestion" in suite.cases[0].problem
    assert "Did you mean question?" in suite.cases[0].problem


def test_a_variable_that_is_not_there_is_told_once(load: Load) -> None:
    tests: list[Any] = [{"vars": {"q": "a"}}, {"vars": {"q": "b"}}]
    suite = load(prompts=["{{question}}"], tests=tests)
    assert suite.warnings == (
        "promptfooconfig.yaml, test 1, prompt {{question}}: no variable is called question, "
        "so that nothing stands in its place. Did you mean q?",
    )
    assert not any(case.problem for case in suite.cases)


def test_a_misspelt_variable_in_the_value_of_a_check_is_a_problem_too(load: Load) -> None:
    rubric = {"type": "llm-rubric", "value": "mentions {{anmial}}"}
    for check in (
        rubric,
        {"type": "assert-set", "assert": [{"type": "contains-any", "value": ["{{anmial}}"]}]},
    ):
        test = {"vars": {"q": "x", "animal": "otter"}, "assert": [check]}
        assert "Did you mean animal?" in load(tests=[test]).cases[0].problem
        assert not load(tests=[test], compat=True).cases[0].problem


def test_a_variable_of_a_value_that_is_not_there_is_told(load: Load) -> None:
    check = {"type": "llm-rubric", "value": "mentions {{creature}} or {{other | default('a heron')}}"}
    suite = load(tests=[{"vars": {"q": "x"}, "assert": [check]}])
    assert not suite.cases[0].problem
    [warning] = suite.warnings
    assert "assert 1: no variable is called creature" in warning


def test_what_an_earlier_test_keeps_is_there(load: Load) -> None:
    tests = [
        {"vars": {"q": "a"}, "options": {"storeOutputAs": "first"}, "prompts": ["one"]},
        {"vars": {"q": "b"}, "prompts": ["two"]},
    ]
    two = [{"label": "one", "raw": "{{q}}"}, {"label": "two", "raw": "{{q}} {{first}}"}]
    assert not load(prompts=two, tests=tests).warnings


def test_as_promptfoo_nothing_stands_in_its_place(load: Load) -> None:
    suite = load(prompts=["Say {{qestion}}"], tests=[{"vars": {"question": "a"}}], compat=True)
    assert prompts(suite) == ["Say "]
    assert "Did you mean question?" in suite.warnings[0]
