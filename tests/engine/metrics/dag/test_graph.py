"""Graph: what a graph may be, and what a file may say of one."""

import pytest
from shared_data import REPOSITORY

from turnwise.conversations.cases import LLMTestCaseParams
from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics import (
    BinaryJudgementNode,
    ConversationalDAGMetric,
    DAGMetric,
    DeepAcyclicGraph,
    NonBinaryJudgementNode,
    RoleAdherenceMetric,
    TaskNode,
    VerdictNode,
)
from turnwise.engine.metrics.dag.graph import graph_of, load_graph
from turnwise.engine.metrics.dag.nodes import Node
from turnwise.engine.metrics.registry import make_metric


def yes_no(yes: object = 10, no: object = 0, **fields: object) -> BinaryJudgementNode:
    def verdict(answer: bool, then: object) -> VerdictNode:
        end = {"score": then} if isinstance(then, int | float) else {"child": then}
        return VerdictNode(verdict=answer, **end)

    return BinaryJudgementNode(criteria="Is it?", children=[verdict(True, yes), verdict(False, no)], **fields)


def test_nodes_come_before_what_they_lead_to_and_each_once():
    last = yes_no()
    task = TaskNode(instructions="List.", output_label="list", children=[yes_no(yes=last), last])
    graph = DeepAcyclicGraph([task])
    assert len(graph.nodes) == len(set(graph.nodes)) == 7
    places = {node: place for place, node in enumerate(graph.nodes)}
    assert all(places[parent] < places[node] for node in graph.nodes for parent in graph.parents[node])
    assert {type(parent) for parent in graph.parents[last]} == {TaskNode, VerdictNode}


def circle() -> Node:
    inner = TaskNode(instructions="x", output_label="inner")
    outer = TaskNode(instructions="x", output_label="outer", children=[inner])
    inner.children.append(outer)
    return outer


@pytest.mark.parametrize(
    ("roots", "told"),
    [
        (list, "exactly one root"),
        (lambda: [yes_no(), yes_no()], "exactly one root"),
        (lambda: [VerdictNode(verdict=True, score=1)], "a verdict cannot be one"),
        (lambda: [circle()], "in circles"),
        (lambda: [TaskNode(instructions="x", output_label="x")], "leads nowhere"),
        (lambda: [BinaryJudgementNode(criteria="x")], "leads nowhere"),
        (
            lambda: [
                TaskNode(instructions="x", output_label="x", children=[VerdictNode(verdict="a", score=1)])
            ],
            "never to a verdict",
        ),
        (lambda: [BinaryJudgementNode(criteria="x", children=[yes_no()])], "verdicts alone"),
        (
            lambda: [BinaryJudgementNode(criteria="x", children=[VerdictNode(verdict=True, score=1)])],
            "one verdict for True and one for False",
        ),
        (
            lambda: [
                BinaryJudgementNode(
                    criteria="x", children=[VerdictNode(verdict=one, score=1) for one in ("True", "False")]
                )
            ],
            "one verdict for True and one for False",
        ),
        (
            lambda: [
                NonBinaryJudgementNode(
                    criteria="x", children=[VerdictNode(verdict=one, score=1) for one in ("a", "A ")]
                )
            ],
            "each once",
        ),
        (
            lambda: [NonBinaryJudgementNode(criteria="x", children=[VerdictNode(verdict=True, score=1)])],
            "each once",
        ),
    ],
)
def test_what_is_no_graph_is_refused(roots, told):
    with pytest.raises(SettingError, match=told):
        DeepAcyclicGraph(roots())


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, "either to a score or to a child"),
        ({"score": 1, "child": yes_no()}, "either to a score or to a child"),
        ({"score": 11}, "from 0 to 10"),
        ({"score": -1}, "from 0 to 10"),
    ],
)
def test_a_verdict_leads_to_one_thing(fields, told):
    with pytest.raises(SettingError, match=told):
        VerdictNode(verdict=True, **fields)


@pytest.mark.parametrize("window", [(0, 3), (4, 3), (-1, -1)])
def test_a_window_counts_turns_from_1(window):
    with pytest.raises(SettingError, match="counted from 1"):
        yes_no(turn_window=window)


def test_another_graph_is_another_metric_and_the_same_is_the_same():
    one, same, other = (DAGMetric(name="n", dag=DeepAcyclicGraph([yes_no(yes=score)])) for score in (8, 8, 9))
    assert one.fingerprint == same.fingerprint != other.fingerprint
    child = ConversationalDAGMetric(name="n", dag=DeepAcyclicGraph([yes_no(yes=RoleAdherenceMetric())]))
    assert "chatbot_role" in child.reads


def test_the_metrics_take_what_fits_them():
    with pytest.raises(SettingError, match="needs a graph"):
        DAGMetric(name="n")
    with pytest.raises(SettingError, match="turn_window is for conversations"):
        DAGMetric(name="n", dag=DeepAcyclicGraph([yes_no(turn_window=(1, 2))]))
    with pytest.raises(SettingError, match="judges something else"):
        DAGMetric(name="n", dag=DeepAcyclicGraph([yes_no(yes=RoleAdherenceMetric())]))


FILE = """
bookings:
  task: List the bookings that the chatbot made.
  output: made bookings
  then: [confirmed, made]
confirmed:
  ask: Did the user confirm every booking before it was made?
  parameters: [scenario]
  turns: [1, 4]
  answers: {yes: made, no: 0}
made:
  ask: How many are what the user wanted?
  answers: {all of them: 10, some: 4, none: {metric: turn_relevancy}}
"""


def test_a_file_holds_named_nodes(tmp_path):
    path = tmp_path / "graph.yaml"
    path.write_text(FILE, encoding="utf-8")
    graph = load_graph(path)
    assert isinstance(graph.root, TaskNode)
    assert (graph.root.title, graph.root.output_label) == ("bookings", "made bookings")
    confirmed, made = graph.root.children
    assert isinstance(confirmed, BinaryJudgementNode)
    assert confirmed.evaluation_params == [LLMTestCaseParams.SCENARIO]
    assert confirmed.turn_window == (1, 4)
    assert confirmed.children[0].child is made
    assert made.words == ["all of them", "some", "none"]
    assert [metric.key for metric in graph.metrics] == ["turn_relevancy"]
    metric = make_metric(f"conversational_dag:{path}")
    assert metric.settings()["dag"] == graph.description()


def test_the_example_of_the_documentation_is_a_graph():
    graph = load_graph(REPOSITORY / "docs" / "examples" / "bookings-graph.yaml")
    assert [node.title for node in graph.asking] == ["bookings", "confirmed", "wanted"]


ASK = {"ask": "Is it?", "answers": {"yes": 10, "no": 0}}


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ([], "a node under each name"),
        ({"a": "text"}, "a node is an object"),
        ({"a": {**ASK, "question": "?"}}, "no such field"),
        ({"a": {**ASK, "answer": "?"}}, "Did you mean answers?"),
        ({"a": {"ask": "Is it?"}}, "a task, or ask with answers"),
        ({"a": {"answers": {"yes": 1}}}, "a task, or ask with answers"),
        ({"a": {"task": "x", "then": "b"}}, "There is no node b"),
        ({"a": {"task": "x"}}, "leads nowhere"),
        ({"a": {"task": "x", "then": "a"}}, "in circles"),
        ({"a": {"ask": "x", "answers": {"yes": "b", "no": 0}}, "b": {"task": "x", "then": "a"}}, "circles"),
        ({"a": ASK, "b": ASK}, "exactly one root"),
        ({"a": {"ask": "x", "answers": {"yes": True, "no": 0}}}, "leads to a number"),
        ({"a": {"ask": "x", "answers": {"yes": {"metric": "x", "y": 1}, "no": 0}}}, "leads to a number"),
        ({"a": {"ask": "x", "answers": {"yes": 11, "no": 0}}}, "from 0 to 10"),
        ({"a": {**ASK, "parameters": ["colour"]}}, "fields of a case"),
        ({"a": {**ASK, "turns": [1]}}, "first and the last turn"),
    ],
)
def test_what_a_file_says_wrongly_is_told(data, told):
    with pytest.raises(SettingError, match=told):
        graph_of(data)


@pytest.mark.parametrize("text", [None, "a: [", "a: {ask: x}"])
def test_a_file_that_cannot_be_read_is_named(tmp_path, text):
    path = tmp_path / "graph.yaml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingError, match=r"graph\.yaml"):
        load_graph(path)


class TestWhatIsNoNode:
    """A text where a node belongs is told as a setting, wherever it stands."""

    @pytest.mark.parametrize(
        "make",
        [
            lambda: VerdictNode(verdict=True, child="polite"),
            lambda: TaskNode(instructions="List.", output_label="list", children=["polite"]),
            lambda: BinaryJudgementNode(criteria="Polite?", children="yes"),
            lambda: DeepAcyclicGraph(root_nodes=["polite"]),
            lambda: DeepAcyclicGraph(root_nodes="polite"),
        ],
    )
    def test_is_told(self, make):
        with pytest.raises(SettingError, match=r"is no node|is given as a list"):
            make()
