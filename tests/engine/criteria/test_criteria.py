"""Criteria files: what good means, in YAML, and what is wrong with one."""

import pytest

from turnwise.conversations.cases import LLMTestCaseParams
from turnwise.conversations.errors import FormatError
from turnwise.engine.criteria.criteria import load_criteria
from turnwise.engine.metrics import ConversationalGEval, GEval


@pytest.fixture
def criteria(tmp_path):
    def load(text: str):
        path = tmp_path / "criteria.yaml"
        path.write_text(text, encoding="utf-8")
        return load_criteria(path)

    return load


def test_a_file_holds_one_criterion(criteria):
    [one] = criteria("name: Polite\ncriteria: Stays polite.\nthreshold: 0.7\n")
    metric = one.metric()
    assert isinstance(metric, ConversationalGEval)
    assert (metric.name, metric.criteria, metric.threshold) == ("Polite", "Stays polite.", 0.7)


def test_a_file_holds_several_criteria_with_all_they_may_say(criteria):
    first, second = criteria(
        """
- name: Polite
  steps: [Look for thanks., Look for greetings.]
  rubric:
    - {score_range: [1, 2], expected_outcome: bad}
    - {score_range: [3, 5], expected_outcome: good}
  strict: yes
- name: Right
  criteria: The answer is right.
  scope: exchange
  parameters: [expected_output]
"""
    )
    polite, right = first.metric(), second.metric()
    assert polite.evaluation_steps == ["Look for thanks.", "Look for greetings."]
    assert polite.range == (1, 5)
    assert polite.strict_mode
    assert isinstance(right, GEval)
    assert right.evaluation_params == [LLMTestCaseParams.EXPECTED_OUTPUT]


def test_deepevals_names_are_understood(criteria):
    [one] = criteria("name: P\nevaluation_steps: [a]\nevaluation_params: [context]\nstrictMode: true\n")
    assert one.metric().evaluation_steps == ["a"]
    assert one.metric().strict_mode


def test_where_steps_stand_beside_criteria_they_are_what_is_judged_by(criteria):
    [one] = criteria("name: a\ncriteria: x\nsteps: [y]")
    assert one.criteria == "x"
    assert (one.metric().criteria, one.metric().evaluation_steps) == (None, ["y"])
    [bare] = criteria("name: a\ncriteria: x\nsteps: []")
    assert (bare.metric().criteria, bare.metric().evaluation_steps) == ("x", None)


def test_what_a_criterion_says_is_told_in_a_readers_order(criteria):
    [one] = criteria("threshold: 0.5\nsteps: [y]\nname: a\nstrict: false\nparameters: [context]\n")
    assert list(one.content().items()) == [("name", "a"), ("steps", ["y"]), ("parameters", ["context"])]


def test_a_version_is_named_by_all_that_the_criterion_says(criteria):
    [one] = criteria("name: a\ncriteria: x\n")
    [same] = criteria("# a remark\ncriteria: 'x'\nname: a\nthreshold: 0.5\n")
    [other] = criteria("name: a\ncriteria: x\nthreshold: 0.6\n")
    assert one.fingerprint == same.fingerprint
    assert one.fingerprint != other.fingerprint
    assert one.metric().fingerprint == other.metric().fingerprint


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "holds no criterion"),
        ("[]", "holds no criterion"),
        ("name: [", "is not YAML"),
        ("name: a\n  b: c", "line 2"),
        ("just words", "expected an object with named values"),
        ("criteria: x", "name: required"),
        ("name: a", "give criteria or evaluation_steps"),
        ("name: a\ncriteria: x\ntreshold: 0.5", "did you mean threshold?"),
        ("name: a\ncriteria: x\nthreshold: high", 'threshold: expected a number; got "high"'),
        ("name: a\ncriteria: x\nthreshold: 5", "between 0 and 1"),
        ("name: a\ncriteria: x\nscope: turn", "expected 'conversation' or 'exchange'"),
        (
            "name: a\ncriteria: x\nrubric:\n"
            "- {score_range: [0, 5], expected_outcome: x}\n- {score_range: [5, 9], expected_outcome: y}",
            "overlap",
        ),
        ("- {name: a, criteria: x}\n- {name: b}", "criterion 2"),
        ("name: !!python/object/apply:os.system [ls]", "not YAML"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_place(criteria, text, told):
    with pytest.raises(FormatError) as caught:
        criteria(text)
    assert told in str(caught.value)
    assert "criteria.yaml" in caught.value.title


def test_a_file_that_cannot_be_read_is_told(tmp_path):
    with pytest.raises(FormatError, match=r"away\.yaml cannot be read"):
        load_criteria(tmp_path / "away.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="not text in UTF-8"):
        load_criteria(tmp_path / "bytes.yaml")
