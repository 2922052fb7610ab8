"""The metrics of a graph: a whole conversation or one exchange, judged question by question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.dag.graph import DeepAcyclicGraph, graph_of, load_graph
from turnwise.engine.metrics.dag.walk import walk
from turnwise.engine.metrics.metric import Finding, Metric, Scope, lacking
from turnwise.engine.metrics.subject import Subject, fields_missing

_FORMULA = (
    "the score of the verdict at which the walk from the root ends, over 10, or the score of the metric "
    "there; where tasks lead to several questions, the lowest that they end at"
)
_CALLS = "1 a node on the way, and those of the metric at its end"


@dataclass(kw_only=True, eq=False)
class GraphMetric(Metric, abstract=True):
    """What the metrics of a graph share. dag: the graph, its nodes by name, or a YAML file of them."""

    positional: ClassVar[tuple[str, ...]] = ("name", "dag", "model", "threshold")
    main_setting: ClassVar[str] = "dag"
    main_sample: ClassVar[str] = "graph.yaml"

    dag: DeepAcyclicGraph | Mapping[str, Any] | Path | str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.dag is None or self.dag == "":
            raise lacking(self, "a graph")
        if isinstance(self.dag, str | Path):
            self.dag = load_graph(Path(self.dag))
        elif not isinstance(self.dag, DeepAcyclicGraph):
            self.dag = graph_of(self.dag)
        wrong = next((metric for metric in self.graph.metrics if metric.scope != self.scope), None)
        if wrong is not None:
            raise SettingError(
                f"{self.name}: {wrong.name} at the end of the graph judges something else",
                detail=f"This metric judges a {self.scope}, and {wrong.name} a {wrong.scope}",
            )

    @property
    def graph(self) -> DeepAcyclicGraph:
        """The graph."""
        assert isinstance(self.dag, DeepAcyclicGraph)  # noqa: S101 - made of whatever was given
        return self.dag

    def settings(self) -> dict[str, Any]:
        """Return what the score depends on; the graph as plain values."""
        return {**super().settings(), "dag": self.graph.description()}

    @property
    def reads(self) -> tuple[str, ...]:
        """The needs, and the fields that a node or a metric of the graph reads."""
        named = (parameter.value for parameter in self.graph.parameters)
        inner = (name for metric in self.graph.metrics for name in metric.reads)
        return tuple(dict.fromkeys((*self.needs, *named, *inner)))

    def lacks(self, subject: Subject) -> str:
        """Skip a case that has not what the nodes read."""
        return super().lacks(subject) or fields_missing(self.graph.parameters, subject)

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Walk along the graph."""
        way = await walk(self.graph, subject, asking)
        score, reason = min(way.ends)
        return Finding(
            score=score,
            reason=reason,
            verdicts=way.verdicts,
            details={"path": way.titles, **({"outputs": way.outputs} if way.outputs else {})},
        )


@dataclass(kw_only=True, eq=False)
class ConversationalDAGMetric(GraphMetric):
    """A graph of questions about a whole conversation, or a part of it, that leads to a score.

    dag: a DeepAcyclicGraph, its nodes by name, or a YAML file that holds them.
    """

    key: ClassVar[str] = "conversational_dag"
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    account: ClassVar[Account] = Account(
        formula=_FORMULA,
        source="deepeval's ConversationalDAG; turns are numbered from 1",
        empty="a walk always ends at a score",
        calls=_CALLS,
        needs="and the fields named in evaluation_params",
    )


@dataclass(kw_only=True, eq=False)
class DAGMetric(GraphMetric):
    """A graph of questions about one exchange that leads to a score.

    dag: a DeepAcyclicGraph, its nodes by name, or a YAML file that holds them.
    """

    key: ClassVar[str] = "dag"
    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("input", "actual_output")
    account: ClassVar[Account] = Account(
        formula=_FORMULA,
        source="deepeval's DAG",
        empty="a walk always ends at a score",
        calls=_CALLS,
        needs="and the fields named in evaluation_params",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if any(node.turn_window for node in self.graph.asking):
            raise SettingError(
                f"{self.name}: turn_window is for conversations", next_step="Use ConversationalDAGMetric."
            )
