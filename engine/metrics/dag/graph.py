"""Graph: nodes that hang together, checked before anybody is asked, and read from a file if need be.

In a file every node stands under its name. A task has what to do (task) and the nodes that follow (then). A
question has what to ask (ask) and what follows from each answer (answers): a number from 0 to 10 is the
score, a text the node that follows, `{metric: NAME}` a metric. The node that no other leads to is the root.

    bookings:
      task: List the bookings that the chatbot made.
      then: [confirmed, made]
    confirmed:
      ask: Did the user confirm every booking before it was made?
      answers: {yes: made, no: 0}
    made:
      ask: How many of the bookings are what the user wanted?
      answers: {all: 10, some: 4, none: 0}

Beside these a node may have output (what a task's outcome is called), parameters (fields of the case that the
judge reads) and turns (the first and the last turn that it sees).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from turnwise.conversations.cases import LLMTestCaseParams
from turnwise.conversations.errors import SettingError
from turnwise.conversations.words import did_you_mean
from turnwise.engine.metrics.dag.nodes import (
    AskingNode,
    BinaryJudgementNode,
    Node,
    NonBinaryJudgementNode,
    TaskNode,
    VerdictNode,
    check_nodes,
    verdict_word,
)
from turnwise.engine.metrics.metric import Metric


class DeepAcyclicGraph:
    """A graph of questions with one root, in which every path ends at a score or at another metric.

    root_nodes: a list with the root alone. Raises SettingError for several roots, a cycle, a node without
    verdicts, and verdicts that do not fit their node.
    """

    def __init__(self, root_nodes: Sequence[AskingNode]) -> None:
        check_nodes("the root of a graph", root_nodes)
        if len(root_nodes) != 1:
            raise SettingError(
                "A graph has exactly one root", detail=f"Given: {len(root_nodes)}", next_step=_JOIN_ROOTS
            )
        self.root = root_nodes[0]
        if isinstance(self.root, VerdictNode):
            raise SettingError("A graph's root asks something: a verdict cannot be one")
        self.nodes: list[Node] = list(_ordered(self.root))
        for node in self.nodes:
            _check(node)

    @cached_property
    def parents(self) -> Mapping[Node, Sequence[Node]]:
        """The nodes that lead to each node."""
        found: dict[Node, list[Node]] = {node: [] for node in self.nodes}
        for node in self.nodes:
            for child in followers(node):
                found[child].append(node)
        return found

    @property
    def asking(self) -> list[AskingNode]:
        """The nodes that ask the judge something."""
        return [node for node in self.nodes if not isinstance(node, VerdictNode)]

    @property
    def parameters(self) -> list[LLMTestCaseParams]:
        """The fields of a case that any node reads."""
        named = (parameter for node in self.asking for parameter in node.evaluation_params)
        return list(dict.fromkeys(named))

    @property
    def metrics(self) -> list[Metric]:
        """The metrics at the ends of the graph."""
        verdicts = (node for node in self.nodes if isinstance(node, VerdictNode))
        return [node.child for node in verdicts if isinstance(node.child, Metric)]

    def description(self) -> list[Any]:
        """Return the graph as JSON-ready values that are the same for the same graph."""
        numbers = {node: count for count, node in enumerate(self.nodes)}
        return [[*_described(node), [numbers[child] for child in followers(node)]] for node in self.nodes]


def followers(node: Node) -> list[Node]:
    """Return the nodes that a node leads to, without the metrics that end a path."""
    if isinstance(node, VerdictNode):
        return [] if node.child is None or isinstance(node.child, Metric) else [node.child]
    return list(node.children)


def _ordered(root: Node) -> Iterator[Node]:
    """Yield every node once, each before those that it leads to. Raises SettingError for a cycle."""
    done: list[Node] = []
    finished: set[Node] = set()
    path: dict[Node, None] = {root: None}
    waiting = [iter(followers(root))]
    while waiting:
        child = next(waiting[-1], None)
        if child is None:
            waiting.pop()
            node, _ = path.popitem()
            finished.add(node)
            done.append(node)
        elif child in path:
            raise SettingError(
                "A graph leads nowhere in circles", detail=f"A path comes back to: {_title(child)}"
            )
        elif child not in finished:
            path[child] = None
            waiting.append(iter(followers(child)))
    return reversed(done)


def _check(node: Node) -> None:
    if isinstance(node, VerdictNode):
        return
    if not node.children:
        raise SettingError("A node leads nowhere", detail=_title(node))
    if isinstance(node, TaskNode):
        if any(isinstance(child, VerdictNode) for child in node.children):
            raise SettingError("A task leads to a question, and never to a verdict", detail=_title(node))
        return
    if not all(isinstance(child, VerdictNode) for child in node.children):
        raise SettingError("A question leads to verdicts alone", detail=_title(node))
    verdicts = [child.verdict for child in node.children]
    if isinstance(node, BinaryJudgementNode):
        if sorted(map(str, verdicts)) != ["False", "True"] or not all(
            isinstance(one, bool) for one in verdicts
        ):
            raise SettingError(
                "A question of yes or no has one verdict for True and one for False", detail=_title(node)
            )
        return
    words = [verdict.strip().casefold() if isinstance(verdict, str) else "" for verdict in verdicts]
    if not all(words) or len(set(words)) != len(words):
        raise SettingError(
            "A question with answers of your own has a text for each, and each once", detail=_title(node)
        )


def _title(node: Node) -> str:
    return verdict_word(node.verdict) if isinstance(node, VerdictNode) else node.title


def _described(node: Node) -> list[Any]:
    if isinstance(node, VerdictNode):
        metric = (
            [node.child.key, node.child.version, node.child.settings()]
            if isinstance(node.child, Metric)
            else None
        )
        return ["verdict", node.verdict, node.score, metric]
    asked = node.instructions if isinstance(node, TaskNode) else node.criteria
    extra = node.output_label if isinstance(node, TaskNode) else ""
    fields = [parameter.value for parameter in node.evaluation_params]
    return [type(node).__name__, asked, extra, fields, list(node.turn_window or ())]


_JOIN_ROOTS = "Begin with one question or task, and let the others follow from it."


def load_graph(path: Path) -> DeepAcyclicGraph:
    """Read a graph from a YAML file. Raises SettingError where there is none or it means nothing."""
    from turnwise.conversations.files import load_yaml

    try:
        return graph_of(load_yaml(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        if isinstance(error, SettingError):
            raise SettingError(
                f"{path.name}: {error.title}", detail=error.detail, next_step=error.next_step
            ) from None
        raise SettingError(f"{path.name} holds no graph that can be read", detail=str(error)) from None


def graph_of(data: Any) -> DeepAcyclicGraph:
    """Make a graph of named nodes, as a file holds them.

    Raises SettingError where a name is unknown, several nodes are roots, or a path goes in circles.
    """
    if not isinstance(data, Mapping) or not data:
        raise SettingError("A graph is an object with a node under each name")
    made: dict[str, AskingNode] = {}
    led_to: set[str] = set()

    def node_of(name: str, above: tuple[str, ...]) -> AskingNode:
        if name in above:
            raise SettingError("A graph leads nowhere in circles", detail=" > ".join([*above, name]))
        if name not in data:
            raise SettingError(f"There is no node {name}", detail=f"Named in: {above[-1]}")
        if above:
            led_to.add(name)
        if name not in made:
            made[name] = _node(name, data[name], lambda other: node_of(str(other), (*above, name)))
        return made[name]

    for name in data:
        node_of(name, ())
    roots = [name for name in data if name not in led_to]
    if len(roots) != 1:
        raise SettingError(
            "A graph has exactly one root", detail=f"Roots: {', '.join(roots)}", next_step=_JOIN_ROOTS
        )
    return DeepAcyclicGraph([made[roots[0]]])


def _node(name: str, given: Any, node_of: Any) -> AskingNode:
    """Make a node of what a file says of it: a task, a question of yes or no, or one with answers."""
    if not isinstance(given, Mapping):
        raise SettingError(f"{name}: a node is an object", detail=f"Given: a {type(given).__name__}")
    unknown = set(given) - _KEYS
    if unknown:
        raise SettingError(
            f"{name}: no such field",
            detail=f"{', '.join(sorted(unknown))}; known: {', '.join(sorted(_KEYS))}",
            next_step=did_you_mean(str(min(unknown, key=str)), sorted(_KEYS)),
        )
    shared: dict[str, Any] = {
        "label": name,
        "evaluation_params": _parameters(name, given.get("parameters")),
        "turn_window": _turn_window(name, given.get("turns")),
    }
    if isinstance(task := given.get("task"), str):
        children = given.get("then")
        names = children if isinstance(children, list) else [children]
        return TaskNode(
            instructions=task,
            output_label=str(given.get("output") or name),
            children=[node_of(child) for child in names if child is not None],
            **shared,
        )
    answers = given.get("answers")
    if not isinstance(given.get("ask"), str) or not isinstance(answers, Mapping):
        raise SettingError(f"{name}: a node has a task, or ask with answers")
    binary = {str(word).casefold() for word in answers} == {"yes", "no"}
    verdicts = [
        _verdict(name, str(word).casefold() == "yes" if binary else str(word), then, node_of)
        for word, then in answers.items()
    ]
    if binary:
        return BinaryJudgementNode(criteria=given["ask"], children=verdicts, **shared)
    return NonBinaryJudgementNode(criteria=given["ask"], children=verdicts, **shared)


_KEYS = frozenset({"task", "output", "then", "ask", "answers", "parameters", "turns"})


def _verdict(name: str, verdict: bool | str, then: Any, node_of: Any) -> VerdictNode:
    """Make a verdict: a number is its score, a text the node that follows, {metric: NAME} a metric."""
    if isinstance(then, int | float) and not isinstance(then, bool):
        return VerdictNode(verdict=verdict, score=then)
    if isinstance(then, str):
        return VerdictNode(verdict=verdict, child=node_of(then))
    if isinstance(then, Mapping) and isinstance(then.get("metric"), str) and len(then) == 1:
        from turnwise.engine.metrics.registry import make_metric  # it names the metrics of graphs too

        return VerdictNode(verdict=verdict, child=make_metric(then["metric"]))
    raise SettingError(
        f"{name}: an answer leads to a number from 0 to 10, the name of a node, or {{metric: NAME}}",
        detail=f"Answer: {verdict_word(verdict)}",
    )


def _parameters(name: str, given: Any) -> list[LLMTestCaseParams]:
    names = [given] if isinstance(given, str) else given or []
    try:
        return [LLMTestCaseParams(str(one)) for one in names]
    except (TypeError, ValueError):
        known = ", ".join(parameter.value for parameter in LLMTestCaseParams)
        raise SettingError(f"{name}: parameters are fields of a case", detail=f"Known: {known}") from None


def _turn_window(name: str, given: Any) -> tuple[int, int] | None:
    if given is None:
        return None
    if isinstance(given, list) and len(given) == 2 and all(type(one) is int for one in given):
        return given[0], given[1]
    raise SettingError(f"{name}: turns holds the first and the last turn", next_step="For example: [1, 4]")
