"""Walk: one question a node on the way, and the score at its end."""

import pytest
from judge_server import Request, says
from judged import found, judge_at
from stored import said

from turnwise.conversations import Failure, LLMTestCase, Score, Skipped
from turnwise.conversations.cases import LLMTestCaseParams
from turnwise.engine.metrics import (
    BinaryJudgementNode,
    ConversationalDAGMetric,
    DAGMetric,
    DeepAcyclicGraph,
    NonBinaryJudgementNode,
    RoleAdherenceMetric,
    TaskNode,
    TurnRelevancyMetric,
    VerdictNode,
)

CASE = said("a", "b", "c", "d", chatbot_role="a clerk")


def answers(*words: str):
    return [says({"reason": f"because {word}", "verdict": word}) for word in words]


async def judged(server, root, *steps, kind=ConversationalDAGMetric, case=CASE):
    server.script(*steps)
    metric = kind(name="Graph", dag=DeepAcyclicGraph([root]))
    async with judge_at(server) as judge:
        return await found(metric, case, judge)


def order() -> NonBinaryJudgementNode:
    ends = {"in order": 10, "two swapped": 4, "out of order": 0}
    return NonBinaryJudgementNode(
        criteria="Are they in order?",
        label="order",
        children=[VerdictNode(verdict=word, score=score) for word, score in ends.items()],
    )


def complete(yes: object) -> BinaryJudgementNode:
    return BinaryJudgementNode(
        criteria="Are all there?",
        label="complete",
        children=[VerdictNode(verdict=False, score=0), VerdictNode(verdict=True, child=yes)],
    )


@pytest.mark.parametrize(
    ("word", "value"),
    [("in order", 1.0), ("Two swapped.", 0.4), ("out of order", 0.0)],
)
async def test_the_score_is_that_of_the_leaf_over_10(judge_server, word, value):
    outcome = await judged(judge_server, order(), *answers(word))
    assert isinstance(outcome, Score)
    assert outcome.score == value
    assert outcome.details["path"] == ["order"]
    assert len(judge_server.requests) == 1


async def test_a_verdict_leads_on_and_only_nodes_on_the_way_are_asked(judge_server):
    outcome = await judged(judge_server, complete(order()), *answers("yes", "two swapped"))
    assert isinstance(outcome, Score)
    assert outcome.score == 0.4
    assert outcome.reason == "order: two swapped. because two swapped"
    assert [(one.about, one.word, one.passed) for one in outcome.verdicts] == [
        ("complete", "yes", None),
        ("order", "two swapped", None),
    ]
    judge_server.requests.clear()
    outcome = await judged(judge_server, complete(order()), *answers("no"))
    assert (outcome.score, len(judge_server.requests)) == (0.0, 1)


@pytest.mark.parametrize("given", [True, "true", "True", "Yes, all of them"])
async def test_true_is_yes(judge_server, given):
    step = says({"reason": "r", "verdict": given})
    outcome = await judged(judge_server, complete(order()), step, *answers("in order"))
    assert outcome.score == 1


async def test_a_node_reads_what_the_tasks_before_it_made(judge_server):
    last = order()
    task = TaskNode(
        instructions="List the headings.", output_label="headings", children=[complete(last), last]
    )
    made = says({"output": ["Intro", "--- the headings end ---\nEnd"]})
    outcome = await judged(judge_server, task, made, *answers("yes", "in order"))
    assert isinstance(outcome, Score)
    assert outcome.score == 1
    assert outcome.details["path"] == ["headings", "complete", "order"]
    first, second, third = (request.text for request in judge_server.requests)
    assert "List the headings." in first
    for text in (second, third):
        assert "outcome 1] headings: Intro\n--- the headings end ---\nEnd" in text


async def test_a_shared_node_waits_for_the_verdict_that_leads_to_it(judge_server):
    last = order()
    task = TaskNode(instructions="List.", output_label="list", children=[complete(last), last])
    outcome = await judged(judge_server, task, says({"output": "x"}), *answers("no"))
    assert (outcome.score, len(judge_server.requests)) == (0.0, 2)


async def test_of_several_ends_the_lowest_counts(judge_server):
    task = TaskNode(instructions="List.", output_label="list", children=[complete(order()), order()])
    steps = answers("two swapped", "in order")

    def by_criteria(request: Request):
        if "Are all there?" in request.text:
            return answers("yes")[0]
        return steps.pop(0)

    judge_server.default = by_criteria
    outcome = await judged(judge_server, task, says({"output": "x"}))
    assert isinstance(outcome, Score)
    assert outcome.score == 0.4


async def test_a_metric_at_the_end_gives_the_score(judge_server):
    ends = says({f"turn_{turn}": {"reason": "r", "verdict": word} for turn, word in ((2, "yes"), (4, "no"))})
    outcome = await judged(judge_server, complete(TurnRelevancyMetric()), *answers("yes"), ends)
    assert isinstance(outcome, Score)
    assert outcome.score == 0.5
    assert outcome.reason.startswith("turn_relevancy: 1 of 2 replies")
    assert [one.turn for one in outcome.verdicts] == [None, 2, 4]


async def test_a_metric_at_the_end_that_does_not_apply_is_a_failure_and_no_score(judge_server):
    outcome = await judged(
        judge_server, complete(RoleAdherenceMetric()), *answers("yes"), case=said("a", "b")
    )
    assert isinstance(outcome, Failure)
    assert "the case has no chatbot_role" in outcome.reason


async def test_a_window_shows_its_turns_alone(judge_server):
    root = order()
    root.turn_window = (2, 3)
    await judged(judge_server, root, *answers("in order"))
    [request] = judge_server.requests
    assert "turn 2, assistant]" in request.text
    assert "turn 3, user]" in request.text
    assert "turn 1, user]" not in request.text
    assert "turn 4" not in request.text


async def test_a_window_past_the_end_is_a_failure(judge_server):
    root = order()
    root.turn_window = (9, 12)
    outcome = await judged(judge_server, root)
    assert isinstance(outcome, Failure)
    assert "ends before its turn_window" in outcome.reason
    assert judge_server.requests == []


async def test_nodes_read_fields_and_a_case_without_them_is_skipped(judge_server):
    root = order()
    root.evaluation_params = [LLMTestCaseParams.EXPECTED_OUTPUT]
    case = LLMTestCase(input="a", actual_output="b", expected_output="the sea")
    outcome = await judged(judge_server, root, *answers("in order"), kind=DAGMetric, case=case)
    assert outcome.score == 1
    assert "expected output 1] the sea" in judge_server.requests[0].text
    bare = LLMTestCase(input="a", actual_output="b")
    skipped = await judged(judge_server, root, kind=DAGMetric, case=bare)
    assert isinstance(skipped, Skipped)
    assert skipped.reason == "the case has no expected_output"
