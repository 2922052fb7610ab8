"""Checks: the assertions of a test with their defaults, templates and sets."""

from __future__ import annotations

from suite_files import Load


def test_values_items_and_metrics_are_filled_and_the_written_value_is_kept(load: Load) -> None:
    asserted = [{"type": "contains-any", "value": ["{{q}}", "b"], "metric": "m-{{q}}", "weight": 2}]
    check = load(tests=[{"vars": {"q": "a"}, "assert": asserted}]).cases[0].checks[0]
    assert (check.value, check.metric, check.weight) == (["a", "b"], "m-a", 2)
    assert check.written == ["{{q}}", "b"]


def test_a_set_keeps_its_children_and_a_reference_is_replaced(load: Load) -> None:
    suite = load(
        assertionTemplates={"paris": {"type": "contains", "value": "Paris"}},
        tests=[
            {
                "vars": {"q": 1},
                "assert": [
                    {
                        "type": "assert-set",
                        "threshold": 0.5,
                        "assert": [{"$ref": "#/assertionTemplates/paris", "weight": 3}],
                    }
                ],
            }
        ],
    )
    check = suite.cases[0].checks[0]
    assert check.threshold == 0.5
    assert [(child.value, child.weight) for child in check.children] == [("Paris", 3)]


def test_a_file_is_its_content_and_code_stays_a_name(load: Load) -> None:
    asserted = [
        {"type": "is-json", "value": "file://schema.json"},
        {"type": "contains", "value": "file://words.txt"},
        {"type": "python", "value": "file://check.py"},
    ]
    files: dict[str, str | bytes] = {"schema.json": '{"type": "object"}', "words.txt": " Hi \n"}
    checks = load(files, tests=[{"vars": {"q": 1}, "assert": asserted}]).cases[0].checks
    assert [check.value for check in checks] == [{"type": "object"}, "Hi", "file://check.py"]


def test_a_prompt_for_judges_may_lie_in_a_file(load: Load) -> None:
    files: dict[str, str | bytes] = {"judge.txt": "Judge {{output}}", "judge.yaml": "- role: system"}
    test = {
        "vars": {"q": 1},
        "options": {"rubricPrompt": "file://judge.txt"},
        "assert": [{"type": "llm-rubric", "value": "x", "rubricPrompt": "file://judge.yaml"}],
    }
    case = load(files, tests=[test]).cases[0]
    assert case.options["rubricPrompt"] == "Judge {{output}}"
    assert case.checks[0].options["rubricPrompt"] == '[{"role":"system"}]'
