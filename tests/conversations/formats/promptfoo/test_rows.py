"""Rows: what the tests, prompts and targets of a configuration expand to."""

from __future__ import annotations

from suite_files import Load, prompts


def test_a_list_of_texts_is_a_row_for_each_and_the_last_variable_changes_fastest(load: Load) -> None:
    suite = load(
        prompts=["{{a}}{{b}}{{n}}"], tests=[{"vars": {"a": ["x", "y"], "b": ["1", "2"], "n": [7, 8]}}]
    )
    assert prompts(suite) == ["x17,8", "x27,8", "y17,8", "y27,8"]
    assert [case.index for case in suite.cases] == [0, 1, 2, 3]


def test_expansion_can_be_turned_off(load: Load) -> None:
    test = {"vars": {"q": ["a", "b"]}, "options": {"disableVarExpansion": True}}
    assert prompts(load(tests=[test])) == ["a,b"]


def test_every_target_gets_every_prompt_it_takes(load: Load) -> None:
    suite = load(
        prompts=[{"raw": "A {{q}}", "label": "first"}, {"raw": "B {{q}}", "id": "second"}],
        providers=["echo", {"id": "openai:gpt-4.1", "label": "big", "prompts": ["second"]}],
        tests=[{"vars": {"q": "x"}}, {"vars": {"q": "y"}, "prompts": ["first"]}],
    )
    assert [(case.prompt, case.target.id if case.target else "") for case in suite.cases] == [
        ("A x", "echo"),
        ("B x", "echo"),
        ("B x", "openai:gpt-4.1"),
        ("A y", "echo"),
    ]


def test_the_default_test_gives_what_a_test_leaves_out(load: Load) -> None:
    suite = load(
        defaultTest={
            "vars": {"q": "d", "r": 1},
            "assert": [{"type": "contains", "value": "d"}],
            "threshold": 0.5,
            "metadata": {"k": "d"},
            "options": {"suffix": "!"},
        },
        tests=[{"vars": {"q": "t"}, "threshold": 0, "assert": [{"type": "not-equals", "value": "{{r}}"}]}],
    )
    case = suite.cases[0]
    assert case.prompt == "t!"
    assert case.threshold == 0
    assert case.metadata == {"k": "d"}
    assert [(check.type, check.negate, check.value) for check in case.checks] == [
        ("contains", False, "d"),
        ("equals", True, "1"),
    ]


def test_a_scenario_is_its_tests_for_each_data_set(load: Load) -> None:
    suite = load(
        prompts=["{{a}}{{b}}"],
        tests=[{"vars": {"a": "t"}}],
        scenarios=[
            {
                "config": [{"vars": {"a": "1"}}, {"vars": {"a": "2"}}],
                "tests": [{"vars": {"b": "x"}, "description": "x"}, {"vars": {"b": "y"}}],
            }
        ],
    )
    assert prompts(suite) == ["t", "1x", "1y", "2x", "2y"]
    assert suite.cases[1].description == "x"
    assert [case.metadata.get("conversationId") for case in suite.cases] == [
        None,
        *["__scenario_0__"] * 2,
        *["__scenario_1__"] * 2,
    ]


def test_prompts_alone_are_one_case(load: Load) -> None:
    assert prompts(load(prompts=["Hello"])) == ["Hello"]


def test_an_answer_in_the_file_is_the_output(load: Load) -> None:
    suite = load(tests=[{"vars": {"q": 1}, "providerOutput": "given"}, {"providerOutput": "", "vars": {}}])
    assert [case.output for case in suite.cases] == ["given", None]


def test_the_options_of_a_data_set_count_under_those_of_the_test(load: Load) -> None:
    data = [{"vars": {"q": "x"}, "options": {"prefix": "P "}}]
    tests = [{}, {"options": {"prefix": "T "}}]
    tests = [{"vars": {"n": 1}, **test} for test in tests]
    for compat in (True, False):
        suite = load(scenarios=[{"config": data, "tests": tests}], compat=compat)
        assert prompts(suite) == ["P x", "T x"]


def test_a_scenario_without_tests_tests_its_data_but_for_promptfoo(load: Load) -> None:
    scenarios = [{"config": [{"vars": {"q": "x"}}]}]
    assert prompts(load(scenarios=scenarios)) == ["x"]
    assert prompts(load(scenarios=scenarios, compat=True)) == []


def test_a_name_with_a_star_lets_every_target_through_that_begins_so(load: Load) -> None:
    providers = [{"id": "echo", "label": "small-1"}, {"id": "echo", "label": "big"}]
    suite = load(providers=providers, tests=[{"vars": {"q": "x"}, "providers": ["sm*"]}])
    assert [case.target.label for case in suite.cases if case.target] == ["small-1"]
