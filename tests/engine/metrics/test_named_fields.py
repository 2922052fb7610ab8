"""Named fields: what a judge is told to read beside what was said."""

from turnwise.conversations import LLMTestCase, LLMTestCaseParams, ToolCall
from turnwise.engine.metrics.named_fields import fields_missing, fields_shown
from turnwise.engine.metrics.subject import Subject

CASE = LLMTestCase(
    input="a",
    actual_output="b",
    context=["one", "two"],
    tools_called=[ToolCall(name="find", input_parameters={"q": 1}, output=2)],
    metadata={"shop": 3},
)
WHOLE = Subject.of(CASE)
SUBJECT = WHOLE.at(WHOLE.exchanges[0])
P = LLMTestCaseParams


def test_fields_are_fenced_with_their_names():
    shown = fields_shown([P.CONTEXT, P.TOOLS_CALLED, P.METADATA], SUBJECT, "aa")
    assert "[aa context 1] one\n[aa context 2] two" in shown
    assert '[aa tools called 1] find({"q": 1}) gave 2' in shown
    assert '[aa metadata 1] {"shop": 3}' in shown


def test_what_the_transcript_holds_is_not_shown_again():
    assert fields_shown([P.INPUT, P.ACTUAL_OUTPUT], SUBJECT, "aa") == ""


def test_what_is_missing_is_named():
    assert fields_missing([P.INPUT, P.CONTEXT], SUBJECT) == ""
    assert fields_missing([P.SCENARIO, P.EXPECTED_OUTPUT], SUBJECT) == (
        "the case has no scenario and no expected_output"
    )
