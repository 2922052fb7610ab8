"""Goal accuracy, tool use, MCP task completion and MCP use: grades of exchanges, and means of them."""

import pytest
from judge_server import Request, says
from judged import asked_about, found, judge_at
from judged_metrics import graded, with_tools
from stored import said

from turnwise.conversations import Score, Skipped, ToolCall
from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics import (
    GoalAccuracyMetric,
    MCPTaskCompletionMetric,
    MCPUseMetric,
    Metric,
    ToolUseMetric,
)
from turnwise.engine.metrics.registry import make_metric
from turnwise.engine.metrics.subject import Subject

TOOLS = ToolUseMetric(available_tools=[ToolCall(name="find", description="Looks it up"), "book"])


async def judged(server, metric: Metric, case, *replies, **settings) -> Score:
    server.script(*map(says, replies))
    async with judge_at(server, **settings) as judge:
        outcome = await found(metric, case, judge)
    assert isinstance(outcome, Score)
    return outcome


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        ({"goal": 4, "plan": 4}, {"goal": 4, "plan": 4}, 1.0),
        ({"goal": 4, "plan": 2}, {"goal": 0, "plan": 1}, (1 / 2 + 3 / 8) / 2),
        ({"goal": 0, "plan": 0}, {"goal": 0, "plan": 0}, 0.0),
        ({"goal": "3", "plan": 3.0}, {"goal": 3, "plan": 3}, 0.75),
    ],
)
async def test_goal_accuracy_is_the_mean_of_two_means(judge_server, first, second, value):
    reply = {**graded(3, **first), **graded(5, **second)}
    outcome = await judged(judge_server, GoalAccuracyMetric(), with_tools(), reply)
    assert outcome.score == pytest.approx(value)
    assert asked_about(judge_server.requests[0]) == [3, 5]
    assert len(judge_server.requests) == 1
    assert 'find({"q": "It lies by the sea"}) gave "It lies by the sea"' in judge_server.requests[0].text


async def test_the_reason_gives_the_means_and_the_lowest_grade(judge_server):
    reply = {**graded(3, goal=4, plan=4), **graded(5, goal=4, plan=1)}
    outcome = await judged(judge_server, GoalAccuracyMetric(), with_tools(), reply)
    assert outcome.reason == (
        "On average goal 1 and plan 0.62 over 2 exchanges; the lowest is plan 1 of 4 at turn 5: reason 5"
    )
    assert [(verdict.turn, verdict.about, verdict.passed) for verdict in outcome.verdicts] == [
        (3, "goal", True),
        (3, "plan", True),
        (5, "goal", True),
        (5, "plan", False),
    ]
    perfect = await judged(judge_server, GoalAccuracyMetric(), said("a", "b"), graded(2, goal=4, plan=4))
    assert perfect.reason == "On average goal 1 and plan 1 over 1 exchange."


@pytest.mark.parametrize("wrong", [5, -1, 1.5, "high", None, True])
async def test_a_grade_out_of_range_is_asked_again_and_never_clamped(judge_server, wrong):
    first = {**graded(3, goal=wrong, plan=4), **graded(5, goal=4, plan=4)}
    outcome = await judged(judge_server, GoalAccuracyMetric(), with_tools(), first, graded(3, goal=2, plan=2))
    assert outcome.score == 0.75
    assert outcome.details["unreadable"] == [3]
    assert [asked_about(request) for request in judge_server.requests] == [[3, 5], [3]]


async def test_what_nobody_answered_scores_nothing(judge_server):
    outcome = await judged(judge_server, GoalAccuracyMetric(), said("a"))
    assert (outcome.score, outcome.reason) == (0.0, "There is no exchange to judge.")
    assert judge_server.requests == []


@pytest.mark.parametrize(
    ("selection", "arguments", "value"), [((4, 4), 4, 1.0), ((4, 0), 4, 0.5), ((4, 4), 1, 0.25)]
)
async def test_tool_use_is_the_lesser_of_two_means(judge_server, selection, arguments, value):
    reply = {
        **graded(3, selection=selection[0], arguments=arguments),
        **graded(5, selection=selection[1]),
    }
    outcome = await judged(judge_server, TOOLS, with_tools(), reply)
    assert outcome.score == value
    [request] = judge_server.requests
    schema = request.body["response_format"]["json_schema"]["schema"]["properties"]
    assert list(schema["turn_3"]["properties"]) == ["reason", "selection", "arguments", "sentence"]
    assert list(schema["turn_5"]["properties"]) == ["reason", "selection", "sentence"]
    assert "Looks it up" in request.text


async def test_without_a_tool_call_tool_use_is_0_and_nobody_is_asked(judge_server):
    outcome = await judged(judge_server, TOOLS, said("a", "b"))
    assert (outcome.score, outcome.reason) == (0.0, "No tool was called.")
    assert judge_server.requests == []


def test_the_tools_are_needed_and_may_be_typed():
    assert make_metric("tool_use:find, book").available_tools == ["find", "book"]
    with pytest.raises(SettingError, match="needs available_tools"):
        ToolUseMetric()


@pytest.mark.parametrize(("grade", "value"), [(4, 1.0), (3, 0.75), (0, 0.0)])
async def test_mcp_task_completion_grades_tasks_alone(judge_server, grade, value):
    outcome = await judged(judge_server, MCPTaskCompletionMetric(), with_tools(), graded(3, task=grade))
    assert outcome.score == value
    # The second exchange has two turns and uses no server.
    assert asked_about(judge_server.requests[0]) == [3]


@pytest.mark.parametrize(("use", "arguments", "value"), [(4, 4, 1.0), (4, 1, 0.25), (2, 4, 0.5)])
async def test_mcp_use_is_the_lesser_of_two_means(judge_server, use, arguments, value):
    outcome = await judged(
        judge_server, MCPUseMetric(), with_tools(), graded(3, use=use, arguments=arguments)
    )
    assert outcome.score == value
    assert "maps" in judge_server.requests[0].text


@pytest.mark.parametrize("metric", [MCPTaskCompletionMetric(), MCPUseMetric()])
async def test_without_a_task_the_score_is_1_and_without_servers_it_is_skipped(judge_server, metric):
    outcome = await judged(judge_server, metric, said("a", "b", mcp_servers=["maps"]))
    assert outcome.score == 1
    async with judge_at(judge_server) as judge:
        skipped = await found(metric, said("a", "b"), judge)
    assert isinstance(skipped, Skipped)
    assert skipped.reason == "the case has no mcp_servers"
    assert judge_server.requests == []


@pytest.mark.parametrize(
    ("metric", "calls", "value"),
    [
        (GoalAccuracyMetric(), 4, (1 + 0) / 2),
        (TOOLS, 3, 0.0),
        (MCPTaskCompletionMetric(), 1, 1.0),
        (MCPUseMetric(), 2, 0.0),
    ],
)
async def test_a_small_judge_gives_each_grade_as_yes_or_no(judge_server, metric, calls, value):
    """It says yes to the first grade of every exchange, and no to the second."""

    def one(request: Request):
        ask = request.body["messages"][-1]["content"].split("\n")[-1]
        second = any(words in ask for words in ("a good one", "Do the tool calls", "Do the calls"))
        return says({"reason": "second" if second else "first", "verdict": "no" if second else "yes"})

    judge_server.default = one
    outcome = await judged(judge_server, metric, with_tools(), items_per_question=1)
    assert outcome.score == value
    assert len(judge_server.requests) == calls
    assert outcome.verdicts[0].reason == ("first" if calls == 1 else "second")


def test_another_argument_of_a_tool_is_another_case():
    one, other = (Subject.of(with_tools(text=text)) for text in ("a", "b"))
    same = Subject.of(with_tools(text="a"))
    for metric in (GoalAccuracyMetric(), TOOLS, MCPUseMetric(), MCPTaskCompletionMetric()):
        assert {"tools_called"} <= set(metric.reads)
        assert one.reads(metric.reads) == same.reads(metric.reads) != other.reads(metric.reads)
